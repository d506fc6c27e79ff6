import JettisonCore
import JettisonReports
import JettisonSupport

/// What a mark says to a reader who points at it, or hears it read.
extension SkylineScene {
  /// What became of an app that ended.
  func story(_ end: SkylineDay.End) -> String {
    var text = "\(names.shown(end.app)) \(Self.verb(end)) at \(moment(end.time))"
    if let decision = end.decision { text += ", decision \(decision)" }
    if end.kind == .purge || end.kind == .kill {
      let cause = end.cause.name
      if !cause.isEmpty { text += " (\(cause))" }
      text += "; it held \(size(end.bytes))"
    }
    text += "."
    guard end.isBySystem else { return text }
    text += " " + (end.loss.map { story(of: $0) } ?? "Nothing was lost.")
    if let back = end.returnTime {
      text += " Opened again \(HumanText.duration(nanoseconds: back - end.time)) later."
    } else {
      text += " Not opened again."
    }
    return text
  }

  /// What was lost, in a sentence.
  func story(of loss: SkylineDay.Loss) -> String {
    guard !loss.isAbsence else {
      return "\(Self.lost(loss)): it could not be done while the app was gone "
        + "(\(loss.lossClass.name))."
    }
    return "\(Self.lost(loss)): \(loss.lossClass.reason) (\(loss.lossClass.name)); noticed: "
      + "\(loss.noticed.name)."
  }

  /// What was lost that no end explains.
  func story(unexplained loss: SkylineDay.Loss) -> String {
    "\(names.shown(loss.app)) at \(moment(loss.time)): \(story(of: loss))"
  }

  /// Saves of one bin.
  func story(_ save: SkylineDay.Save) -> String {
    let cause = save.cause.name.isEmpty ? "" : " (\(save.cause.name))"
    let many = save.count > 1 ? "\(save.count) saves from" : "save at"
    return "\(names.shown(save.app)): \(many) \(moment(save.time))\(cause), "
      + "\(KnownNames.of(save.outcome)), \(HumanText.size(bytes: save.bytes))."
  }

  /// Warnings of one bin.
  func story(_ warning: SkylineDay.Warning) -> String {
    let many = warning.count > 1 ? "\(warning.count) warnings from" : "warning at"
    let answer =
      switch warning.releasedBytes {
      case nil: "no answer"
      case 0: "gave nothing back"
      case let bytes?: "answered, releasing \(HumanText.size(bytes: bytes))"
      }
    return "\(names.shown(warning.app)): \(many) \(moment(warning.time)), level "
      + "\(warning.level.name), \(answer)."
  }

  /// What the real system did.
  func story(_ kill: CaptureMarks.Kill, _ state: AppState?) -> String {
    "The real system ended \(names.shown(kill.app)) at \(moment(kill.time)) (\(kill.cause.name)); "
      + "here it is \(state?.name ?? AppState.notRunning.name)."
  }

  /// What an app did all day.
  func story(_ lane: SkylineLane, _ day: SkylineDay) -> String {
    func time(_ shade: SkylineStack.Shade) -> String {
      HumanText.duration(nanoseconds: lane.duration(shade))
    }
    let ends = day.ends.count { $0.app == lane.app && $0.isBySystem }
    return "\(names.shown(lane.app)): in front \(time(.front)), background \(time(.background)), "
      + "suspended \(time(.suspended)); ended by the system: \(ends)."
  }

  /// `4 s of work (2 KiB) lost`.
  static func lost(_ loss: SkylineDay.Loss) -> String {
    if loss.isPosition { return "A reading position lost, no data" }
    guard loss.isReal else { return "Nothing lost that a server does not have" }
    return Prose.lost(workNanoseconds: loss.workNanoseconds, bytes: loss.bytes) + " lost"
  }

  /// What was done to the app.
  static func verb(_ end: SkylineDay.End) -> String {
    let state = end.stateBefore == .notRunning ? "" : ", \(end.stateBefore.name),"
    switch end.kind {
    case .purge:
      return end.stateBefore == .background
        ? "was purged while it ran" : "was purged while suspended"
    case .kill: return "was killed\(state)"
    case .watchdog: return "was ended because its handler took too long"
    case .taskExpired: return "was ended because its background task took too long"
    default:
      return end.cause == .noMultitasking
        ? "was ended on leaving, without multitasking" : "ended (\(end.cause.name))"
    }
  }
}
