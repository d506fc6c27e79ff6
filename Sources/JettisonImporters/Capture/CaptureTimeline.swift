public import JettisonModel
internal import JettisonSupport
public import JettisonTraces

/// Facts of a platform's capture, in any order of time, on their way to a trace.
///
/// What a platform records (processes, samples, states, kills) becomes rows by one set of rules:
///
/// * A process that ran before the capture is `present`, with its first known footprint, in front
///   if it is seen there or leaves the front before anything else is said of its state, else in
///   its first state;
///   suspended if it comes to the front first, or if nothing is ever said. One that is pinned when
///   that is first told of it was so from the beginning. It counts as shown in this life unless the
///   reader says otherwise.
/// * A later process begins with `launch` if it comes to the front first, else with
///   `background-launch`.
/// * An app that leaves the front is `home`, unless another comes to the front within one second:
///   that launch says it already.
/// * An app that runs code in the background has a `background-mode` until it is suspended, comes
///   to the front or ends.
/// * Repeated equal samples are dropped. A derived one that `present` has is repeated once in a row
///   that says so, because `present` cannot.
/// * Processes of one name that live at the same time are `name`, `name:2`, …; a later life takes
///   the lowest number that is free.
///
/// Facts are kept where the input's events are kept (a temporary file for streams), so that memory
/// is bounded by the processes and by the number of times at which the capture jumps back.
public struct CaptureTimeline: ~Copyable {
  /// A fact, as plain data.
  struct Record: CaptureTimed {
    var nanoseconds: Int64
    var value: Int64
    /// Number of the process; `UInt32.max` for the system.
    var process: UInt32
    /// Line of the capture; 0 if there is none.
    var line: UInt32
    /// Number of the exit among ``exits``.
    var exit: UInt32
    var kind: Kind
    /// Whether a footprint is derived; the number of a launch kind or a wake.
    var extra: UInt8
  }

  /// The kinds of ``CaptureFact``.
  enum Kind: UInt8, BitwiseCopyable {
    case started, front, inFront, left, background, suspended, pinned, ranked, footprint, exited
    case launchTook, warned, systemMemory, available, systemWarned, screen, boot, clock
  }

  /// What is known of a process before the facts are in order.
  struct Process {
    var name: String
    let ranBefore: Bool
    /// The fact that says its state first.
    var firstState: Kind?
    var firstStateAt: Int64 = .max
    /// Whether its first footprint was worked out, not measured.
    var isFirstDerived = false
    /// Its first footprint; negative: none.
    var firstBytes: Int64 = -1
    var firstBytesAt: Int64 = .max
    /// Whether the fact that first says so calls it pinned.
    var wasPinned = false
    var firstPinAt: Int64 = .max
    /// Its first rank; nil: none is told.
    var firstRank: Int64?
    var firstRankAt: Int64 = .max
    var firstFactAt: Int64 = .max
    var wasInFront = false
    /// Whether it had been shown when the capture began.
    var wasShownBefore = true
    /// Further keys of its catalog entry, as YAML.
    var catalogKeys = ""
  }

  /// What reading came across; readers add to it.
  public var issues = ImportIssues()
  /// Whether nothing was added yet.
  public var isEmpty: Bool { records.count == 0 }

  private let input: TraceInput
  private let options: ImportOptions
  private var records: GrowingList<Record>
  private var processes: [Process] = []
  private var exits: [CaptureExit] = []
  private var exitNumbers: [CaptureExit: Int] = [:]
  /// First record of each part in which times do not fall.
  private var partStarts: [Int] = []
  private var lastAdded = Int64.min
  private var earliest = Int64.max
  private var latest = Int64.min

  /// An empty timeline for an input.
  ///
  /// Throws only if the temporary file cannot be made.
  public init(_ input: TraceInput, _ options: ImportOptions) throws(TraceError) {
    self.input = input
    self.options = options
    do throws(TraceFault) {
      records = try GrowingList(input.storage)
    } catch {
      throw TraceError(error, file: input.displayName)
    }
  }

  /// A new life of a process.
  ///
  /// - Parameters:
  ///   - name: What it is called; too long a name is cut, none is `unknown`.
  ///   - ranBefore: Whether it ran already when the capture began.
  public mutating func process(named name: String, ranBefore: Bool) -> CaptureProcess {
    processes.append(Process(name: FittingName.fitting(name), ranBefore: ranBefore))
    return CaptureProcess(number: UInt32(clamping: processes.count - 1))
  }

  /// Whether a process is one of this timeline, as far as its number tells.
  private func knows(_ process: CaptureProcess) -> Bool { process.number < processes.count }

