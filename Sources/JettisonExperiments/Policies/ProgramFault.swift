/// Why a program did not answer a question as it should.
///
/// Payloads hold facts; ``description`` is the sentence.
enum ProgramFault: Error, Equatable, CustomStringConvertible {
  case notStartable(program: String, code: String)
  case noAnswer(decision: Int, milliseconds: Int)
  case doesNotRead(milliseconds: Int)
  case exited(status: Int32, decision: Int?)
  case killed(signal: Int32, decision: Int?)
  case closedOutput(decision: Int?)
  case tooLong(limit: Int)
  case unasked(text: String)
  case notJSON(decision: Int, text: String)
  case noOrder(decision: Int, text: String)
  case refused(decision: Int, reason: String)
  case missing(app: String, decision: Int)
  case unknown(app: String, decision: Int)
  case doubled(app: String, decision: Int)
  case system(code: String)

  var description: String {
    switch self {
    case .notStartable(let program, let code):
      "the program '\(program)' cannot be started: \(code)"
    case .noAnswer(let decision, let milliseconds):
      "the program gave no answer to decision \(decision) within \(milliseconds) ms"
    case .doesNotRead(let milliseconds):
      "the program read nothing of what it was told within \(milliseconds) ms"
    case .exited(let status, let decision):
      "the program ended with status \(status)\(Self.before(decision))"
    case .killed(let signal, let decision):
      "the program was ended by signal \(signal)\(Self.before(decision))"
    case .closedOutput(let decision):
      "the program closed its output\(Self.before(decision))"
    case .tooLong(let limit):
      "the program wrote more than \(limit) bytes without a line break"
    case .unasked(let text): "the program wrote a line without being asked: '\(text)'"
    case .notJSON(let decision, let text):
      "the answer to decision \(decision) is not JSON: '\(text)'"
    case .noOrder(let decision, let text):
      "the answer to decision \(decision) has no list of names in 'order': '\(text)'"
    case .refused(let decision, let reason):
      "the program gave up at decision \(decision): \(reason)"
    case .missing(let app, let decision):
      "the answer to decision \(decision) leaves out the candidate '\(app)'"
    case .unknown(let app, let decision):
      "the answer to decision \(decision) names '\(app)', which is not a candidate"
    case .doubled(let app, let decision):
      "the answer to decision \(decision) names '\(app)' twice"
    case .system(let code): "the program cannot be talked to: \(code)"
    }
  }

  private static func before(_ decision: Int?) -> String {
    decision.map { " before it answered decision \($0)" } ?? ""
  }
}
