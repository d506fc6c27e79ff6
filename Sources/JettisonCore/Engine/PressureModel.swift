/// A pressure model: when memory is taken back, by which rules, and what an app is charged with.
///
/// One type serves one family of killers. It is a namespace, not a value: what it remembers during a
/// run is part of the ``Simulation``, which every hook gets, and through whose verbs it acts. The
/// engine asks at the points below and knows no platform; a hook that a model does not need does
/// nothing. To add one, see <doc:WritingAPressureModel>.
///
/// The engine holds the type of the model in force: a call is one indirect call, without a value, an
/// allocation or a reference count.
protocol PressureModel {
  /// What the engine does otherwise under this model.
  static var traits: PressureTraits { get }

  /// Available memory below which a purged app's bytes were needed after all: what wasted purges are
  /// told by.
  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64

  /// Where its rules begin, in bytes of available memory; 0: never.
  ///
  /// Only those that follow from the configuration alone: a model that looks at stalls, at swap or at
  /// what apps hold has others beside them, or none.
  static func thresholdBytes(_ configuration: RunConfiguration) -> [(key: String, bytes: Int64)]

  // MARK: What is due

  /// How short memory is.
  static func level(_ world: inout Simulation) -> PressureLevel

  /// The next decision that is due, its candidates collected; nil: nothing is. Called until then.
  static func nextDecision(_ world: inout Simulation) -> OpenDecision?

  /// Whether no rule has anything to do now: settling would only note how much memory is left. May be
  /// false although it is so.
  ///
  /// Nothing else may happen before a time, when an app grows on, but what a timer is set for.
  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool

  /// How far an app may grow from here and stay at rest all the time; nil: that has to be asked after
  /// each step. Only where memory is at rest and the app's charge is its footprint.
  static func growthRoom(for app: AppIndex, _ world: inout Simulation) -> GrowthRoom?

  /// An app has grown within such a room; time and available memory are those after the step. Only
  /// where ``GrowthRoom/isFollowed``.
  static func grew(by bytes: Int64, _ world: inout Simulation)

  /// Memory was at rest for a while, and is left to the model's next poll.
  static func rest(_ world: inout Simulation)

  /// An instant is settled: no decision is left. Only where ``PressureTraits/followsApps``.
  static func settled(_ world: inout Simulation)

  /// Whether the poll that is due may be skipped.
  ///
  /// Then the model has set another, if there is one. Time has not been moved to it yet.
  static func skipsPoll(at time: Int64, _ world: inout Simulation) -> Bool

  /// Handles a timer of the model that is due.
  static func fire(_ timer: Timer, _ world: inout Simulation)

  /// Accounts for what was left out so far, this instant included.
  static func catchUp(_ world: inout Simulation)

  /// The run is over.
  static func finish(_ world: inout Simulation)

  // MARK: Apps

  /// An app entered a state, or its tasks and modes changed (then both states are the same). Only
  /// where ``PressureTraits/followsApps``.
  static func stateChanged(
    _ app: AppIndex, from before: AppState, to after: AppState, _ world: inout Simulation)

  /// An app ran before the capture began: it has its state, and not yet its memory.
  static func appeared(_ app: AppIndex, _ world: inout Simulation)

  /// Such an app has its memory, too; it has been where it is since a time.
  static func settledIn(_ app: AppIndex, since: Int64, _ world: inout Simulation)

  /// The trace told another rank of an app that runs.
  static func rankWritten(_ app: AppIndex, _ world: inout Simulation)

  /// The trace pinned an app, or no longer does.
  static func pinChanged(_ world: inout Simulation)

  /// The phone is unlocked, or something else is in front.
  static func lockEnded(_ world: inout Simulation)

  /// Brings ranks up to date where the model is not asked for a decision.
  static func refreshRanks(_ world: inout Simulation)

  // MARK: Memory

  /// What an app takes of RAM for its footprint, in bytes.
  static func charge(for app: AppIndex, _ world: inout Simulation) -> Int64

  /// A footprint changed; what the app is charged with follows. Only where
  /// ``PressureTraits/followsApps``.
  static func footprintChanged(_ app: AppIndex, from before: Int64, _ world: inout Simulation)

  /// An app is charged with more than before. Only where ``PressureTraits/followsApps``.
  static func memoryTaken(by app: AppIndex, bytes: Int64, _ world: inout Simulation)

  /// The memory of a process is gone. Only where ``PressureTraits/followsApps``.
  static func memoryEnded(_ app: AppIndex, _ world: inout Simulation)

  /// Empties a victim's purgeable memory before its end: what that gave, in bytes, and whether it
  /// is enough to spare the victim.
  static func drain(
    _ victim: AppIndex, for open: OpenDecision, _ world: inout Simulation
  ) -> (bytes: Int64, isSpared: Bool)

  // MARK: Warnings

  /// The level is another one.
  static func levelChanged(from before: PressureLevel, _ world: inout Simulation)

