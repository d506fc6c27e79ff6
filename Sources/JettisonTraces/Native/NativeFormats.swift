internal import JettisonModel
internal import JettisonSupport

extension TraceFormats {
  /// Trace format 1, as text and as binary records.
  ///
  /// A folder stands for its `.csv` and `.jtrace` files: of the other endings of text traces there are
  /// many files that are none.
  public static let native = TraceFormats(
    [.jettison, .jtrace], containers: [], folderEndings: [".csv", ".jtrace"])
}

extension TraceFormat {
  /// The same as one of the two forms of trace format 1.
  private var asNative: TraceFormat {
    var format = self
    format.isNative = true
    return format
  }

  /// Trace format 1 as text.
  package static let jettison = TraceFormat(
    name: "jettison",
    summary: "Trace format 1 as text: what Jettison writes and people write by hand.",
    provides: Set(TraceFact.allCases),
    fileExtensions: ["csv", "tsv", "txt", "trace", "jettison"],
    sniff: { prefix in
      prefix.starts(with: "# jettison-trace:") || prefix.starts(with: "\u{FEFF}# jettison-trace:")
    },
    read: { (input, _) throws(TraceError) in try read(input) }
  ).asNative

  private static func read(_ input: TraceInput) throws(TraceError) -> Trace {
    var reader = try TextTraceReader(
      file: input.displayName, traceName: input.traceName, storage: input.storage)
    try input.forEachChunk { (bytes) throws(TraceError) in try reader.feed(bytes) }
    return try reader.finish()
  }
}

extension TraceFormat {
  /// Trace format 1 as binary records.
  package static let jtrace = TraceFormat(
    name: "jtrace",
    summary: "Trace format 1 as mapped binary records: what Jettison replays fastest.",
    provides: Set(TraceFact.allCases),
    fileExtensions: ["jtrace"],
    sniff: { prefix in
      prefix.count >= BinaryTrace.magic.count
        && BinaryTrace.magic.indices.allSatisfy { prefix[$0] == BinaryTrace.magic[$0] }
    },
    read: { (input, _) throws(TraceError) in try BinaryTraceReader.read(input) }
  ).asNative
}
