internal import JettisonModel
internal import JettisonSupport

/// Which input of a merge says what, and where it stands in time.
struct MergePlan {
  /// What an input tells of one app.
  enum Topic: Int, CaseIterable {
    case life, memory, work, observations

    /// The topic of a kind of row that has an app; nil for rows of the system and for `end`.
    init?(_ kind: EventKind) {
      switch kind {
      case .present, .launch, .backgroundLaunch, .taskBegin, .taskEnd, .backgroundMode, .pin,
        .quit, .exit, .crash, .update, .observedExit, .gpuWork, .sharedResource, .adj:
        self = .life
      case .alloc, .realloc, .free, .footprint: self = .memory
      case .edit, .save, .restoreFailed: self = .work
      case .observedLaunch, .observedWarning: self = .observations
      case .home, .interrupt, .interruptEnd, .screen, .deviceChange, .boot, .clock, .systemMemory,
        .observedAvailable, .end:
        return nil
      }
    }
  }

  /// How an input's clock runs.
  enum Clock: Equatable {
    /// Its time 0 is at this time of the merged trace, in nanoseconds.
    case from(Int64)
    /// It runs while an app is in front.
    case whileInFront(app: Int)
  }

  /// The apps of all inputs by name, in order of first appearance; nil: excluded by `--apps`.
  private(set) var apps: [String?] = []
  /// For each input, the number of each of its apps in ``apps``.
  private(set) var numbers: [[Int]] = []
  /// For each input, its clock.
  private(set) var clocks: [Clock] = []
  /// The start of the earliest input that says one.
  private(set) var start: String?
  /// What is worth a count.
  private(set) var issues = ImportIssues()

  /// For each app and topic, the input that says it.
  private var owners: [[Int?]] = []
  /// For each kind of row of the system, the input that says it.
  private var systemOwners = [Int?](repeating: nil, count: EventKind.allCases.count)

  /// What one pass over an input shows about each of its apps.
  private struct Facts {
    /// Whether it has a row that begins a life of the app.
    var starts = false
    /// Whether it has an allocation of it.
    var allocates = false
    /// What it tells of it.
    var topics: Set<Topic> = []
  }

  /// Plans a merge.
  init(_ inputs: [TraceMerge.Input], filter: AppFilter) throws(TraceError) {
    var known: [String: Int] = [:]
    for input in inputs {
      if input.app != nil, input.trace.apps.count != 1 {
        throw TraceError(
          .misuse, file: input.file,
          what: "has \(input.trace.apps.count) apps, and NAME= is for captures of one process",
          remedy: "leave the name out")
      }
      var own: [Int] = []
      for name in input.app.map({ [$0] }) ?? input.trace.apps {
        let number = known[name] ?? apps.count
        if number == apps.count {
          known[name] = number
          apps.append(filter.keeps(name) ? name : nil)
        }
        own.append(number)
      }
      numbers.append(own)
    }
    let facts = inputs.indices.map { Self.facts(inputs[$0].trace, &systemOwners, $0) }
    let streams = inputs.indices.map { position in
      inputs[position].trace.header.start == nil && facts[position].count == 1
        && facts[position][0].allocates
    }
    findClocks(inputs, facts, streams)
    findOwners(facts)
  }

  /// Whether an input says what a topic of an app is about.
  func isOwner(_ input: Int, of topic: Topic, app: Int) -> Bool {
    owners[app][topic.rawValue] == input
  }

  /// Whether no other input says what an app's memory is.
  func isMemoryFree(of input: Int, app: Int) -> Bool {
    owners[app][Topic.memory.rawValue] ?? input == input
  }

  /// Whether an input says a kind of row of the system.
  func isOwner(_ input: Int, of kind: EventKind) -> Bool {
    systemOwners[Int(kind.rawValue)] == input
  }

  private static func facts(
    _ trace: Trace, _ systemOwners: inout [Int?], _ input: Int
  ) -> [Facts] {
    var facts = [Facts](repeating: Facts(), count: trace.apps.count)
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count {
        let kind = events[position].kind
        guard events[position].app != .none else {
          if systemOwners[Int(kind.rawValue)] == nil { systemOwners[Int(kind.rawValue)] = input }
          continue
        }
        let app = events[position].app.position
        switch kind {
        case .present, .launch, .backgroundLaunch: facts[app].starts = true
        case .alloc: facts[app].allocates = true
        default: break
        }
        if let topic = Topic(kind), !facts[app].topics.contains(topic) {
          facts[app].topics.insert(topic)
        }
      }
    }
    return facts
  }

  private mutating func findClocks(
    _ inputs: [TraceMerge.Input], _ facts: [[Facts]], _ streams: [Bool]
  ) {
    let launched = Set(
      inputs.indices.filter { !streams[$0] }.flatMap { input in
        numbers[input].indices.filter { facts[input][$0].starts }.map { numbers[input][$0] }
      })
    let starts = inputs.map { input in
      input.trace.header.start.flatMap { CivilTime.moment(Array($0.utf8).span)?.nanoseconds }
    }
    let first = starts.compactMap { $0 }.min()
    start = first.flatMap { first in
      starts.firstIndex(of: first).flatMap { inputs[$0].trace.header.start }
    }
    for input in inputs.indices {
      if streams[input], let app = numbers[input].first, launched.contains(app) {
        clocks.append(.whileInFront(app: app))
      } else if let start = starts[input], let first {
        // Both lie between 1970 and 2200, so the difference cannot overflow.
        clocks.append(.from(start - first))
      } else {
        if first != nil {
          issues.add(.info, "an input without a wall clock begins with the merged trace")
        }
        clocks.append(.from(0))
      }
    }
    let spans = inputs.indices.compactMap { input in
      starts[input].map { ($0, $0 + inputs[input].trace.index.endNanoseconds) }
    }
    if let latest = spans.map(\.0).max(), let end = spans.map(\.1).min(), latest > end {
      issues.add(.info, "not all inputs overlap in time")
    }
  }

  private mutating func findOwners(_ facts: [[Facts]]) {
    owners = apps.map { _ in Topic.allCases.map { _ in nil } }
    var allocates = [Bool](repeating: false, count: apps.count)
    for (input, own) in facts.enumerated() {
      for (position, facts) in own.enumerated() {
        let app = numbers[input][position]
        if facts.starts, clocks[input] != .whileInFront(app: app), owners[app][0] == nil {
          owners[app][Topic.life.rawValue] = input
        }
        for topic in [Topic.memory, .work, .observations]
        where facts.topics.contains(topic) && owners[app][topic.rawValue] == nil {
          owners[app][topic.rawValue] = input
        }
        // Allocations say more than samples, whichever input comes first.
        if facts.allocates, !allocates[app] {
          allocates[app] = true
          owners[app][Topic.memory.rawValue] = input
        }
      }
    }
    // An app that no input starts may still have pins, modes and ends.
    for (input, own) in facts.enumerated() {
      for (position, facts) in own.enumerated() where facts.topics.contains(.life) {
        let app = numbers[input][position]
        if owners[app][0] == nil { owners[app][Topic.life.rawValue] = input }
      }
    }
  }
}
