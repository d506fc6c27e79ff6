internal import JettisonCore

extension PerfettoHistory {
  mutating func scoreChanged(_ pid: Int32, at time: Int64) throws(TraceError) {
    guard let life = lives[pid], let score = life.score else { return }
    if (score < 0) != life.isPinned {
      lives[pid]?.isPinned = score < 0
      try add(.pinned(score < 0), at: time, pid)
    }
    if front == pid {
      // Where activities are shown, they decide, unless the process is cached by now.
      guard evidence == .activities ? score >= PerfettoRecord.cachedScore : score != 0 else {
        return
      }
      return try leaveFront(at: time)
    }
    if evidence == .cachedScores, score == 0, isCandidate(life) {
      return try comeToFront(pid, at: time)
    }
    try addState(pid, at: time)
  }

  /// Whether a process of score 0 that nothing else tells of may be in front: one that comes there,
  /// or the first one that is there from the beginning.
  private func isCandidate(_ life: Life) -> Bool {
    guard life.state != .background || life.wasElsewhere else { return false }
    if life.name?.contains(":") == true { return false }
    return life.wasElsewhere || life.startedAt != nil || !wasAnyInFront
  }

  private mutating func addState(_ pid: Int32, at time: Int64) throws(TraceError) {
    guard let score = lives[pid]?.score else { return }
    let state: State = score >= PerfettoRecord.cachedScore ? .suspended : .background
    guard lives[pid]?.state != state else { return }
    lives[pid]?.state = state
    try add(state == .suspended ? .suspended : .background, at: time, pid)
  }

  mutating func comeToFront(_ pid: Int32, at time: Int64) throws(TraceError) {
    guard front != pid else { return }
    let previous = front
    if let previous, frontSince != nil {
      try add(.left, at: time, previous)
      frontSince = nil
    }
    front = pid
    let life = lives[pid] ?? Life()
    lives[pid, default: Life()].state = .front
    if evidence == .cachedScores, !wasAnyInFront, life.startedAt == nil, !life.wasElsewhere {
      // It was there before the capture began; said when it leaves, or at the end.
      frontSince = time
      _ = try process(pid, at: time)
    } else {
      try add(.front, at: time, pid)
    }
    wasAnyInFront = true
    if let previous {
      lives[previous]?.state = .unknown
      try addState(previous, at: time)
    }
  }

  /// Nobody is in front any more, because who was there is gone.
  mutating func vacateFront(at time: Int64) throws(TraceError) {
    if let pid = front, frontSince != nil { try add(.left, at: time, pid) }
    front = nil
    frontSince = nil
  }

  mutating func leaveFront(at time: Int64) throws(TraceError) {
    guard let pid = front else { return }
    front = nil
    frontSince = nil
    try add(.left, at: time, pid)
    lives[pid]?.state = .unknown
    try addState(pid, at: time)
  }
}
