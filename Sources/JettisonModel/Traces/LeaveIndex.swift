/// When apps leave the front by the trace, for one kind of lock: what is bound to a leave, and when
/// a lock is over.
public struct LeaveIndex: Sendable {
  /// A captured save that belongs to the moment its app left the front.
  public struct BoundSave: BitwiseCopyable, Sendable, Equatable {
    /// Position of the event that made the app leave.
    public let leaveEvent: Int
    /// Position of the `save` row.
    public let saveEvent: Int
    /// Detail of the `save` row.
    package let saveDetail: UInt32
  }

  /// A lock with an app in front.
  package struct LockSpan: BitwiseCopyable, Sendable, Equatable {
    /// Position of the row that locks.
    package let event: Int
    /// The app that is in front then.
    package let app: AppIndex
    /// When, in nanoseconds.
    package let time: Int64
    /// When an unlock shows the app again, in nanoseconds; negative: never.
    package var returnTime: Int64 = -1
  }

  /// Bound saves, ascending by `leaveEvent`.
  public private(set) var boundSaves: [BoundSave] = []
  /// Positions of the `save` rows of ``boundSaves``, ascending.
  public private(set) var boundSaveRows: [Int] = []
  /// Locks, ascending by `event`.
  package private(set) var locks: [LockSpan] = []

  /// No leaves.
  init() {}

  /// Follows the front through the events of a trace.
  init(
    _ events: any EventStorage, _ details: [EventDetail], _ lock: Device.Lock, appCount: Int
  ) {
    var builder = Builder(lock, appCount: appCount)
    events.forEachWindow { (window, first) in
      for position in 0..<window.count where !window[position].kind.isMemory {
        let event = window[position]
        builder.add(event, at: first + position, details[Int(event.detail)])
      }
    }
    self = builder.finished()
  }

  /// Follows the front through the events of a trace.
  private struct Builder {
    private let lock: Device.Lock
    private var index = LeaveIndex()
    /// Event at which each app last left the front, until a save is bound to it or it returns.
    private var openLeaves: [Int]
    /// The app in front, until it leaves or the capture sees it end.
    private var front = AppIndex.none
    /// The same, but for an end that the capture only observed: it may live on in a replay.
    private var shown = AppIndex.none
    private var interruptions = InterruptionStack()
    /// The app that an unlock shows again, and what ``front`` was at the lock.
    private var locked = AppIndex.none
    private var lockedFront = AppIndex.none

    init(_ lock: Device.Lock, appCount: Int) {
      self.lock = lock
      openLeaves = Array(repeating: -1, count: appCount)
    }

    mutating func add(_ event: TraceEvent, at position: Int, _ detail: EventDetail) {
      switch event.kind {
      case .present: if detail.presentState == .front { show(event.app) }
      case .launch: launch(event.app, at: position)
      case .home:
        locked = .none
        leave(at: position)
      case .interrupt, .interruptEnd, .screen: interrupt(event, at: position, detail)
      case .quit, .exit, .crash, .update:
        if locked == event.app { locked = .none }
        if shown == event.app { shown = .none }
        end(event.app)
      case .observedExit: end(event.app)
      case .boot:
        for app in openLeaves.indices { openLeaves[app] = -1 }
        locked = .none
        clearFront()
      case .save: addSave(event, at: position, detail)
      default: break
      }
    }

    func finished() -> LeaveIndex {
      var index = index
      index.boundSaves.sort { $0.leaveEvent < $1.leaveEvent }
      index.boundSaveRows = index.boundSaves.map(\.saveEvent).sorted()
      return index
    }

    private mutating func interrupt(
      _ event: TraceEvent, at position: Int, _ detail: EventDetail
    ) {
      if event.locks(detail) {
        lockScreen(at: position, event.timeNanoseconds)
      } else if event.unlocks(detail) {
        unlock(at: event.timeNanoseconds)
      } else if event.kind == .interruptEnd {
        endInterruption(detail, at: position)
      } else if shown != .none {
        _ = interruptions.begin(detail.interrupter ?? .alert)
      }
    }

    private mutating func show(_ app: AppIndex) {
      openLeaves[app.position] = -1
      (front, shown) = (app, app)
    }

    private mutating func launch(_ app: AppIndex, at position: Int) {
      locked = .none
      if front != app { leave(at: position) }
      show(app)
      interruptions.removeAll()
    }

    private mutating func end(_ app: AppIndex) {
      openLeaves[app.position] = -1
      if front == app { front = .none }
    }

    private mutating func leave(at position: Int) {
      if front != .none { openLeaves[front.position] = position }
      clearFront()
    }

    private mutating func clearFront() {
      (front, shown) = (.none, .none)
      interruptions.removeAll()
    }

    private mutating func lockScreen(at position: Int, _ time: Int64) {
      guard shown != .none, locked == .none else { return }
      (locked, lockedFront) = (shown, front)
      index.locks.append(LockSpan(event: position, app: shown, time: time))
      if lock == .background { leave(at: position) }
    }

    private mutating func unlock(at time: Int64) {
      guard locked != .none else { return }
      index.locks[index.locks.count - 1].returnTime = time
      if lock == .background {
        (front, shown) = (lockedFront, locked)
        openLeaves[locked.position] = -1
      }
      locked = .none
    }

    /// Only an interruption that was accepted makes the app leave.
    private mutating func endInterruption(_ detail: EventDetail, at position: Int) {
      guard interruptions.end(detail.interrupter), detail.outcome == .accepted else { return }
      locked = .none
      leave(at: position)
    }

    private mutating func addSave(_ event: TraceEvent, at position: Int, _ detail: EventDetail) {
      let app = event.app.position
      guard detail.trigger == .background, openLeaves[app] >= 0 else { return }
      index.boundSaves.append(
        BoundSave(
          leaveEvent: openLeaves[app], saveEvent: position, saveDetail: event.detail))
      openLeaves[app] = -1
    }
  }
}

extension TraceEvent {
  /// Whether the row locks the phone.
  package func locks(_ detail: EventDetail) -> Bool {
    kind == .screen ? value == 0 : kind == .interrupt && detail.interrupter == .lock
  }

  /// Whether the row unlocks the phone.
  package func unlocks(_ detail: EventDetail) -> Bool {
    kind == .screen ? value != 0 : kind == .interruptEnd && detail.interrupter == .lock
  }
}
