import JettisonModel

/// Turns the rows of a screen-time log into what the user did.
///
/// The log says what was shown, from when and for how long; it never says that the user left an
/// app. What follows from it:
///
/// * A row that shows an app for more than no time is a `launch`, also when the app was in front.
/// * "Screen off" is `screen` 0 and "Screen on (unlocked)" is `screen` 1. The lock screen
///   ("Screen on (locked)") leaves the app behind it interrupted, so it is only counted; an app
///   shown above it (an alarm, a call) is a `launch` and then `screen` 1.
/// * When an app's time ends and nothing else is shown for more than a second, with the screen on
///   and unlocked, the user was on the home screen: `home` at the end of its time. The same holds
///   when "unlocked" itself lasts more than a second: `home` at the unlocking. One second is
///   the rounding of the log's times.
/// * A screen that goes off at the end of an app's time interrupts the app, which stays in front.
/// * "Device boot" is `boot`. A shutdown turns the screen off; the boot after it ends the apps.
/// * An app that the import leaves out takes the place of the one in front: `home`.
/// * Notifications and notes change nothing and are counted.
struct AppUsageTimeline {
  /// One row, oldest first.
  struct Row: Equatable {
    let meaning: AppUsageLabels.Meaning
    /// Position in the list of apps; meaningless unless the row is an app's.
    let app: UInt32
    let line: UInt32
    let startSeconds: Int64
    let durationSeconds: Int64
  }

  /// One event; times in seconds since the same origin as the rows'.
  struct Output: Equatable {
    let kind: EventKind
    let seconds: Int64
    var app: UInt32?
    var value: Int64?
    var line: UInt32
  }

  /// What the log showed that changes nothing, for counting.
  enum Remark: String, CaseIterable {
    case noTime = "a row that shows an app for no time is not a launch"
    case notification = "a notification is not a launch"
    case lockScreen = "a lit lock screen leaves the app behind it interrupted"
    case otherApp = "a row of an excluded app"
    case note = "a note of the log about itself"
    case shutdown = "a shutdown turns the screen off; the boot after it ends the apps"
  }

  /// Rounding of the log's times, in seconds.
  private static let slack: Int64 = 1

  private var outputs: [Output] = []
  private var remarks: [(Remark, UInt32)] = []
  private var front: UInt32?
  /// When the app in front was last known to be shown.
  private var shownUntil: Int64 = 0
  private var isOn = true
  private var endSeconds: Int64 = 0

  /// Events in order, remarks with lines, and when the last row ended.
  ///
  /// Complexity: O(rows).
  static func run(
    _ rows: [Row]
  ) -> (outputs: [Output], remarks: [(Remark, line: UInt32)], endSeconds: Int64) {
    var timeline = AppUsageTimeline()
    timeline.outputs.reserveCapacity(rows.count)
    for row in rows { timeline.step(row) }
    return (timeline.outputs, timeline.remarks.map { ($0.0, line: $0.1) }, timeline.endSeconds)
  }

  private mutating func step(_ row: Row) {
    endSeconds = max(endSeconds, row.startSeconds + row.durationSeconds)
    switch row.meaning {
    case .app where row.durationSeconds == 0: remarks.append((.noTime, row.line))
    case .notification: remarks.append((.notification, row.line))
    case .note: remarks.append((.note, row.line))
    case .app:
      leaveIfGone(before: row)
      add(.launch, row, app: row.app)
      turnOn(row)
      front = row.app
      shownUntil = row.startSeconds + row.durationSeconds
    case .otherApp:
      leaveIfGone(before: row)
      turnOn(row)
      goHome(at: row.startSeconds, row)
      remarks.append((.otherApp, row.line))
    case .screenOff:
      leaveIfGone(before: row)
      turnOff(row)
    case .screenOnLocked:
      leaveIfGone(before: row)
      turnOff(row)
      remarks.append((.lockScreen, row.line))
    case .screenOn:
      leaveIfGone(before: row)
      turnOn(row)
      if row.durationSeconds > Self.slack { goHome(at: row.startSeconds, row) }
      shownUntil = row.startSeconds + row.durationSeconds
    case .shutdown:
      leaveIfGone(before: row)
      turnOff(row)
      remarks.append((.shutdown, row.line))
    case .boot:
      add(.boot, row)
      front = nil
    }
  }

  /// `home`, if the app in front stopped being shown well before this row.
  private mutating func leaveIfGone(before row: Row) {
    guard isOn, row.startSeconds - shownUntil > Self.slack else { return }
    goHome(at: shownUntil, row)
  }

  private mutating func goHome(at seconds: Int64, _ row: Row) {
    guard front != nil else { return }
    outputs.append(Output(kind: .home, seconds: seconds, line: row.line))
    front = nil
  }

  private mutating func turnOn(_ row: Row) {
    guard !isOn else { return }
    isOn = true
    add(.screen, row, value: 1)
  }

  private mutating func turnOff(_ row: Row) {
    guard isOn else { return }
    isOn = false
    add(.screen, row, value: 0)
  }

  private mutating func add(_ kind: EventKind, _ row: Row, app: UInt32? = nil, value: Int64? = nil)
  {
    outputs.append(
      Output(kind: kind, seconds: row.startSeconds, app: app, value: value, line: row.line))
  }
}
