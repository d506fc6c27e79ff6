internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Logs with reports of the Linux kernel's OOM killer.
  public static let kernelOOM = TraceFormat(
    name: "kernel-oom",
    summary: "Log with reports of the Linux kernel's OOM killer (dmesg, journalctl, syslog).",
    provides: [.footprints, .systemMemory, .exits, .backgroundLaunches],
    sniff: { prefix in isKernelLog(prefix) },
    read: { (input, options) throws(TraceError) in
      var reader = KernelReportReader(options)
      var timeline = try CaptureTimeline(input, options)
      let cutLine = try input.forEachLine { (line, number) throws(TraceError) in
        try reader.take(line, number, &timeline)
      }
      try reader.finish(cutLine: cutLine, &timeline)
      return try timeline.finish(
        clock: reader.clock, source: reader.source, deviceYAML: reader.deviceYAML)
    })

  /// Whether a report begins in the first bytes.
  private static func isKernelLog(_ prefix: Span<UInt8>) -> Bool {
    prefix.find(KernelReportParser.invoked) != nil
  }
}
