internal import JettisonCore

extension PerfettoHistory {
  mutating func scoreChanged(_ pid: Int32, at time: Int64) throws(TraceError) {
    guard let life = lives[pid], let score = life.score else { return }
    if (-1000...1000).contains(score) { try add(.ranked(adj: Int64(score)), at: time, pid) }
    if (score < 0) != life.isPinned {
      lives[pid]?.isPinned = score < 0
      try add(.pinned(score < 0), at: time, pid)
    }
    if front == pid {
      // Where activities or launches are shown, they decide, unless the process is cached by now.
      let isShown = evidence == .activities || evidence == .launches
      guard isShown ? score >= PerfettoRecord.cachedScore : score != 0 else {
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
    let isFrozen = lives[pid]?.isFrozen ?? (score >= PerfettoRecord.cachedScore)
    let state: State = isFrozen ? .suspended : .background
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
    let life = lives[pid] ?? newLife(pid, at: .min)
    lives[pid] = life
    lives[pid]?.state = .front
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

  /// The freezer decides from now on whether the process runs code.
  mutating func freeze(_ pid: Int32, _ isFrozen: Bool, at time: Int64) throws(TraceError) {
    lives[pid]?.isFrozen = isFrozen
    guard front != pid else { return }
    let state: State = isFrozen ? .suspended : .background
    guard lives[pid]?.state != state else { return }
    lives[pid]?.state = state
    try add(isFrozen ? .suspended : .background, at: time, pid)
  }

  // MARK: Launches

  mutating func beginLaunch(_ record: PerfettoRecord) throws(TraceError) {
    launchBegan[record.value] = record.nanoseconds
    guard let launch = capture.launches[record.value] else { return }
    if let pid = living(launch.package) {
      if evidence == .launches { try comeToFront(pid, at: record.nanoseconds) }
    } else {
      awaited[launch.package] = record.nanoseconds
    }
  }

  /// A process that a launch waits for comes to the front as it starts.
  mutating func meetAwaited(_ pid: Int32, at time: Int64) throws(TraceError) {
    guard let name = lives[pid]?.name, awaited.removeValue(forKey: name) != nil,
      evidence == .launches
    else { return }
    try comeToFront(pid, at: time)
  }

  mutating func endLaunch(_ record: PerfettoRecord) throws(TraceError) {
    guard let launch = capture.launches[record.value],
      let began = launchBegan.removeValue(forKey: record.value)
    else { return }
    awaited[launch.package] = nil
    guard let pid = living(launch.package) else {
      timeline.issues.add(
        .info, "the time of a launch whose process is not known", line: Int(record.place))
      return
    }
    let isNew = lives[pid]?.startedAt.map { $0 >= began } ?? false
    let kind = launch.kind ?? (isNew ? .cold : .warm)
    try add(
      .launchTook(nanoseconds: record.nanoseconds - began, kind), at: record.nanoseconds, pid)
  }

  /// The living process of a name with the lowest number; nil: there is none.
  private func living(_ name: String) -> Int32? {
    var found: Int32?
    for (pid, life) in lives where life.name == name && life.endedAt == nil && !life.isKernelThread
    {
      if found.map({ pid < $0 }) ?? true { found = pid }
    }
    return found
  }
}
