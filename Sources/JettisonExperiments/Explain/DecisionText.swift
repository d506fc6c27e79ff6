internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// One decision, told to a person: the arithmetic, the candidates, the price.
struct DecisionText {
  private let found: DecisionFinder.Found
  private let explanation: DecisionExplanation?
  private let purgeCount: Int
  private let askedNanoseconds: Int64?
  private let plan: RunPlan
  private let style: TextStyle

  /// Takes a decision, and the time that was asked for if it was found by time.
  init(
    found: DecisionFinder.Found, explanation: DecisionExplanation?, purgeCount: Int,
    askedNanoseconds: Int64?, plan: RunPlan, style: TextStyle
  ) {
    self.found = found
    self.explanation = explanation
    self.purgeCount = purgeCount
    self.askedNanoseconds = askedNanoseconds
    self.plan = plan
    self.style = style
  }

  private var decision: DecisionRecord { found.decision }
  private var trace: Trace { plan.traces[0].trace }
  private var configuration: RunConfiguration { plan.runs[0].configuration }

  /// Everything, as lines each ended.
  var rendered: String {
    let key = plan.key(of: 0)
    let time = HumanText.duration(nanoseconds: decision.timeNanoseconds)
    var text = style.heading(
      "Decision \(decision.number) at \(time) (\(decision.timeNanoseconds) ns): "
        + "\(TextStyle.clean(key.trace)) under \(key.policy) on \(key.device)")
    text += delay
    text += "\nTrigger \(decision.trigger.name), level \(decision.level.name); "
    text += "\(Prose.counted(purgeCount, "purge")) in the whole run\n\n"
    text += arithmetic + "\n"
    text += Prose.paragraph(rules.pressure, style) + "\n"
    text += limiterRule
    text += scoreRule
    text += candidates + outcome
    let points = rules.points(decision, apps: trace.apps, style)
    if !points.isEmpty { text += "\n" + points }
    if let explanation, !explanation.candidates.isEmpty {
      let facts = CandidateText(explanation, decision, style)
      text += "\nWhat is known of the candidates, by rank\n" + facts.rendered
    }
    if !decision.spared.isEmpty { text += "\nWho could not go\n" + spared }
    if !consequences.isEmpty {
      let lines = consequences.split(separator: "\n").flatMap {
        Prose.wrap(String($0), style, indent: 2)
      }
      text += "\nWhat it cost\n" + lines.map { $0 + "\n" }.joined()
    }
    if let explanation, !explanation.alternatives.isEmpty {
      let whatIf = WhatIfText(
        explanation, decision, policy: plan.policies[0].name, apps: trace.apps, style)
      text += "\n" + whatIf.rendered
    }
    return text
  }

  /// That nothing was decided at the time asked for, if the decision is a second or more away.
  private var delay: String {
    guard let asked = askedNanoseconds else { return "" }
    let gap = decision.timeNanoseconds - asked
    guard gap.magnitude >= 1_000_000_000 else { return "" }
    let distance = HumanText.duration(nanoseconds: abs(gap))
    return "Nothing was decided at \(HumanText.duration(nanoseconds: asked)): this is the "
      + (gap > 0 ? "next decision, \(distance) later.\n" : "last decision, \(distance) before.\n")
  }

  /// How much memory there was, term by term.
  private var arithmetic: String {
    guard !configuration.pressure.isTextbook else {
      return amounts([
        ("capacity", capacity), ("- apps that stay", capacity - decision.availableBytes),
        ("= free", decision.availableBytes), ("needed", decision.neededBytes),
      ])
    }
    let system = systemBytes
    return amounts([
      ("RAM", capacity), ("- \(system.source)", system.bytes),
      ("- apps", capacity - system.bytes - decision.availableBytes),
      ("= available", decision.availableBytes), ("may stop at", decision.targetBytes),
      ("needed", decision.neededBytes),
    ])
  }

  private var capacity: Int64 { configuration.capacity }

  private func amounts(_ rows: [(String, Int64)]) -> String {
    var table = TextTable([
      .init("", .left), .init("", .right), .init("", .right), .init("", .right),
    ])
    table.hasHeader = false
    for (label, bytes) in rows {
      let share = 100 * Double(bytes) / Double(capacity)
      let percent = NumberText.real((share * 10).rounded() / 10)
      guard configuration.capacityApps == nil else {
        table.add([.init("  " + label), .init(Prose.counted(Int(bytes), "app"))])
        continue
      }
      table.add([
        .init("  " + label), .init("\(bytes) B"), .init(HumanText.size(bytes: bytes)),
        .init("\(percent) % of RAM"),
      ])
    }
    return table.rendered(style)
  }

