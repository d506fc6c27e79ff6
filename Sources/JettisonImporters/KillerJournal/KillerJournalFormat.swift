internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Journals of systemd-oomd and of earlyoom.
  public static let killerJournal = TraceFormat(
    name: "killer-journal",
    summary: "Journal of systemd-oomd or earlyoom, with the candidates it lists.",
    provides: [.footprints, .systemMemory, .exits, .backgroundLaunches],
    sniff: { prefix in isKillerJournal(prefix) },
    read: { (input, options) throws(TraceError) in
      var reader = KillerJournalReader(options)
      var timeline = try CaptureTimeline(input, options)
      var cutLine: Int?
      try input.forEachLine { (line, number, isOpen) throws(TraceError) in
        if isOpen { cutLine = number }
        try reader.take(line, number, isOpen: isOpen, &timeline)
      }
      try reader.finish(cutLine: cutLine, &timeline)
      return try timeline.finish(
        clock: reader.clock, source: reader.source, deviceYAML: reader.deviceYAML)
    })

  /// Whether a line of one of the killers is among the first bytes.
  private static func isKillerJournal(_ prefix: Span<UInt8>) -> Bool {
    [
      "mem avail: ", " cgroups for killing, top candidates were:", "sending SIGTERM to process ",
      "sending SIGKILL to process ", " due to memory pressure for /", " due to memory used (",
      " due to swap used (", "Swap Monitored CGroups:",
    ].contains { prefix.find($0) != nil }
  }
}
