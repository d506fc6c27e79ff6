internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Logs of Android.
  public static let androidLogcat = TraceFormat(
    name: "android-logcat",
    summary: "Log of Android, in any layout of logcat: starts, ends, kills, PSS, activities.",
    provides: [
      .launches, .backgroundLaunches, .footprints, .systemMemory, .latencies, .exits, .warnings,
      .screen,
    ],
    fileExtensions: ["log"],
    sniff: { prefix in
      hasLine(in: prefix, amongFirst: 32) { line in
        line.has("--------- beginning of ", at: 0) || LogcatLine(line) != nil
      }
    },
    read: { (input, options) throws(TraceError) in
      var capture = try AndroidCapture(input, options)
      var reader = LogcatReader()
      try input.forEachLine { (line, number, isOpen) throws(TraceError) in
        try reader.take(line, number: number, isOpen: isOpen, into: &capture)
      }
      guard reader.lineCount > 0 else {
        throw TraceError(
          file: input.displayName, what: "has no line of a log of Android",
          remedy: "lines are such as '10-26 15:05:27.753  1765  1866 I am_proc_start: […]'")
      }
      return try capture.finish(source: "logcat of Android")
    })

  /// Reports of Android: logs, dumps of memory and usage statistics in one text.
  public static let androidBugreport = TraceFormat(
    name: "android-bugreport",
    summary: "Bugreport of Android as text (unzip -p): its logs, meminfo, procrank, usage.",
    provides: [
      .launches, .backgroundLaunches, .footprints, .systemMemory, .latencies, .exits, .warnings,
      .screen,
    ],
    sniff: { prefix in hasLine(in: prefix, amongFirst: 4) { $0.has("== dumpstate: ", at: 0) } },
    read: { (input, options) throws(TraceError) in
      var capture = try AndroidCapture(input, options)
      capture.lives.countsNativeAsSystem = false
      var reader = BugreportReader(options)
      try input.forEachLine { (line, number, isOpen) throws(TraceError) in
        try reader.take(line, number: number, isOpen: isOpen, into: &capture)
      }
      try reader.finish(into: &capture)
      guard reader.isReport else {
        throw TraceError(
          file: input.displayName, what: "is not a bugreport",
          remedy: "one begins with '== dumpstate: ' and a date")
      }
      var source = "bugreport of Android"
      if let model = reader.model { source += ", \(model)" }
      if let fingerprint = reader.fingerprint { source += ", \(fingerprint)" }
      if let memory = reader.memoryKilobytes { source += ", \(memory) kB of RAM" }
      capture.note(
        model: reader.model ?? reader.fingerprint.flatMap(CaptureDevice.model(ofFingerprint:)),
        ramKilobytes: reader.memoryKilobytes)
      return try capture.finish(source: source)
    })

  /// Usage statistics of Android.
  public static let usageStats = TraceFormat(
    name: "usage-stats",
    summary: "Usage statistics of Android (dumpsys usagestats): launches, screen, boots.",
    provides: [.launches, .backgroundLaunches, .screen],
    fileExtensions: ["xml"],
    sniff: { prefix in
      hasLine(in: prefix, amongFirst: 64) { line in
        let start = line.trimmed(0..<line.count).lowerBound
        return line.has("Last 24 hour events (", at: start) || UsageStatsReader.isEvent(line)
      }
    },
    read: { (input, options) throws(TraceError) in
      var capture = try AndroidCapture(input, options)
      capture.clock.noteDates()
      var reader = UsageStatsReader(dateOrder: options.dateOrder)
      try input.forEachLine { (line, number, isOpen) throws(TraceError) in
        try reader.take(line, number: number, isOpen: isOpen, into: &capture)
      }
      guard reader.eventCount > 0 else {
        throw TraceError(
          file: input.displayName, what: "has no event of usage statistics",
          remedy: "lines are such as 'time=\"2021-03-14 20:00:30\" type=ACTIVITY_RESUMED …'")
      }
      return try capture.finish(source: "usage statistics of Android (dumpsys usagestats)")
    })
}