  /// Available memory is another than when the level was read last.
  static func memoryMoved(from before: Int64, _ world: inout Simulation)

  /// The next app is to be told.
  static func deliverWarning(_ world: inout Simulation)

  /// An app's main thread is free again: it hears what the model has kept for it. Only where
  /// ``PressureTraits/followsApps``.
  static func deliverKept(_ app: AppIndex, _ world: inout Simulation)

  // MARK: Captures

  /// The rule under which the model ends most apps: what decisions of a followed capture go by.
  static func usualRule(_ world: inout Simulation) -> RecordedCause

  /// Where a candidate stands before the policy is asked, from 0: lower ones go first.
  static func precedence(of app: AppIndex, _ world: inout Simulation) -> Int

  #if DEBUG
    /// Counts again what the model keeps by small steps, and traps where it is wrong.
    static func checkSums(_ world: inout Simulation)
  #endif
}

extension PressureModel {
  static var traits: PressureTraits { PressureTraits() }

  static func thresholdBytes(
    _ configuration: RunConfiguration
  ) -> [(key: String, bytes: Int64)] { [] }

  static func growthRoom(for app: AppIndex, _ world: inout Simulation) -> GrowthRoom? { nil }
  static func grew(by bytes: Int64, _ world: inout Simulation) {}
  static func rest(_ world: inout Simulation) {}
  static func settled(_ world: inout Simulation) {}
  static func skipsPoll(at time: Int64, _ world: inout Simulation) -> Bool { false }
  static func fire(_ timer: Timer, _ world: inout Simulation) {}
  static func catchUp(_ world: inout Simulation) {}
  static func finish(_ world: inout Simulation) {}

  static func stateChanged(
    _ app: AppIndex, from before: AppState, to after: AppState, _ world: inout Simulation
  ) {}

  static func appeared(_ app: AppIndex, _ world: inout Simulation) {}
  static func settledIn(_ app: AppIndex, since: Int64, _ world: inout Simulation) {}
  static func rankWritten(_ app: AppIndex, _ world: inout Simulation) {}
  static func pinChanged(_ world: inout Simulation) {}
  static func lockEnded(_ world: inout Simulation) {}
  static func refreshRanks(_ world: inout Simulation) {}

  /// Its footprint, less what compression saves while it is suspended.
  static func charge(for app: AppIndex, _ world: inout Simulation) -> Int64 {
    let compressed = world.compressedBytes(of: app)
    return world.apps[app].footprintBytes - world.savedBytes(byCompressing: compressed)
  }

  static func footprintChanged(_ app: AppIndex, from before: Int64, _ world: inout Simulation) {}
  static func memoryTaken(by app: AppIndex, bytes: Int64, _ world: inout Simulation) {}
  static func memoryEnded(_ app: AppIndex, _ world: inout Simulation) {}

  static func drain(
    _ victim: AppIndex, for open: OpenDecision, _ world: inout Simulation
  ) -> (bytes: Int64, isSpared: Bool) { (0, false) }

  static func levelChanged(from before: PressureLevel, _ world: inout Simulation) {
    world.lowerRound(to: world.level)
  }

  static func memoryMoved(from before: Int64, _ world: inout Simulation) {}

  static func deliverWarning(_ world: inout Simulation) { world.tellNext() }
  static func deliverKept(_ app: AppIndex, _ world: inout Simulation) {}

  /// Suspended apps before running ones before the one in front.
  static func precedence(of app: AppIndex, _ world: inout Simulation) -> Int {
    app == world.front ? 2 : world.apps[app].state == .suspended ? 0 : 1
  }

  #if DEBUG
    static func checkSums(_ world: inout Simulation) {}
  #endif
}

/// What the engine does otherwise under a pressure model than on a phone whose model only looks at
/// memory.
struct PressureTraits: BitwiseCopyable {
  /// Whether apps die at a footprint of their own, and warnings go out.
  var hasLimits = true
  /// Whether a limit meets only who grows past it, not who is found over one that became lower.
  var limitsMeetGrowthOnly = false
  /// Whether the level follows from available memory, and what that was before, so that it stays
  /// while memory does.
  var levelIsOfMemoryAlone = false
  /// Whether a rise of the level begins a round in which the engine tells one app after another.
  var tellsInRounds = true
  /// Whether the model hears of what apps do: of the states that they enter, of their footprints, and
  /// of every instant that is settled.
  var followsApps = false
  /// Whether apps are ended that do in the background what iOS forbids there.
  var policesBackground = false
  /// Whether the app that left at a lock stays on top and runs on, until something else is in front.
  var keepsTopAwake = false
  /// Whether the phone locks.
  var locks = true
  /// Whether an app may choose to end when it is left.
  var letsAppsOptOut = true
  /// Whether a launched app comes in once there is room for it, and not before.
  var makesRoomFirst = false
  /// Whether an app's size is what trace or catalog say, and nothing but apps takes memory.
  var declaresSizes = false
  /// Whether saves and suspensions take no time.
  var takesNoTime = false
}
