public import JettisonCore
import JettisonImporters
import JettisonTraces

/// An input whose decoding is watched.
public struct ImportCase: Sendable {
  /// Kebab-case name.
  public let name: String
  private let makeInput: @Sendable (Int) throws -> ImportInput

  /// Every case.
  public static let all: [ImportCase] = [
    ImportCase(name: "text-allocations") { .text(TextWorkload.allocations(rows: $0)) },
    ImportCase(name: "text-usage") { .text(TextWorkload.usage(rows: $0)) },
    ImportCase(name: "memory-replay") { .capture(CaptureWorkload.memoryReplay(lines: $0)) },
    ImportCase(name: "heaptrack") { .capture(CaptureWorkload.heaptrack(lines: $0)) },
    ImportCase(name: "app-usage") { .capture(CaptureWorkload.appUsage(lines: $0)) },
    ImportCase(name: "binary") { try .binary(AllocationWorkload.trace(operations: $0)) },
  ]

  /// The input, of `size` rows.
  public func input(size: Int) throws -> ImportInput { try makeInput(size) }
}

/// Bytes to decode: text in memory, or the binary form in a file that is gone with this value.
public final class ImportInput: Sendable {
  /// Number of bytes.
  public let count: Int
  private let decode: @Sendable () throws -> Trace
  private let file: TemporaryFile?

  private init(
    count: Int, file: TemporaryFile?, decode: @escaping @Sendable () throws -> Trace
  ) {
    self.count = count
    self.file = file
    self.decode = decode
  }

  static func text(_ bytes: [UInt8]) -> ImportInput {
    ImportInput(count: bytes.count, file: nil) {
      try TraceLoader.read(text: bytes.span, name: "text")
    }
  }

  /// A capture of another format, told by its content.
  static func capture(_ bytes: [UInt8]) -> ImportInput {
    let file = TemporaryFile(suffix: ".capture")
    precondition(file.write(bytes), "the capture cannot be written")
    return ImportInput(count: bytes.count, file: file) {
      try TraceLoader.load(file.path, formats: .all)
    }
  }

  static func binary(_ trace: Trace) throws -> ImportInput {
    let file = TemporaryFile(suffix: ".jtrace")
    try TraceWriter.write(trace, to: file.path)
    return ImportInput(count: file.size, file: file) { try TraceLoader.load(file.path) }
  }

  /// Decodes the input.
  public func run() throws -> Trace { try decode() }
}
