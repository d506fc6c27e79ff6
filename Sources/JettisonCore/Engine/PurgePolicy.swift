/// What the engine did, as a policy sees it.
public struct EngineEvent: BitwiseCopyable, Sendable {
  /// What happened to the app.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The user or the system asks for an app that is not running.
    ///
    /// On `ideal-cache` room is made before ``launched`` follows: what the literature on caches
    /// calls miss, evict, insert. On a phone it follows at once, and purges come after.
    case requested
    /// Came to the front; ``EngineEvent/launchKind`` says how.
    case launched
    /// Its process began in the background.
    case launchedInBackground
    case suspended
    /// Its footprint changed. Sent only to policies that ask for it.
    case resized
    /// A save completed.
    case saved
    /// Its process ended; ``EngineEvent/endCause`` says why.
    case ended
  }

  /// What happened.
  public let kind: Kind
  /// How the app was launched, for ``Kind/launched``.
  public let launchKind: LaunchKind
  /// Why it ended, for ``Kind/ended``.
  public let endCause: EndCause
  /// To whom.
  public let app: AppIndex
  /// When, in nanoseconds since the start of the trace.
  public let timeNanoseconds: Int64

  @inlinable
  init(
    _ kind: Kind, app: AppIndex, at timeNanoseconds: Int64, launchKind: LaunchKind = .cold,
    endCause: EndCause = .none
  ) {
    self.kind = kind
    self.launchKind = launchKind
    self.endCause = endCause
    self.app = app
    self.timeNanoseconds = timeNanoseconds
  }
}

/// One request for memory, as a policy sees it.
public struct PurgeRequest: BitwiseCopyable, Sendable {
  /// When, in nanoseconds since the start of the trace.
  public let timeNanoseconds: Int64
  /// Number of the decision in its run, from 1.
  public let decision: Int
  /// Bytes to free before the decision may stop; at least 0.
  public let neededBytes: Int64
  /// Available memory now, in bytes; negative: more is in use than there is.
  public let availableBytes: Int64
  /// How short memory is.
  public let level: PressureLevel
  /// The pressure model's rule that asks.
  public let trigger: RecordedCause
  /// Whether the model takes one victim, whatever that frees, and then looks anew.
  public internal(set) var endsAfterOne = false
  /// Whether the app in front is among those that may go, so that the engine puts it last.
  package internal(set) var offersFront = false
}

extension AppTable {
  /// The app's place in the order that the platform itself takes in a decision, 0 first; nil where
  /// the pressure model leaves the order to the policy alone.
  public func platformRank(_ app: AppIndex, for request: PurgeRequest) -> Int? {
    let rank = ranks.places[place(of: app)]
    return rank >= 0 && ranks.rankedDecision == request.decision ? Int(rank) : nil
  }
}

/// A figure that a score is made of, as `jettison explain` shows it.
public struct ScoreTerm: Sendable, Equatable {
  /// What it is, as in the policy's documentation: `L`, `frequency`.
  public let name: String
  /// The figure.
  public let value: Double

  /// Names a figure.
  public init(_ name: String, _ value: Double) {
    self.name = name
    self.value = value
  }
}

/// Why a policy could not put candidates in order; its run is marked failed with the reason.
public struct PolicyFailure: Error, Sendable, Equatable {
  /// One sentence without the policy's name.
  public let reason: String

  /// Makes a failure of its reason.
  public init(_ reason: String) { self.reason = reason }
}

/// How a policy puts the candidates of a decision in order.
public enum CandidateOrdering: BitwiseCopyable, Sendable {
  /// By scores: ``PurgePolicy/score(_:for:apps:)`` of each candidate by itself.
  case byScore
  /// By scores that need a look at all candidates first: ``PurgePolicy/prepare(_:for:apps:)``.
  case byPreparedScore
  /// By places in an order that the policy finds as a whole: ``RankingPolicy``.
  case byRank
}

