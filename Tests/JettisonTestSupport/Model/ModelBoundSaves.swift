import JettisonCore

/// Which captured saves belong to which leave of their app, found by walking through the rows.
///
/// Only what the capture tells counts: whether the app runs in the simulation does not.
struct ModelBoundSaves {
  /// Position of the row at which an app left, with that of the save that belongs to it.
  private(set) var pairs: [(leave: Int, save: Int)] = []

  /// Whether a lock makes the app in front leave.
  private let lockLeaves: Bool
  private var front = AppIndex.none
  private var interruptions: [EventDetail.Interrupter] = []
  private var isLocked = false
  /// The app that the next unlock brings back.
  private var locked = AppIndex.none
  /// Leaves that no save belongs to yet.
  private var openLeaves: [AppIndex: Int] = [:]

  init(rows: [TraceEvent], details: [EventDetail], lockLeaves: Bool) {
    self.lockLeaves = lockLeaves
    for (position, row) in rows.enumerated() {
      walk(row, details[Int(row.detail)], at: position)
    }
  }

  /// The save that belongs to a leave of an app.
  func save(of app: AppIndex, leavingAt position: Int, in rows: [TraceEvent]) -> Int? {
    pairs.first { $0.leave == position && rows[$0.save].app == app }?.save
  }

  private mutating func walk(_ row: TraceEvent, _ detail: EventDetail, at position: Int) {
    switch row.kind {
    case .present: if detail.presentState == .front { front = row.app }
    case .launch:
      if front != row.app { leave(at: position) }
      (isLocked, locked) = (false, .none)
      show(row.app)
    case .home:
      leave(at: position)
      (isLocked, locked) = (false, .none)
    case .interrupt where detail.interrupter == .lock: lock(at: position)
    case .interrupt: if front != .none { interruptions.append(detail.interrupter ?? .alert) }
    case .interruptEnd where detail.interrupter == .lock: unlock()
    case .interruptEnd: endInterruption(detail, at: position)
    case .screen: row.value == 0 ? lock(at: position) : unlock()
    case .quit, .exit, .crash, .update, .observedExit:
      openLeaves[row.app] = nil
      if front == row.app { clearFront() }
      if locked == row.app, row.kind != .observedExit { locked = .none }
    case .boot:
      openLeaves = [:]
      clearFront()
      (isLocked, locked) = (false, .none)
    case .save:
      guard detail.trigger == .background, let leave = openLeaves[row.app] else { return }
      pairs.append((leave, position))
      openLeaves[row.app] = nil
    default: break
    }
  }

  private mutating func show(_ app: AppIndex) {
    openLeaves[app] = nil
    front = app
    interruptions = []
  }

  private mutating func leave(at position: Int) {
    guard front != .none else { return }
    openLeaves[front] = position
    clearFront()
  }

  private mutating func clearFront() {
    front = .none
    interruptions = []
  }

  private mutating func endInterruption(_ detail: EventDetail, at position: Int) {
    let newest = interruptions.lastIndex {
      detail.interrupter == nil || $0 == detail.interrupter
    }
    guard let newest else { return }
    if detail.outcome == .accepted { return leave(at: position) }
    interruptions.remove(at: newest)
  }

  private mutating func lock(at position: Int) {
    guard lockLeaves, front != .none else { return }
    isLocked = true
    locked = front
    leave(at: position)
  }

  private mutating func unlock() {
    guard isLocked else { return }
    isLocked = false
    if locked != .none { show(locked) }
    locked = .none
  }
}