  /// What is in use by everything that is not an app, and who says so.
  private var systemBytes: (bytes: Int64, source: String) {
    var newest: Int64?
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count {
        let event = events[position]
        if event.timeNanoseconds > decision.timeNanoseconds { break }
        if event.kind == .systemMemory { newest = event.value }
      }
    }
    if let newest { return (newest, "system (measured in the trace)") }
    return (configuration.device.reserveBytes, "system (the device's reserve)")
  }

  private var rules: DecisionRules {
    DecisionRules(configuration, plan.policies[0].spec)
  }

  private var limiterRule: String {
    rules.limiter(decision).map { Prose.paragraph($0, style) + "\n" } ?? ""
  }

  private var scoreRule: String {
    guard !decision.candidates.isEmpty, decision.trigger != .memoryLimiter else { return "" }
    var paragraphs = rules.scores
    if isFrontLast {
      paragraphs.append(
        "The app in front goes last, whatever its score: the pressure model offers every app, and "
          + "under it '\(plan.policies[0].spec.descriptor.name)' does not weigh who is in front.")
    }
    return paragraphs.map { Prose.paragraph($0, style) + "\n" }.joined()
  }

  /// Whether the engine put the app in front behind candidates that are not.
  private var isFrontLast: Bool {
    func isInFront(_ candidate: CandidateRecord) -> Bool {
      candidate.state == .active || candidate.state == .inactive
    }
    return explanation?.request.offersFront == true
      && !plan.policies[0].spec.descriptor.ordersFront(configuration.pressure)
      && decision.candidates.contains(where: isInFront)
      && !decision.candidates.allSatisfy(isInFront)
  }

  private var candidates: String {
    guard !decision.candidates.isEmpty else {
      return "There was no candidate: nothing could be ended.\n"
    }
    let hasBand = decision.candidates.contains { $0.band != nil }
    var columns: [TextTable.Column] = [
      .init("rank", .right), .init("app", .left), .init("state", .left),
    ]
    if hasBand { columns.append(.init("band", .right)) }
    columns += [
      .init("score", .right), .init("decided by", .left), .init("footprint", .right),
      .init("frees", .right), .init("ended", .left),
    ]
    var table = TextTable(columns)
    for (place, candidate) in decision.candidates.enumerated() {
      var cells: [TextTable.Cell] = [
        .init("\(place + 1)"), .init(trace.apps[candidate.app.position]),
        .init(candidate.state.name),
      ]
      if hasBand { cells.append(.init(candidate.band.map { "\($0)" } ?? "–")) }
      cells += [
        .init(HumanText.figure(candidate.score)), .init(candidate.tieBrokenBy?.name ?? "–"),
        .init(size(candidate.footprintBytes)), .init(frees(candidate).map(size) ?? "–"),
        candidate.isChosen ? .init("yes", .red) : .init("no"),
      ]
      table.add(cells)
    }
    return table.rendered(style)
  }

  /// A size, or a number of apps where the capacity counts them.
  private func size(_ bytes: Int64) -> String {
    configuration.capacityApps == nil
      ? HumanText.size(bytes: bytes) : Prose.counted(Int(bytes), "app")
  }

  /// What a candidate's end gives back, or would.
  private func frees(_ candidate: CandidateRecord) -> Int64? {
    guard !candidate.isChosen else { return candidate.freedBytes }
    return explanation?.candidates.first { $0.app == candidate.app }?.freedBytes
  }

  /// All other apps in memory, with the reason.
  private var spared: String {
    var table = TextTable([
      .init("app", .left), .init("state", .left), .init("footprint", .right), .init("why", .left),
    ])
    table.hasHeader = false
    for app in decision.spared {
      table.add([
        .init("  " + trace.apps[app.app.position]), .init(app.state.name),
        .init(size(app.footprintBytes)), .init(app.reason.text),
      ])
    }
    return table.rendered(style)
  }

  /// What was freed, and where that left memory.
  private var outcome: String {
    let chosen = decision.candidates.filter(\.isChosen)
    guard !chosen.isEmpty else { return "No app was ended.\n" }
    guard configuration.capacityApps == nil else { return "" }
    let freed = chosen.reduce(Int64(0)) { $0 + $1.freedBytes }
    let after = decision.availableBytes + freed
    let share = (1000 * Double(after) / Double(capacity)).rounded() / 10
    let verdict = after >= decision.targetBytes ? "enough" : "not enough"
    return Prose.paragraph(
      "Then available: \(decision.availableBytes) + \(freed) = \(after) B, "
        + "\(NumberText.real(share)) % of RAM; \(verdict) to stop at \(decision.targetBytes) B.",
      style)
  }

  /// Losses and relaunches that followed from it.
  private var consequences: String {
    var text = ""
    for event in found.events where event.kind == .loss {
      text += "  \(name(event.app)) lost \(lost(event)): "
      text += "\(event.lossClass?.name ?? ""); noticed: \(event.noticed?.name ?? "no")\n"
    }
    for candidate in decision.candidates where candidate.isChosen {
      text += "  \(name(candidate.app)) \(nextLaunch(of: candidate.app))\n"
    }
    return text
  }

  /// What a `loss` row says is gone.
  private func lost(_ event: EventRecord) -> String {
    if event.message == .position { return "its position, but no data" }
    let (work, bytes) = (event.workNanoseconds ?? 0, event.bytes ?? 0)
    guard work > 0 || bytes > 0 else { return "nothing that a server does not have" }
    return Prose.lost(workNanoseconds: work, bytes: bytes)
  }

  private func nextLaunch(of app: AppIndex) -> String {
    guard let next = found.returns[app] else { return "was not opened again before the end" }
    let gap = HumanText.duration(nanoseconds: next - decision.timeNanoseconds)
    return "was opened again \(gap) later, at \(HumanText.duration(nanoseconds: next))"
  }

  private func name(_ app: AppIndex) -> String { TextStyle.clean(trace.apps[app.position]) }
}
