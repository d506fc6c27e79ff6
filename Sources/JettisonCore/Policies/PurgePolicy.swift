/// What the engine did, as a policy sees it.
public struct EngineEvent: BitwiseCopyable, Sendable {
  /// What happened to the app.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
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
}

/// Decides the order in which apps are purged.
///
/// To add a policy: (1) add a file in `Policies/<Family>/`, (2) add one line to
/// ``PolicyRegistry/all``. A policy never removes an app, never filters candidates and never
/// breaks ties: the engine passes only eligible apps, ends the shortest prefix that frees enough,
/// and logs why. Ranking is pure: state moves only in ``observe(_:apps:)``, with what really
/// happened.
public protocol PurgePolicy: Sendable {
  /// Whether the policy wants to be told of every change of a footprint
  /// (``EngineEvent/Kind/resized``); false unless it says otherwise.
  static var observesFootprints: Bool { get }

  /// Called once per engine event, after the engine applied it; for a purge just before, while the
  /// app's figures still stand. O(1) or O(log n).
  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable)

  /// Smaller is purged first. Equal scores fall back to the engine's fixed order: suspended
  /// earlier, then larger, then smaller name by bytes. A score that is not a number fails the run.
  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double
}

extension PurgePolicy {
  /// Most policies read footprints only at a decision.
  public static var observesFootprints: Bool { false }

  /// Policies without state of their own observe nothing.
  public mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {}
}
