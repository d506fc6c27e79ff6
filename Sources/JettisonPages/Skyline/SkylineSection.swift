import JettisonCore
import JettisonReports
import JettisonSupport

/// The part of a page that shows one run: a switch of days, and each day with its picture, its ends
/// and its decisions.
struct SkylineSection {
  let run: SkylineRun
  let record: RunRecord
  /// Place among the sections of the page, from 1.
  private let number: Int
  private let scene: SkylineScene
  private let rules: DecisionRules
  /// The costliest decision of the costliest run, with what its policy made the scores of.
  private let takenApart: (number: Int, terms: ScoreTerms)?

  /// Takes a run and its place among the sections of the page, from 1.
  init(_ run: SkylineRun, _ record: RunRecord, number: Int) {
    self.run = run
    self.record = record
    self.number = number
    scene = run.scene(record.configuration, prefix: "run\(number)-")
    rules = DecisionRules(record.configuration, run.policy)
    takenApart =
      number == 1 && rules.tellTerms ? Self.takenApart(run, record.configuration) : nil
  }

  /// The section: pictures as markup, and what they show as data.
  ///
  /// - Parameter label: What tells the runs of the page apart.
  func section(_ label: RunLabel) -> PageSection {
    var (body, data) = (MarkupWriter(), MarkupWriter())
    write(to: &body)
    data.array("{\"apps\":[", run.apps) { name, out in out.quoted(name) }
    data.array(",\"days\":[", run.days) { day, out in day.writeJSON(run.marks, to: &out) }
    data.markup("}")
    let heading =
      "\(PageText.name(run.key.trace)) under \(PageText.name(run.key.policy)) on "
      + "\(PageText.name(run.key.device)) with \(PageFacts.memory(of: record))"
      + label.seed(of: run.key)
    return PageSection(
      id: "skyline-\(number)", heading: heading, link: label.link(to: run.key),
      lead: [Self.howToRead] + [reasonOfNoDecision, droppedDays].compactMap { $0 },
      body: Markup(body), data: .json(data.bytes))
  }

  private static let howToRead =
    "Memory over time: at the bottom the system, then the app in front, then apps in the background, "
    + "then suspended ones, on top whom the policy would end first. Point at a mark, or move to it "
    + "with Tab and arrows, for its story; follow it to the decision."

  /// That days were let go of, if any were.
  private var droppedDays: String? {
    run.droppedDays == 0
      ? nil
      : "\(Prose.counted(run.days.count, "day")) of \(run.days.count + run.droppedDays) are shown: "
        + "those that cost most, and of equals the first."
  }

  private func write(to out: inout MarkupWriter) {
    let open = run.days.max(by: SkylineDay.isCheaper)?.number
    if run.days.count > 1 { writeSwitch(to: &out, open: open) }
    out.append(Self.legend)
    for day in run.days { write(day, isOpen: day.number == open, to: &out) }
  }

  /// Why there is no decision to show; nil: there is one, if only on a day that is not shown.
  private var reasonOfNoDecision: String? {
    guard run.tally.decisions == 0 else { return nil }
    let available =
      run.tally.leastAvailableBytes.map {
        "never less than \(scene.size($0)) of \(scene.size(scene.memoryBytes))"
      } ?? "not measured, for no app ran"
    let ended = run.tally.systemEnds
    let others =
      ended > 0
      ? " The system ended apps \(Prose.counted(ended, "time")) for other reasons than a shortage of "
        + "memory." : ""
    return "No decision was made, so there is none to show: the pressure model "
      + "'\(record.configuration.pressure.rawValue)' never asked for a victim. Available memory was "
      + "\(available).\(others) Less memory (--memory) brings decisions about."
  }

  private func id(of day: SkylineDay) -> String { "\(scene.prefix)day-\(day.number)" }

  private func writeSwitch(to out: inout MarkupWriter, open: Int?) {
    out.markup("<nav class=\"days\" aria-label=\"Days\" hidden><ul>")
    for day in run.days {
      out.markup("<li><a")
      out.attribute("href", "#\(id(of: day))")
      if day.number == open { out.markup(" aria-current=\"true\"") }
      out.markup("><b>")
      out.text(run.title(of: day))
      out.markup("</b> <span>")
      out.text(sum(of: day))
      out.markup("</span></a></li>")
    }
    out.markup("</ul></nav>")
  }

  /// `16 ends, 1 min 3 s lost, 2 s lost unnoticed`.
  private func sum(of day: SkylineDay) -> String {
    func text(_ loss: SkylineDay.Sum) -> String {
      HumanText.lost(workNanoseconds: loss.workNanoseconds, bytes: loss.bytes)
    }
    var parts = [Prose.counted(day.systemEnds, "end")]
    if !day.noticedLoss.isNothing { parts.append("\(text(day.noticedLoss)) lost") }
    if !day.unnoticedLoss.isNothing { parts.append("\(text(day.unnoticedLoss)) lost unnoticed") }
    return parts.joined(separator: ", ")
  }

