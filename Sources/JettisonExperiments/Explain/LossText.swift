internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// The story of one loss: who lost what, how the system ended the app, and why it was not saved.
struct LossText {
  private let loss: LossRecord
  private let number: Int
  private let count: Int
  private let apps: [String]
  private let style: TextStyle

  /// Takes the loss of a number, of so many in the run.
  init(_ loss: LossRecord, number: Int, of count: Int, apps: [String], style: TextStyle) {
    self.loss = loss
    self.number = number
    self.count = count
    self.apps = apps
    self.style = style
  }

  /// The story as lines, each ended.
  var rendered: String {
    let app = apps[loss.app.position]
    let lost = Prose.lost(workNanoseconds: loss.workNanoseconds, bytes: loss.bytes)
    let decision = loss.decision.map { " in decision \($0)" } ?? ""
    let time = HumanText.duration(nanoseconds: loss.timeNanoseconds)
    let story =
      "It \(loss.endCause.words)\(decision). The user missed it "
      + "\(whole(loss.returnNanoseconds - loss.timeNanoseconds)) later, at "
      + "\(whole(loss.returnNanoseconds)). Why it was not saved: \(loss.lossClass.reason) "
      + "(\(loss.lossClass.name))."
    return style.heading("Loss \(number) of \(count) at \(time): \(app) lost \(lost)")
      + Prose.wrap(story, style).map { $0.replacing("\u{A0}", with: " ") + "\n" }.joined()
  }

  /// A time that no line breaks.
  private func whole(_ nanoseconds: Int64) -> String {
    HumanText.duration(nanoseconds: nanoseconds).replacing(" ", with: "\u{A0}")
  }
}

extension EndCause {
  /// What the system did to the app.
  fileprivate var words: String {
    switch self {
    case .purge: "was purged while suspended"
    case .backgroundKill: "was killed in the background"
    case .foregroundKill: "was killed in front"
    case .limitKill: "was killed for passing its memory limit"
    case .watchdog: "was ended because its handler took too long"
    case .taskExpired: "was ended because its background task took too long"
    case .gpuInBackground: "was killed for OpenGL ES calls in the background"
    case .sharedResource: "was killed for holding a shared resource at suspension"
    case .noMultitasking: "was ended on leaving, without multitasking"
    case .none, .quit, .exit, .crash, .update, .boot: "ended"
    }
  }
}
