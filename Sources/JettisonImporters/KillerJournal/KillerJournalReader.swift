internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads journals of systemd-oomd and earlyoom and turns them into the facts of a capture.
///
/// A kill is one moment: what was left of memory, whom the killer looked at, and whom it took. The
/// lines of a moment are collected and told together; see ``KillerHistory``.
struct KillerJournalReader {
  private static let programs: [StaticString] = ["earlyoom", "systemd-oomd", "systemd-journald"]

  private var clockOfJournal: KernelLogClock
  private var earlyoom = EarlyoomParser()
  private var systemdOomd = SystemdOomdParser()
  private var history: KillerHistory
  private var names = ByteTable()
  private var entries: [JournalEntry] = []
  /// Where the newest line of a list stands.
  private var tablePlace: JournalPlace?

  /// Begins to read; only processes whose names the filter keeps count as apps.
  init(_ options: ImportOptions) {
    clockOfJournal = KernelLogClock(year: options.year, zone: options.zoneOffsetSeconds)
    history = KillerHistory(AppFilter(options.apps))
  }

  /// What the times count from.
  var clock: CaptureClock { clockOfJournal.clock ?? .unknown }
  /// What the capture is, for the header.
  var source: String { history.source }
  /// The machine and its killer, for the header.
  var deviceYAML: String? { history.limits.deviceYAML(of: history.killers) }

  /// Takes one line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - number: Its number from 1.
  ///   - isOpen: Whether the input ends in it, so that it may be cut off.
  ///   - timeline: Gets what it says.
  mutating func take(
    _ line: Span<UInt8>, _ number: Int, isOpen: Bool, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let prefix = KernelLogPrefix(line, writtenBy: Self.programs)
    let message = line.extracting(line.trimmed(prefix.messageStart..<line.count))
    guard message.count > 0 else { return }
    if isOpen, !Self.isWhole(message), isOfKiller(message, number) {
      // Of a list its end is told.
      guard !earlyoom.isInTable, !systemdOomd.isInTable else { return }
      timeline.issues.add(.dataLoss, TraceInput.cutLine, line: number)
      return
    }
    if prefix.program == 2 { return takeLoss(message, number, &timeline.issues) }
    let isOfEarlyoom =
      prefix.program != 1
      && earlyoom.take(message, number, names: &names, &timeline.issues, &entries)
    if isOfEarlyoom {
      history.note(.earlyoom)
    } else if prefix.program != 0,
      systemdOomd.take(message, number, names: &names, &timeline.issues, &entries)
    {
      history.note(.systemdOomd)
    } else {
      return
    }
    let place = JournalPlace(line: number, time: moment(prefix, number, &timeline.issues))
    history.arrive(at: place)
    try tell(place, &timeline)
    if earlyoom.hasTable || systemdOomd.isInTable { tablePlace = place }
  }

  /// Whether a message ends as those of the killers do: behind a unit, a name in quotes or a word.
  private static func isWhole(_ message: Span<UInt8>) -> Bool {
    let ends: [StaticString] = [
      "\"", ")", "%", "%,", "MiB", "KiB", "victim", "activity", "seconds", " ms",
    ]
    if ends.contains(where: { message.has($0, at: message.count - $0.utf8CodeUnitCount) }) {
      return true
    }
    guard message.count > 1 else { return false }
    let (unit, figure) = (message[message.count - 1], message[message.count - 2])
    return "BKMGT".utf8.contains(unit) && figure >= 0x30 && figure <= 0x39
  }

  /// Whether a message is one of a killer, without taking it.
  private func isOfKiller(_ message: Span<UInt8>, _ number: Int) -> Bool {
    var (earlyoom, systemdOomd, names) = (earlyoom, systemdOomd, names)
    var issues = ImportIssues()
    var entries: [JournalEntry] = []
    return earlyoom.take(message, number, names: &names, &issues, &entries)
      || systemdOomd.take(message, number, names: &names, &issues, &entries)
  }

  /// Takes what the journal says of itself: that it did not keep all that a killer wrote.
  private mutating func takeLoss(
    _ message: Span<UInt8>, _ number: Int, _ issues: inout ImportIssues
  ) {
    guard message.has("Suppressed ", at: 0),
      message.find("messages from earlyoom") != nil
        || message.find("messages from systemd-oomd") != nil
    else { return }
    issues.add(.dataLoss, "messages of the killer were suppressed by the journal", line: number)
    earlyoom.noteLoss()
  }

  /// Ends the capture.
  ///
  /// - Parameter cutLine: A last line that has no end.
  mutating func finish(
    cutLine: Int?, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if let cutLine, earlyoom.isInTable || systemdOomd.isInTable {
      timeline.issues.add(.dataLoss, "the last list of candidates is cut off", line: cutLine)
    }
    earlyoom.endTable(&timeline.issues, &entries)
    systemdOomd.endTable(&entries)
    try tell(nil, &timeline)
    try history.finish(names, &timeline)
  }

  private mutating func tell(
    _ place: JournalPlace?, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if entries.isEmpty { return }
    for entry in entries {
      if case .candidates = entry {
        try history.take(entry, tablePlace ?? place, names, &timeline)
      } else {
        try history.take(entry, place, names, &timeline)
      }
    }
    entries.removeAll(keepingCapacity: true)
  }

  private mutating func moment(
    _ prefix: KernelLogPrefix, _ number: Int, _ issues: inout ImportIssues
  ) -> Int64? {
    guard let stamp = prefix.stamp else { return nil }
    let moment = clockOfJournal.moment(of: stamp)
    if moment == nil {
      issues.add(.error, "a time that does not fit the first one: skipped", line: number)
    }
    return moment
  }
}
