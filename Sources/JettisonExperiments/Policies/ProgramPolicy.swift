internal import JettisonCore

/// `program`: asks a program of any language for the order, one JSON line each way per decision.
///
/// The program is started at the first question of a run and ended with the run; every run has one
/// of its own. What it answers is checked in full: a failure ends the run, not the experiment.
/// O(n) per decision with n candidates, and two switches of processes.
struct ProgramPolicy: RankingPolicy {
  private let program: ProgramConnection
  private let questions: ProgramQuestions
  /// Whether the program hears of events too.
  private let observes: Bool

  init(_ command: ProgramCommand, limit: Duration, observes: Bool, context: PolicyContext) {
    program = ProgramConnection(command, limit: limit)
    questions = ProgramQuestions(context)
    self.observes = observes
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if observes { program.tell(questions.line(about: event)) }
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure) {
    let question = questions.line(asking: candidates, request, apps)
    do throws(ProgramFault) {
      let answer = try program.ask(question, decision: request.decision)
      candidates = try questions.order(in: answer, of: candidates, decision: request.decision)
    } catch {
      throw PolicyFailure(program.end(with: error))
    }
  }
}

extension PolicyDescriptor {
  /// Whether the program hears of events.
  private enum Observation: String, CaseIterable {
    case off
    case on
  }

  /// A policy that is a program of any language.
  static let program = PolicyDescriptor(
    name: "program", family: "own",
    summary: "Asks a program of any language for the order, one JSON line each way.",
    details: """
      Each decision is one line on the program's standard input, {"version":1,"decision":1,\
      "time_ns":…,"needed_bytes":…,"candidates":[{"app":"…","footprint_bytes":…,\
      "idle_seconds":…,…},…]}, and the program answers with one line on its standard output, \
      {"order":["app",…]}: every candidate once, the first to be purged first. Score: the place \
      in the answer. The words of the command are split at blanks and no shell runs; %XX stands \
      for a byte, so %20 is a blank, %2C a comma and %2B a plus. A program that cannot be started, \
      hangs, dies or lies fails its run alone.
      """,
    source: "this protocol, version 1", complexity: "one question and one answer per decision",
    parameters: [
      PolicyParameter("command", "The program and its arguments.", default: "none: required"),
      PolicyParameter("timeout", "Longest wait for an answer.", default: "5s"),
      PolicyParameter("observe", "Whether events are sent too: on or off.", default: "off"),
    ],
    draws: true, needsArguments: true
  ) { (arguments, context) throws(ConfigurationError) in
    guard let text = arguments["command"] else {
      throw .invalid(
        what: "policy", text: "program", remedy: "write program:command=./order.py")
    }
    // A watchdog beyond a day guards nothing, and its milliseconds must fit 32 bits.
    let seconds = min(try arguments.duration("timeout", default: 5), 86400)
    return ProgramPolicy(
      try ProgramCommand(text), limit: .milliseconds(max(1, Int(seconds * 1000))),
      observes: try arguments.choice("observe", default: Observation.off) == .on,
      context: context)
  }
}
