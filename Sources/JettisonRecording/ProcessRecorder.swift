internal import JettisonImporters
internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

#if os(Linux)
  internal import Dispatch
  internal import Glibc
#endif

/// How a recording is made: whom it follows, how often it samples them, and when it ends.
public struct RecordingOptions: Sendable {
  /// The shortest time between two samples, in nanoseconds: 10 ms.
  public static let shortestIntervalNanoseconds: Int64 = 10_000_000

  /// Which processes are followed, by name or number.
  public var selection = ProcessSelection()
  /// A program to start and follow, with its arguments; empty: none.
  public var command: [String] = []
  /// The folder of a control group that is followed, such as `/sys/fs/cgroup/user.slice`; nil: none.
  public var group: String?
  /// The kernel's log, `/dev/kmsg`, followed for the reports of its OOM killer; nil: none.
  ///
  /// Footprints are then what that counts, and every process is an app of its own.
  public var kernelLog: String?
  /// From one sample to the next, in nanoseconds, at least ``shortestIntervalNanoseconds``.
  public var intervalNanoseconds: Int64 = 1_000_000_000
  /// After which the recording ends, in nanoseconds, 1 or more; nil: by itself, or by a signal.
  public var durationNanoseconds: Int64?
  /// Whether the memory that the rest of this machine uses is told as that of the device.
  public var writesSystemMemory = false
  /// Name of the user, for the header, not empty; nil: the name of the file, and none on standard
  /// output.
  public var user: String?
  /// Name of the device, for the header, not empty; nil: not said, or this machine as the kernel sees
  /// it if its log is followed.
  public var device: String?

  /// The defaults: every second, until everything has ended.
  public init() {}
}

/// What a recording came to.
public struct RecordingSummary: Sendable {
  /// Names of apps in order of appearance.
  public let apps: [String]
  /// Samples that were taken.
  public let sampleCount: Int
  /// How long it took.
  public let durationNanoseconds: Int64
  /// How the command ended, as `waitpid` says it; nil: there was none, or the recording ended first.
  public let commandStatus: Int32?
  /// Reports of the kernel's OOM killer about what was followed.
  public let reports: Int
  /// Whether the kernel killed without a report, or forgot a part of its log before it was read.
  public let isLogIncomplete: Bool
}