  private func write(_ day: SkylineDay, isOpen: Bool, to out: inout MarkupWriter) {
    out.markup("<details class=\"day\"")
    if isOpen { out.markup(" open") }
    out.markup("><summary>")
    let title = "\(run.title(of: day)): \(sum(of: day))"
    out.text(title)
    out.markup("</summary><div")
    out.attribute("id", id(of: day))
    out.markup("><figure><div class=\"scroll\" tabindex=\"0\" role=\"region\"")
    out.attribute("aria-label", "Skyline, \(title)")
    out.markup(">")
    var drawing = SkylineDrawing(day, scene)
    out.append(drawing.drawn(title: "Skyline, \(title)"))
    out.markup("</div></figure>")
    for sentence in remarks(day, drawing) { out.paragraph(sentence) }
    writeEnds(of: day, to: &out)
    writeDecisions(of: day, to: &out)
    out.markup("</div></details>")
  }

  /// What the picture omits.
  private func remarks(_ day: SkylineDay, _ drawing: SkylineDrawing) -> [String] {
    let (thinning, bin) = (day.thinning, HumanText.duration(nanoseconds: day.binNanoseconds))
    var remarks: [String] = []
    if thinning.footprints > 0 || thinning.states > 0 {
      let isCoarse = day.binNanoseconds > run.finestBinNanoseconds
      remarks.append(
        (isCoarse ? "Drawn coarser than the day that cost most" : "Thinned to what can be seen")
          + ": of every \(bin) the moments with least and most available "
          + "memory and the last are drawn, and three changes of an app's state. That leaves out "
          + "\(Prose.counted(thinning.footprints, "footprint")) and "
          + "\(Prose.counted(thinning.states, "change")) of state or level.")
    }
    if thinning.ends > 0 {
      remarks.append(
        "The first \(day.ends.count) ends are shown; \(thinning.ends) more are not.")
    }
    if thinning.decisions > 0 {
      remarks.append(
        "The \(day.toldDecisions.count) costliest decisions are shown; \(thinning.decisions) more "
          + "are not: 'jettison explain --decision N' shows any.")
    }
    if drawing.hiddenLanes > 0 {
      remarks.append(
        "\(Prose.counted(drawing.hiddenLanes, "app")) that were in front least have no lane.")
    }
    return remarks
  }

  /// Asks the policy, which takes another replay.
  private static func takenApart(
    _ run: SkylineRun, _ configuration: RunConfiguration
  ) -> (number: Int, terms: ScoreTerms)? {
    let decisions = run.days.flatMap { day in
      day.decisions.filter { day.toldDecisions.contains($0.number) }
    }
    guard
      let costliest = decisions.max(by: { SkylineDetail.cost($0) < SkylineDetail.cost($1) }),
      let explanation = try? run.policy.explain(
        run.trace, configuration, decision: costliest.number, alternatives: [])
    else { return nil }
    return ScoreTerms(explanation, costliest).map { (costliest.number, $0) }
  }

  // MARK: Ends and decisions

  private func writeEnds(of day: SkylineDay, to out: inout MarkupWriter) {
    let ends = day.ends.filter(\.isBySystem)
    guard !ends.isEmpty else { return out.paragraph("The system ended no app on this day.") }
    out.markup("<details class=\"ends\"><summary>")
    out.text("What the system ended: \(Prose.counted(ends.count, "end"))")
    out.markup("</summary><ul>")
    for end in ends {
      out.markup("<li>")
      out.text(scene.story(end))
      out.markup("</li>")
    }
    out.markup("</ul></details>")
  }

  private func writeDecisions(of day: SkylineDay, to out: inout MarkupWriter) {
    guard !day.toldDecisions.isEmpty else { return }
    var ends: [Int: [SkylineDay.End]] = [:]
    for end in day.ends {
      if let decision = end.decision { ends[decision, default: []].append(end) }
    }
    out.markup("<div class=\"decisions\"><h3>Decisions</h3>")
    for sentence in [rules.pressure] + rules.scores { out.paragraph(sentence) }
    if let takenApart {
      out.paragraph(
        "What the policy makes its scores of is shown for decision \(takenApart.number), which cost "
          + "most; 'jettison explain --decision N' shows it for any.")
    }
    for decision in day.decisions where day.toldDecisions.contains(decision.number) {
      DecisionPanel(
        decision: decision, scene: scene, rules: rules,
        terms: decision.number == takenApart?.number ? takenApart?.terms : nil,
        ends: ends[decision.number] ?? []
      ).write(to: &out)
    }
    out.markup("</div>")
  }
}
