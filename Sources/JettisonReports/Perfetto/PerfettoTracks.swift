internal import JettisonCore
internal import JettisonPerfetto

/// A run as tracks to look at: counters of memory, decisions, and per app its states, what happened to
/// it and its footprint.
struct PerfettoTracks {
  private struct App {
    var state = AppState.notRunning
    /// Since when.
    var since: Int64 = 0
    var isDescribed = false
    /// What ended its last process; nil: nothing so far.
    var end: RecordedKind?
    /// The arrow from a system end to the launch that notices it.
    var flow: UInt64?
  }

  /// Tracks by their numbers, from that of the run on.
  private enum Number: UInt64 {
    case run, apps, available, level, decisions, thresholds
    case app = 1024
  }

  /// Tracks of an app, from its own on.
  private enum AppTrack: UInt64, CaseIterable {
    case states, events, footprint
  }

  private let run: StartedRun
  private let place: PerfettoPlace
  private let words: PerfettoWords
  private var apps: [App]
  private var flowCount: UInt64 = 0
  private var memory: MemoryRecord?

  init(_ run: StartedRun, _ place: PerfettoPlace) {
    self.run = run
    self.place = place
    words = PerfettoWords(run: run.title, apps: run.apps)
    apps = Array(repeating: App(), count: run.apps.count)
  }

  private func track(_ number: Number, _ offset: Int = 0) -> UInt64 {
    place.firstTrack + number.rawValue + UInt64(offset)
  }

  private func track(_ part: AppTrack, of app: AppIndex) -> UInt64 {
    track(.app, app.position * AppTrack.allCases.count + Int(part.rawValue))
  }

  private func time(_ nanoseconds: Int64) -> Int64 { place.origin + nanoseconds }
}

// MARK: - Beginning and end

extension PerfettoTracks {
  /// Describes the tracks of the run, and says where the rules of its model begin.
  func begin(_ writer: inout PacketWriter) {
    writer.addNames(
      events: words.events, arguments: PerfettoArgument.names, texts: words.texts)
    let top = track(.run)
    writer.addTrack(.init(id: top, name: "Jettison: \(run.title)"))
    writer.addTrack(
      .init(id: track(.available), name: "available memory", parent: top, rank: 1, unit: .bytes))
    writer.addTrack(
      .init(id: track(.level), name: "memory level", parent: top, rank: 2, unit: .count))
    let ram = (key: "RAM", bytes: run.configuration.device.ramBytes)
    let thresholds = [ram] + run.configuration.thresholdBytes
    for (offset, threshold) in thresholds.enumerated() {
      let id = track(.thresholds, offset)
      writer.addTrack(
        .init(id: id, name: threshold.key, parent: top, rank: 3 + offset, unit: .bytes))
      writer.addValue(threshold.bytes, of: id, at: place.origin)
    }
    let last = 3 + thresholds.count
    writer.addTrack(.init(id: track(.decisions), name: "decisions", parent: top, rank: last))
    writer.addTrack(.init(id: track(.apps), name: "apps", parent: top, rank: last + 1))
    let warmUp = run.configuration.warmUpNanoseconds
    guard warmUp > 0 else { return }
    writer.addEvent(.begin, PerfettoWords.warmUp, on: top, at: place.origin)
    writer.addEvent(.end, on: top, at: time(warmUp))
  }

  /// Ends what still goes on.
  mutating func finish(_ writer: inout PacketWriter) {
    for position in apps.indices {
      enter(.notRunning, AppIndex(position), at: run.endNanoseconds, &writer)
    }
    guard let memory else { return }
    // The last values hold to the end of the run, where nothing else may happen.
    let end = time(run.endNanoseconds)
    writer.addValue(memory.availableBytes, of: track(.available), at: end)
    writer.addValue(Int64(memory.level.rawValue), of: track(.level), at: end)
  }

  private mutating func describe(_ app: AppIndex, _ writer: inout PacketWriter) {
    guard !apps[app.position].isDescribed else { return }
    apps[app.position].isDescribed = true
    let states = track(.states, of: app)
    writer.addTrack(
      .init(
        id: states, name: run.apps[app.position], parent: track(.apps), rank: app.position))
    writer.addTrack(.init(id: track(.events, of: app), name: "events", parent: states, rank: 1))
    writer.addTrack(
      .init(
        id: track(.footprint, of: app), name: "footprint", parent: states, rank: 2, unit: .bytes))
  }
}

// MARK: - What happens

extension PerfettoTracks {
  mutating func take(_ event: EventRecord, _ writer: inout PacketWriter) {
    switch event.kind {
    case .message: return
    case .state:
      guard let state = event.stateAfter else { return }
      enter(state, event.app, at: event.timeNanoseconds, &writer)
    default: write(event, &writer)
    }
  }

  /// Takes a footprint of an app.
  mutating func take(_ footprint: FootprintRecord, _ writer: inout PacketWriter) {
    let app = footprint.app
    describe(app, &writer)
    if apps[app.position].state == .notRunning, footprint.state != .notRunning {
      // It ran before the run began: no event tells its state.
      enter(footprint.state, app, at: footprint.timeNanoseconds, &writer)
    }
    writer.addValue(
      footprint.footprintBytes, of: track(.footprint, of: app),
      at: time(footprint.timeNanoseconds))
  }

  /// Takes available memory and the level.
  mutating func take(_ memory: MemoryRecord, _ writer: inout PacketWriter) {
    let time = time(memory.timeNanoseconds)
    if memory.availableBytes != self.memory?.availableBytes {
      writer.addValue(memory.availableBytes, of: track(.available), at: time)
    }
    if memory.level != self.memory?.level {
      writer.addValue(Int64(memory.level.rawValue), of: track(.level), at: time)
    }
    self.memory = memory
  }

