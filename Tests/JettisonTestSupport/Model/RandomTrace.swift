package import JettisonCore

/// One random experiment: a trace, everything a run needs, and the seed it came from.
package struct RandomCase: Sendable, CustomStringConvertible {
  package var seed: UInt64
  package var rows: [TraceRow]
  package var configuration: RunConfiguration
  package var policy: ModelPolicyName
  /// What follows the policy's name: `+saved+recent=2`.
  package var modifiers: String
  /// Profiles by name: which of them a run uses depends on the apps that the rows name.
  package var profiles: [String: AppProfile]

  /// The case with other rows; nil if they are no trace.
  package func with(rows: [TraceRow]) -> RandomCase? {
    guard (try? Trace(rows: rows)) != nil else { return nil }
    var other = self
    other.rows = rows
    return other
  }

  /// The case with so many hours at its end in which nothing happens, and without growth, which
  /// would be something.
  package func followedByNothing(hours: Double) -> RandomCase {
    var longer = self
    for name in profiles.keys { longer.profiles[name]?.growthBytesPerMinute = 0 }
    longer.rows.removeAll { $0.kind == .end }
    let last = longer.rows.last?.time ?? 0
    longer.rows.append(TraceRow(last + seconds(hours * 3600), "", .end))
    return longer
  }

  /// The trace and the configuration with the profiles of the trace's apps.
  package func inputs() throws(TraceRowProblem) -> (Trace, RunConfiguration) {
    let trace = try Trace(rows: rows, user: "user-\(seed)")
    var configuration = configuration
    configuration.profiles = trace.apps.map { profiles[$0] ?? AppProfile() }
    configuration.groups = Array(configuration.groups.prefix(trace.apps.count))
    configuration.pinned = configuration.pinned.filter { $0.position < trace.apps.count }
    return (trace, configuration)
  }

  /// Replays the case on the model.
  package func runModel() throws(TraceRowProblem) -> ModelOutcome {
    let (trace, configuration) = try inputs()
    return ModelEngine(trace, configuration, policy: policy, modifiers: modifiers).run()
  }

  /// The trace in format 1 with the configuration, ready to be pasted into a test.
  package var description: String {
    var lines = [
      "# jettison-trace: 1", "# user: user-\(seed)",
      "# policy: \(policy.rawValue)\(modifiers)", "# seed of the case: \(seed)",
    ]
    var bare = configuration
    bare.profiles = []
    lines += Mirror(reflecting: bare).children.map { "# \($0.label ?? ""): \($0.value)" }
    let apps = Set(rows.map(\.app)).sorted()
    lines += apps.compactMap { app in profiles[app].map { "# \(app): \($0)" } }
    lines.append("time_ns,app,event,value,id,detail")
    return (lines + rows.map(\.description)).joined(separator: "\n")
  }
}

