package import JettisonCore

/// The events of a trace in short: `seconds app event value #slot detail`, empty parts left out.
package func summary(_ trace: Trace) -> [String] {
  var lines: [String] = []
  trace.events.withEvents { events in
    for position in 0..<events.count {
      let event = events[position]
      let seconds = Double(event.timeNanoseconds) / 1e9
      var parts = [seconds.rounded() == seconds ? "\(Int(seconds))" : "\(seconds)"]
      if event.app != .none { parts.append(trace.apps[event.app.position]) }
      parts.append(event.kind.name)
      if event.flags.contains(.hasValue) { parts.append("\(event.value)") }
      if event.flags.contains(.hasID) { parts.append("#\(event.slot)") }
      let detail = trace.detailTexts[Int(event.detail)]
      if !detail.isEmpty { parts.append(detail) }
      lines.append(parts.joined(separator: " "))
    }
  }
  return lines
}

/// The issues of a trace in short: `severity count text @lines`.
package func issues(_ trace: Trace) -> [String] {
  trace.issues.all.map { issue in
    let lines = issue.lines.map(String.init).joined(separator: ",")
    return "\(issue.severity.name) \(issue.count) \(issue.text)"
      + (lines.isEmpty ? "" : " @\(lines)")
  }
}
