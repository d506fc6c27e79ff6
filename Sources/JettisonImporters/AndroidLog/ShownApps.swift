internal import JettisonModel
internal import JettisonTraces

/// Turns what activities did into what apps did.
///
/// * An activity that comes to the front shows its app until another comes or it leaves: a launch, if
///   it lasts for more than no time, also when the app was in front already.
/// * An app leaves the front when the last of its activities has left it, unless another of them
///   follows within a second, with no other app between: the app switched screens, the user did
///   not go home.
/// * An activity that nothing says left the front (one on a second display, for instance) does not
///   come back when another app leaves.
/// * An app with a foreground service runs while it is not shown: a service that starts then
///   starts the app, or wakes it.
/// * Android writes some rows of a new start of the device before the row that says so, and none
///   between a shutdown and them: the first row after a shutdown is the `boot`.
struct ShownApps {
  /// A row of a usage log.
  struct Row: BitwiseCopyable {
    let nanoseconds: Int64
    /// Which activity of the package it was, or which service; 0: not said.
    let activity: Int64
    /// Where the log says so.
    let line: Int
    /// Number of the package.
    let package: UInt32
    let type: UsageEventType
  }

  /// What became of rows.
  struct Fact: Equatable {
    enum Kind: Equatable {
      /// The app came to the front, or shows another activity there.
      case shown
      /// It left the front.
      case left
      /// A foreground service of it starts, while it is not shown.
      case serviceStarted
      /// A foreground service of it goes on without the app being shown.
      case background
      /// The last one is over.
      case suspended
      case screen(isOn: Bool)
      case boot
    }

    let kind: Kind
    let nanoseconds: Int64
    /// Number of the package; `.max`: the device.
    var package: UInt32 = .max
    let line: Int
  }

  /// Two activities of one app that follow each other within this time are one time shown.
  private static let slackNanoseconds: Int64 = 1_000_000_000

  /// How long a start of the device takes from its first row to the one that says so.
  private static let bootNanoseconds: Int64 = 600_000_000_000

  /// What came of the rows so far, in order of time, for the caller to take away.
  var facts: [Fact] = []

  /// Rows that wait for those of the next second, from `next` on.
  private var rows: [Row] = []
  private var next = 0
  /// The foreground services of each app; those without a name of their own are counted.
  private var services: [UInt32: [Int64: Int]] = [:]
  /// The app whose activities are in front.
  private var front: UInt32?
  /// Those of its activities that came to the front and did not leave.
  private var activities: Set<Int64> = []
  /// An app that came to the front just now, perhaps for no time.
  private var arrival: Row?
  /// The app that was told to be in front.
  private var told: UInt32?
  private var isShutDown = false
  /// When a boot was made of a row that comes before the one that says so.
  private var bootedAt: Int64?
  private var hasScreen = false

  /// Takes a row; none is earlier than the one before.
  mutating func take(_ row: Row, _ issues: inout ImportIssues) {
    rows.append(row)
    while rows[next].nanoseconds < row.nanoseconds - Self.slackNanoseconds { step(&issues) }
    if next > 1024, next > rows.count / 2 {
      rows.removeFirst(next)
      next = 0
    }
  }

  /// Takes all rows that wait as if nothing followed them.
  mutating func flush(_ issues: inout ImportIssues) {
    while next < rows.count { step(&issues) }
    rows.removeAll(keepingCapacity: true)
    next = 0
    tellArrival()
  }

  /// Counts what the log lacks.
  func finish(_ issues: inout ImportIssues) {
    if !hasScreen { issues.add(.info, "no row says that the screen went on or off") }
  }

  private mutating func step(_ issues: inout ImportIssues) {
    let row = rows[next]
    if let arrival, arrival.nanoseconds < row.nanoseconds { tellArrival() }
    if isShutDown { boot(row) }
    take(row, at: next, &issues)
    next += 1
  }

