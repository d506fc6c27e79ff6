internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

// MARK: - The front and the screen

extension AndroidLives {
  mutating func resume(_ record: AndroidRecord) throws(TraceError) {
    let at = record.nanoseconds
    let line = Int(record.line)
    guard record.pid != AndroidRecord.noProcess else {
      resumedPackage = (record.name, at)
      if !appsSayFront { try bringToFront(packageLife(record.name, at), at, line) }
      return
    }
    defer {
      if let front, front == lives.number(ofPid: record.pid) { frontClass = record.name }
    }
    if let number = lives.number(ofPid: record.pid) {
      try bringToFront(number, at, line)
      return
    }
    // The app names its class alone; the window manager named the package just before.
    var named = record
    named.name = packageOfClass(record.name, at)
    let isKnown = lives.newestWithoutPid(named: named.name) != nil
    guard let number = try life(of: named) else { return }
    if !isKnown, resumedPackage?.name != named.name {
      lives[number]?.isNameGuessed = true
      timeline.issues.add(
        .info, "the name of a process is guessed from the class of its activity", line: line)
    }
    try bringToFront(number, at, line)
  }

  /// The package that a class belongs to, as far as it can be told.
  private mutating func packageOfClass(_ name: UInt32, _ at: Int64) -> UInt32 {
    if let package = resumedPackage, at - package.at <= Self.launchNanoseconds {
      return package.name
    }
    let bytes = Array(names[name])
    var end = bytes.count
    while let dot = bytes[..<end].lastIndex(of: UInt8(ascii: ".")), dot > 0 {
      if let known = names.find(bytes.span.extracting(0..<dot)), lives.isAny(named: known) {
        return known
      }
      end = dot
    }
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return names.number(of: bytes.span.extracting(0..<dot))
  }

  /// The life of a package, made if there is none.
  mutating func packageLife(_ name: UInt32, _ at: Int64) -> Int {
    if let number = lives.newest(named: name) { return number }
    return newLife(name, pid: AndroidRecord.noProcess, ranBefore: false, startedAt: at)
  }

  mutating func bringToFront(
    _ number: Int, _ at: Int64, _ line: Int, isAnew: Bool = false
  ) throws(TraceError) {
    guard let life = lives[number], life.end == nil else { return }
    frontClass = nil
    wasAnyInFront = true
    if front == number {
      // Another activity of the app, or the same after a pause.
      leave = nil
      if isAnew { try add(.front, at, number, line) }
      return
    }
    if let leave, let old = front { try add(.left, leave.at, old, leave.line) }
    leave = nil
    front = number
    let start = life.heldStart
    lives[number]?.heldStart = nil
    lives[number]?.timesInFront += 1
    lives[number]?.state = nil
    try add(.front, start?.at ?? at, number, start?.line ?? line)
  }

  mutating func pause(_ record: AndroidRecord) {
    let at = record.nanoseconds
    let line = Int(record.line)
    if record.pid == AndroidRecord.noProcess {
      guard !appsSayFront, let number = front, lives[number]?.name == record.name else { return }
      leaveFront(at, line)
      return
    }
    guard let number = lives.number(ofPid: record.pid) else { return }
    if front == number {
      // Another activity of the app may be in front by now.
      if frontClass == nil || frontClass == record.name { leaveFront(at, line) }
    } else if front == nil, lives[number]?.timesInFront == 0, lives[number]?.startedAt == nil {
      // It was in front when the capture began.
      lives[number]?.timesInFront += 1
      wasAnyInFront = true
      front = number
      leaveFront(at, line)
    }
  }

  /// Takes over what usage statistics came to.
  mutating func tellUsage() throws(TraceError) {
    guard !usage.facts.isEmpty else { return }
    let facts = usage.facts
    usage.facts.removeAll(keepingCapacity: true)
    for fact in facts {
      let (at, line) = (fact.nanoseconds, fact.line)
      switch fact.kind {
      case .boot: try boot(at, line)
      case .screen(let isOn): try turnScreen(isOn: isOn, at, line)
      case .shown, .left, .serviceStarted, .background, .suspended:
        try tellUsage(fact, of: packageLife(fact.package, at))
      }
    }
  }

  private mutating func tellUsage(
    _ fact: ShownApps.Fact, of number: Int
  ) throws(TraceError) {
    let (at, line) = (fact.nanoseconds, fact.line)
    if fact.kind == .shown { return try bringToFront(number, at, line, isAnew: true) }
    if fact.kind == .left {
      guard front == number else { return }
      front = nil
      leave = nil
      return try add(.left, at, number, line)
    }
    guard number != front else { return }
    switch fact.kind {
    case .serviceStarted:
      // The log does not say which processes were gone: a service starts or wakes its own.
      try add(.started(.unknown), at, number, line)
      try add(.background, at, number, line)
    case .background: try add(.background, at, number, line)
    case .suspended: try add(.suspended, at, number, line)
    case .shown, .left, .screen, .boot: return
    }
  }

  private mutating func leaveFront(_ at: Int64, _ line: Int) {
    // Under a dark screen the app in front is interrupted, not left.
    guard leave == nil, isScreenOn != false else { return }
    leave = (at, line)
  }

  mutating func turnScreen(
    isOn: Bool, _ at: Int64, _ line: Int
  ) throws(TraceError) {
    guard isScreenOn != isOn else { return }
    isScreenOn = isOn
    if !isOn {
      // The pause just before the screen went off is no leave either.
      leave = nil
    }
    try timeline.add(.screen(isOn: isOn), at: utc(at), line: line)
  }

  mutating func launchTook(_ record: AndroidRecord) throws(TraceError) {
    let at = record.nanoseconds
    guard let number = lives.newest(named: record.name),
      let life = lives[number], record.value >= 0
    else {
      timeline.issues.add(
        .info, "the time of a launch whose process is not known", line: Int(record.line))
      return
    }
    // The line is written once the activity is shown, which is its first time if it is new.
    let isNew = life.startedAt.map { at - $0 <= Self.launchNanoseconds } ?? false
    let kind: LaunchKind = life.timesInFront > 1 ? .hot : isNew ? .cold : .warm
    try add(
      .launchTook(nanoseconds: record.value, kind), at, number, Int(record.line))
  }
}
