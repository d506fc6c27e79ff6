#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A line that shows how far long work has come: on a terminal only, at most ten times a second.
package struct ProgressLine: Sendable {
  /// Shortest time between two updates.
  package static let intervalNanoseconds: Int64 = 100_000_000

  private var newest: Int64?
  private var isShown = false

  /// Nothing shown yet.
  package init() {}

  /// What to write to show a text now; nil if the last one is too fresh.
  ///
  /// - Parameters:
  ///   - text: One short line.
  ///   - now: A monotonic time in nanoseconds.
  ///   - width: Columns of the terminal.
  package mutating func update(_ text: String, now: Int64, width: Int) -> String? {
    if let newest, now - newest < Self.intervalNanoseconds { return nil }
    newest = now
    isShown = true
    var line = ""
    var room = width - 1
    for character in TextStyle.clean(text) {
      room -= TextStyle.displayWidth(String(character))
      if room < 0 { break }
      line.append(character)
    }
    return "\r\u{1B}[2K\(line)"
  }

  /// What to write to take the line away; nil if none is shown.
  package mutating func clear() -> String? {
    guard isShown else { return nil }
    isShown = false
    return "\r\u{1B}[2K"
  }

  /// A monotonic time in nanoseconds: for progress only, never for results.
  package static func now() -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// A progress line on standard error.
package actor ProgressDisplay {
  private var line = ProgressLine()
  private let width: Int?

  /// Shows something only if standard error is a terminal and progress is wanted.
  package init(isWanted: Bool) {
    width = isWanted ? TextStyle.terminalWidth(descriptor: STDERR_FILENO) : nil
  }

  /// Shows a text, unless the last one is too fresh.
  package func show(_ text: String) {
    guard let width else { return }
    write(line.update(text, now: ProgressLine.now(), width: width))
  }

  /// Takes the line away.
  package func clear() {
    write(line.clear())
  }

  private func write(_ text: String?) {
    guard let text else { return }
    // A line that cannot be shown is no reason to stop.
    let file = OutputFile(descriptor: STDERR_FILENO, name: "standard error")
    try? file.write(text)
    try? file.flush()
  }
}
