#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A report that could not be written.
package enum ReportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The directory of the reports cannot be made or is none.
  case directoryNotCreatable(path: String, code: Int32)
  /// A file cannot be made where it belongs.
  case fileNotCreatable(path: String, code: Int32)
  /// Writing stopped part-way.
  case writeFailed(path: String, code: Int32)
  /// Whoever read the output stopped reading: a reason to stop quietly, not to complain.
  case closedPipe(path: String)

  /// Status with which a command ends: 73 not creatable, 74 writing failed.
  package var exitStatus: Int32 {
    switch self {
    case .directoryNotCreatable, .fileNotCreatable: 73
    case .writeFailed, .closedPipe: 74
    }
  }

  package var description: String {
    switch self {
    case .directoryNotCreatable(let path, let code):
      "\(path): cannot be made a directory: \(Self.reason(code)) "
        + "(name a directory you may write to)"
    case .fileNotCreatable(let path, let code):
      "\(path): cannot be created: \(Self.reason(code)) (name a place you may write to)"
    case .writeFailed(let path, let code):
      "\(path): writing failed: \(Self.reason(code)) (make room there, or write elsewhere)"
    case .closedPipe(let path):
      "\(path): whoever read the output stopped reading"
    }
  }

  /// What the system says about a code of its own, in its first letter small.
  private static func reason(_ code: Int32) -> String {
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
