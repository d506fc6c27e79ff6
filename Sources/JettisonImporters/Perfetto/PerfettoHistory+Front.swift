internal import JettisonModel
internal import JettisonTraces

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

  /// No app is in front any more, because the one that was is gone.
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

  mutating func beginLaunch(_ number: Int64, at time: Int64) throws(TraceError) {
    launchBegan[number] = time
    guard let launch = launch(number) else { return }
    launchedPackages.insert(launch.package)
    launchKinds[launch.package] = nil
    if let pid = living(launch.package, at: time) {
      if evidence == .launches { try comeToFront(pid, at: time) }
    } else {
      awaited[launch.package] = time
    }
  }

  /// Begins or ends the launches that are known by their packages and do so now.
  mutating func takePackageLaunch(_ record: PerfettoRecord) throws(TraceError) {
    let time = record.nanoseconds
    for position in packageBegins.removeValue(forKey: time) ?? [] {
      try beginLaunch(-1 - Int64(position), at: time)
    }
    guard record.kind == .packageLaunchEnded else { return }
    for position in packageEnds.removeValue(forKey: time) ?? [] {
      try endLaunch(-1 - Int64(position), at: time, record.place)
    }
  }

  /// A launch by its number, those that are known by their packages below zero.
  private func launch(_ number: Int64) -> PerfettoCapture.Launch? {
    guard number < 0 else { return capture.launches[number] }
    let told = packageLaunches[Int(-1 - number)]
    return PerfettoCapture.Launch(package: capture.names[Int(told.package)], kind: nil)
  }

  /// What a process does while it is launched says of which kind the launch is: one that gets its
  /// application is new, one that starts an activity had none that could be resumed.
  mutating func noteLaunch(of pid: Int32, _ kind: LaunchKind) {
    guard let name = lives[pid]?.name, launchedPackages.contains(name) else { return }
    // Colder ones come first.
    launchKinds[name] = LaunchKind(
      rawValue: min(kind.rawValue, launchKinds[name]?.rawValue ?? kind.rawValue))
  }

  /// A process that a launch waits for comes to the front as it starts.
  mutating func meetAwaited(_ pid: Int32, at time: Int64) throws(TraceError) {
    guard let name = lives[pid]?.name, awaited.removeValue(forKey: name) != nil,
      evidence == .launches
    else { return }
    try comeToFront(pid, at: time)
  }

  mutating func endLaunch(
    _ number: Int64, at time: Int64, _ place: UInt32
  ) throws(TraceError) {
    guard let launch = launch(number), let began = launchBegan.removeValue(forKey: number) else {
      return
    }
    launchedPackages.remove(launch.package)
    let shown = launchKinds.removeValue(forKey: launch.package)
    awaited[launch.package] = nil
    guard let pid = living(launch.package, at: time) else {
      timeline.issues.add(
        .info, "the time of a launch whose process is not known", line: Int(place))
      return
    }
    let isNew = lives[pid]?.startedAt.map { $0 >= began } ?? false
    let kind = launch.kind ?? (isNew ? .cold : shown ?? .warm)
    try add(.launchTook(nanoseconds: time - began, kind), at: time, pid)
  }

  /// The living process of a name with the lowest number, else one that is known by its name alone;
  /// nil: there is none.
  private func living(_ name: String, at time: Int64) -> Int32? {
    var found: Int32?
    for (pid, life) in lives where life.name == name && life.endedAt == nil && !life.isKernelThread
    {
      if found.map({ pid < $0 }) ?? true { found = pid }
    }
    guard found == nil, let named = identities.pid(named: name, at: time) else { return found }
    return lives[named] == nil ? named : nil
  }
}
