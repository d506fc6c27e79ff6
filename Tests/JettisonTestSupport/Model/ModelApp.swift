import JettisonCore

/// A live block of an app's capture.
struct ModelBlock {
  let slot: UInt32
  var bytes: Int64
  let isPurgeable: Bool
  /// Whether the simulated app gave it up in answer to a warning.
  var isDropped = false
}

/// A save on its way, with what it will have made durable when it completes.
struct ModelSave {
  let number: Int
  let trigger: RecordedCause
  let duration: Int64
  var isAtomic: Bool
  let sharePPM: Int64
  /// Whether a background task is open while it runs.
  var holdsTask: Bool
  /// Whether the app has left since it resigned with this save: the handler of leaving comes next.
  var precedesLeave = false
  var targetBytes: Int64
  var targetWork: Int64
  let targetSyncedBytes: Int64
  let targetSyncedWork: Int64
  let targetPositions: Int64
  /// Time of the newest local edit at its start.
  let newestEdit: Int64?
  /// Since when it runs; nil while it is frozen.
  var runsSince: Int64?
  /// How long it ran before that.
  var ranBefore: Int64 = 0

  func elapsed(at now: Int64) -> Int64 {
    ranBefore + (runsSince.map { now - $0 } ?? 0)
  }
}

/// One process of an app, from its start to its end.
struct ModelLife {
  var state: AppState = .notRunning
  let startedAt: Int64
  /// Whether it began by a cold launch that is charged to a purge.
  var followsPurge = false
  /// What its snapshot held when it began; nil: nothing was restored.
  var restored: (bytes: Int64, work: Int64)?
  /// Whether it has been in front.
  var wasShown = false
  var leftFrontAt: Int64?
  /// Bytes given back on warnings since the footprint was last measured.
  var released: Int64 = 0
  var suspendedAt: Int64?
  /// Which suspension of the run it was; 0 for none.
  var suspensionOrder: Int64 = 0

  /// When it entered the background, or was woken there.
  var backgroundSince: Int64 = 0
  /// How long background tasks may run, counted from ``backgroundSince``.
  var backgroundBudget: Int64 = 0
  var expirationHandlerCame = false
  /// The save in a handler that has not returned: the main thread does nothing else.
  var handlerSave: Int?
  /// The newest warning that the main thread has been too busy to hear.
  var keptWarning: PressureLevel?
  /// Whether it was too busy to hear that its windows are hidden.
  var keptHidden = false
  /// Whether it was too busy for the expiration handler.
  var keptExpiration = false
  var tasks: [UInt32] = []
  var modes: [UInt8] = []
  /// Shared resources that it holds.
  var resources: Set<UInt8> = []
  /// The newest device change of each kind that it could not be told of, as positions in the details.
  var keptChanges: [UInt16: UInt32] = [:]

  var saves: [ModelSave] = []
  /// What is left until the autosave timer fires, while the app is suspended.
  var timerSaveRemaining: Int64?
  /// Bytes unsaved on leaving the front, until the first suspension after it.
  var unsavedAtLeave: Int64?
  /// Whether the save in its last handler was cut short by the handler's budget.
  var wasEndSaveCut = false

  /// Footprint beyond live blocks, not rounded.
  var ballast: Int64 = 0
  /// Whether ``ballast`` rests on the catalog alone.
  var isModelled = false
  /// Size on the ideal cache.
  var cacheSize: Int64 = 0
  /// Size that its newest launch asked for on the ideal cache.
  var sizeAtLaunch: Int64 = 0
  /// Growth not yet a whole step, in ``ModelEngine/growthUnit``.
  var growth: Int128 = 0
  var growthSince: Int64?

  /// What Android's Memory Limiter knows of it.
  var limits = ModelLimits()
  /// The highest level of which it has heard since the level was normal.
  var heard = PressureLevel.normal
  /// When it heard a warning last.
  var lastHeard: Int64?

  init(startedAt: Int64) {
    self.startedAt = startedAt
  }

  /// The time that recency policies look at.
  var lastUsed: Int64 { leftFrontAt ?? startedAt }
  var hasTask: Bool { !tasks.isEmpty || saves.contains { $0.holdsTask } }
  var isHeldAwake: Bool { hasTask || !modes.isEmpty }
}

/// Everything the model knows about one app.
final class ModelApp {
  let index: AppIndex
  let name: String
  let entity: UInt64
  let profile: AppProfile
  let facts: TraceIndex.AppFacts
  /// The process, or nil.
  var life: ModelLife?
  /// When a decision ended it last.
  var victimAt: Int64?

  /// Live blocks of the capture, in order of birth.
  var blocks: [ModelBlock] = []
  var newestSample: Int64?
  /// Whether the capture saw the generation end without the simulation ending it.
  var generationEnded = false
  var isPinned = false

  var ledger: ModelLedger
  /// Number of the next foreground episode.
  var nextEpisode: UInt64 = 0
  /// Whether the foreground episode was drawn dirty.
  var isInDirtyEpisode = false
  var newestEnd = EndCause.none
  /// What its next launch would have been without the system ends since it was last opened.
  var undisturbedLaunch: LaunchKind?
  /// Whether something that the user had has been lost since a process last began.
  var lostSomething = false

  var totals = AppTotals()
  var statistics = FootprintStatistics()

  init(index: AppIndex, name: String, profile: AppProfile, facts: TraceIndex.AppFacts) {
    self.index = index
    self.name = name
    self.entity = KeyedRandom.entity(name)
    self.profile = profile
    self.facts = facts
    self.ledger = ModelLedger(profile: profile)
  }

  var state: AppState { life?.state ?? .notRunning }
  var modelsEdits: Bool { profile.modelsEdits && !facts.contains(.edits) }
  /// Whether the app saves as the capture saw it save.
  var followsCapturedSaves: Bool { facts.contains(.saves) && !profile.modelsSaves }
  var growsByModel: Bool { facts.isDisjoint(with: .memory) && profile.growthBytesPerMinute > 0 }
  var liveBytes: Int64 { blocks.reduce(0) { $0 + ($1.isDropped ? 0 : $1.bytes) } }
}