  mutating func take(_ decision: DecisionRecord, _ writer: inout PacketWriter) {
    writer.addEvent(
      .instant, PerfettoWords.decision, on: track(.decisions), at: time(decision.timeNanoseconds)
    ) { arguments in
      arguments.add(.run, text: words.run)
      arguments.add(.decision, Int64(decision.number))
      arguments.add(.trigger, text: words.text(decision.trigger.name))
      arguments.add(.level, text: words.text(decision.level.name))
      arguments.add(.availableBytes, decision.availableBytes)
      arguments.add(.neededBytes, decision.neededBytes)
      arguments.add(.targetBytes, decision.targetBytes)
      guard !decision.candidates.isEmpty else { return }
      arguments.add(PerfettoArgument.candidates.rawValue, count: decision.candidates.count) {
        write(decision.candidates[$0], rank: $0 + 1, &$1)
      }
    }
  }

  private func write(
    _ candidate: CandidateRecord, rank: Int, _ arguments: inout EventArguments
  ) {
    arguments.add(.rank, Int64(rank))
    arguments.add(.app, text: words.text(candidate.app))
    arguments.add(.state, text: words.text(candidate.state.name))
    arguments.add(.band, candidate.band.map(Int64.init))
    arguments.add(.score, double: candidate.score)
    arguments.add(.footprintBytes, candidate.footprintBytes)
    arguments.add(.idleNanoseconds, candidate.idleNanoseconds)
    arguments.add(.unsavedWorkNanoseconds, candidate.unsavedWorkNanoseconds)
    arguments.add(.unsavedBytes, candidate.unsavedBytes)
    arguments.add(.sinceWarningNanoseconds, candidate.sinceWarningNanoseconds)
    arguments.add(.chosen, candidate.isChosen ? 1 : 0)
    arguments.add(.freedBytes, candidate.freedBytes)
    arguments.add(.tieBrokenBy, text: words.text(candidate.tieBrokenBy?.name))
  }

  /// A state is shown when it is over, unless it lasted no time at all.
  private mutating func enter(
    _ state: AppState, _ app: AppIndex, at nanoseconds: Int64, _ writer: inout PacketWriter
  ) {
    let before = apps[app.position]
    if before.state != .notRunning, before.since < nanoseconds {
      describe(app, &writer)
      let states = track(.states, of: app)
      writer.addEvent(
        .begin, PerfettoWords.event(before.state), on: states, at: time(before.since))
      writer.addEvent(.end, on: states, at: time(nanoseconds))
    }
    apps[app.position].state = state
    apps[app.position].since = nanoseconds
  }
}

// MARK: - Instants

extension PerfettoTracks {
  private mutating func write(_ event: EventRecord, _ writer: inout PacketWriter) {
    let app = event.app
    describe(app, &writer)
    let arrow = arrow(of: event)
    let isEnd = event.kind.isEnd
    let before = apps[app.position]
    writer.addEvent(
      .instant, PerfettoWords.event(event.kind), on: track(.events, of: app),
      at: time(event.timeNanoseconds)
    ) { arguments in
      arguments.add(.run, text: words.run)
      arguments.add(.app, text: words.text(app))
      arguments.add(.cause, text: words.text(event.cause.name))
      arguments.add(
        .class,
        text: words.text(
          event.lossClass?.name ?? event.saveOutcome?.name ?? event.restoreOutcome?.name))
      arguments.add(.bytes, event.bytes)
      arguments.add(.nanoseconds, event.nanoseconds)
      arguments.add(.workNanoseconds, event.workNanoseconds)
      arguments.add(.noticed, text: words.text(event.noticed?.name))
      arguments.add(.decision, event.decision.map(Int64.init))
      if event.message != .none { arguments.add(.message, text: words.text(event.message.name)) }
      if isEnd { arguments.add(.state, text: words.text(before.state.name)) }
      if event.kind == .loss || event.kind == .launch {
        arguments.add(.after, text: words.text(before.end?.name))
      }
      switch arrow {
      case .begins(let flow): arguments.add(flow: flow)
      case .ends(let flow): arguments.add(endOfFlow: flow)
      case nil: break
      }
    }
    if isEnd { apps[app.position].end = event.kind }
    // The process is another one; what ended the one before it is told.
    if event.kind == .launch, event.cause == .cold { apps[app.position].end = nil }
  }

  private enum Arrow {
    case begins(UInt64)
    case ends(UInt64)
  }

  /// From an end by the system to the launch in which the user notices it.
  private mutating func arrow(of event: EventRecord) -> Arrow? {
    let app = event.app.position
    if event.kind.isEnd {
      apps[app].flow = nil
      guard event.kind != .ended || event.cause == .noMultitasking else { return nil }
      flowCount += 1
      let flow = place.firstTrack + flowCount
      apps[app].flow = flow
      return .begins(flow)
    }
    guard event.kind == .launch, event.cause != .background, let flow = apps[app].flow else {
      return nil
    }
    apps[app].flow = nil
    return .ends(flow)
  }
}

extension RecordedKind {
  /// Whether a process ends with it.
  fileprivate var isEnd: Bool {
    switch self {
    case .purge, .kill, .watchdog, .taskExpired, .ended: true
    default: false
    }
  }
}

extension StartedRun {
  /// What the run is called, so that no other of an experiment has the name.
  fileprivate var title: String {
    let bytes = key.memoryBytes
    let memory =
      if let apps = configuration.capacityApps { "\(apps) apps" } else if bytes % (1 << 20) == 0 {
        "\(bytes >> 20) MiB"
      } else {
        "\(bytes) B"
      }
    return "\(key.trace), \(key.policy), \(key.device) with \(memory), seed \(key.seed)"
  }
}
