/// `arc`: shares memory between apps used once and apps used again, and learns the shares.
///
/// State: lists T1 (used once) and T2 (used again) by last use, ghosts B1 and B2 of what was purged
/// from each, and the target p for T1 in bytes. O(1) per event and step (Megiddo and Modha, "ARC: a
/// self-tuning, low overhead replacement cache", USENIX FAST 2003).
struct AdaptiveReplacement: EvictionAlgorithm {
  static var residentLists: Int { 2 }
  private static let once = 0
  private static let again = 1
  private static let onceGhosts = 2
  private static let againGhosts = 3

  var queues: AppQueues
  /// Bytes by which the target moves at least; nil: the size of the app that came back.
  private let unitBytes: Double?
  private let memoryBytes: Int64
  /// Bytes that apps used once may hold.
  private var target = 0.0
  /// The ghost list that the newest request hit.
  private var ghostHit: Int?
  /// Whom the newest request was for, until it comes in.
  private var requested = AppIndex.none

  init(_ context: PolicyContext, unitBytes: Double?) {
    queues = AppQueues(appCount: context.appCount, listCount: 4)
    self.unitBytes = unitBytes
    memoryBytes = context.memoryBytes
  }

  /// A ghost that comes back says which of the two lists was too short.
  mutating func request(_ app: AppIndex) {
    requested = app
    ghostHit = nil
    guard let list = queues.list(of: app), list >= Self.onceGhosts else { return }
    ghostHit = list
    let unit = unitBytes ?? Double(queues.bytes(of: app))
    let onceBytes = Double(queues.bytes(Self.onceGhosts))
    let againBytes = Double(queues.bytes(Self.againGhosts))
    if list == Self.onceGhosts {
      let ratio = onceBytes > 0 ? max(againBytes / onceBytes, 1) : 1
      target = min(target + ratio * unit, Double(memoryBytes))
    } else {
      let ratio = againBytes > 0 ? max(onceBytes / againBytes, 1) : 1
      target = max(target - ratio * unit, 0)
    }
    queues.remove(app)
  }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    let comesBack = requested == app && ghostHit != nil
    queues.insert(app, into: comesBack ? Self.again : Self.once, bytes: bytes)
    // The hit goes on steering purges until the next access; the app has come in.
    requested = .none
  }

  mutating func hit(_ app: AppIndex) {
    ghostHit = nil
    queues.move(app, to: Self.again)
  }

  mutating func select(_ round: EvictionRound) -> AppIndex {
    let once = queues.oldest(Self.once, in: round)
    let again = queues.oldest(Self.again, in: round)
    if again == .none { return once }
    if once == .none { return again }
    if isHistoryFull(round), queues.count(Self.onceGhosts) == 0 { return once }
    let onceBytes = Double(queues.bytes(Self.once))
    let isOver =
      onceBytes > target || (onceBytes == target && ghostHit == Self.againGhosts)
    return isOver ? once : again
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) {
    guard let list = queues.list(of: app) else { return }
    if isHistoryFull(round) {
      guard queues.count(Self.onceGhosts) > 0 || list == Self.again else {
        queues.remove(app)
        return
      }
      forgetOldest(Self.onceGhosts)
    } else if ghostHit == nil, totalBytes >= 2 * memoryBytes {
      forgetOldest(Self.againGhosts)
    }
    queues.move(app, to: list == Self.once ? Self.onceGhosts : Self.againGhosts)
  }

  mutating func copy(from other: AdaptiveReplacement) {
    queues.copy(from: other.queues)
    target = other.target
    ghostHit = other.ghostHit
    requested = other.requested
  }

  /// Whether T1, B1 and the app that waits are more than memory: case IV A of the paper.
  private func isHistoryFull(_ round: EvictionRound) -> Bool {
    guard ghostHit == nil else { return false }
    let bytes = queues.bytes(Self.once) + queues.bytes(Self.onceGhosts)
    return bytes + round.incomingBytes > memoryBytes
  }

  private var totalBytes: Int64 {
    var bytes: Int64 = 0
    for list in Self.once...Self.againGhosts { bytes += queues.bytes(list) }
    return bytes
  }

  private mutating func forgetOldest(_ list: Int) {
    if queues.count(list) > 0 { queues.remove(queues.oldest(list)) }
  }
}

extension PolicyDescriptor {
  package static let adaptiveReplacement = PolicyDescriptor(
    name: "arc", family: "adaptive",
    summary: "Shares memory between apps used once and apps used again, and learns the shares.",
    details: """
      Lists by last use: T1 (entered and not used since), T2 (used again), and ghosts B1 and B2 of \
      apps purged from them. A target p for T1, from 0. A launch of an app in B1: p grows by unit * \
      max(1, B2 / B1), at most to memory; in B2: p falls by unit * max(1, B1 / B2), at least to 0; \
      either way it leaves the ghosts and comes into T2. Any other entry comes into T1, a use in \
      memory moves an app to T2. To purge: T1's oldest if T1 > p, or if T1 = p and the newest \
      request hit B2, or if T2 is empty; else T2's oldest; it becomes a ghost. If the newest \
      request hit no ghost: while T1 + B1 + the app that waits > memory, each purge first forgets \
      B1's oldest ghost, and with B1 empty T1's oldest goes without a ghost; else, while all four \
      lists hold twice the memory, B2's oldest ghost is forgotten. Sizes in bytes. libCacheSim's \
      ARC is arc:unit=1, where the target hardly moves.
      """,
    source: "Megiddo and Modha, ARC, USENIX FAST 2003",
    complexity: "O(1) per event, O(n) per decision",
    parameters: [
      PolicyParameter(
        "unit", "Least step of the target: a number of bytes, or app (the app's size).",
        default: "app")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    QueuePolicy(
      AdaptiveReplacement(context, unitBytes: try targetUnit(arguments)), context)
  }

  private static func targetUnit(
    _ arguments: PolicyArguments
  ) throws(ConfigurationError) -> Double? {
    guard let text = arguments["unit"], text != "app" else { return nil }
    guard let bytes = Double(text), bytes.isFinite, bytes >= 1 else {
      throw .invalid(
        what: "parameter 'unit'", text: text, remedy: "write a number of bytes, or app")
    }
    return bytes
  }
}
