internal import JettisonImporters
internal import JettisonModel
internal import JettisonSupport
package import JettisonTraces

#if os(Linux)
  internal import Dispatch
  internal import Glibc
#endif

/// How a recording is made.
package struct RecordingOptions: Sendable {
  /// Which processes are followed.
  package var selection = ProcessSelection()
  /// A program to start and follow, with its arguments; empty: none.
  package var command: [String] = []
  /// The folder of the control group that is followed.
  package var group: String?
  /// The kernel's log, followed for the reports of its OOM killer; footprints are then what that
  /// counts, and every process is an app of its own.
  package var kernelLog: String?
  /// From one look to the next, in nanoseconds.
  package var intervalNanoseconds: Int64 = 1_000_000_000
  /// After which the recording ends; nil: by itself, or by a signal.
  package var durationNanoseconds: Int64?
  /// Whether the memory that the rest of this machine uses is told as that of the device.
  package var writesSystemMemory = false
  /// For the header.
  package var user: String?
  /// For the header.
  package var device: String?

  /// The defaults: every second, until everything has ended.
  package init() {}
}

/// What a recording came to.
package struct RecordingSummary: Sendable {
  /// Names of apps in order of appearance.
  package let apps: [String]
  /// Looks that were taken.
  package let looks: Int
  /// How long it took.
  package let durationNanoseconds: Int64
  /// How the command ended, as `waitpid` says it; nil: there was none, or it was told to end.
  package let commandStatus: Int32?
  /// Reports of the kernel's OOM killer about what was followed.
  package let reports: Int
  /// Whether the kernel killed without a report, or forgot a part of its log before it was read.
  package let isLogIncomplete: Bool
}