#if os(Linux)
  /// Follows processes of this machine and writes what they do as a trace.
  ///
  /// For Linux.
  ///
  /// ```swift
  /// var options = RecordingOptions()
  /// options.selection.names = ["firefox"]
  /// options.durationNanoseconds = 60_000_000_000
  /// let summary = try ProcessRecorder.record(to: "firefox.csv", options)
  /// print(summary.apps)
  /// ```
  public enum ProcessRecorder {
    /// Records until the time is over, the command and all its apps have ended, or the program is
    /// told to end (`SIGINT`, `SIGTERM`).
    ///
    /// Rows are appended to the file as they come. At an orderly end the file is written once more,
    /// with the categories of its apps, and as binary if its name ends in `.jtrace`.
    ///
    /// The calling thread waits meanwhile. `SIGINT` and `SIGTERM` end the recording instead of the
    /// process, and mean what they did before when it is over. A recording with a command takes over
    /// every child of the process, to hear how each ends: don't start others beside it.
    ///
    /// - Parameters:
    ///   - path: Where the trace goes; `-` is standard output.
    ///   - options: Whom to follow, and how.
    /// - Returns: What was seen.
    /// - Throws: `TraceError` if there is nothing to follow, a time is out of range or a name is empty,
    ///   if there is no process of a given number or no such control group, if the command cannot be
    ///   started, and if the file cannot be written.
    /// - Complexity: O(processes of the machine) for each sample.
    public static func record(
      to path: String, _ options: RecordingOptions
    ) throws(TraceError) -> RecordingSummary {
      try check(options)
      try checkExistence(options)
      let growing = path.hasSuffix(".jtrace") ? "\(path).part.csv" : path
      var header = header(options, path)
      // A bad place is told before anything is followed.
      var file = try RecordingFile(path: growing)
      let alarm = RecordingAlarm()
      defer { alarm.end() }
      var log: KernelLogFollower?
      if let kernelLog = options.kernelLog { log = try KernelLogFollower(path: kernelLog) }
      var sampler = ProcSampler(group: options.group, countsAsKernel: options.kernelLog != nil)
      if options.kernelLog != nil, options.device == nil {
        header.deviceYAML = sampler.kernelDeviceYAML
      }
      var recording = ProcessRecording(
        ProcessFollower(followed(by: options), ourselves: getpid()),
        writesSystemMemory: options.writesSystemMemory || options.kernelLog != nil,
        ticksPerSecond: ProcSampler.ticksPerSecond)
      // What runs before the command does was there when the recording began.
      recording.take(sampler.sample(waited: [:])) { sampler.measure($0) }
      var command: RecordedCommand?
      if !options.command.isEmpty {
        let started = try RecordedCommand(options.command)
        recording.follow(command: started.number)
        command = started
      }
      var sampleCount = 1
      var isOver = false
      // Whatever fails, a command that was started does not run on unseen.
      do throws(TraceError) {
        try file.begin(header, rows: recording.takeRows())
        while !isOver {
          var snapshot = sampler.sample(waited: command?.wait() ?? [:])
          // After the sample: the log says how processes ended that are gone by then.
          snapshot.kernelKills =
            log?.reports(of: options.group) { sampler.time(ofLog: $0) } ?? []
          recording.take(snapshot) { sampler.measure($0) }
          sampleCount += 1
          let isLate = options.durationNanoseconds.map { snapshot.timeNanoseconds >= $0 } ?? false
          let isDone = (command?.hasEnded ?? false) && !recording.hasApps
          isOver = isLate || isDone || alarm.hasRung
          if isOver { recording.finish(at: snapshot.timeNanoseconds) }
          try file.append(recording.takeRows())
          if !isOver { alarm.wait(sampler.untilNextSample(options), or: log?.waitable ?? -1) }
        }
      } catch {
        command?.end()
        throw error
      }
      let commandStatus = command?.status
      command?.end()
      if !file.isStream {
        let firsts = options.kernelLog == nil ? [:] : recording.firstFootprints
        header.appsYAML = CategoryBlock.yaml(
          apps: recording.names, keys: firsts.mapValues { "footprint: {launch: \($0)}" })
        try polish(growing, as: path, header)
      }
      return RecordingSummary(
        apps: recording.names, sampleCount: sampleCount,
        durationNanoseconds: sampler.timeNanoseconds,
        commandStatus: commandStatus, reports: recording.reportCount,
        isLogIncomplete: log?.isIncomplete ?? false)
    }

    /// What of the options has a part in the choice of processes.
    private static func followed(by options: RecordingOptions) -> ProcessSelection {
      var selection = options.selection
      selection.followsGroup = options.group != nil
      selection.followsCommand = !options.command.isEmpty
      if options.kernelLog != nil { selection.isEachAnApp = true }
      return selection
    }

    /// Refuses options with which nothing could be recorded.
    private static func check(_ options: RecordingOptions) throws(TraceError) {
      func refuse(_ name: String, _ what: String, _ remedy: String) -> TraceError {
        TraceError(.misuse, file: "`RecordingOptions.\(name)`", what: what, remedy: remedy)
      }
      let selection = options.selection
      if selection.names.isEmpty, selection.numbers.isEmpty, options.group == nil,
        options.command.isEmpty
      {
        throw refuse(
          "selection", "there is nothing to follow",
          "name programs, processes, a control group or a command")
      }
      let times = 1...TraceLimits.timeNanoseconds
      let interval = options.intervalNanoseconds
      if !times.contains(interval) || interval < RecordingOptions.shortestIntervalNanoseconds {
        throw refuse(
          "intervalNanoseconds", "\(interval) ns from one sample to the next cannot be had",
          "10 ms to 100 years can")
      }
      if let duration = options.durationNanoseconds, !times.contains(duration) {
        throw refuse(
          "durationNanoseconds", "\(duration) ns cannot be recorded", "1 ns to 100 years can")
      }
      for (name, text) in [("user", options.user), ("device", options.device)] where text == "" {
        throw refuse(name, "an empty name cannot be told", "name the \(name), or leave it nil")
      }
    }

    /// A name may be waited for; a number or a group that is not there is a slip of the pen.
    private static func checkExistence(_ options: RecordingOptions) throws(TraceError) {
      for number in options.selection.numbers.sorted()
      where unsafe access("/proc/\(number)/stat", F_OK) != 0 {
        throw TraceError(
          .unreadable, file: "`ProcessSelection.numbers` \(number)",
          what: "there is no process with this number",
          remedy:
            "'ps' lists those that run; `ProcessSelection.names` waits for programs that do not run yet"
        )
      }
      if let group = options.group, unsafe access("\(group)/cgroup.procs", R_OK) != 0 {
        throw TraceError(
          .unreadable, file: group, what: "is not a readable control group",
          remedy: "name a folder below /sys/fs/cgroup")
      }
    }

    private static func header(_ options: RecordingOptions, _ path: String) -> TraceHeader {
      var header = TraceHeader(
        user: options.user ?? (path == "-" ? "" : TraceFormats.all.traceName(of: path)))
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

  /// Wakes a recording that waits for its next sample when it is told to end.
  private final class RecordingAlarm {
    private var pipe: [Int32] = [-1, -1]
    private var sources: [any DispatchSourceSignal] = []
    /// What the signals did before.
    private var former: [(number: Int32, action: sigaction)] = []

    init() {
      _ = unsafe Glibc.pipe(&pipe)
      for end in pipe {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      let bell = pipe[1]
      let queue = DispatchQueue(label: "jettison.record")
      for number in [SIGINT, SIGTERM] {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        former.append((number, action))
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { _ = unsafe write(bell, "x", 1) }
        source.activate()
        sources.append(source)
      }
    }

    /// Gives signals back what they did before.
    func end() {
      for source in sources { source.cancel() }
      sources = []
      for (number, action) in former {
        var action = action
        unsafe sigaction(number, &action, nil)
      }
      former = []
    }

    deinit {
      end()
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
