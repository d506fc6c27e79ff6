import JettisonCore

/// What a run did in a day, as far as a skyline shows it.
///
/// Times are nanoseconds since the start of the trace. What fell within one bin, which is about a
/// pixel wide, is thinned: see ``Thinning``.
struct SkylineDay: Sendable {
  /// An app and what it holds.
  struct Holding: Sendable, Equatable {
    let app: AppIndex
    let bytes: Int64
  }

  /// Memory at one moment: a row of `footprints.csv`, and the other apps as they were then.
  struct Moment: Sendable, Equatable {
    let time: Int64
    let availableBytes: Int64
    /// Which apps hold something else than before, as places in ``SkylineDay/holdings``.
    let changes: Range<Int>
  }

  /// An app enters a state.
  struct StateChange: Sendable, Equatable {
    let time: Int64
    let app: AppIndex
    let state: AppState
  }

  /// Memory gets shorter, or less short.
  struct LevelChange: Sendable, Equatable {
    let time: Int64
    let level: PressureLevel
  }

  /// What an app lost.
  struct Loss: Sendable, Equatable {
    let time: Int64
    let app: AppIndex
    let lossClass: LossClass
    let workNanoseconds: Int64
    let bytes: Int64
    let noticed: Noticed
    /// Whether only a reading position is gone.
    let isPosition: Bool
    /// Whether it is what could not be done while the app was gone after an end in front.
    var isAbsence = false

    /// Whether anything is gone that a server does not have.
    var isReal: Bool { isPosition || workNanoseconds > 0 || bytes > 0 }
  }

  /// What losses come to.
  struct Sum: Sendable, Equatable {
    var workNanoseconds: Int64 = 0
    var bytes: Int64 = 0

    var isNothing: Bool { self == Sum() }
  }

  /// A process ends.
  struct End: Sendable, Equatable {
    let time: Int64
    let app: AppIndex
    let kind: RecordedKind
    let cause: RecordedCause
    /// What it held, in bytes.
    let bytes: Int64
    let decision: Int?
    /// What it did just before.
    var stateBefore = AppState.notRunning
    var loss: Loss?
    /// When the user opened the app again; nil: not before the end.
    var returnTime: Int64?

    /// Whether the system ended it, for whatever reason.
    var isBySystem: Bool {
      switch kind {
      case .purge, .kill, .watchdog, .taskExpired: true
      default: cause == .noMultitasking
      }
    }
  }

  /// Saves of an app within a bin that came out alike.
  struct Save: Sendable, Equatable {
    /// When the first of them ended.
    let time: Int64
    let app: AppIndex
    let outcome: SaveOutcome
    /// Why the first was made.
    let cause: RecordedCause
    var count = 1
    var bytes: Int64
  }

  /// Warnings to an app within a bin, of one level.
  struct Warning: Sendable, Equatable {
    let time: Int64
    let app: AppIndex
    let level: RecordedCause
    var count = 1
    /// What the app gave back in answer, in bytes; nil: nothing was heard of it.
    var releasedBytes: Int64?
  }

  /// How much of a day is not drawn, for lack of room.
  struct Thinning: Sendable, Equatable {
    var footprints = 0
    var states = 0
    var ends = 0
    var decisions = 0

    var isNothing: Bool { self == Thinning() }
  }

  /// Which day it is, from 0.
  let number: Int
  /// The part of it that the trace covers.
  let range: Range<Int64>
  /// All of it, midnight to midnight, or the whole trace where that is shorter than a day.
  let frame: Range<Int64>
  /// Width of a bin in nanoseconds.
  var binNanoseconds: Int64
  /// Which apps are in memory when it begins, and what they hold.
  var firstHoldings: [Holding] = []
  /// States when it begins, of apps that run.
  var firstStates: [StateChange] = []
  /// Available memory when it begins; nil: not known yet.
  var firstAvailableBytes: Int64?
  /// Level when it begins.
  var firstLevel = PressureLevel.normal

  var moments: [Moment] = []
  var holdings: [Holding] = []
  var states: [StateChange] = []
  var levels: [LevelChange] = []
  /// How long each level lasted, in nanoseconds: exact, however many of its changes are drawn.
  var levelSpans: [PressureLevel: Int64] = [:]
  var saves: [Save] = []
  var warnings: [Warning] = []
  var ends: [End] = []
  /// Losses that no end in the day explains, such as a snapshot that could not be read.
  var losses: [Loss] = []
  /// Decisions, by which the order of the apps goes.
  var decisions: [DecisionRecord] = []
  /// Numbers of those that are told with every candidate.
  var toldDecisions: Set<Int> = []
  var thinning = Thinning()

  /// All losses to the system that left something missing; a snapshot that cannot be read is none.
  var allLosses: [Loss] {
    (ends.compactMap(\.loss) + losses).filter { $0.isReal && $0.lossClass != .restoreLost }
  }

  /// What was lost and noticed, as the headline counts it.
  var noticedLoss: Sum { sum { $0.noticed == .yes } }

  /// What was lost and not noticed before the trace ended.
  var unnoticedLoss: Sum { sum { $0.noticed != .yes } }

  private func sum(where matches: (Loss) -> Bool) -> Sum {
    allLosses.reduce(into: Sum()) { sum, loss in
      guard matches(loss) else { return }
      sum.workNanoseconds += loss.workNanoseconds
      sum.bytes += loss.bytes
    }
  }

  /// Ends by the system.
  var systemEnds: Int { ends.count { $0.isBySystem } }

  /// Whether a day cost the user less than another: less work, fewer bytes, fewer system ends and
  /// decisions, later.
  static func isCheaper(_ a: SkylineDay, _ b: SkylineDay) -> Bool {
    let (first, second) = (a.cost, b.cost)
    return first == second ? a.number > b.number : first < second
  }

  private var cost: (Int64, Int64, Int, Int) {
    let loss = noticedLoss
    return (loss.workNanoseconds, loss.bytes, systemEnds, decisions.count)
  }
}