/// Makes random cases that are legal and awkward: equal times, durations of zero, saves that end
/// exactly at deadlines, sizes that meet thresholds exactly.
package struct RandomTrace {
  static let second: Int64 = 1_000_000_000
  static let mebibyte: Int64 = 1 << 20

  /// What the capture holds about one app, so that all mixtures occur.
  private struct Style {
    var hasSamples: Bool
    var hasBlocks: Bool
    var hasEdits: Bool
    var hasSaves: Bool
  }

  private var generator: SplitMix64
  private var names: [String] = []
  private var styles: [String: Style] = [:]
  private var checker = RowChecker()
  private var rows: [TraceRow] = []
  private var time: Int64 = 0
  private var profiles: [String: AppProfile] = [:]
  private var device = Device(
    name: "random", ramBytes: 100 * Self.mebibyte, reserveBytes: 0, source: "random")
  /// Whether the case has gaps of more than a day; its apps then have no busy timers.
  private var isLong = false
  /// Whether the case knows no locks by device, nested interruptions, forbidden work and the like.
  private var isPlain = false

  private init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    isLong = chance(0.1)
    isPlain = chance(0.3)
  }

  /// The case that belongs to a seed.
  package static func make(seed: UInt64, maximumRows: Int = 80) -> RandomCase {
    var random = RandomTrace(seed: KeyedRandom.mix(seed))
    random.makeApps()
    for name in random.names { random.profiles[name] = random.profile() }
    random.makeDevice()
    random.makeRows(random.number(5...max(5, maximumRows)))
    return RandomCase(
      seed: seed, rows: random.rows, configuration: random.configuration(),
      policy: random.pick(ModelPolicyName.allCases), modifiers: random.modifiers(),
      profiles: random.profiles)
  }

  // MARK: Draws

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  private mutating func chance(_ probability: Double) -> Bool {
    generator.uniform() < probability
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[number(0...choices.count - 1)]
  }

  private mutating func seconds(_ choices: [Double]) -> Int64 {
    Int64(pick(choices) * 1e9)
  }

  /// Sizes that add up to thresholds of 100 MiB, now and then a few bytes beside them.
  private mutating func size() -> Int64 {
    let bytes = Int64(pick([0, 1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40])) * Self.mebibyte
    return chance(0.15) ? max(0, bytes + Int64(pick([-4096, -1, 1, 100, 4096]))) : bytes
  }

  // MARK: Apps

  private mutating func makeApps() {
    names = Array(["b", "a", "c", "d.e", "a:2", "f"].prefix(number(2...6)))
    for name in names {
      let memory = number(0...3)
      styles[name] = Style(
        hasSamples: memory & 1 != 0, hasBlocks: memory & 2 != 0, hasEdits: chance(0.6),
        hasSaves: chance(0.35))
    }
  }

  private mutating func profile() -> AppProfile {
    var profile = AppProfile()
    profile.launchFootprintBytes = size()
    profile.growthBytesPerMinute = Int64(pick([0, 0, 1, 6, 60])) * Self.mebibyte
    if chance(0.1) { profile.growthBytesPerMinute = 1_234_567 }
    if isLong { profile.growthBytesPerMinute = Int64(pick([0, 100_000])) }
    profile.suspendedCeilingBytes = chance(0.3) ? size() : -1
    profile.backgroundCeilingBytes = !isPlain && chance(0.3) ? size() : -1
    profile.multitasks = isPlain || chance(0.9)
    profile.endsTasksAtExpiration = chance(0.6)
    profile.releasablePPM = Int64(pick([0, 250_000, 333_333, 1_000_000]))
    profile.coldLaunchNanoseconds = seconds([0.9, 1, 2.5, 10])
    profile.warmLaunchNanoseconds = profile.coldLaunchNanoseconds / 5 * 2
    profile.hotLaunchNanoseconds = profile.coldLaunchNanoseconds / 10
    addSaves(to: &profile)
    profile.modelsEdits = chance(0.6)
    profile.editProbability = pick([0, 0.5, 1])
    profile.editWorkPPM = Int64(pick([0, 500_000, 900_000, 333_333]))
    profile.editBytesPerSecond = Int64(pick([0, 1, 200, 1_000_000]))
    profile.warningResponseProbability = pick([0, 0.5, 1])
    profile.warningReleasePPM = Int64(pick([0, 500_000, 1_000_000]))
    profile.warningDelayNanoseconds = seconds([0, 0.1, 0.25, 1])
    profile.limitBytes = chance(0.2) ? 10 * Self.mebibyte + size() : -1
    profile.softLimitBytes = chance(0.3) ? size() : -1
    return profile
  }

  private mutating func addSaves(to profile: inout AppProfile) {
    let triggers = number(0...9)
    profile.saveTriggers =
      triggers == 0
      ? [.terminate] : AppProfile.SaveTriggers(rawValue: UInt8(triggers & 7))
    if !isPlain, chance(0.35) { profile.saveTriggers.insert(.resign) }
    if !isPlain, chance(0.35) { profile.saveTriggers.insert(.expiration) }
    if !isPlain, chance(0.2) { profile.saveTriggers.insert(.edit) }
    if !isPlain, chance(0.3) { profile.modelsSaves = true }
    profile.saveTimerNanoseconds = chance(0.4) && !isLong ? seconds([1, 5, 30]) : 0
    profile.saveBytesPerSecond = pick([1, 1000, 80_000_000])
    profile.saveFixedNanoseconds = seconds([0, 0, 0.05, 0.25, 1, 4, 5, 6])
    profile.savesAtomically = chance(0.5)
    profile.saveThread = pick([.main, .main, .queue, .queue, .task])
    profile.saveSharePPM = Int64(pick([1_000_000, 1_000_000, 670_000, 333_333, 0]))
  }

  // MARK: Configuration

  private mutating func makeDevice() {
    device.reserveBytes = Int64(pick([0, 10, 25])) << 20
    if chance(0.3) { device.ramBytes = Int64(pick([64, 80, 150, 1000])) << 20 }
    device.multitasks = chance(0.9)
    device.era = pick([nil, nil, .ios4, .ios6, .ios7, .ios12, .ios14, .ios17, .ios18])
    device.lock = device.era?.lock ?? .inactive
    if !isPlain { device.lock = pick([device.lock, device.lock, .inactive, .background]) }
    device.budgets.handlerNanoseconds = seconds([5, 5, 1])
    device.budgets.taskNanoseconds = seconds([600, 30, 10, 5])
    device.budgets.backgroundLaunchNanoseconds = seconds([30, 5, 1])
    device.suspensionDelayNanoseconds = seconds([1, 1, 0, 0.25, 5])
    if chance(0.2) { device.limitBytes = 30 << 20 }
    if chance(0.2) {
      device.compression = .init(ratio: pick([2, 3]), suspendedShare: pick([0.5, 1]))
    }
    if chance(0.2) {
      device.thresholds.purgePercent = 20
      device.thresholds.untilPercent = pick([20, 30])
      device.thresholds.warnPercent = pick([15, 40])
    }
  }

  private mutating func configuration() -> RunConfiguration {
    let pressure: PressureModelKind = pick([.thresholds, .thresholds, .ios4, .ios4, .idealCache])
    var configuration = RunConfiguration(device: device, pressure: pressure, profiles: [])
    configuration.device.isIdealCache = pressure == .idealCache && chance(0.5)
    configuration.footprints = .declared
    if pressure == .idealCache, chance(0.4) { configuration.capacityApps = Int64(number(1...3)) }
    configuration.lambda = pick([0, 1, 60])
    configuration.warningOrder = pick(WarningOrder.allCases)
    configuration.warningPurgeDelayNanoseconds = seconds([0, 0, 0.5, 10])
    configuration.seed = UInt64(number(1...5))
    if chance(0.15) { configuration.pinned = [AppIndex(number(0...1))] }
    configuration.protectRecentCount = pick([0, 0, 0, 1, 2])
    if chance(0.15) { configuration.warmUpNanoseconds = seconds([1, 30, 100, 5000]) + 7 }
    if chance(0.5) { configuration.groups = (0..<6).map { _ in UInt32(number(0...2)) } }
    return configuration
  }

  /// Each in a share of the cases, in any order, with values that meet thresholds exactly.
  private mutating func modifiers() -> String {
    var parts: [String] = []
    if chance(0.3) { parts.append("+saved") }
    if chance(0.15) { parts.append("+protect=\(pick(["a", "b*", "?", "d.e", "nobody"]))") }
    if chance(0.15) { parts.append("+recent=\(number(1...3))") }
    if chance(0.2) { parts.append("+interval=\(pick(["10s", "1m", "4h"]))") }
    if chance(0.25) { parts.append("+minimal") }
    if chance(0.25) { parts.append("+until=\(pick(["3%", "15%", "25%", "33.3%", "60%"]))") }
    if chance(0.25) { parts.append("+unit=\(pick(["process", "app", "group", "group"]))") }
    parts.shuffle(using: &generator)
    return parts.joined()
  }

  // MARK: Rows

  private mutating func makeRows(_ count: Int) {
    makePresent()
    var tries = 0
    while rows.count < count, tries < 20 * count {
      tries += 1
      if chance(0.45) { time += gap() }
      if !isPlain, chance(0.08) { addScene() }
      if !isPlain, chance(0.06) { addInterruptedScene() }
      add(randomRow())
      if chance(0.1) { addEcho() }
    }
    if chance(0.9) { add(TraceRow(time + gap(), "", .end)) }
  }

  private mutating func gap() -> Int64 {
    let gap = seconds([
      0, 0.1, 0.25, 0.25, 0.5, 0.5, 1, 1, 1, 2, 4, 5, 5, 10, 24.75, 25, 30, 60,
    ])
    if isLong, chance(0.1) { return gap + 90_000 * Self.second }
    if chance(0.04) { return gap + 300 * Self.second }
    return chance(0.05) ? max(0, gap + Int64(pick([-1, 1]))) : gap
  }

  @discardableResult
  private mutating func add(_ row: TraceRow) -> Bool {
    guard row.time >= time, checker.accept(row) != nil else { return false }
    rows.append(row)
    time = row.time
    return true
  }

  private mutating func makePresent() {
    guard chance(0.3) else { return }
    var mayBeFront = true
    if !isPlain, chance(0.3) { addSituation() }
    for name in names where chance(0.5) {
      let state = pick(
        mayBeFront ? ["front", "background", "suspended"] : ["background", "suspended"])
      if state == "front" { mayBeFront = false }
      var detail = "state=\(state)"
      if state != "front", chance(0.3) { detail += ";shown=0" }
      if chance(0.5) { detail += ";since_ns=\(seconds([0, 1, 100, 599]))" }
      if chance(0.4) { detail += ";unsaved_bytes=\(number(0...2))" }
      if chance(0.4) { detail += ";unsaved_work_ms=\(number(0...3) * 500)" }
      let hasSample = styles[name]?.hasSamples == true
      add(TraceRow(0, name, .present, value: hasSample ? size() : nil, detail: detail))
      if !isPlain, chance(0.4) { addSituation() }
    }
  }

  /// Rows that say how things stood, now and then with something between them.
  private mutating func addSituation() {
    let app = pick(names)
    for _ in 0...number(0...1) {
      switch number(0...6) {
      case 0: add(TraceRow(0, "", .systemMemory, value: size()))
      case 1: if checker.isAlive(app) { add(memoryRow(app)) }
      case 2: if checker.isAlive(app) { add(assertionRow(app)) }
      case 3: add(TraceRow(0, app, .sharedResource, value: 1, detail: "resource=contacts"))
      case 4: add(TraceRow(0, app, .pin, value: Int64(number(0...1))))
      case 5: if checker.isAlive(app) { add(TraceRow(0, app, .adj, value: 900)) }
      default: add(TraceRow(0, "", .clock, value: 60))
      }
    }
  }

  // MARK: Scenes

  /// An app is shown, left and shown again, and things happen exactly where its timers end.
  private mutating func addScene() {
    let app = pick(names)
    add(TraceRow(time, app, .launch))
    if chance(0.5) { time += gap() }
    if styles[app]?.hasEdits == true { add(editRow(app)) }
    for _ in 0..<number(0...2) {
      add(pick([assertionRow(app), interruptionRow(), resourceRow(app), editRow(app)]))
    }
    if chance(0.7) { time += gap() }
    add(leavingRow())
    for _ in 0..<number(0...4) {
      if chance(0.7) { time += exactGap(for: app) }
      add(meanwhileRow(app))
    }
    if chance(0.8) { time += exactGap(for: app) }
    add(chance(0.5) ? TraceRow(time, app, .launch) : TraceRow(time, "", .screen, value: 1))
  }

  /// An app saves where it is interrupted, and things happen before that save has ended.
  private mutating func addInterruptedScene() {
    let savers = names.filter { profiles[$0]?.saveTriggers.contains(.resign) == true }
    let app = pick(savers.isEmpty ? names : savers)
    add(TraceRow(time, app, .launch))
    time += seconds([0.5, 1, 2])
    if styles[app]?.hasEdits == true { add(editRow(app)) }
    add(
      pick([
        TraceRow(time, "", .interrupt, detail: "by=call"), TraceRow(time, "", .screen, value: 0),
      ]))
    for _ in 0..<number(1...5) {
      if chance(0.8) { time += chance(0.5) ? seconds([0.25, 0.5, 1]) : exactGap(for: app) }
      let rows = [
        leavingRow(), leavingRow(), interruptionRow(), meanwhileRow(app), changeRow(),
        TraceRow(time, "", .systemMemory, value: size()),
      ]
      add(pick(rows))
    }
    if chance(0.5) { add(TraceRow(time + exactGap(for: app), "", .screen, value: 1)) }
  }

  /// A time after which something ends: a save, a handler, a delay, a task.
  private mutating func exactGap(for app: String) -> Int64 {
    let budgets = device.budgets
    let tasks = pick([budgets.taskNanoseconds, budgets.backgroundLaunchNanoseconds])
    let gap = pick([
      device.suspensionDelayNanoseconds, device.suspensionDelayNanoseconds,
      budgets.handlerNanoseconds, profiles[app]?.saveFixedNanoseconds ?? 0,
      budgets.handlerNanoseconds / 2, tasks - 5 * Self.second, tasks, Self.second,
    ])
    return max(0, chance(0.15) ? gap + Int64(pick([-1, 1])) : gap)
  }

  private mutating func leavingRow() -> TraceRow {
    switch number(0...4) {
    case 0: TraceRow(time, "", .home)
    case 1: TraceRow(time, pick(names), .launch)
    case 2: TraceRow(time, "", .interruptEnd, detail: "outcome=accepted")
    case 3: TraceRow(time, "", .interrupt, detail: "by=lock")
    default: TraceRow(time, "", .screen, value: 0)
    }
  }

  private mutating func meanwhileRow(_ app: String) -> TraceRow {
    switch number(0...9) {
    case 0: saveRow(app)
    case 1: TraceRow(time, app, .launch)
    case 2, 3: interruptionRow()
    case 4: resourceRow(app)
    case 5: changeRow()
    case 6: assertionRow(app)
    case 7: TraceRow(time, app, .backgroundLaunch, detail: "reason=push")
    case 8: memoryRow(pick(names))
    default: pick([TraceRow(time, "", .home), endRow(app), editRow(app)])
    }
  }

  /// Something at the instant of the newest row: memory, another launch, `home`.
  private mutating func addEcho() {
    guard let last = rows.last else { return }
    switch number(0...3) {
    case 0: add(memoryRow(last.app.isEmpty ? pick(names) : last.app))
    case 1: add(TraceRow(time, pick(names), .launch))
    case 2: add(TraceRow(time, pick(names), .backgroundLaunch, detail: "reason=push"))
    default: add(TraceRow(time, "", .home))
    }
  }

  private mutating func randomRow() -> TraceRow {
    let app = pick(names)
    switch number(0...99) {
    case 0..<21: return TraceRow(time, app, .launch)
    case 21..<24: return isPlain ? TraceRow(time, app, .launch) : resourceRow(app)
    case 24..<30: return TraceRow(time, app, .backgroundLaunch, detail: "reason=push")
    case 30..<35: return TraceRow(time, "", .home)
    case 35..<50: return memoryRow(app)
    case 50..<62: return editRow(app)
    case 62..<69: return saveRow(app)
    case 69..<76: return assertionRow(app)
    case 76..<82: return interruptionRow()
    case 82..<89: return endRow(app)
    case 89..<91: return TraceRow(time, app, .restoreFailed)
    case 91..<93: return TraceRow(time, app, .pin, value: Int64(number(0...1)))
    default: return deviceRow()
    }
  }

  private mutating func memoryRow(_ app: String) -> TraceRow {
    let hasSamples = styles[app]?.hasSamples == true
    let hasBlocks = styles[app]?.hasBlocks == true
    if hasSamples, !hasBlocks || chance(0.4) {
      return TraceRow(time, app, .footprint, value: size())
    }
    guard hasBlocks else { return TraceRow(time, "", .systemMemory, value: size()) }
    let live = checker.liveBlocks(of: app)
    if !live.isEmpty, chance(0.35) { return TraceRow(time, app, .free, id: pick(live)) }
    if !live.isEmpty, chance(0.25) {
      return TraceRow(time, app, .realloc, value: size(), id: pick(live))
    }
    return TraceRow(
      time, app, .alloc, value: size(), id: Int64(number(1...6)),
      detail: chance(0.3) ? "purgeable=1" : "")
  }

  private mutating func editRow(_ app: String) -> TraceRow {
    guard styles[app]?.hasEdits == true else { return TraceRow(time, app, .launch) }
    let detail = pick([
      "work_ms=4000", "work_ms=4000", "work_ms=1000", "work_ms=999", "", "synced=1",
      "kind=position", "work_ms=500;synced=1", "kind=data;work_ms=1",
    ])
    return TraceRow(
      time, app, .edit, value: Int64(pick([0, 1, 3, 1000, 5_000_000])), detail: detail)
  }

  private mutating func saveRow(_ app: String) -> TraceRow {
    guard styles[app]?.hasSaves == true else { return TraceRow(time, app, .launch) }
    var triggers = ["background", "background", "background", "timer", "user", "warning", ""]
    if !isPlain { triggers += ["background", "background", "resign", "expiration"] }
    let trigger = pick(triggers)
    var details = trigger.isEmpty ? [] : ["trigger=\(trigger)"]
    if chance(0.8) { details.append("duration_ms=\(pick([0, 250, 1000, 4999, 5000, 5001, 9000]))") }
    if chance(0.3) { details.append("complete=\(number(0...1))") }
    if chance(0.3) { details.append("atomic=\(number(0...1))") }
    return TraceRow(time, app, .save, value: 100, detail: details.joined(separator: ";"))
  }

  private mutating func assertionRow(_ app: String) -> TraceRow {
    if chance(0.25) {
      return TraceRow(
        time, app, .backgroundMode, value: Int64(number(0...1)),
        detail: "mode=\(pick(["audio", "voip"]))")
    }
    let live = checker.liveTasks(of: app)
    if !live.isEmpty, chance(0.5) { return TraceRow(time, app, .taskEnd, id: pick(live)) }
    return TraceRow(time, app, .taskBegin, id: Int64(number(1...3)))
  }

  private mutating func interruptionRow() -> TraceRow {
    switch number(0...(isPlain ? 3 : 6)) {
    case 0: return TraceRow(time, "", .interrupt, detail: "by=call")
    case 1: return TraceRow(time, "", .interruptEnd, detail: "outcome=dismissed")
    case 2: return TraceRow(time, "", .interruptEnd, detail: "outcome=accepted")
    case 3: return TraceRow(time, "", .screen, value: Int64(number(0...1)))
    case 4, 5:
      let detail = pick(["by=call", "by=sms", "by=alert", "", "by=lock"])
      return TraceRow(time, "", .interrupt, detail: detail)
    default:
      let by = pick(["by=call", "by=sms", "by=alert", "by=lock", "by=lock"])
      let outcome = chance(0.3) ? ";outcome=accepted" : ""
      return TraceRow(time, "", .interruptEnd, detail: by + outcome)
    }
  }

  /// What iOS forbids in the background.
  private mutating func resourceRow(_ app: String) -> TraceRow {
    if chance(0.3) { return TraceRow(time, app, .gpuWork) }
    // Nobody asks for it here, but it must not wake or end anybody.
    if chance(0.1) { return TraceRow(time, app, .adj, value: Int64(number(-10...10) * 100)) }
    return TraceRow(
      time, app, .sharedResource, value: Int64(number(0...1)),
      detail: pick(["resource=contacts", "resource=file-lock", ""]))
  }

  private mutating func changeRow() -> TraceRow {
    let kind = pick(EventDetail.changeKinds + ["other", "display", "accessory", "orientation"])
    let value = pick(isPlain ? ["to=x", "to=y"] : ["to=x", "to=y", "to=disconnected", ""])
    return TraceRow(
      time, "", .deviceChange, detail: "kind=\(kind)" + (value.isEmpty ? "" : ";\(value)"))
  }

  private mutating func endRow(_ app: String) -> TraceRow {
    switch number(0...9) {
    case 0, 1: TraceRow(time, app, .quit)
    case 2: TraceRow(time, app, .exit)
    case 3: TraceRow(time, app, .crash)
    case 4: TraceRow(time, app, .update)
    case 5: TraceRow(time, "", .boot)
    default: TraceRow(time, app, .observedExit, detail: "cause=low-memory")
    }
  }

  private mutating func deviceRow() -> TraceRow {
    switch number(0...6) {
    case 0: TraceRow(time, "", .clock, value: 3600)
    case 1: TraceRow(time, "", .observedAvailable, value: size())
    case 2: TraceRow(time, "", .observedWarning, value: 1)
    case 3: TraceRow(time, "", .systemMemory, value: size())
    default: changeRow()
    }
  }
}

