internal import JettisonCore

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
  private typealias Row = DigitalWellbeingReader.Row

  /// Two activities of one app that follow each other within this time are one time shown.
  private static let slackMilliseconds: Int64 = 1000

  /// How long a start of the device takes from its first row to the one that says so.
  private static let bootMilliseconds: Int64 = 60_000

  /// An app that came to the front just now, perhaps for no time.
  private struct Arrival {
    let milliseconds: Int64
    let package: Int32
    let number: Int
  }

  private let packages: [String]
  /// The life of each app that was seen since the last boot.
  private var processes: [Int32: CaptureProcess] = [:]
  /// How many foreground services each app has.
  private var services: [Int32: Int] = [:]
  /// The app whose activities are in front.
  private var front: Int32?
  /// Those of its activities that came to the front and did not leave.
  private var activities: Set<Int64> = []
  private var arrival: Arrival?
  /// The app that the timeline knows to be in front.
  private var told: Int32?
  private var isShutDown = false
  /// When a boot was made of a row that comes before the one that says so.
  private var bootMilliseconds: Int64?
  private var hasScreen = false

  /// Prepares for rows of the given packages.
  init(packages: [String]) {
    self.packages = packages
  }

  /// Adds the facts of all rows, which are in the order of time.
  ///
  /// Complexity: O(rows).
  mutating func run(
    _ rows: [DigitalWellbeingReader.Row], _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    for position in rows.indices {
      let row = rows[position]
      if let arrival, arrival.milliseconds < row.milliseconds {
        try tellArrival(&timeline)
      }
      if isShutDown { try boot(row, &timeline) }
      try take(rows, position, &timeline)
    }
    try tellArrival(&timeline)
    if !hasScreen { timeline.issues.add(.info, "no row says that the screen went on or off") }
  }

  private mutating func take(
    _ rows: [Row], _ position: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let row = rows[position]
    let line = row.number
    switch row.type {
    case .resumed: try resume(row, &timeline)
    case .paused: try pause(rows, position, &timeline)
    case .stopped where front == row.package && activities.contains(row.activity):
      try pause(rows, position, &timeline)
    case .stopped:
      timeline.issues.add(.info, "an activity that stops had left the front before", line: line)
    case .serviceStarted: try startService(row, &timeline)
    case .serviceStopped: try stopService(row, &timeline)
    case .screenOn, .screenOff:
      hasScreen = true
      try timeline.add(.screen(isOn: row.type == .screenOn), at: row.nanoseconds, line: line)
    case .shutdown:
      try leave(row, &timeline)
      isShutDown = true
    case .startup:
      // Rows between the shutdown and this one made the boot already.
      if row.milliseconds - (bootMilliseconds ?? .min / 2) > Self.bootMilliseconds {
        try boot(row, &timeline)
      }
      bootMilliseconds = nil
    case .notification: timeline.issues.add(.info, "a notification is no launch", line: line)
    case .lockScreen:
      timeline.issues.add(
        .info, "the lock screen came or went, which says nothing of the screen", line: line)
    case .other:
      timeline.issues.add(.info, "an event that says nothing of what runs", line: line)
    case .unknown:
      timeline.issues.add(.info, "an event of a type that is not known", line: line)
    }
  }
}

// MARK: - What is in front

extension ShownApps {
  private mutating func resume(_ row: Row, _ timeline: inout CaptureTimeline) throws(TraceError) {
    if let arrival { dismiss(arrival, &timeline) }
    if front != row.package { activities = [] }
    front = row.package
    activities.insert(row.activity)
    arrival = Arrival(
      milliseconds: row.milliseconds, package: row.package, number: row.number)
  }

  private mutating func pause(
    _ rows: [Row], _ position: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let row = rows[position]
    // Otherwise the app that came before this row took the front from it already.
    guard front == row.package else { return }
    guard activities.remove(row.activity) != nil, activities.isEmpty, !isFollowed(rows, position)
    else { return }
    try leave(row, &timeline)
  }

  /// Whether the next activity to come to the front is of the same app and comes soon.
  ///
  /// Looks no further than the next activity, so that all rows together are looked at twice.
  private func isFollowed(_ rows: [Row], _ position: Int) -> Bool {
    let row = rows[position]
    for next in rows[(position + 1)...] {
      guard next.milliseconds - row.milliseconds <= Self.slackMilliseconds else { return false }
      switch next.type {
      case .resumed: return next.package == row.package
      case .shutdown, .startup: return false
      default: break
      }
    }
    return false
  }

  /// The app in front leaves, for whatever there is.
  private mutating func leave(_ row: Row, _ timeline: inout CaptureTimeline) throws(TraceError) {
    if let arrival { dismiss(arrival, &timeline) }
    front = nil
    activities = []
    guard let told else { return }
    self.told = nil
    let process = process(told, &timeline)
    try timeline.add(.left, at: row.nanoseconds, process, line: row.number)
    if services[told, default: 0] > 0 {
      try timeline.add(.background, at: row.nanoseconds, process, line: row.number)
    }
  }

  /// The app that came to the front stayed there for some time.
  private mutating func tellArrival(_ timeline: inout CaptureTimeline) throws(TraceError) {
    guard let arrival else { return }
    self.arrival = nil
    let process = process(arrival.package, &timeline)
    try timeline.add(
      .front, at: arrival.milliseconds * 1_000_000, process, line: arrival.number)
    if let told, told != arrival.package, services[told, default: 0] > 0 {
      try timeline.add(
        .background, at: arrival.milliseconds * 1_000_000, self.process(told, &timeline),
        line: arrival.number)
    }
    told = arrival.package
  }

  private mutating func dismiss(_ arrival: Arrival, _ timeline: inout CaptureTimeline) {
    self.arrival = nil
    timeline.issues.add(
      .info, "an app that is shown for no time is no launch", line: arrival.number)
  }
}

// MARK: - Services, lives and boots

extension ShownApps {
  private mutating func startService(
    _ row: Row, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let package = row.package
    services[package, default: 0] += 1
    guard services[package] == 1, told != row.package, arrival?.package != row.package else {
      return
    }
    let process = process(row.package, &timeline)
    // The log does not say which processes were gone: a service starts or wakes its own.
    try timeline.add(.started(.unknown), at: row.nanoseconds, process, line: row.number)
    try timeline.add(.background, at: row.nanoseconds, process, line: row.number)
  }

  private mutating func stopService(
    _ row: Row, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let package = row.package
    guard let count = services[package], count > 0 else {
      timeline.issues.add(.info, "a service stops that was not seen to start", line: row.number)
      return
    }
    services[package] = count - 1
    guard count == 1, told != row.package, arrival?.package != row.package else {
      return
    }
    try timeline.add(
      .suspended, at: row.nanoseconds, process(row.package, &timeline), line: row.number)
  }

  private mutating func boot(_ row: Row, _ timeline: inout CaptureTimeline) throws(TraceError) {
    try tellArrival(&timeline)
    try timeline.add(.boot, at: row.nanoseconds, line: row.number)
    bootMilliseconds = isShutDown ? row.milliseconds : nil
    isShutDown = false
    front = nil
    told = nil
    activities = []
    processes = [:]
    services = [:]
  }

  /// The life of an app since the last boot.
  private mutating func process(
    _ package: Int32, _ timeline: inout CaptureTimeline
  ) -> CaptureProcess {
    if let process = processes[package] { return process }
    let process = timeline.process(named: packages[Int(package)], ranBefore: false)
    processes[package] = process
    return process
  }
}

extension DigitalWellbeingReader.Row {
  fileprivate var nanoseconds: Int64 { milliseconds * 1_000_000 }
}
