/// `w-tinylfu`: lets an app out of a small window stay only if it is used more than the app that
/// would have to go for it.
///
/// State: a window and a main part of two segments (probation, protected), each by last use, and a
/// count of uses of every app, halved now and then. The counts are exact, since there are few apps;
/// the paper estimates them in a sketch. O(1) per event and step, O(apps) per halving (Einziger,
/// Friedman and Manes, "TinyLFU: a highly efficient cache admission policy", ACM Transactions on
/// Storage 2017).
struct WindowFrequency: EvictionAlgorithm {
  static var residentLists: Int { 3 }
  private static let window = 0
  private static let probation = 1
  private static let protected = 2

  var queues: AppQueues
  private var uses: [UInt32]
  private var usesSinceHalving = 0
  /// Uses per app in memory after which all counts are halved.
  private let sample: Int
  private let memoryBytes: Int64
  private let protectedShare: Double
  /// What the window may hold: its share, or twice the largest app seen.
  private var windowBytes: Int64

  init(_ context: PolicyContext, window: Double, protected: Double, sample: Int) {
    queues = AppQueues(appCount: context.appCount, listCount: 3)
    uses = Array(repeating: 0, count: context.appCount)
    self.sample = sample
    memoryBytes = context.memoryBytes
    protectedShare = protected
    windowBytes = Int64(Double(memoryBytes) * window)
  }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    windowBytes = max(windowBytes, 2 * bytes)
    count(app)
    queues.insert(app, into: Self.window, bytes: bytes)
    fillMain()
  }

  /// While the main part has room, it takes what the window cannot hold.
  private mutating func fillMain() {
    var room = memoryBytes - windowBytes
    room -= queues.bytes(Self.probation) + queues.bytes(Self.protected)
    while queues.bytes(Self.window) > windowBytes {
      let app = queues.oldest(Self.window)
      guard queues.bytes(of: app) <= room else { return }
      room -= queues.bytes(of: app)
      queues.move(app, to: Self.probation)
    }
  }

  mutating func hit(_ app: AppIndex) {
    count(app)
    guard !queues.isIn(Self.window, app) else {
      queues.move(app, to: Self.window)
      return
    }
    queues.move(app, to: Self.protected)
    let mainBytes = Double(max(0, memoryBytes - windowBytes))
    while Double(queues.bytes(Self.protected)) > mainBytes * protectedShare,
      queues.oldest(Self.protected) != app
    {
      queues.move(queues.oldest(Self.protected), to: Self.probation)
    }
  }

  mutating func select(_ round: EvictionRound) -> AppIndex {
    while true {
      let challenger = queues.oldest(Self.window, in: round)
      let probation = queues.oldest(Self.probation, in: round)
      let victim = probation == .none ? queues.oldest(Self.protected, in: round) : probation
      if victim == .none { return challenger }
      let waiting = queues.bytes(Self.window) + round.incomingBytes
      guard challenger != .none, waiting > windowBytes else { return victim }
      guard uses[challenger.position] > uses[victim.position] else { return challenger }
      queues.move(challenger, to: Self.probation)
      return victim
    }
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) { queues.remove(app) }

  mutating func copy(from other: WindowFrequency) {
    queues.copy(from: other.queues)
    windowBytes = other.windowBytes
    usesSinceHalving = other.usesSinceHalving
    for app in uses.indices { uses[app] = other.uses[app] }
  }

  private mutating func count(_ app: AppIndex) {
    uses[app.position] = min(uses[app.position], .max - 1) + 1
    usesSinceHalving += 1
    let resident = (Self.window...Self.protected).reduce(0) { $0 + queues.count($1) }
    guard usesSinceHalving >= sample * max(1, resident) else { return }
    usesSinceHalving = 0
    for app in uses.indices { uses[app] /= 2 }
  }
}

extension PolicyDescriptor {
  package static let windowFrequency = PolicyDescriptor(
    name: "w-tinylfu", family: "sketch",
    summary: "Lets an app out of a small window stay only if it is used more than its victim.",
    details: """
      An app enters a window (a share of memory, at least twice the largest app seen), a list by \
      last use; what the window cannot hold moves to the newest end of probation while the main \
      part has room. The main part has two lists by last use: a use lifts an app from probation to \
      protected, and protected apps beyond their share of the main part sink to probation, oldest \
      first. Every use is counted for ever, and all counts are halved after sample uses per app in \
      memory. To purge while the window, with the app that waits, is more than its part: its \
      oldest app challenges probation's oldest (or, if that is empty, protected's); the challenger \
      goes unless its count is higher; if it is, it moves to the newest end of probation and the \
      other goes. Otherwise the main part's app goes; the window's, if the main part is empty.
      """,
    source: "Einziger, Friedman and Manes, TinyLFU, ACM Transactions on Storage 2017",
    complexity: "O(1) per event, O(n) per decision",
    parameters: [
      PolicyParameter("window", "Share of memory for the window.", default: "1%"),
      PolicyParameter("protected", "Share of the main part for used apps.", default: "80%"),
      PolicyParameter("sample", "Uses per app in memory between two halvings.", default: "10"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    QueuePolicy(
      WindowFrequency(
        context, window: try arguments.share("window", default: 0.01),
        protected: try arguments.share("protected", default: 0.8),
        sample: try arguments.count("sample", default: 10, in: 1...1_000_000)),
      context)
  }
}
