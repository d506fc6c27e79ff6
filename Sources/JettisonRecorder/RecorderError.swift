#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Why a recording cannot begin.
///
/// ``description`` is one sentence for a log. Nothing that was recorded before is lost, and the app can
/// go on without a recording.
public enum RecorderError: Error, Equatable, Sendable {
  /// The file cannot be opened, read or written: `code` is the system's `errno`.
  ///
  /// Name a file in a folder that exists and that the app may write to. After a restart of the device
  /// files may be out of reach until it is unlocked: begin then.
  case file(path: String, code: Int32)
  /// There is no room for the file.
  ///
  /// Begin again when there is, or delete recordings that have been fetched.
  case full(path: String)
  /// The file holds something else, or the recording of another app. It was not touched.
  ///
  /// Name another file, or move this one away.
  case foreign(path: String)
  /// Another recorder of this process writes to the file. It was not touched.
  ///
  /// Use that recorder, name another file, or let go of that recorder and of its saves first.
  case inUse(path: String)
}

extension RecorderError: CustomStringConvertible {
  /// What is wrong and what to do, in one sentence.
  public var description: String {
    switch self {
    case .file(let path, let code):
      "\(path): cannot be used (\(Self.reason(code))): name a file where the app may write"
    case .full(let path): "\(path): cannot be written: no room is left: free some and begin again"
    case .foreign(let path):
      "\(path): is not a recording of this app, and was left as it is: name another file"
    case .inUse(let path):
      "\(path): another recorder of this process writes to it: use that one or name another file"
    }
  }

  /// What the system says of an error.
  private static func reason(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
