internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonRecording
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Follows real processes and writes a trace (Linux).",
    usage: "jettison record [<options>] [-- <command> ...]",
    discussion: """
      Follows processes by name, number or control group, or a command that it starts. What a \
      followed process starts belongs to its app: the helpers of a browser are the browser. With \
      both a command and names, only what the command starts under these names is followed.

      A start is a launch, and so is going on after a stop (SIGCONT); a stop (SIGSTOP) means that \
      the user leaves the app. Rows are written as they come, so the file is a whole trace however \
      the recording ends: after --duration, on Ctrl-C, or when the command and its apps have \
      ended.

      Try: jettison record -o edit.csv -- vim notes.txt
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where the trace goes (default: -).", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Follow programs whose names match. Repeatable.", valueName: "glob"))
  var name: [OptionValues] = []

  @Option(help: ArgumentHelp("Follow the process with this PID. Repeatable.", valueName: "n"))
  var pid: [OptionValues] = []

  @Option(
    help: ArgumentHelp("Follow the processes of a control group.", valueName: "folder"),
    completion: .directory)
  var cgroup: String?

  @Option(
    help: ArgumentHelp(
      """
      Also read the kernel log (/dev/kmsg) for reports of the OOM killer: at each, every process \
      gets the footprint and the rank that the kernel saw. Every process is then an app of its own, \
      and its footprint is what the kernel counts.
      """, valueName: "file"),
    completion: .file())
  var kernelLog: String?

  @Flag(help: "Make every process an app of its own.")
  var eachProcess = false

  @Option(help: ArgumentHelp("Time between samples (default: 1s).", valueName: "time"))
  var interval: String?

  @Option(
    help: ArgumentHelp("Stop after this time (default: never).", valueName: "time"))
  var duration: String?

  @Flag(
    help: """
      Record what the rest of this machine uses as memory of the system, to replay the trace on a \
      device like this machine.
      """)
  var systemMemory = false

  @Option(
    help: ArgumentHelp("User name for the trace (default: the file name).", valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp("Device that the trace names.", valueName: "name"), completion: .devices)
  var device: String?

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("A command to start and follow, after '--'.", valueName: "command"))
  var command: [String] = []

  func run() throws {
    let options = try recordingOptions()
    #if os(Linux)
      let summary = try ProcessRecorder.record(to: output ?? "-", options)
      guard !quiet else { return }
      let seconds = summary.durationNanoseconds / 1_000_000_000
      Console.say(
        "\(output ?? "<stdout>"): \(Prose.counted(summary.apps.count, "app")), "
          + "\(Prose.counted(summary.sampleCount, "sample")) in \(seconds) s")
      if let status = summary.commandStatus, status != 0 {
        let signal = status & 0x7F
        Console.say(
          signal == 0
            ? "note: the command ended with status \(status >> 8 & 0xFF)"
            : "note: the command ended by signal \(signal)")
      }
      if kernelLog != nil {
        Console.say("the kernel reported \(Prose.counted(summary.reports, "kill"))")
      }
      if summary.isLogIncomplete {
        Console.say(
          "note: the kernel's log lacks reports of some kills, or parts of them (it writes at most "
            + "ten in 5 s); the footprints of these victims are from the sample before")
      }
      if summary.apps.isEmpty {
        Console.say(
          "note: no process to follow was seen (one that starts and ends between two samples is "
            + "missed; --interval sets their distance)")
      }
    #else
      throw CommandFailure(.failed, "record: follows processes through /proc, which only Linux has")
    #endif
  }

  private func recordingOptions() throws(ExperimentError) -> RecordingOptions {
    try HeaderOptions.check(device: device, user: user)
    var options = RecordingOptions()
    guard !name.isEmpty || !pid.isEmpty || cgroup != nil || !command.isEmpty else {
      throw .misuse(
        what: "record: nothing to follow",
        remedy: "give --name, --pid or --cgroup, or a command after '--'")
    }
    options.selection.names = name.texts
    for text in pid.texts {
      options.selection.numbers.insert(
        try WholeNumber.read(
          text, "--pid", 1...Int32.max, remedy: "write the number of a process"))
    }
    options.selection.isEachAnApp = eachProcess
    options.kernelLog = kernelLog
    options.group = cgroup
    options.command = command
    options.writesSystemMemory = systemMemory
    options.user = user
    options.device = device
    if let interval {
      options.intervalNanoseconds = try time(
        "--interval", interval, atLeast: RecordingOptions.shortestIntervalNanoseconds)
    }
    if let duration { options.durationNanoseconds = try time("--duration", duration, atLeast: 1) }
    return options
  }

  private func time(
    _ option: String, _ text: String, atLeast least: Int64
  ) throws(ExperimentError) -> Int64 {
    guard let time = Quantity.nanoseconds(text), time >= least,
      time <= TraceLimits.timeNanoseconds
    else {
      throw .value(
        option, .invalid(what: "time", text: text, remedy: "write a time such as 1s, 10ms or more"))
    }
    return time
  }
}