/// Makes a failing case small: rows are dropped while it still fails and is still a trace.
///
/// Complexity: O(rows²) runs.
package func shrink(_ failing: RandomCase, while fails: (RandomCase) -> Bool) -> RandomCase {
  var smallest = failing
  var length = max(1, smallest.rows.count / 2)
  while true {
    var isSmaller = false
    var start = 0
    while start < smallest.rows.count {
      var rows = smallest.rows
      rows.removeSubrange(start..<min(start + length, rows.count))
      if let candidate = smallest.with(rows: rows), fails(candidate) {
        smallest = candidate
        isSmaller = true
      } else {
        start += length
      }
    }
    if isSmaller { continue }
    if length == 1 { break }
    length = max(1, length / 2)
  }
  return simplify(smallest, while: fails)
}

/// Puts settings back to their defaults, one at a time, while the case still fails.
private func simplify(_ failing: RandomCase, while fails: (RandomCase) -> Bool) -> RandomCase {
  let steps: [(inout RandomCase) -> Void] = [
    { $0.modifiers = "" }, { $0.policy = .lru }, { $0.configuration.pinned = [] },
    { $0.configuration.protectRecentCount = 0 }, { $0.configuration.warmUpNanoseconds = 0 },
    { $0.configuration.warningOrder = .warnThenPurge },
    { $0.configuration.warningPurgeDelayNanoseconds = 0 },
    { $0.configuration.device.compression = nil }, { $0.configuration.device.limitBytes = nil },
    { $0.configuration.device.era = nil }, { $0.configuration.device.lock = .inactive },
    { $0.configuration.device.suspensionDelayNanoseconds = 1_000_000_000 },
  ]
  var smallest = failing
  for step in steps {
    var candidate = smallest
    step(&candidate)
    if fails(candidate) { smallest = candidate }
  }
  return simplifyProfiles(smallest, while: fails)
}

