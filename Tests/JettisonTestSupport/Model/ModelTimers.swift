import JettisonCore

/// What a timer of the model does, with its place among the timers of one instant.
enum ModelTimerKind: Int, Equatable {
  case saveEnd = 0
  case restart = 10
  case expirationHandler = 20
  case handlerDeadline = 21
  case taskDeadline = 22
  case suspension = 30
  case response = 40
  case warningRound = 50
  case growth = 60
  case timerSave = 80
  case purgeDelay = 90
  case memoryLimiter = 92
  case restEnd = 95

  /// Rank among the timers of one instant; both deadlines that end a process share one.
  var rank: Int { self == .taskDeadline ? ModelTimerKind.handlerDeadline.rawValue : rawValue }
}

/// Something that will happen at a time.
struct ModelTimer {
  var time: Int64
  let kind: ModelTimerKind
  let app: AppIndex
  /// Number of the save that ends, for ``ModelTimerKind/saveEnd``.
  let save: Int
  let sequence: Int

  /// Place among those of one instant and rank.
  var place: Int { kind == .timerSave ? app.position : sequence }
}

/// All timers, sorted by time, then rank, then the order in which they were set; autosave timers by
/// app.
struct ModelTimers {
  private var timers: [ModelTimer] = []
  private var nextSequence = 0

  mutating func set(
    _ kind: ModelTimerKind, _ app: AppIndex, at time: Int64, save: Int = 0
  ) {
    let timer = ModelTimer(
      time: time, kind: kind, app: app, save: save, sequence: nextSequence)
    nextSequence += 1
    timers.append(timer)
    timers.sort {
      ($0.time, $0.kind.rank, $0.place) < ($1.time, $1.kind.rank, $1.place)
    }
  }

  func time(of kind: ModelTimerKind, _ app: AppIndex) -> Int64? {
    timers.first { $0.kind == kind && $0.app == app }?.time
  }

  mutating func cancel(_ kind: ModelTimerKind, _ app: AppIndex) {
    timers.removeAll { $0.kind == kind && $0.app == app }
  }

  mutating func cancelSave(_ save: Int) {
    timers.removeAll { $0.kind == .saveEnd && $0.save == save }
  }

  mutating func cancelAll(of app: AppIndex) {
    timers.removeAll { $0.app == app }
  }

  /// Takes out the first timer that is due at `limit`.
  mutating func popDue(at limit: Int64) -> ModelTimer? {
    guard let first = timers.first, first.time <= limit else { return nil }
    return timers.removeFirst()
  }
}