  /// Calls a process by another name, from its beginning on; nothing for one of another timeline.
  public mutating func rename(_ process: CaptureProcess, to name: String) {
    guard knows(process) else { return }
    processes[Int(process.number)].name = FittingName.fitting(name)
  }

  /// Says more of a process in the `apps:` block than its category.
  ///
  /// A process that nothing but these keys is known of gets no category, so that no edits are
  /// modelled for it.
  ///
  /// - Parameters:
  ///   - process: Which one; nothing is said of one of another timeline.
  ///   - keys: Entries of a flow mapping, such as `kind: daemon, band: 40`.
  public mutating func describe(_ process: CaptureProcess, catalogKeys keys: String) {
    guard knows(process) else { return }
    processes[Int(process.number)].catalogKeys = keys
  }

  /// Says that the catalog entry of a process tells its first rank: one that is told later holds
  /// from its own time on.
  ///
  /// Nothing for a process of another timeline.
  public mutating func startsRanked(_ process: CaptureProcess) {
    guard knows(process) else { return }
    processes[Int(process.number)].firstRankAt = .min
  }

  /// Says that a process which ran before the capture had not been shown by then; nothing for one of
  /// another timeline.
  public mutating func startsUnshown(_ process: CaptureProcess) {
    guard knows(process) else { return }
    processes[Int(process.number)].wasShownBefore = false
  }

  /// What a process is called; empty for one of another timeline.
  public func name(of process: CaptureProcess) -> String {
    knows(process) ? processes[Int(process.number)].name : ""
  }

  /// Adds a fact.
  ///
  /// - Parameters:
  ///   - fact: What happened.
  ///   - nanoseconds: When, on the capture's own clock.
  ///   - process: Which process it is about; nil: the system.
  ///   - line: Where the capture says so.
  /// - Throws: ``/JettisonTraces/TraceError`` if the fact cannot be kept, and for a process of another
  ///   timeline; a fact that cannot be is an issue.
  public mutating func add(
    _ fact: CaptureFact, at nanoseconds: Int64, _ process: CaptureProcess? = nil,
    line: Int? = nil
  ) throws(TraceError) {
    if let process, !knows(process) {
      throw TraceError(.unknownNumber(.app), file: input.displayName, line: line)
    }
    var record = Record(
      nanoseconds: nanoseconds, value: 0, process: process?.number ?? .max,
      line: UInt32(clamping: line ?? 0), exit: 0, kind: .boot, extra: 0)
    guard fill(&record, with: fact) else {
      issues.add(.error, "a negative size, or an unknown level or rank", line: line)
      return
    }
    if let process { note(record, of: Int(process.number)) }
    if records.count == 0 || nanoseconds < lastAdded { partStarts.append(records.count) }
    lastAdded = nanoseconds
    earliest = min(earliest, nanoseconds)
    latest = max(latest, nanoseconds)
    do throws(TraceFault) {
      try records.append(record)
    } catch {
      throw TraceError(error, file: input.displayName, line: line)
    }
  }

  /// Makes the trace.
  ///
  /// - Parameters:
  ///   - clock: What the times count from.
  ///   - source: What the capture is, for the header.
  ///   - endsAt: When the capture ended, if not with its last fact.
  ///   - device: The device of the capture; `--device` wins over it.
  ///   - deviceYAML: The device as a flow mapping of a device file's keys, where no name is known.
  /// - Throws: ``/JettisonTraces/TraceError`` for a capture that says nothing about any process or memory.
  public consuming func finish(
    clock: CaptureClock, source: String, endsAt: Int64? = nil, device: String? = nil,
    deviceYAML: String? = nil
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    let name = input.traceName
    guard records.count > 0 else {
      let first = issues.firstError
      throw TraceError(
        file: file, line: first?.lines.first,
        what: "says nothing about any process or about memory"
          + (first.map { ": \($0.text)" } ?? ""),
        remedy: "see 'jettison formats' for what each capture must hold")
    }
    var header = TraceHeader(user: options.user ?? name)
    header.device = options.device ?? device
    if header.device == nil { header.deviceYAML = deviceYAML }
    var origin = earliest
    var source = source
    if case .epoch(let known) = clock, earliest >= 0 {
      let offset = known ?? options.zoneOffsetSeconds
      let seconds = earliest / 1_000_000_000
      origin = seconds * 1_000_000_000
      let ahead = offset ?? 0
      if ImportOptions.zoneOffsets.contains(ahead), CivilTime.seconds.contains(seconds + ahead) {
        header.start = CivilTime.iso8601(
          seconds: seconds + ahead, offset: CivilTime.text(ofOffset: ahead))
        if offset == nil { source += "; the zone is not known, times are written as +00:00" }
      } else {
        issues.add(.info, "a clock that no phone can have: the trace does not say when it began")
      }
    }
    header.source = source
    let end = max(latest, endsAt ?? latest)
    var writer = CaptureWriter(
      builder: try TraceBuilder(storage: input.storage, file: file), processes: processes,
      exits: exits, filter: AppFilter(options.apps), origin: origin, file: file)
    writer.builder.issues = issues
    try writer.begin()
    var merge = CaptureMerge<Record>(partStarts: partStarts, count: records.count)
    let finished: GrowingList<Record>.Finished
    do throws(TraceFault) {
      finished = try records.finish()
    } catch {
      throw TraceError(error, file: file)
    }
    switch finished {
    case .memory(let array): try writer.write(array.span, &merge)
    case .mapped(let mapped, let count):
      try mapped.withElements(of: Record.self, at: 0, count: count) {
        (span) throws(TraceError) in try writer.write(span, &merge)
      }
    }
    return try writer.finish(at: end, name: name, header: header)
  }
}