#if os(Linux)
  /// Follows processes of this machine and writes what they do as a trace.
  package enum ProcessRecorder {
    /// Records until the time is over, the command and all its apps have ended, or the program is
    /// told to end (`SIGINT`, `SIGTERM`).
    ///
    /// Rows are appended to the file as they come. At an orderly end the file is written once more,
    /// with the categories of its apps, and as binary if its name ends in `.jtrace`.
    ///
    /// Throws ``TraceError`` if the file cannot be written, the command not be started, or there is
    /// no process of a given number or no such control group.
    package static func record(
      to path: String, _ options: RecordingOptions
    ) throws(TraceError) -> RecordingSummary {
      try checkExistence(options)
      let growing = path.hasSuffix(".jtrace") ? "\(path).part.csv" : path
      var header = header(options, path)
      // A bad place is told before anything is followed.
      var file = try RecordingFile(path: growing)
      let alarm = RecordingAlarm()
      var log: KernelLogFollower?
      if let kernelLog = options.kernelLog { log = try KernelLogFollower(path: kernelLog) }
      var sampler = ProcSampler(group: options.group, countsAsKernel: options.kernelLog != nil)
      if options.kernelLog != nil, options.device == nil {
        header.deviceYAML = sampler.kernelDeviceYAML
      }
      var recording = ProcessRecording(
        ProcessFollower(options.selection, ourselves: getpid()),
        writesSystemMemory: options.writesSystemMemory || options.kernelLog != nil,
        ticksPerSecond: ProcSampler.ticksPerSecond)
      // What runs before the command does was there when the recording began.
      recording.take(sampler.look(waited: [:])) { sampler.measure($0) }
      var command: RecordedCommand?
      if !options.command.isEmpty {
        let started = try RecordedCommand(options.command)
        recording.follow(command: started.number)
        command = started
      }
      do throws(TraceError) {
        try file.begin(header, rows: recording.takeRows())
      } catch {
        command?.end()
        throw error
      }
      var looks = 1
      var isOver = false
      while !isOver {
        var snapshot = sampler.look(waited: command?.wait() ?? [:])
        // After the look: of whoever is gone there, the log tells.
        snapshot.kernelKills =
          log?.reports(of: options.group) { sampler.time(ofLog: $0) } ?? []
        recording.take(snapshot) { sampler.measure($0) }
        looks += 1
        let isLate = options.durationNanoseconds.map { snapshot.timeNanoseconds >= $0 } ?? false
        let isDone = (command?.hasEnded ?? false) && !recording.hasApps
        isOver = isLate || isDone || alarm.hasRung
        if isOver { recording.finish(at: snapshot.timeNanoseconds) }
        try file.append(recording.takeRows())
        if !isOver { alarm.wait(sampler.untilNextLook(options), or: log?.waitable ?? -1) }
      }
      let commandStatus = command?.status
      command?.end()
      if path != "-" {
        let firsts = options.kernelLog == nil ? [:] : recording.firstFootprints
        header.appsYAML = CategoryBlock.yaml(
          apps: recording.names, keys: firsts.mapValues { "footprint: {launch: \($0)}" })
        try polish(growing, as: path, header)
      }
      return RecordingSummary(
        apps: recording.names, looks: looks, durationNanoseconds: sampler.timeNanoseconds,
        commandStatus: commandStatus, reports: recording.reportCount,
        isLogIncomplete: log?.isIncomplete ?? false)
    }

    /// A name may be waited for; a number or a group that is not there is a slip of the pen.
    private static func checkExistence(_ options: RecordingOptions) throws(TraceError) {
      for number in options.selection.numbers.sorted()
      where unsafe access("/proc/\(number)/stat", F_OK) != 0 {
        throw TraceError(
          .unreadable, file: "`ProcessSelection.numbers` \(number)",
          what: "there is no process of this number",
          remedy:
            "'ps' lists those that run; `ProcessSelection.names` waits for programs that do not run yet"
        )
      }
      if let group = options.group, unsafe access("\(group)/cgroup.procs", R_OK) != 0 {
        throw TraceError(
          .unreadable, file: group, what: "is no control group that can be read",
          remedy: "name a folder below /sys/fs/cgroup")
      }
    }

    private static func header(_ options: RecordingOptions, _ path: String) -> TraceHeader {
      var header = TraceHeader(
        user: options.user ?? (path == "-" ? "recorded" : TraceFormats.all.traceName(of: path)))
      header.device = options.device
      var seconds = time(nil)
      var local = unsafe tm()
      unsafe localtime_r(&seconds, &local)
      let offset = unsafe Int64(local.tm_gmtoff)
      header.start = CivilTime.iso8601(
        seconds: Int64(seconds) + offset, offset: CivilTime.text(ofOffset: offset))
      header.source =
        "jettison record, every \(options.intervalNanoseconds / 1_000_000) ms; "
        + (options.kernelLog == nil
          ? "footprint: dirty and swapped pages, shared ones in equal parts"
          : "footprint: resident and swapped pages and page tables, shared ones whole")
      return header
    }

    /// Writes the trace once more, with a header that is known only at its end.
    private static func polish(
      _ growing: String, as path: String, _ header: TraceHeader
    ) throws(TraceError) {
      var sink = try ByteSink(path: growing)
      try TextTraceWriter.writeHeader(header, to: &sink)
      var isInRows = false
      try TraceInput(path: growing).forEachLine { (line, _) throws(TraceError) in
        if isInRows {
          for position in 0..<line.count { try sink.append(line[position]) }
          try sink.append(0x0A)
        } else if line.count > 0, line[0] != UInt8(ascii: "#") {
          isInRows = true
        }
      }
      try sink.finish()
      guard growing != path else { return }
      try TraceWriter.write(try TraceLoader.load(growing), to: path)
      _ = unsafe unlink(growing)
    }
  }

  /// Wakes a recording that waits for its next look when it is told to end.
  private final class RecordingAlarm {
    private var pipe: [Int32] = [-1, -1]
    private var sources: [any DispatchSourceSignal] = []

    init() {
      _ = unsafe Glibc.pipe(&pipe)
      for end in pipe {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      let bell = pipe[1]
      let queue = DispatchQueue(label: "jettison.record")
      for number in [SIGINT, SIGTERM] {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { _ = unsafe write(bell, "x", 1) }
        source.activate()
        sources.append(source)
      }
    }

    deinit {
      for source in sources { source.cancel() }
      for end in pipe { close(end) }
    }

    /// Whether the program was told to end.
    private(set) var hasRung = false

    /// Waits, but not longer than until the program is told to end, or a file has something to say.
    ///
    /// - Parameter file: A descriptor; negative: none.
    func wait(_ nanoseconds: Int64, or file: Int32) {
      var files = [pipe[0], file].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let milliseconds = Int32(clamping: max(0, nanoseconds + 999_999) / 1_000_000)
      if unsafe poll(&files, 2, milliseconds) > 0, files[0].revents != 0 { hasRung = true }
    }
  }
#endif
