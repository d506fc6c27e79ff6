package import JettisonModel
internal import JettisonSupport

/// Writes trace format 1 as canonical text: one way to write each trace.
package enum TextTraceWriter {
  /// Writes a trace.
  ///
  /// Complexity: O(events).
  package static func write(_ trace: Trace, to sink: inout ByteSink) throws(TraceError) {
    try writeHeader(trace.header, to: &sink)
    let apps = trace.apps.map { Array(PercentEncoding.encode($0).utf8) }
    let details = trace.detailTexts.map { Array($0.utf8) }
    let kinds = EventKind.allCases.map { Array($0.name.utf8) }
    var captured = CapturedIDs(trace)
    let comma = UInt8(ascii: ",")
    try trace.capturedIDs.withIDs { (ids) throws(TraceError) in
      try trace.events.forEachWindow { (events, _) throws(TraceError) in
        for position in 0..<events.count {
          let event = events[position]
          try sink.append(decimal: event.timeNanoseconds)
          try sink.append(comma)
          if event.app != .none { try sink.append(apps[event.app.position]) }
          try sink.append(comma)
          try sink.append(kinds[Int(event.kind.rawValue)])
          try sink.append(comma)
          if event.flags.contains(.hasValue) { try sink.append(decimal: event.value) }
          try sink.append(comma)
          if event.flags.contains(.hasID) {
            try sink.append(decimal: captured.id(of: event, ids))
          }
          try sink.append(comma)
          try sink.append(details[Int(event.detail)])
          try sink.append(0x0A)
        }
      }
    }
  }

  /// Writes what stands above the rows.
  package static func writeHeader(
    _ header: TraceHeader, to sink: inout ByteSink
  ) throws(TraceError) {
    try sink.append(TextTraceReader.firstLine + "\n")
    for line in header.yamlLines { try sink.append("# \(line)\n") }
    try sink.append(TraceColumn.allCases.map(\.rawValue).joined(separator: ",") + "\n")
  }
}
