package import JettisonCore

/// The large files: what happened, what was decided, how footprints moved.
public enum DetailKind: String, CaseIterable, Hashable, Sendable {
  case events
  case decisions
  case footprints

  /// Name of the file.
  public var fileName: String { "\(rawValue).csv" }
}

/// Columns of the large files.
package enum DetailTables {
  /// A run and its names, which millions of rows share.
  package final class NamedRun: Sendable {
    let key: RunKey
    let apps: [String]
    /// Texts of the trace's details, by position.
    let details: [String]

    init(key: RunKey, apps: [String], details: [String]) {
      self.key = key
      self.apps = apps
      self.details = details
    }
  }

  /// A record of a run.
  package struct Row<Record: Sendable>: Sendable {
    let run: NamedRun
    let record: Record

    /// Name of an app; empty for none.
    func name(_ app: AppIndex) -> ReportCell {
      app.position < run.apps.count ? .text(run.apps[app.position]) : .empty
    }
  }

  /// A decision, and one candidate of it unless there was none.
  package struct Ranked: Sendable {
    let decision: DecisionRecord
    /// From 1.
    let rank: Int
    let candidate: CandidateRecord?
  }

  /// `events.csv`.
  package static let events = ReportTable<Row<EventRecord>>(
    fileName: DetailKind.events.fileName,
    rowMeaning: "state, message, launch, wait, restore, save, warning, response, purge, kill, end "
      + "and loss",
    fields: RunTables.keyFields { $0.run.key } + eventFields)

  /// `decisions.csv`.
  package static let decisions = ReportTable<Row<Ranked>>(
    fileName: DetailKind.decisions.fileName,
    rowMeaning: "candidate of a decision; one row with an empty app if there was none",
    fields: RunTables.keyFields { $0.run.key } + decisionFields + candidateFields)

  /// `footprints.csv`.
  package static let footprints = ReportTable<Row<MemoryRow>>(
    fileName: DetailKind.footprints.fileName,
    rowMeaning: "app and sample period in which one of its figures or its state changed, and one "
      + "with an empty app where only available memory or the level did; the last value counts",
    fields: RunTables.keyFields { $0.run.key } + footprintFields)

  private static let timeText = "Time since the start of the trace."

  private static let eventFields: [ReportTable<Row<EventRecord>>.Field] = [
    .init("time_ns", "nanoseconds", timeText) { .integer($0.record.timeNanoseconds) },
    .init("app", "text", "Name of the app.") { $0.name($0.record.app) },
    .init("event", "text", "What happened: \(kindWords).") {
      .text(kindNames[Int($0.record.kind.rawValue)])
    },
    .init("state_before", "text", "State the app left: \(stateWords).") {
      ReportCell($0.record.stateBefore?.name ?? "")
    },
    .init("state_after", "text", "State the app entered.") {
      ReportCell($0.record.stateAfter?.name ?? "")
    },
    .init("message", "text", "Selector or notification that the app received.") {
      ReportCell($0.record.message.name)
    },
    .init(
      "cause", "text",
      "Transition (state), kind (launch), trigger (save), level (warning), rule (purge, kill) or "
        + "reason (ended)."
    ) { ReportCell(causeNames[Int($0.record.cause.rawValue)]) },
    .init(
      "class", "text",
      "Class of a loss, how a save ended (complete, partial, interrupted), or how much was restored "
        + "(full, partial, none)."
    ) { row in
      ReportCell(
        row.record.lossClass?.name ?? row.record.saveOutcome?.name
          ?? row.record.restoreOutcome?.name ?? "")
    },
    .init("bytes", "bytes", "Footprint ended, memory released, state saved, restored or lost.") {
      ReportCell($0.record.bytes)
    },
    .init(
      "seconds", "seconds",
      "Latency of a launch, duration of a save or wait, age of what was restored or is left after a "
        + "loss."
    ) { ReportCell(nanoseconds: $0.record.nanoseconds) },
    .init("work_seconds", "seconds", "User work restored or lost.") {
      ReportCell(nanoseconds: $0.record.workNanoseconds)
    },
    .init("noticed", "yes, no, censored", "Whether the user found out about a loss.") {
      ReportCell($0.record.noticed?.name ?? "")
    },
    .init("decision", "number", "Decision behind it, as in decisions.csv.") {
      ReportCell($0.record.decision.map(Int64.init))
    },
    .init("detail", "text", "What a device change came to, such as to=portrait.") {
      ReportCell(changeText($0))
    },
  ]

  /// The detail of a device change; its kind only where the message does not tell it.
  private static func changeText(_ row: Row<EventRecord>) -> String {
    guard let change = row.record.change, Int(change) < row.run.details.count else { return "" }
    let text = row.run.details[Int(change)]
    if row.record.message == .deviceChange { return text }
    return text.split(separator: ";").filter { !$0.hasPrefix("kind=") }.joined(separator: ";")
  }

  /// Names by raw value: looking them up is much cheaper than spelling them once per row.
  private static let kindNames = RecordedKind.allCases.map(\.name)
  private static let causeNames = RecordedCause.allCases.map(\.name)
  private static let kindWords = kindNames.joined(separator: ", ")
  private static let stateWords = AppState.allCases.map(\.name).joined(separator: ", ")

  private static let decisionFields: [ReportTable<Row<Ranked>>.Field] = [
    .init("decision", "number", "Number of the decision in its run, from 1.") {
      .integer(Int64($0.record.decision.number))
    },
    .init("time_ns", "nanoseconds", timeText) { .integer($0.record.decision.timeNanoseconds) },
    .init("trigger", "text", "Rule of the pressure model that opened it.") {
      ReportCell($0.record.decision.trigger.name)
    },
    .init("level", "normal, warning, critical", "How short memory was.") {
      ReportCell($0.record.decision.level.name)
    },
    .init("available_bytes", "bytes", "Available memory before it; may be negative.") {
      .integer($0.record.decision.availableBytes)
    },
    .init("needed_bytes", "bytes", "What was missing to the target, at least 0.") {
      .integer($0.record.decision.neededBytes)
    },
    .init("target_bytes", "bytes", "Available memory at which it may stop.") {
      .integer($0.record.decision.targetBytes)
    },
  ]

  private static let candidateFields: [ReportTable<Row<Ranked>>.Field] = [
    .init("rank", "number", "Place in the order, from 1: the first goes first.") {
      $0.record.candidate == nil ? .empty : .integer(Int64($0.record.rank))
    },
    .init("app", "text", "Name of the candidate; empty: there was none.") { row in
      row.record.candidate.map { row.name($0.app) } ?? .empty
    },
    .init("state", "text", "State of the candidate.") {
      ReportCell($0.record.candidate?.state.name ?? "")
    },
    .init(
      "band", "number",
      "Priority band (iOS) or oom_score_adj (Android, Linux); empty where the model has none."
    ) { ReportCell(($0.record.candidate?.band).map(Int64.init)) },
    .init("score", "number", "Score the policy gave; lower goes first.") {
      ReportCell(real: $0.record.candidate?.score)
    },
    .init("footprint_bytes", "bytes", "Footprint of the candidate.") {
      ReportCell($0.record.candidate?.footprintBytes)
    },
    .init("idle_seconds", "seconds", "Since it last left the front.") {
      ReportCell(nanoseconds: $0.record.candidate?.idleNanoseconds)
    },
    .init("unsaved_work_seconds", "seconds", "User work it has not saved.") {
      ReportCell(nanoseconds: $0.record.candidate?.unsavedWorkNanoseconds)
    },
    .init("unsaved_bytes", "bytes", "User state it has not saved.") {
      ReportCell($0.record.candidate?.unsavedBytes)
    },
    .init("seconds_since_warning", "seconds", "Since it last heard a warning; empty: never.") {
      ReportCell(nanoseconds: $0.record.candidate?.sinceWarningNanoseconds)
    },
    .init("chosen", "0 or 1", "1: it was ended.") {
      $0.record.candidate.map { ReportCell($0.isChosen) } ?? .empty
    },
    .init("freed_bytes", "bytes", "What its end gave back; 0 if it was spared.") {
      ReportCell($0.record.candidate?.freedBytes)
    },
    .init(
      "tie_broken_by", "group, score, suspended-at, footprint, app",
      "What decided between it and the next in order; empty if it was alone."
    ) { ReportCell($0.record.candidate?.tieBrokenBy?.name ?? "") },
  ]

  private static let footprintFields: [ReportTable<Row<MemoryRow>>.Field] = [
    .init("time_ns", "nanoseconds", timeText) { .integer($0.record.memory.timeNanoseconds) },
    .init("app", "text", "Name of the app; empty: no figure of any app changed.") { row in
      row.record.footprint.map { row.name($0.app) } ?? .empty
    },
    .init("state", "text", "State of the app.") {
      ReportCell($0.record.footprint?.state.name ?? "")
    },
    .init("footprint_bytes", "bytes", "Footprint of the app.") {
      ReportCell($0.record.footprint?.footprintBytes)
    },
    .init("requested_bytes", "bytes", "What its live allocations asked for.") {
      ReportCell($0.record.footprint?.requestedBytes)
    },
    .init("active_bytes", "bytes", "In active arena pages; empty without arenas.") {
      arenaPages($0.record.footprint?.activeBytes)
    },
    .init("dirty_bytes", "bytes", "In dirty arena pages; empty without arenas.") {
      arenaPages($0.record.footprint?.dirtyBytes)
    },
    .init("available_bytes", "bytes", "Available memory of the device; may be negative.") {
      .integer($0.record.memory.availableBytes)
    },
    .init("level", "normal, warning, critical", "How short memory was.") {
      ReportCell($0.record.memory.level.name)
    },
  ]

  private static func arenaPages(_ bytes: Int64?) -> ReportCell {
    ReportCell(bytes.flatMap { $0 < 0 ? nil : $0 })
  }
}