private func simplifyProfiles(
  _ failing: RandomCase, while fails: (RandomCase) -> Bool
) -> RandomCase {
  let steps: [(inout AppProfile) -> Void] = [
    { $0 = AppProfile() }, { $0.growthBytesPerMinute = 0 }, { $0.suspendedCeilingBytes = -1 },
    { $0.modelsEdits = false }, { $0.saveTriggers = [] }, { $0.saveTimerNanoseconds = 0 },
    { $0.warningResponseProbability = 0 }, { $0.limitBytes = -1 }, { $0.softLimitBytes = -1 },
    { $0.saveSharePPM = 1_000_000 }, { $0.savesAtomically = true }, { $0.multitasks = true },
    { $0.endsTasksAtExpiration = true }, { $0.backgroundCeilingBytes = -1 },
    { $0.saveTriggers.remove(.resign) }, { $0.saveTriggers.remove(.expiration) },
    { $0.saveTriggers.remove(.edit) }, { $0.modelsSaves = false },
  ]
  var smallest = failing
  for name in smallest.profiles.keys.sorted() {
    for step in steps {
      var candidate = smallest
      guard var profile = candidate.profiles[name] else { continue }
      step(&profile)
      candidate.profiles[name] = profile
      if fails(candidate) { smallest = candidate }
    }
  }
  return smallest
}
