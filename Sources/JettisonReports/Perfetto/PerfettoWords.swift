internal import JettisonCore
internal import JettisonPerfetto

/// Arguments of what is shown on tracks, in the words of the CSV files.
///
/// Times are whole nanoseconds, so that SQL adds them up exactly.
enum PerfettoArgument: Int, CaseIterable {
  case run = 1
  case app, cause, `class`, bytes, nanoseconds, workNanoseconds, noticed, decision, message
  case state, after
  case trigger, level, availableBytes, neededBytes, targetBytes, candidates
  case rank, band, score, footprintBytes, idleNanoseconds, unsavedWorkNanoseconds, unsavedBytes
  case sinceWarningNanoseconds, chosen, freedBytes, tieBrokenBy

  /// The words, by number.
  static let names: [String] = allCases.map { "\($0)".words(joinedBy: "_") }
}

extension EventArguments {
  mutating func add(_ argument: PerfettoArgument, _ value: Int64?) {
    if let value { add(argument.rawValue, value) }
  }

  mutating func add(_ argument: PerfettoArgument, double value: Double) {
    add(argument.rawValue, double: value)
  }

  mutating func add(_ argument: PerfettoArgument, text: Int?) {
    if let text { add(argument.rawValue, text: text) }
  }
}

/// Names of events and texts of arguments, by the numbers under which packets know them.
struct PerfettoWords {
  /// Names of what happens: kinds, then states, then what else there is.
  let events: [String]
  /// Texts of arguments.
  private(set) var texts: [String] = []
  let run: Int
  private let apps: Int
  private var numbers: [String: Int] = [:]

  static let decision = RecordedKind.allCases.count + AppState.allCases.count + 1
  static let warmUp = decision + 1

  /// - Parameters:
  ///   - run: What the run is called.
  ///   - apps: Names of its apps.
  init(run: String, apps: [String]) {
    events =
      RecordedKind.allCases.map(\.name) + AppState.allCases.map(\.name) + ["decision", "warm-up"]
    texts = [run] + apps
    self.run = 1
    self.apps = 2
    let words: [[String]] = [
      RecordedKind.allCases.map(\.name), RecordedCause.allCases.map(\.name),
      AppState.allCases.map(\.name), LossClass.allCases.map(\.name),
      [SaveOutcome.complete, .partial, .interrupted].map(\.name),
      [RestoreOutcome.full, .partial, .none].map(\.name),
      [Noticed.no, .yes, .censored].map(\.name),
      [PressureLevel.normal, .warning, .critical].map(\.name),
      TieBreak.allCases.map(\.name), [Message.position.name],
    ]
    for word in words.joined() where !word.isEmpty && numbers[word] == nil {
      texts.append(word)
      numbers[word] = texts.count
    }
  }

  static func event(_ kind: RecordedKind) -> Int { Int(kind.rawValue) + 1 }

  static func event(_ state: AppState) -> Int {
    RecordedKind.allCases.count + Int(state.rawValue) + 1
  }

  /// The number of an app's name; nil for none.
  func text(_ app: AppIndex) -> Int? {
    app == .none ? nil : apps + app.position
  }

  /// The number of a word; nil for the empty one.
  func text(_ word: String?) -> Int? { word.flatMap { numbers[$0] } }
}
