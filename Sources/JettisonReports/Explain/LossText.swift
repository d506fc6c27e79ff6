package import JettisonCore
internal import JettisonSupport

/// The story of one loss: who lost what, how the system ended the app, and why it was not saved.
package struct LossText {
  private let loss: LossRecord
  private let app: String

  /// Takes a loss and the name of its app.
  package init(_ loss: LossRecord, app: String) {
    self.loss = loss
    self.app = app
  }

  /// The story of the loss of a number, of so many in the run, as lines each ended.
  package func rendered(number: Int, of count: Int, _ style: TextStyle) -> String {
    style.heading("Loss \(number) of \(count) at \(title)")
      + Prose.wrap(story, style).map { $0 + "\n" }.joined()
  }

  /// `2 h 3 min: notes lost 4 s of work (2 KiB)`.
  package var title: String {
    let lost = Prose.lost(workNanoseconds: loss.workNanoseconds, bytes: loss.bytes)
    return "\(HumanText.duration(nanoseconds: loss.timeNanoseconds)): \(app) lost \(lost)"
  }

  /// How the app ended, when the user missed it, and why it was not saved.
  package var story: String {
    guard !loss.isAbsence else {
      return "It \(ended) before; this is what could not be done while it was gone "
        + "(\(loss.lossClass.name))."
    }
    let decision = loss.decision.map { " in decision \($0)" } ?? ""
    return "It \(ended)\(decision). \(missed) Why it was not saved: "
      + "\(loss.lossClass.reason) (\(loss.lossClass.name))."
  }

  /// What the system did to the app.
  private var ended: String {
    // On the textbook cache every end is a purge.
    loss.endCause == .purge && loss.lossClass == .killedRunning
      ? "was purged while it ran" : loss.endCause.words
  }

  private var missed: String {
    let later = loss.returnNanoseconds - loss.timeNanoseconds
    return later == 0
      ? "The user saw it go."
      : "The user missed it \(whole(later)) later, at \(whole(loss.returnNanoseconds))."
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
