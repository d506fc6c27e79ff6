import Foundation
package import JettisonCore
import JettisonSupport
import JettisonTraces

/// One thing that the header of a story claims about its replay.
///
/// A story's `source` closes with `Outcome: ` and claims joined by `, `:
///
/// * `metric=value` and `app:metric=value`, in the words of `summary.csv` and `apps.csv`;
/// * `app@10s=a > b > c`: what happened to the app at that time, in this order: states that it
///   entered, what it was told, and other rows of `events.csv` in two words (`save complete`);
/// * `app never message`: it was not told so at any time.
package struct StoryClaim {
  private let text: String

  /// The claims of a story; empty if it makes none.
  package static func all(of trace: Trace) -> [StoryClaim] {
    let parts = (trace.header.source ?? "").components(separatedBy: "Outcome: ")
    guard parts.count == 2 else { return [] }
    return parts[1].components(separatedBy: ", ").map { StoryClaim(text: $0) }
  }

  /// How a replay contradicts the claim; nil: it does not.
  package func contradiction(
    _ trace: Trace, _ result: RunResult, _ events: [EventRecord]
  ) throws -> String? {
    let never = text.components(separatedBy: " never ")
    if never.count == 2 {
      let app = trace.apps.firstIndex(of: never[0])
      let told = events.contains { Int($0.app.rawValue) == app && $0.message.name == never[1] }
      return app == nil || told ? "\(text): app \(String(describing: app)), told: \(told)" : nil
    }
    guard let equals = text.firstIndex(of: "=") else { return "\(text): is no claim" }
    let (left, right) = (text[..<equals], String(text[text.index(after: equals)...]))
    let measured =
      left.contains("@")
      ? happenings(String(left), right, trace, events)
      : try figure(String(left), trace, result)
    return measured == right ? nil : "\(text): measured \(measured)"
  }

  private func figure(_ name: String, _ trace: Trace, _ result: RunResult) throws -> String {
    let parts = name.split(separator: ":").map(String.init)
    let metric = try MetricTable.metric(named: parts[parts.count - 1], inApps: parts.count == 2)
    let app = parts.count == 2 ? trace.apps.firstIndex(of: parts[0]) : nil
    guard parts.count == 1 || app != nil else { return "no app of this name" }
    let value = MetricReader(result).value(of: metric, app: app.map { AppIndex($0) })
    guard let number = value.number else { return "" }
    return number == number.rounded() ? "\(Int64(number))" : "\(number)"
  }

  private func happenings(
    _ place: String, _ claimed: String, _ trace: Trace, _ events: [EventRecord]
  ) -> String {
    let parts = place.split(separator: "@").map(String.init)
    guard let app = trace.apps.firstIndex(of: parts[0]), let time = Quantity.nanoseconds(parts[1])
    else { return "no such app or time" }
    let tellsNotifications = claimed.contains("UIApplication")
    return
      events.filter { Int($0.app.rawValue) == app && $0.timeNanoseconds == time }
      .filter { tellsNotifications || !Self.isPosted($0.message) }
      .compactMap { Self.words($0, trace) }.joined(separator: " > ")
  }

  /// Whether a message is the notification that comes with one to the delegate.
  private static func isPosted(_ message: Message) -> Bool {
    message.name.hasPrefix("UIApplication") && message.name.hasSuffix("Notification")
      && message != .timeChange
  }

  private static func words(_ event: EventRecord, _ trace: Trace) -> String? {
    switch event.kind {
    case .state: event.stateAfter?.name
    case .message: told(event, trace)
    case .save: "save \(event.saveOutcome?.name ?? "")"
    case .restore: "restore \(event.restoreOutcome?.name ?? "")"
    case .loss:
      "loss \(event.message == .position ? "position" : event.lossClass?.name ?? "")"
    case .launch, .kill, .ended: "\(event.kind.name) \(event.cause.name)"
    case .purge, .watchdog, .taskExpired, .wait: event.kind.name
    case .warning, .response: nil
    }
  }

  private static func told(_ event: EventRecord, _ trace: Trace) -> String {
    let value = event.change.flatMap { change in
      trace.detailTexts[Int(change)].split(separator: ";").first { $0.hasPrefix("to=") }
    }
    return event.message.name + (value.map { " \($0)" } ?? "")
  }
}

extension MetricTable {
  /// A column of `summary.csv`, or of `apps.csv`.
  fileprivate static func metric(named name: String, inApps: Bool) throws -> Metric {
    guard inApps, let metric = apps.first(where: { $0.name == name }) else {
      return try metric(named: name)
    }
    return metric
  }
}
