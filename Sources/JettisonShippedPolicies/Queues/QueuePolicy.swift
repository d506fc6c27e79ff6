/// Which apps a queue may give up, and for whom room is made.
struct EvictionRound: Sendable {
  private var isAllowed: [Bool]
  private var allowed: [AppIndex] = []
  private var withdrawn: [AppIndex] = []
  /// Bytes of the app that waits to come in: on `ideal-cache`; elsewhere it is in already.
  private(set) var incomingBytes: Int64 = 0
  /// Whether memory would do, and a part of it is over a bound of the policy's own.
  private(set) var keepsBound = false

  init(appCount: Int) {
    isAllowed = Array(repeating: false, count: appCount)
  }

  /// Whether an app is a candidate that has not been skipped.
  func allows(_ app: AppIndex) -> Bool { isAllowed[app.position] }

  /// Begins with the candidates of a decision.
  mutating func begin(_ candidates: [AppIndex], incomingBytes: Int64, keepsBound: Bool) {
    for app in allowed { isAllowed[app.position] = false }
    allowed.removeAll(keepingCapacity: true)
    withdrawn.removeAll(keepingCapacity: true)
    for app in candidates {
      isAllowed[app.position] = true
      allowed.append(app)
    }
    begin(incomingBytes: incomingBytes, keepsBound: keepsBound)
  }

  /// Begins with the apps that are candidates already, or not.
  mutating func begin(incomingBytes: Int64, keepsBound: Bool) {
    self.incomingBytes = incomingBytes
    self.keepsBound = keepsBound
  }

  /// Makes a candidate of an app, or not.
  mutating func allow(_ app: AppIndex, _ isCandidate: Bool) {
    isAllowed[app.position] = isCandidate
  }

  /// Passes over an app until ``restore()``.
  mutating func withdraw(_ app: AppIndex) {
    isAllowed[app.position] = false
    withdrawn.append(app)
  }

  /// Takes back every app that was skipped.
  mutating func restore() {
    for app in withdrawn { isAllowed[app.position] = true }
    withdrawn.removeAll(keepingCapacity: true)
  }
}

/// A replacement algorithm of queues, hands and ghosts: what it does at each access, and whom it
/// gives up next.
///
/// ``QueuePolicy`` makes a purge policy of it. A textbook cache gives up whom it likes; here apps
/// that are no candidates (in front, pinned, protected) stay where they are: a step passes over
/// them and leaves their marks alone, as a kernel's clock does with locked pages.
protocol EvictionAlgorithm: Sendable {
  /// Lists with a smaller number hold apps in memory, the others ghosts.
  static var residentLists: Int { get }
  /// See ``PurgePolicy/boundsParts``.
  static var boundsParts: Bool { get }
  /// The lists.
  var queues: AppQueues { get set }

  /// An app that is not in memory is asked for.
  mutating func request(_ app: AppIndex)
  /// It came in.
  mutating func enter(_ app: AppIndex, bytes: Int64)
  /// An app in memory was used.
  mutating func hit(_ app: AppIndex)
  /// Moves hands, marks and queues until it is clear whom to give up: an app that the round allows,
  /// or none if it allows none.
  mutating func select(_ round: EvictionRound) -> AppIndex
  /// Gives an app up, and remembers it if the algorithm does.
  mutating func purge(_ app: AppIndex, _ round: EvictionRound)
  /// An app ended without being given up: it is forgotten.
  mutating func leave(_ app: AppIndex)
  /// Whether an app is in memory as far as the algorithm knows.
  ///
  /// Asked here, so that each algorithm answers by itself: through an existential, the call would
  /// copy its lists first.
  func holds(_ app: AppIndex) -> Bool
  /// See ``PurgePolicy/overflowBytes(inserting:bytes:)``.
  func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64
  /// Makes this state equal to another over the same apps, in the memory it has.
  mutating func copy(from other: Self)
}

extension EvictionAlgorithm {
  static var boundsParts: Bool { false }

  mutating func request(_ app: AppIndex) {}

  mutating func leave(_ app: AppIndex) { queues.remove(app) }

  func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64 { 0 }

  func holds(_ app: AppIndex) -> Bool {
    guard let list = queues.list(of: app) else { return false }
    return list < Self.residentLists
  }
}

/// A replacement algorithm as a purge policy.
///
/// Where only the next victim is asked for, the algorithm says whom it gives up, and does. Amortised
/// O(1) per victim. Where a whole order is asked for, the algorithm runs on a copy until it has given
/// up every candidate; their order is the ranking. The real queues move when an app really ends: then
/// the same steps are taken up to that app. Apps that the steps would have given up before it (under
/// `+saved`, say) are skipped and stay. O(n) per decision with n apps in queues.
///
/// An app that ends otherwise leaves the queues without a step and without a ghost. An entry is the
/// begin of a process, a hit each later launch. Sizes are read at each decision.
struct QueuePolicy<Algorithm: EvictionAlgorithm>: RankingPolicy {
  static var search: VictimSearch { .naming }
  static var updateReadsUse: Bool { false }
  static var boundsParts: Bool { Algorithm.boundsParts }

