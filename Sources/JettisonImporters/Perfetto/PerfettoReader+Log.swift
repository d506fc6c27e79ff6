internal import JettisonModel
internal import JettisonPerfetto
internal import JettisonSupport
internal import JettisonTraces

/// The log of Android inside a trace: events of the activity and window managers and of lmkd.
extension PerfettoReader {
  mutating func take(_ log: AndroidLogPacket) throws(TraceFault) {
    for event in log.events where !event.args.isEmpty {
      guard Self.tags.contains(event.tag) else { continue }
      guard let time = time(event.timestamp, of: PerfettoClocks.realtime) else { continue }
      try take(event, at: time)
    }
  }

  private static let tags: Set<String> = [
    "am_proc_start", "am_proc_bound", "am_proc_died", "am_kill", "am_crash", "killinfo",
    "am_on_resume_called", "wm_on_resume_called", "am_on_paused_called", "wm_on_paused_called",
    "screen_toggled", "am_freeze", "am_unfreeze",
  ]

  private mutating func take(
    _ event: AndroidLogPacket.LogEvent, at time: Int64
  ) throws(TraceFault) {
    switch event.tag {
    // These two are written by the app itself.
    case "am_on_resume_called", "wm_on_resume_called":
      capture.evidence.insert(.activities)
      return try add(.resumed, at: time, pid: event.pid)
    case "am_on_paused_called", "wm_on_paused_called":
      capture.evidence.insert(.activities)
      return try add(.paused, at: time, pid: event.pid)
    case "screen_toggled":
      guard case .intValue(let isOn)? = event.args.first?.value else { return }
      return try add(.screen, at: time, value: isOn == 0 ? 0 : 1)
    default: break
    }
    guard let pid = Self.number("pid", event).map({ Int32(clamping: $0) }) else {
      capture.issues.add(.error, "an event of the log without a process id", line: place)
      return
    }
    let name = Self.text("process name", event)
    switch event.tag {
    case "am_proc_start":
      capture.forks[pid, default: []].append(time)
      try add(.logged, at: time, pid: pid)
    case "am_proc_died", "am_crash":
      capture.evidence.insert(.ends)
      let flag = event.tag == "am_crash" ? PerfettoRecord.byCrash : 0
      if let name { try add(.commandLine, at: time, pid: pid, value: number(of: name)) }
      return try add(.exited, at: time, pid: pid, flag: flag)
    case "am_kill", "killinfo":
      let reason = event.tag == "killinfo" ? nil : Self.text("reason", event)
      try addKill(
        pid, score: Self.number("oomadj", event) ?? PerfettoRecord.unknownScore,
        exit: reason.map { AndroidExit(reason: $0) } ?? .lowMemory, at: time)
    case "am_freeze": try add(.frozen, at: time, pid: pid)
    case "am_unfreeze": try add(.thawed, at: time, pid: pid)
    default: break
    }
    if let name, !name.isEmpty {
      try add(.commandLine, at: time, pid: pid, value: number(of: name))
    }
  }

  private static func number(_ name: String, _ event: AndroidLogPacket.LogEvent) -> Int64? {
    for argument in event.args where argument.name.lowercased() == name {
      if case .intValue(let value)? = argument.value { return value }
    }
    return nil
  }

  private static func text(_ name: String, _ event: AndroidLogPacket.LogEvent) -> String? {
    for argument in event.args where argument.name.lowercased() == name {
      if case .stringValue(let value)? = argument.value { return value }
    }
    return nil
  }
}
