internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns the rows of one user into a trace.
///
/// * `Opened` is a `launch`, also of the app in front.
/// * `Closed` of the app in front is the way home, unless the next app is opened within a second,
///   the rounding of the log's times: then that launch says it. The log does not say whether the
///   app's process ended, so no app ends.
/// * Other rows bring nothing to the front and are counted.
struct LSAppUser: ~Copyable {
  /// Who it is.
  let number: UInt32
  /// Time of the last row in seconds.
  private(set) var lastSeconds: Int64
  /// What reading this user's rows came across.
  var issues: ImportIssues {
    get { builder.issues }
    set { builder.issues = newValue }
  }
  /// Whether an app was opened.
  var hasLaunch: Bool { front != nil || !apps.isEmpty }

  private var builder: TraceBuilder
  private let file: String
  private let origin: Int64
  private var front: UInt32?
  /// When the app in front was closed.
  private var closedAt: Int64?
  /// Numbers in the trace by app; nil: not opened yet.
  private var numbers: [UInt32?] = []
  /// Names in the order of their first launch.
  private var apps: [String] = []
  private var interactionCount = 0
  private var brokenCount = 0
  private var otherCount = 0
  private var leftOutCount = 0

  private static let slack: Int64 = 1
  private static let second: Int64 = 1_000_000_000

  /// Begins with the user's first row, which is not taken yet.
  init(_ row: LSAppReader.Row, input: TraceInput) throws(TraceError) {
    number = row.user
    lastSeconds = row.seconds
    origin = row.seconds
    file = input.displayName
    builder = try TraceBuilder(storage: input.storage, file: file)
  }

  /// Takes a row that is not earlier than the one before it.
  ///
  /// - Parameter name: The app's name where it is kept; nil: `--apps` leaves it out.
  mutating func take(
    _ row: LSAppReader.Row, named name: String?, line: Int
  ) throws(TraceError) {
    lastSeconds = row.seconds
    switch row.event {
    case .interaction: interactionCount += 1
    case .broken: brokenCount += 1
    case .closed where row.app == front: closedAt = row.seconds
    case .closed: otherCount += 1
    case .opened:
      do throws(TraceFault) {
        try open(row, name)
      } catch {
        throw TraceError(error, file: file, line: line)
      }
    }
  }

  private mutating func open(_ row: LSAppReader.Row, _ name: String?) throws(TraceFault) {
    while numbers.count <= Int(row.app) { numbers.append(nil) }
    guard let name else {
      leftOutCount += 1
      // It takes the place of the one in front.
      try goHome(at: closedAt ?? row.seconds)
      return
    }
    if let closedAt, row.seconds - closedAt > Self.slack { try goHome(at: closedAt) }
    closedAt = nil
    let app: UInt32
    if let known = numbers[Int(row.app)] {
      app = known
    } else {
      app = try builder.app(named: name)
      numbers[Int(row.app)] = app
      apps.append(name)
    }
    try builder.append(.launch, time: (row.seconds - origin) * Self.second, app: app)
    front = row.app
  }

  private mutating func goHome(at seconds: Int64) throws(TraceFault) {
    closedAt = nil
    guard front != nil else { return }
    front = nil
    try builder.append(.home, time: (seconds - origin) * Self.second)
  }

  /// Makes the trace.
  consuming func finish(
    name: String, user: String, device: String?, zone: Int64?
  ) throws(TraceError) -> Trace {
    let file = file
    do throws(TraceFault) {
      if let closedAt { try goHome(at: closedAt) }
      let detail = try builder.detail("reason=complete", for: .end)
      try builder.append(.end, time: (lastSeconds - origin) * Self.second, detail: detail)
    } catch {
      throw TraceError(error, file: file)
    }
    count(interactionCount, "an interaction is not a launch")
    count(brokenCount, "a row marked broken brings nothing to the front")
    count(otherCount, "the end of an app that is not in front")
    count(leftOutCount, "a row of an excluded app")
    var header = TraceHeader(user: user)
    header.device = device
    if header.device == nil { header.deviceYAML = CaptureDevice.anyAndroid.yaml }
    header.setLocalStart(origin, zone: zone, source: "LSApp usage log")
    header.appsYAML = CategoryBlock.yaml(apps: apps)
    return try builder.finish(name: name, header: header, file: file)
  }

  private mutating func count(_ count: Int, _ text: String) {
    if count > 0 { builder.issues.add(.info, text, count: count, lines: []) }
  }
}
