/// Who may go, in the order in which tiers open.
enum Tier: UInt8, BitwiseCopyable, Sendable {
  case suspended
  case background
  case front
  /// The app that the model names, whatever state it is in.
  case anyone
}

/// One request for victims, open until its stop condition holds.
struct OpenDecision: BitwiseCopyable {
  let tier: Tier
  let trigger: RecordedCause
  /// Available memory at which the model is content.
  let modelTargetBytes: Int64
  /// Available memory up to which `+until` goes on; `.min`: it does not.
  let untilBytes: Int64
  /// The model takes one victim and looks anew (`ios-4`), whatever was freed.
  let endsAfterOne: Bool
  let availableBytes: Int64
  /// How short memory was when it opened.
  let level: PressureLevel
  /// Who goes whatever the policy says, as the capture that is followed ended it; none: the policy
  /// chooses.
  var namedVictim = AppIndex.none

  /// Available memory at which it may stop.
  @inline(__always)
  var targetBytes: Int64 { max(modelTargetBytes, untilBytes) }
}

/// What the tiers remember between decisions.
@usableFromInline
struct DecisionState: ~Copyable {
  /// Number of the newest decision, from 1.
  var number = 0
  /// Candidates of the open decision.
  @usableFromInline var candidates = Column<Candidate>(capacity: 64)
  /// Number of the decision that is being carried out.
  var openNumber: Int?
  /// The last decision had no victim: none follows until a candidate appears.
  var isMuted = false
  /// Purged by the open decision, or for the app that is launched, and not watched yet.
  var freed = Column<FreedVictim>(capacity: 8)
  /// Available memory when the last decision ended: until it changes, none without a victim
  /// follows.
  var availableAfter: Int64?
  /// A purge or kill has happened since the change that is being settled.
  var hasPurged = false
  /// The most recently used apps, spared by `--protect-recent` or `+recent`.
  var recency = Column<AppIndex>(capacity: 8)

  init() {}

  init(copying other: borrowing DecisionState) {
    number = other.number
    candidates = Column(copying: other.candidates)
    openNumber = other.openNumber
    isMuted = other.isMuted
    freed = Column(copying: other.freed)
    availableAfter = other.availableAfter
    hasPurged = other.hasPurged
    recency = Column(copying: other.recency)
  }
}

/// A purged app and what its end gave back.
struct FreedVictim: BitwiseCopyable {
  let app: AppIndex
  let bytes: Int64
}

/// One candidate with what decides its place.
@usableFromInline
struct Candidate: BitwiseCopyable {
  @usableFromInline let app: AppIndex
  /// What goes before the score: apps with nothing unsaved go first under `+saved`, those not in
  /// use before the one in front.
  var group: UInt16
  @usableFromInline var score: Double
  let suspendedAt: Int64
  let footprintBytes: Int64

  /// The engine's total order: group, score, suspended earlier, larger, smaller name.
  @inline(__always)
  static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
    if a.group != b.group { return a.group < b.group }
    if a.score != b.score { return a.score < b.score }
    if a.suspendedAt != b.suspendedAt { return a.suspendedAt < b.suspendedAt }
    if a.footprintBytes != b.footprintBytes { return a.footprintBytes > b.footprintBytes }
    return a.app < b.app
  }

  /// The place of the first of so many candidates, of which there must be one.
  @inline(__always)
  static func least(of count: Int, _ candidate: (Int) -> Candidate) -> Int {
    var least = candidate(0)
    var place = 0
    for position in 1..<count {
      let other = candidate(position)
      // Nearly all are out by group and score, which are at hand; ties are looked at in full.
      if other.group > least.group || (other.group == least.group && other.score > least.score) {
        continue
      }
      if precedes(other, least) {
        least = other
        place = position
      }
    }
    return place
  }

  /// What decides between two candidates.
  static func tieBreak(_ a: Candidate, _ b: Candidate) -> TieBreak {
    if a.group != b.group { return .group }
    if a.score != b.score { return .score }
    if a.suspendedAt != b.suspendedAt { return .suspendedAt }
    return a.footprintBytes != b.footprintBytes ? .footprint : .app
  }
}