  private mutating func take(_ row: Row, at position: Int, _ issues: inout ImportIssues) {
    switch row.type {
    case .resumed: resume(row, &issues)
    case .paused: pause(position, &issues)
    case .stopped where front == row.package && activities.contains(row.activity):
      pause(position, &issues)
    case .stopped:
      issues.add(.info, "an activity that stops had left the front before", line: row.line)
    case .serviceStarted: startService(row)
    case .serviceStopped: stopService(row, &issues)
    case .screenOn, .screenOff:
      hasScreen = true
      facts.append(
        Fact(
          kind: .screen(isOn: row.type == .screenOn), nanoseconds: row.nanoseconds, line: row.line))
    case .shutdown:
      leave(row, &issues)
      isShutDown = true
    case .startup:
      // Rows between the shutdown and this one made the boot already.
      if bootedAt.map({ row.nanoseconds - $0 > Self.bootNanoseconds }) ?? true { boot(row) }
      bootedAt = nil
    case .notification: issues.add(.info, "a notification is not a launch", line: row.line)
    case .lockScreen:
      issues.add(
        .info, "the lock screen came or went, which says nothing of the screen", line: row.line)
    case .other: issues.add(.info, "an event that says nothing of what runs", line: row.line)
    case .unknown: issues.add(.info, "an event of an unknown type", line: row.line)
    }
  }
}

// MARK: - What is in front

extension ShownApps {
  private mutating func resume(_ row: Row, _ issues: inout ImportIssues) {
    if let arrival { dismiss(arrival, &issues) }
    if front != row.package { activities = [] }
    front = row.package
    activities.insert(row.activity)
    arrival = row
  }

  private mutating func pause(_ position: Int, _ issues: inout ImportIssues) {
    let row = rows[position]
    // Otherwise the app that came before this row took the front from it already.
    guard front == row.package else { return }
    guard activities.remove(row.activity) != nil, activities.isEmpty, !isFollowed(position)
    else { return }
    leave(row, &issues)
  }

  /// Whether the next activity to come to the front is of the same app and comes soon.
  ///
  /// Looks no further than the next activity, so that all rows together are looked at twice.
  private func isFollowed(_ position: Int) -> Bool {
    let row = rows[position]
    for next in rows[(position + 1)...] {
      guard next.nanoseconds - row.nanoseconds <= Self.slackNanoseconds else { return false }
      switch next.type {
      case .resumed: return next.package == row.package
      case .shutdown, .startup: return false
      default: break
      }
    }
    return false
  }

  /// The app in front leaves, for whatever there is.
  private mutating func leave(_ row: Row, _ issues: inout ImportIssues) {
    if let arrival { dismiss(arrival, &issues) }
    front = nil
    activities = []
    guard let told else { return }
    self.told = nil
    add(.left, row.nanoseconds, told, row.line)
    if isServing(told) { add(.background, row.nanoseconds, told, row.line) }
  }

  /// The app that came to the front stayed there for some time.
  private mutating func tellArrival() {
    guard let arrival else { return }
    self.arrival = nil
    add(.shown, arrival.nanoseconds, arrival.package, arrival.line)
    if let told, told != arrival.package, isServing(told) {
      add(.background, arrival.nanoseconds, told, arrival.line)
    }
    told = arrival.package
  }

  private mutating func dismiss(_ arrival: Row, _ issues: inout ImportIssues) {
    self.arrival = nil
    issues.add(.info, "an app that is shown for no time is not a launch", line: arrival.line)
  }

  private mutating func add(_ kind: Fact.Kind, _ nanoseconds: Int64, _ package: UInt32, _ line: Int)
  {
    facts.append(Fact(kind: kind, nanoseconds: nanoseconds, package: package, line: line))
  }
}

// MARK: - Services and boots

extension ShownApps {
  private func isServing(_ package: UInt32) -> Bool { services[package]?.isEmpty == false }

  private mutating func startService(_ row: Row) {
    let isFirst = !isServing(row.package)
    let known = services[row.package]?[row.activity] ?? 0
    // A service with a name of its own starts once.
    services[row.package, default: [:]][row.activity] = row.activity == 0 ? known + 1 : 1
    guard isFirst, told != row.package, arrival?.package != row.package else { return }
    add(.serviceStarted, row.nanoseconds, row.package, row.line)
  }

  private mutating func stopService(_ row: Row, _ issues: inout ImportIssues) {
    guard let count = services[row.package]?[row.activity] else {
      issues.add(.info, "a service stops that was not seen to start", line: row.line)
      return
    }
    services[row.package]?[row.activity] = count > 1 ? count - 1 : nil
    guard !isServing(row.package), told != row.package, arrival?.package != row.package else {
      return
    }
    add(.suspended, row.nanoseconds, row.package, row.line)
  }

  private mutating func boot(_ row: Row) {
    tellArrival()
    facts.append(Fact(kind: .boot, nanoseconds: row.nanoseconds, line: row.line))
    bootedAt = isShutDown ? row.nanoseconds : nil
    isShutDown = false
    front = nil
    told = nil
    activities = []
    services = [:]
  }
}
