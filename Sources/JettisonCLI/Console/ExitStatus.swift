/// How the program ends, as scripts see it (`sysexits.h` from 64 on).
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case gate = 2
  case misuse = 64
  case malformed = 65
  case missing = 66
  case notCreatable = 73
  case writingFailed = 74
}

/// An end of the program with a sentence of its own.
struct CommandFailure: Error {
  let status: ExitStatus
  /// What is printed after the program's name; nil: everything has been said.
  let message: String?

  init(_ status: ExitStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }
}
