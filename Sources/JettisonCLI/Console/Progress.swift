internal import JettisonReports

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The line on standard error that says how far long work is. Only on a terminal.
actor Progress {
  private let isShown: Bool
  private var lastDrawn: ContinuousClock.Instant?
  private let start = ContinuousClock.now
  private var hasLine = false

  /// Shows nothing if the user wants quiet or nobody is watching.
  init(isQuiet: Bool) {
    isShown = !isQuiet && Console.hasProgress
  }

  /// Draws the line again, at most ten times a second.
  func update(_ done: Int, of total: Int) {
    let now = ContinuousClock.now
    guard isShown, now - start > .milliseconds(300) else { return }
    if let lastDrawn, now - lastDrawn < .milliseconds(100), done < total { return }
    lastDrawn = now
    hasLine = true
    let elapsed = Self.seconds(now - start)
    let left = done > 0 ? elapsed * Double(total - done) / Double(done) : 0
    draw("\(done) of \(total) runs, \(Int(left.rounded())) s left")
  }

  /// Takes the line away.
  func finish() {
    if hasLine { draw("") }
    hasLine = false
  }

  private func draw(_ text: String) {
    let output = OutputFile(descriptor: STDERR_FILENO, name: "standard error")
    try? output.write("\r\u{1B}[K\(text)")
    try? output.flush()
  }

  static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