// MARK: - Facts as records

extension CaptureTimeline {
  /// Puts a fact into a record; false if its figure cannot be.
  private mutating func fill(_ record: inout Record, with fact: CaptureFact) -> Bool {
    switch fact {
    case .started(let wake):
      record.kind = .started
      record.extra = wake.rawValue
    case .front: record.kind = .front
    case .inFront: record.kind = .inFront
    case .left: record.kind = .left
    case .background: record.kind = .background
    case .suspended: record.kind = .suspended
    case .pinned(let isPinned): record.set(.pinned, isPinned ? 1 : 0)
    case .ranked(let adj): record.set(.ranked, adj)
    case .footprint(let bytes, let isDerived):
      record.set(.footprint, bytes)
      record.extra = isDerived ? 1 : 0
    case .exited(let exit):
      record.kind = .exited
      record.exit = UInt32(clamping: exitNumbers[exit] ?? exits.count)
      if exitNumbers.updateValue(Int(record.exit), forKey: exit) == nil { exits.append(exit) }
    case .launchTook(let nanoseconds, let kind):
      record.set(.launchTook, nanoseconds)
      record.extra = kind.rawValue
    case .warned(let level): record.set(.warned, level)
    case .systemMemory(let bytes): record.set(.systemMemory, bytes)
    case .available(let bytes): record.set(.available, bytes)
    case .systemWarned(let level): record.set(.systemWarned, level)
    case .screen(let isOn): record.set(.screen, isOn ? 1 : 0)
    case .boot: record.kind = .boot
    case .clock(let seconds): record.set(.clock, seconds)
    }
    guard let event = record.kind.eventWithValue else { return true }
    let shape = EventShape.of(event)
    return (shape.lowest...shape.highest).contains(record.value)
  }

  /// Remembers what a process was at first.
  private mutating func note(_ record: Record, of process: Int) {
    let time = record.nanoseconds
    processes[process].firstFactAt = min(processes[process].firstFactAt, time)
    switch record.kind {
    case .front, .inFront, .left, .background, .suspended:
      if record.kind.isInFront { processes[process].wasInFront = true }
      guard time < processes[process].firstStateAt else { return }
      processes[process].firstStateAt = time
      processes[process].firstState = record.kind
    case .footprint where time < processes[process].firstBytesAt:
      processes[process].firstBytesAt = time
      processes[process].isFirstDerived = record.extra == 1
      processes[process].firstBytes = record.value
    case .pinned where time < processes[process].firstPinAt:
      processes[process].firstPinAt = time
      processes[process].wasPinned = record.value == 1
    case .ranked where time < processes[process].firstRankAt:
      processes[process].firstRankAt = time
      processes[process].firstRank = record.value
    default: break
    }
  }
}

extension CaptureTimeline.Record {
  fileprivate mutating func set(_ kind: CaptureTimeline.Kind, _ value: Int64) {
    self.kind = kind
    self.value = value
  }
}

extension CaptureTimeline.Kind {
  /// Whether the process is in front now.
  var isInFront: Bool { self == .front || self == .inFront }

  /// The event whose value a fact gives; nil: it has none.
  fileprivate var eventWithValue: EventKind? {
    switch self {
    case .footprint: .footprint
    case .ranked: .adj
    case .launchTook: .observedLaunch
    case .warned, .systemWarned: .observedWarning
    case .systemMemory: .systemMemory
    case .available: .observedAvailable
    case .clock: .clock
    default: nil
    }
  }
}