/// How a policy's order is found, where no more than the next victim is asked for.
///
/// Whatever a policy says, it gives the same victims; but only what it says spares the engine asking
/// about everybody. Where the whole order matters (logs, `+saved`, sets of victims) it is not used.
public enum VictimSearch: BitwiseCopyable, Sendable {
  /// Everybody is scored at each decision.
  case scoringAll
  /// A score depends on nothing but what happened to its app and what the policy heard of it, not
  /// on the request, the time, unsaved work or others: so it is asked for again after something
  /// happened to the app, and stands until then.
  case keepingScores
  /// The policy names the next victim itself: ``PurgePolicy/nextVictim(for:apps:)``.
  case naming
}

/// Decides the order in which apps are purged.
///
/// To add a policy: (1) add a file in `JettisonShippedPolicies/<Family>`, (2) add one line to
/// ``/JettisonPolicies/PolicyRegistry/all``. A policy never removes an app, never filters candidates and never
/// breaks ties: the engine passes only eligible apps, ends the shortest prefix that frees enough,
/// and logs why. Ranking is pure: state moves only in ``observe(_:apps:)``, with what really
/// happened.
public protocol PurgePolicy: Sendable {
  /// Whether the policy has an ``observe(_:apps:)`` of its own; true unless it says otherwise.
  /// Where it says so, its runs spare the calls.
  static var observesEvents: Bool { get }

  /// Whether the policy wants to be told of every change of a footprint
  /// (``EngineEvent/Kind/resized``); false unless it says otherwise.
  static var observesFootprints: Bool { get }

  /// How candidates are put in order; by a score of each app by itself unless the policy says
  /// otherwise.
  static var ordering: CandidateOrdering { get }

  /// The older way to set ``ordering`` to ``CandidateOrdering/byPreparedScore``; false unless the
  /// policy says otherwise. Stays for one minor version.
  static var ranksTogether: Bool { get }

  /// Whether the policy takes the order of the platform itself in decisions that have one
  /// (``AppTable/platformRank(_:for:)``): the ranks are the scores then, and the policy is not asked.
  /// False unless it says otherwise.
  static var followsPlatform: Bool { get }

  /// Whether the policy keeps a part of memory within a bound of its own, so that
  /// ``overflowBytes(inserting:bytes:)`` is asked; false unless it says otherwise.
  static var boundsParts: Bool { get }

  /// Whether the policy gives the app in front the place that a platform gives it, so that under a
  /// model that offers everybody the engine does not put it last; false unless the policy says
  /// otherwise.
  static func ordersFront(under model: PressureModelKind) -> Bool

  /// Whether the policy has ``terms(of:for:apps:)``; false unless it says otherwise.
  static var hasTerms: Bool { get }

  /// How the next victim is found; by scoring all unless the policy says otherwise.
  static var search: VictimSearch { get }

  /// Whether ``update(_:isCandidate:apps:)`` reads more of an app than its footprint, so that it is
  /// called after each use of an app, too; true unless the policy says otherwise. Where it says so, its
  /// runs of nothing but launches on the textbook cache are spared the calls.
  static var updateReadsUse: Bool { get }

