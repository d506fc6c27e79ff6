internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Series of `/proc/meminfo` and `ps` listings, in one file or a folder of them.
  public static let processSamples = TraceFormat(
    name: "process-samples",
    summary: "Samples of /proc/meminfo and ps ('times:', meminfo, 'ps-result:'), file or folder.",
    provides: [.footprints, .backgroundLaunches, .systemMemory, .exits],
    readsFolders: true,
    sniff: { prefix in
      var hasTime = false
      return hasLine(in: prefix, amongFirst: 200) { line in
        hasTime = hasTime || line.starts(with: "times:")
        return hasTime && (line.starts(with: "ps-result:") || line.starts(with: "MemTotal:"))
      }
    },
    read: { (input, options) throws(TraceError) in
      var reader = ProcessSamplesReader(
        AppFilter(options.apps), zone: options.zoneOffsetSeconds)
      var timeline = try CaptureTimeline(input, options)
      var splitter = LineSplitter()
      var part = 0
      try input.forEachChunk { (chunk) throws(TraceError) in
        if input.parts.count != part {
          part = input.parts.count
          try reader.endFile(&timeline)
        }
        try splitter.feed(chunk) { (line, number) throws(TraceError) in
          try reader.take(line, number: number, &timeline)
        }
      }
      var cutLine: Int?
      splitter.finish { _, number in cutLine = number }
      try reader.finish(cutLine: cutLine, &timeline)
      if let error = reader.noTimes(input.displayName) { throw error }
      timeline.issues.parts = input.parts
      return try timeline.finish(
        clock: reader.clock, source: reader.source, endsAt: reader.lastTime,
        deviceYAML: reader.device.yaml)
    })
}
