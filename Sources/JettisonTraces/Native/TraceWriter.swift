public import JettisonModel
internal import JettisonSupport

/// Writes traces in the form that a file's name asks for.
public enum TraceWriter {
  /// Writes `path.jtrace` as binary, any other name and `-` (standard output) as text.
  ///
  /// Throws ``TraceError`` if the file cannot be created or writing fails part-way; a file that
  /// exists under `path` afterwards is whole.
  ///
  /// - Complexity: O(events).
  public static func write(_ trace: Trace, to path: String) throws(TraceError) {
    var batch = TraceBatch()
    try batch.write(trace, to: path)
    try batch.publish()
  }

  /// Writes to a file that was created before, in the form that its name asks for, and leaves it to
  /// get its name later.
  static func complete(
    _ trace: Trace, to sink: consuming ByteSink, as path: String
  ) throws(TraceError) -> HiddenFile? {
    if path.hasSuffix(".jtrace") {
      try BinaryTrace.write(trace, to: &sink)
    } else {
      try TextTraceWriter.write(trace, to: &sink)
    }
    return try sink.complete()
  }
}

/// Several traces of one command: they appear together, when all are whole.
package struct TraceBatch: ~Copyable {
  private var files: [(name: String, file: HiddenFile)] = []

  /// Holds none yet.
  package init() {}

  /// Writes a trace in the form that the name of its file asks for.
  package mutating func write(_ trace: Trace, to path: String) throws(TraceError) {
    try write(trace, to: try ByteSink(path: path), as: path)
  }

  /// Writes a trace to a file that was created before.
  package mutating func write(
    _ trace: Trace, to sink: consuming ByteSink, as path: String
  ) throws(TraceError) {
    if let file = try TraceWriter.complete(trace, to: sink, as: path) {
      files.append((path, file))
    }
  }

  /// Gives all of them their names.
  package mutating func publish() throws(TraceError) {
    let complete = files
    files = []
    try AtomicFile.together { () throws(TraceError) in
      for (name, file) in complete { try ByteSink.publish(file, as: name) }
    }
  }
}
