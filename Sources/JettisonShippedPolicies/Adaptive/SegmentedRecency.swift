/// `slru`: purges the app used longest ago among those that were not used again.
///
/// State: lists by last use, one per segment; a use lifts an app by one segment, and what a segment
/// cannot hold sinks. O(1) per entry and step, O(segments) per use (Karedla, Love and Wherry,
/// "Caching strategies to improve disk system performance", IEEE Computer 1994).
struct SegmentedRecency: EvictionAlgorithm {
  /// Which segment an app enters.
  enum Entry: String, CaseIterable, Sendable {
    /// The lowest.
    case lowest
    /// The lowest with room for it.
    case room
  }

  static var residentLists: Int { 16 }
  static var boundsParts: Bool { true }

  var queues: AppQueues
  private let segments: Int
  private let segmentBytes: Int64
  private let entry: Entry
  /// Whether the lowest segment has a bound as well.
  private let isLowestBounded: Bool
  /// An app sank into the lowest segment at the newest use.
  private var hasSunk = false

  init(_ context: PolicyContext, segments: Int, entry: Entry, isLowestBounded: Bool) {
    queues = AppQueues(appCount: context.appCount, listCount: Self.residentLists)
    self.segments = segments
    segmentBytes = context.memoryBytes / Int64(segments)
    self.entry = entry
    self.isLowestBounded = isLowestBounded
  }

  mutating func request(_ app: AppIndex) { hasSunk = false }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    var segment = 0
    if entry == .room {
      segment = (0..<segments).first { queues.bytes($0) + bytes <= segmentBytes } ?? 0
    }
    queues.insert(app, into: segment, bytes: bytes)
  }

  mutating func hit(_ app: AppIndex) {
    hasSunk = false
    guard let segment = queues.list(of: app) else { return }
    let next = min(segment + 1, segments - 1)
    queues.move(app, to: next)
    if next != segment { sink(from: next, below: app) }
  }

  /// Makes a segment and those below it hold no more than their share; `lifted` stays.
  private mutating func sink(from segment: Int, below lifted: AppIndex) {
    var upper = segment
    while upper > 0 {
      var sank = false
      while queues.bytes(upper) > segmentBytes, queues.oldest(upper) != lifted {
        queues.move(queues.oldest(upper), to: upper - 1)
        sank = true
      }
      guard sank else { return }
      upper -= 1
      hasSunk = upper == 0
    }
  }

  mutating func select(_ round: EvictionRound) -> AppIndex {
    for segment in 0..<segments {
      let app = queues.oldest(segment, in: round)
      if app != .none { return app }
    }
    return .none
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) { queues.remove(app) }

  func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64 {
    isLowestBounded && hasSunk ? max(0, queues.bytes(0) - segmentBytes) : 0
  }

  mutating func copy(from other: SegmentedRecency) {
    queues.copy(from: other.queues)
    hasSunk = other.hasSunk
  }
}

extension PolicyDescriptor {
  package static let segmentedRecency = PolicyDescriptor(
    name: "slru", family: "adaptive",
    summary: "Purges the app used longest ago among those that were not used again.",
    details: """
      Memory is divided into segments of equal size, each a list by last use. An app enters the \
      lowest segment (entry=room: the lowest that has room for it, else the lowest). A launch in \
      memory lifts it to the next segment, in the highest it becomes the newest. While a segment \
      above the lowest then holds more than its share, its oldest app sinks to the newest end of \
      the one below. To purge: the oldest app of the lowest segment that has candidates. \
      bound=on bounds the lowest segment too (on ideal-cache only): after apps sank into it, its \
      oldest go until it fits, even if there is room. libCacheSim's SLRU is \
      slru:segments=4,entry=room,bound=on.
      """,
    source: "Karedla, Love and Wherry, Caching strategies, IEEE Computer 1994",
    complexity: "O(segments) per event, O(n) per decision",
    parameters: [
      PolicyParameter("segments", "Number of segments: 1 to 16.", default: "2"),
      PolicyParameter("entry", "Segment of a new app: lowest or room.", default: "lowest"),
      PolicyParameter("bound", "Bound the lowest segment too: on or off.", default: "off"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    QueuePolicy(
      SegmentedRecency(
        context, segments: try arguments.count("segments", default: 2, in: 1...16),
        entry: try arguments.choice("entry", default: SegmentedRecency.Entry.lowest),
        isLowestBounded: try arguments.isOn("bound", default: false)),
      context)
  }
}
