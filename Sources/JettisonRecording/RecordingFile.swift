#if os(Linux)
  internal import Glibc
  internal import JettisonModel
  internal import JettisonSupport
  internal import JettisonTraces

  /// A text trace that grows while a recording goes on.
  ///
  /// It appears with its first rows in it, and rows are given to the system as they come: whatever
  /// ends the recording, the file is a trace.
  struct RecordingFile: ~Copyable {
    let path: String
    /// Whether what is written cannot be written anew: standard output, a pipe or a device.
    let isStream: Bool
    /// The file until it has rows; nil: it has, or is no file.
    private var sink: ByteSink?
    private var descriptor: Int32 = -1

    /// Makes sure that there is a place for the file.
    init(path: String) throws(TraceError) {
      self.path = path
      let isStream = path == "-" || FileSystem.isSpecial(path)
      self.isStream = isStream
      sink = isStream ? nil : try ByteSink(path: path)
      if isStream { try open(O_WRONLY) }
    }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    /// Writes the header and the first rows.
    mutating func begin(_ header: TraceHeader, rows: [UInt8]) throws(TraceError) {
      var start = sink.take() ?? ByteSink()
      try TextTraceWriter.writeHeader(header, to: &start)
      try start.append(rows)
      if descriptor >= 0 {
        try append(start.collected)
      } else {
        try start.finish()
        try open(O_WRONLY | O_APPEND)
      }
    }

    private mutating func open(_ flags: Int32) throws(TraceError) {
      descriptor =
        path == "-" ? dup(STDOUT_FILENO) : unsafe Glibc.open(path, flags | O_CLOEXEC)
      guard descriptor < 0 else { return }
      throw Self.failure(
        .notCreatable, path, "cannot be created", errno, "name a place you may write to")
    }

    /// Appends whole lines.
    func append(_ lines: [UInt8]) throws(TraceError) {
      let code = FileSystem.writeAll(lines.span, to: descriptor)
      guard code != 0 else { return }
      throw Self.failure(
        code == EPIPE ? .closedPipe : .writingFailed, path, "writing failed", code,
        "make room there, or write elsewhere")
    }

    private static func failure(
      _ kind: TraceError.Kind, _ path: String, _ what: String, _ code: Int32, _ remedy: String
    ) -> TraceError {
      let failure = SystemFailure(code: code)
      return TraceError(
        kind, file: path == "-" ? "<stdout>" : path, what: "\(what): \(failure.text)",
        remedy: failure.remedy(or: remedy))
    }
  }
#endif
