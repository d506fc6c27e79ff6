#if os(Linux)
  internal import Glibc
  internal import JettisonCore

  /// A text trace that grows while a recording goes on.
  ///
  /// Rows are given to the system as they come: whatever ends the recording, the file is a trace.
  struct RecordingFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    /// Creates the file and writes the header.
    init(path: String, header: TraceHeader) throws(TraceError) {
      self.path = path
      descriptor =
        path == "-"
        ? dup(STDOUT_FILENO) : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        throw Self.failure(
          .notCreatable, path, "cannot be created", "name a place you may write to")
      }
      var sink = ByteSink()
      try TextTraceWriter.writeHeader(header, to: &sink)
      try append(sink.collected)
    }

    deinit { close(descriptor) }

    /// Appends whole lines.
    func append(_ lines: [UInt8]) throws(TraceError) {
      var done = 0
      while done < lines.count {
        let count = unsafe lines.withUnsafeBytes { bytes in
          unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          throw Self.failure(
            errno == EPIPE ? .closedPipe : .writingFailed, path, "writing failed",
            "make room there, or write elsewhere")
        }
        done += count
      }
    }

    private static func failure(
      _ kind: TraceError.Kind, _ path: String, _ what: String, _ remedy: String
    ) -> TraceError {
      let reason = unsafe String(cString: strerror(errno))
      return TraceError(
        kind, file: path == "-" ? "<stdout>" : path, what: "\(what): \(reason)", remedy: remedy)
    }
  }
#endif
