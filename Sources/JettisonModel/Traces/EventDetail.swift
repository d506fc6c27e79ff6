/// The `detail` column of a row, decoded.
///
/// Details are interned: equal texts share one value, and an event carries its position.
/// Every field is optional in a trace; the defaults here come from trace format 1.
public struct EventDetail: BitwiseCopyable, Sendable, Equatable {
  /// Who interrupts the app in front (`interrupt` and `interrupt-end`, key `by`).
  public enum Interrupter: UInt8, BitwiseCopyable, Sendable {
    case call, sms, alert, lock
  }

  /// How an interruption ended (`interrupt-end`, key `outcome`).
  public enum Outcome: UInt8, BitwiseCopyable, Sendable {
    case dismissed, accepted
  }

  /// What made an app save (`save`, key `trigger`).
  public enum SaveTrigger: UInt8, BitwiseCopyable, Sendable {
    case unspecified, background, timer, warning, user, resign, expiration
  }

  /// State of an app that ran before the capture began (`present`, key `state`).
  public enum PresentState: UInt8, BitwiseCopyable, Sendable {
    case front, background, suspended
  }

  /// Why the capture ended (`end`, key `reason`).
  public enum EndReason: UInt8, BitwiseCopyable, Sendable {
    case complete, stopped, lost
  }

  /// User work that an `edit` stands for, in nanoseconds (key `work_ms`); 0 when absent.
  public var workNanoseconds: Int64 = 0
  /// How long a captured `save` took, in nanoseconds (key `duration_ms`); negative when absent.
  public var durationNanoseconds: Int64 = -1
  /// How long ago a `present` app entered its state, in nanoseconds (key `since_ns`).
  public var sinceNanoseconds: Int64 = 0
  /// Unsaved bytes of a `present` app (key `unsaved_bytes`).
  public var unsavedBytes: Int64 = 0
  /// Unsaved work of a `present` app, in nanoseconds (key `unsaved_work_ms`).
  public var unsavedWorkNanoseconds: Int64 = 0
  /// Alignment of an `alloc` or `realloc` in bytes (key `align`); 0 when absent.
  public var alignment: Int64 = 0
  /// Band or `oom_score_adj` that an `observed-exit` tells (key `band`); see ``hasBand``.
  public var band: Int32 = 0
  /// Which kind of change a `device-change` is: a dense number of the key `kind`.
  public var changeKind: UInt16 = 0

  /// The kinds of `device-change` that have a notification of their own.
  ///
  /// A kind's number is its position, from 1; any other kind is numbered after them.
  public static let changeKinds = [
    "orientation", "preferences", "locale", "screen-mode", "display", "accessory", "icloud-account",
    "time", "battery", "proximity",
  ]

  /// Whether a `device-change` takes something away: `to` is `disconnected`.
  public var isDisconnection: Bool = false
  /// Which declared background execution a `background-mode` switches: a dense number, below 64.
  public var mode: UInt8 = 0
  /// Which shared resource a `shared-resource` row takes or gives back: a dense number, below 64.
  public var resource: UInt8 = 0
  /// Who interrupted, or whose interruption ended; nil when not said.
  public var interrupter: Interrupter?
  /// How the interruption ended.
  public var outcome: Outcome = .dismissed
  /// What made the app save.
  public var trigger: SaveTrigger = .unspecified
  /// State of a `present` app.
  public var presentState: PresentState = .suspended
  /// Whether a `present` app has been shown in this life (key `shown`).
  public var wasShown: Bool = true
  /// Why the capture ended.
  public var endReason: EndReason = .complete
  /// Kind of an `observed-launch`.
  public var launchKind: LaunchKind = .cold
  /// Why the real system ended an app (`observed-exit`, key `cause`).
  public var exitCause: ExitCause = .unknown
  /// Whether an `observed-exit` tells a band.
  public var hasBand: Bool = false
  /// Whether the allocated block may be dropped by the system (key `purgeable`).
  public var isPurgeable: Bool = false
  /// Whether the edit moves a reading position only (key `kind=position`).
  public var isPosition: Bool = false
  /// Whether a server has the state already (key `synced`).
  public var isSynced: Bool = false
  /// Whether a captured save kept everything (key `complete`).
  public var isComplete: Bool = true
  /// Whether `atomic` was given for a save; see ``isAtomic``.
  public var hasAtomic: Bool = false
  /// Whether the captured save replaces the snapshot in one step (key `atomic`).
  public var isAtomic: Bool = true
  /// Whether a footprint is derived, not measured (key `derived`).
  public var isDerived: Bool = false

  /// An empty detail: every field at its default.
  public init() {}
}