  private var algorithm: Algorithm
  private var scratch: Algorithm
  private var round: EvictionRound
  private let isIdealCache: Bool
  /// Whom the algorithm has settled on, and who has not ended yet.
  private var named = AppIndex.none

  init(_ algorithm: Algorithm, _ context: PolicyContext) {
    self.algorithm = algorithm
    scratch = algorithm
    round = EvictionRound(appCount: context.appCount)
    isIdealCache = context.isIdealCache
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    let app = event.app
    switch event.kind {
    case .requested: algorithm.request(app)
    case .launched where event.launchKind != .cold && algorithm.holds(app): algorithm.hit(app)
    case .launched: algorithm.enter(app, bytes: apps.footprintBytes(app))
    case .launchedInBackground, .suspended:
      if !algorithm.holds(app) { algorithm.enter(app, bytes: apps.footprintBytes(app)) }
    case .ended where event.endCause == .purge && app == named:
      named = .none
      algorithm.purge(app, round)
    case .ended where event.endCause == .purge: purge(app, apps: apps)
    case .ended: algorithm.leave(app)
    default: break
    }
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    let inFront = lastOnes(of: &candidates, request, apps)
    round.begin(
      candidates, incomingBytes: incomingBytes(request), keepsBound: request.trigger == .bound)
    scratch.copy(from: algorithm)
    // Apps that ran before the trace began were never seen: the first candidate is the oldest.
    for app in candidates where !scratch.holds(app) {
      scratch.enter(app, bytes: apps.footprintBytes(app))
    }
    Self.measure(&scratch.queues, apps: apps)
    candidates.removeAll(keepingCapacity: true)
    while true {
      let victim = scratch.select(round)
      guard victim != .none else { break }
      candidates.append(victim)
      scratch.purge(victim, round)
      round.withdraw(victim)
    }
    round.restore()
    candidates += inFront
  }

  /// Takes the app in front off the candidates of the textbook cache: it goes last, and where victims
  /// are found one by one it is no candidate, so that steps pass over it here, too.
  private func lastOnes(
    of candidates: inout [AppIndex], _ request: PurgeRequest, _ apps: borrowing AppTable
  ) -> [AppIndex] {
    guard isIdealCache, request.offersFront else { return [] }
    var inFront: [AppIndex] = []
    for app in candidates where apps.state(app) == .active || apps.state(app) == .inactive {
      inFront.append(app)
    }
    candidates.removeAll { inFront.contains($0) }
    return inFront
  }

  private func incomingBytes(_ request: PurgeRequest) -> Int64 {
    isIdealCache ? request.availableBytes + request.neededBytes : 0
  }

  mutating func update(_ app: AppIndex, isCandidate: Bool, apps: borrowing AppTable) {
    round.allow(app, isCandidate)
    if algorithm.holds(app) { algorithm.queues.resize(app, to: apps.footprintBytes(app)) }
  }

  @inline(__always)
  mutating func nextVictim(for request: PurgeRequest, apps: borrowing AppTable) -> AppIndex {
    assert(knowsSizes(apps), "apps whose size changed were updated")
    round.begin(
      incomingBytes: incomingBytes(request), keepsBound: request.trigger == .bound)
    named = algorithm.select(round)
    return named
  }

  func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64 {
    algorithm.overflowBytes(inserting: app, bytes: bytes)
  }

  /// Takes the steps that lead to the app that really goes.
  private mutating func purge(_ victim: AppIndex, apps: borrowing AppTable) {
    if !algorithm.holds(victim) {
      algorithm.enter(victim, bytes: apps.footprintBytes(victim))
    }
    Self.measure(&algorithm.queues, apps: apps)
    while true {
      let next = algorithm.select(round)
      if next == victim || next == .none { break }
      round.withdraw(next)
    }
    algorithm.purge(victim, round)
    round.restore()
  }

  private func knowsSizes(_ apps: borrowing AppTable) -> Bool {
    for list in 0..<Algorithm.residentLists {
      var app = algorithm.queues.oldest(list)
      while app != .none {
        if algorithm.queues.bytes(of: app) != apps.footprintBytes(app) { return false }
        app = algorithm.queues.newer(than: app)
      }
    }
    return true
  }

  private static func measure(_ queues: inout AppQueues, apps: borrowing AppTable) {
    for list in 0..<Algorithm.residentLists {
      var app = queues.oldest(list)
      while app != .none {
        queues.resize(app, to: apps.footprintBytes(app))
        app = queues.newer(than: app)
      }
    }
  }
}
