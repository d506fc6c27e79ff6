package import JettisonCore
internal import JettisonSupport
internal import JettisonTraces

/// Reads oomd's configuration from its own JSON (see <doc:/JettisonCore/LinuxModels#oomd>).
///
/// Comments are allowed, as oomd allows them. What a simulator has no part in is accepted and said;
/// what is not known to oomd is an error that names ruleset, plugin and key.
package enum OomdFile {
  /// A configuration, and what of the file has no effect here.
  package struct Reading: Sendable, Equatable {
    /// What oomd would do.
    package var configuration: OomdConfiguration
    /// Sentences about what is ignored.
    package var notes: [String]
  }

  static let maximumBytes = 1 << 20
  static let maximumDepth = 32

  /// Reads a file.
  package static func read(_ path: String) throws(ExperimentError) -> Reading {
    do throws(TraceError) {
      let input = try TraceInput(path: path)
      let bytes = try input.withBytes { (bytes) throws(TraceError) -> [UInt8] in
        guard bytes.count <= maximumBytes else {
          throw TraceError(
            file: input.displayName, what: "a file of \(bytes.count) bytes",
            remedy: "at most \(maximumBytes) bytes are read")
        }
        return bytes.indices.map { bytes[$0] }
      }
      return try reading(bytes, file: input.displayName)
    } catch {
      throw .input(error)
    }
  }

  /// Reads the bytes of a file.
  static func reading(_ bytes: [UInt8], file: String) throws(TraceError) -> Reading {
    let text = try withoutComments(bytes, file: file)
    var reader = OomdReader(file: file)
    let configuration = try reader.configuration(OomdJSON.read(text.span, file: file))
    return Reading(configuration: configuration, notes: reader.notes)
  }

  /// The bytes with comments blanked; nesting that is too deep is refused before it is parsed.
  private static func withoutComments(
    _ bytes: [UInt8], file: String
  ) throws(TraceError) -> [UInt8] {
    var text = bytes
    var depth = 0
    var position = 0
    func next(_ offset: Int) -> UInt8 {
      position + offset < text.count ? text[position + offset] : 0
    }
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""):
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
          position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= maximumDepth else {
          throw TraceError(
            file: file, what: "nested more than \(maximumDepth) deep",
            remedy: "a configuration needs about 6")
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: "/") where next(1) == UInt8(ascii: "/"):
        while position < text.count, text[position] != UInt8(ascii: "\n") {
          text[position] = UInt8(ascii: " ")
          position += 1
        }
        continue
      case UInt8(ascii: "/") where next(1) == UInt8(ascii: "*"):
        var isOver = false
        while position < text.count, !isOver {
          isOver = text[position] == UInt8(ascii: "*") && next(1) == UInt8(ascii: "/")
          // Lines stay where they are.
          if text[position] != UInt8(ascii: "\n") { text[position] = UInt8(ascii: " ") }
          position += 1
        }
        if isOver { text[position] = UInt8(ascii: " ") }
      default: break
      }
      position += 1
    }
    return text
  }
}
