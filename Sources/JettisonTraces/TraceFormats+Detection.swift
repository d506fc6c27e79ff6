extension TraceFormats {
  /// The first format that recognises an input.
  ///
  /// - Throws: ``TraceError`` if none does, with what the input most likely is, and if two formats have
  ///   one name.
  public func detect(_ input: TraceInput) throws(TraceError) -> TraceFormat {
    if let name = sharedName {
      throw TraceError(
        .misuse, file: input.displayName, what: "two formats have the name '\(name)'",
        remedy: "give one another name")
    }
    let prefix = input.prefix
    if !input.isFolder {
      for container in containers where container.sniff(prefix.span) {
        return try container.detect(input, list)
      }
    }
    for format in list where format.sniff(prefix.span) { return format }
    if input.isFolder { throw TraceInput.folderError(input.displayName) }
    if prefix.isEmpty {
      throw TraceError(
        file: input.displayName, what: "is empty",
        remedy: "a trace begins with '\(TextTraceReader.firstLine)'")
    }
    if let tool = Self.compressor(of: prefix) {
      throw TraceError(
        file: input.displayName, line: 1, what: "is compressed",
        remedy: "decompress it, or pipe '\(tool)' into '-'")
    }
    if prefix.starts(with: "SQLite format 3\0".utf8) {
      throw TraceError(
        .misuse, file: input.displayName,
        what: "is a SQLite database, which these formats don't open",
        remedy: "take the formats of JettisonImporters, or add its container .sqlite")
    }
    try Self.refuseWideText(input)
    // Named after what a person most likely meant: a native trace whose first line is wrong.
    throw TextTraceReader.firstLineError(input)
  }

  /// The format to read an input by.
  ///
  /// - Parameters:
  ///   - format: The one that the user named; nil: the one that reads columns if `options` name some,
  ///     else detected from the content.
  ///   - input: What is to be read.
  ///   - options: How.
  /// - Throws: ``TraceError`` if no format recognises the input, if the format reads no directories and
  ///   this is one, for text in UTF-16, and for options of captures where a trace is read.
  public func choose(
    _ format: TraceFormat?, for input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> TraceFormat {
    try Self.refuseWideText(input)
    let byColumns = options.columns.isEmpty ? nil : list.first(where: \.readsColumns)
    let format = if let named = format ?? byColumns { named } else { try detect(input) }
    if format.isNative, let property = options.captureProperty {
      throw TraceError(
        .misuse, file: input.displayName,
        what: "is a trace already, and \(property) is for captures of other formats",
        remedy: "leave it out")
    }
    if input.isFolder, !format.readsFolders { throw TraceInput.folderError(input.displayName) }
    return format
  }

  /// No format of bytes begins with the mark of UTF-16, whatever the user takes the input for.
  private static func refuseWideText(_ input: TraceInput) throws(TraceError) {
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
    guard marks.contains(where: input.prefix.starts(with:)) else { return }
    throw TraceError(
      file: input.displayName, line: 1, what: "is text in UTF-16, which is not read",
      remedy: "save it as UTF-8; in PowerShell, pipe the command into 'Out-File -Encoding utf8'")
  }

  private static func compressor(of prefix: [UInt8]) -> String? {
    if prefix.starts(with: [0x1F, 0x8B]) { return "gzip -dc" }
    if prefix.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return "zstd -dc" }
    if prefix.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A]) { return "xz -dc" }
    if prefix.starts(with: [0x42, 0x5A, 0x68]) { return "bzip2 -dc" }
    if prefix.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "unzip -p" }
    return nil
  }
}