  /// Called once per engine event, after the engine applied it; for a purge just before, while the
  /// app's figures still stand. O(1) or O(log n). Not called without ``observesEvents``.
  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable)

  /// Called once per decision, before scores are asked, by ``CandidateOrdering/byPreparedScore``: for
  /// what scores have in common, such as sums over all candidates.
  ///
  /// The candidates come in the engine's fixed order, in which equal scores leave them. Only
  /// scratch may change: state moves in ``observe(_:apps:)``. A failure ends the run.
  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure)

  /// How the engine asks a ``RankingPolicy`` for its order, by ``CandidateOrdering/byRank``; others
  /// leave it as it is.
  mutating func putInOrder(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure)

  /// Tells whether an app is a candidate from now on, and that its footprint may be another one.
  ///
  /// Called before ``nextVictim(for:apps:)``, for every app of which that may have changed, and only if
  /// the policy names victims (``VictimSearch/naming``). See also ``updateReadsUse``.
  mutating func update(_ app: AppIndex, isCandidate: Bool, apps: borrowing AppTable)

  /// The candidate that goes next: the first in the order that it would find for all;
  /// none if there is no candidate. Any other answer ends the run (``RunError``).
  ///
  /// It is purged at once, so that state may move as if it were. Called only if the policy names
  /// victims (``VictimSearch/naming``).
  mutating func nextVictim(for request: PurgeRequest, apps: borrowing AppTable) -> AppIndex

  /// Smaller is purged first. Equal scores fall back to the engine's fixed order: suspended
  /// earlier, then larger, then smaller name by bytes. A score that is not a number fails the run.
  /// Not asked by ``CandidateOrdering/byRank``.
  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double

  /// What the policy itself knows about an app and makes its score of, in a fixed order; the same
  /// names for every app. Only who explains a decision asks, so it may be slow.
  func terms(
    of app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) -> [ScoreTerm]

  /// Bytes that have to go before an app of that size comes in or is used again, though there is
  /// room: for caches whose parts have bounds of their own.
  ///
  /// Asked only on `ideal-cache`, where the policy is the cache, until it is 0; on a phone no
  /// app is purged while there is memory.
  func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64
}

/// A policy that puts all candidates of a decision in order itself, instead of scoring each: by
/// several keys, by a queue with a hand, by a program outside.
public protocol RankingPolicy: PurgePolicy {
  /// Puts candidates in order, first victim first; the engine writes their places, from 0, as scores.
  ///
  /// They come in the engine's fixed order, in which a stable sort leaves equal ones. Other apps may
  /// stand among them, as in a platform's list of all that run: they take up places, and that is all.
  /// Called once per decision. Only scratch may change: state moves in ``PurgePolicy/observe(_:apps:)``.
  /// A failure ends the run, and so does an order that lacks a candidate.
  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure)
}

extension RankingPolicy {
  /// Its order is found as a whole.
  public static var ordering: CandidateOrdering { .byRank }

  /// The order that it finds.
  @inlinable
  public mutating func putInOrder(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure) {
    try rank(&candidates, for: request, apps: apps)
  }

  /// Not a number: it is never asked for, since the engine writes places.
  public func score(
    _ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) -> Double { .nan }
}

extension PurgePolicy {
  /// Most scores are made of what the engine knows.
  public func terms(
    of app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) -> [ScoreTerm] { [] }

  /// Without terms of its own.
  public static var hasTerms: Bool { false }

  /// Who does not say otherwise is told.
  public static var observesEvents: Bool { true }

  /// Most policies read footprints only at a decision.
  public static var observesFootprints: Bool { false }

  /// Most policies give every app a score of its own.
  @inlinable
  public static var ordering: CandidateOrdering { ranksTogether ? .byPreparedScore : .byScore }

  /// Not needed: ``ordering`` says it.
  @inlinable
  public static var ranksTogether: Bool { false }

  /// Most policies have an order of their own always.
  @inlinable
  public static var followsPlatform: Bool { false }

  /// Whatever a score depends on, this is right.
  public static var search: VictimSearch { .scoringAll }

  /// Whatever it reads, it is that of now.
  public static var updateReadsUse: Bool { true }

  /// Most policies have no parts.
  public static var boundsParts: Bool { false }

  /// Most policies order what the user has left.
  public static func ordersFront(under model: PressureModelKind) -> Bool { false }

  /// Nothing is over a bound.
  public func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64 { 0 }

  /// Most policies know who is a candidate when they are asked.
  public mutating func update(_ app: AppIndex, isCandidate: Bool, apps: borrowing AppTable) {}

  /// A policy that names victims says which.
  public mutating func nextVictim(
    for request: PurgeRequest, apps: borrowing AppTable
  ) -> AppIndex { .none }

  /// Nothing to prepare.
  public mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {}

  /// Leaves the engine's order.
  public mutating func putInOrder(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {}

  /// Policies without state of their own observe nothing.
  public mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {}
}
