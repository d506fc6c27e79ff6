import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments
@testable import JettisonReports

@Suite("Savings: one app under many saving habits")
struct SavingsTests {
  private func loaded(_ text: TraceText, name: String = "t") throws -> LoadedTrace {
    let trace = try text.trace(name: name)
    return LoadedTrace(path: name, trace: trace, catalog: try Catalog(for: trace, at: name))
  }

  private func plan(
    _ traces: [LoadedTrace], _ given: [(SpecificationText.Key, [String])] = []
  ) throws -> RunPlan {
    var options = SpecificationText()
    options.add(.device, "iphone-4")
    for (key, texts) in given { options.add(key, texts) }
    return try RunPlanner(options.specification(for: .replay)).plan(traces)
  }

  /// Notes is suspended at 10 s with four seconds of work unsaved, purged at 20 s and opened at 60 s.
  private static let draft = TraceText()
    .header(
      "apps: {notes: {category: notes, footprint: {launch: 60MB}, save: none}, "
        + "game: {category: large-game, footprint: {launch: 180MB}, edits: none}}"
    )
    .row(0, "notes", "launch").row(4, "notes", "edit", value: 2048, detail: "work_ms=4000")
    .row(9, "game", "launch").row(20, "game", "footprint", value: 300_000_000)
    .row(60, "notes", "launch")

  private func rows(
    _ app: String, in plan: RunPlan
  ) async throws -> [SavingsRow] {
    try await Savings(of: app, in: plan, jobs: 2).rows
  }

  @Test("The example, worked by hand")
  func workedExample() async throws {
    let rows = try await rows("notes", in: try plan([try loaded(Self.draft.end(70))]))
    #expect(rows.map(\.habit) == SavingHabit.all.map(\.name))
    // A timer of 10 s would be due as the app is suspended, and suspensions come first.
    let saving: Set = [
      "resign", "background", "background, task", "timer 5s", "every edit",
      "background+terminate", "background+timer 30s", "resign+timer 30s",
    ]
    for row in rows {
      let saves = saving.contains(row.habit) ? 1.0 : 0
      #expect(row.figures["saves"] == saves, "\(row.habit)")
      #expect(row.figures["written_bytes"] == 2048 * saves, "\(row.habit)")
      #expect(row.figures["system_losses_noticed"] == 1 - saves, "\(row.habit)")
      #expect(row.figures["system_lost_work_noticed_seconds"] == 4 * (1 - saves), "\(row.habit)")
      #expect(row.figures["launches"] == 2)
      #expect(row.losesNothing == (saves == 1))
    }
    #expect(rows.filter(\.isFrugal).map(\.habit) == ["resign"], "the first of equals")
    // A minute is no day: there is no rate that could be compared.
    #expect(rows.allSatisfy { $0.comparison == nil && $0.lostPerDay == nil })
  }

  @Test("A save too long for its handler shows, and a background task makes room for it")
  func slowSaves() async throws {
    let traces = [try loaded(Self.draft.end(70))]
    let rows = try await rows("notes", in: try plan(traces, [(.set, ["notes.save.fixed=8s"])]))
    func row(_ habit: String) throws -> SavingsRow {
      try #require(rows.first { $0.habit == habit })
    }
    #expect(try row("background").figures["saves_interrupted_window"] == 1)
    #expect(try row("background").figures["watchdog_terminations"] == 1)
    #expect(try row("background").figures["system_lost_work_noticed_seconds"] == 4)
    #expect(try row("background, task").figures["watchdog_terminations"] == 0)
    #expect(try row("background, task").losesNothing)
    #expect(try row("never").figures["saves_interrupted_window"] == 0)
  }

  @Test(
    "A run under a habit is the run that --set would make, with arenas or without",
    arguments: ["notes", "game"])
  func equalsSettings(app: String) async throws {
    // Modelled edits of both apps, a warning, several leaves.
    var text = TraceText().header(
      "apps: {notes: {category: notes, task: {save: yes}}, game: {category: casual-game}, "
        + "mail: {category: browser}}")
    for visit in 0..<12 {
      let start = Double(visit) * 300
      text = text.row(start, ["notes", "game", "mail"][visit % 3], "launch")
        .row(start + 95, "", "home")
    }
    let traces = [try loaded(text.end(4000))]
    for options: [(SpecificationText.Key, [String])] in [
      [], [(.policies, ["lru+saved"]), (.memory, ["400MiB"]), (.seeds, ["2"])],
    ] {
      let under = try plan(traces, options).under(SavingHabit.all, of: app)
      for (number, habit) in SavingHabit.all.enumerated() {
        let settings = habit.settings(of: app).map { "\($0.key)=\($0.text)" }
        let alone = try plan(traces, options + [(.set, settings)])
        let ours = under.runs.filter { $0.policy == number }
        #expect(ours.count == alone.runs.count)
        for (our, their) in zip(ours, alone.runs) {
          #expect(our.configuration.footprints == .declared)
          #expect(their.configuration.footprints == .arena)
          let spec = alone.policies[0].spec
          let (one, other) = (
            try spec.run(traces[0].trace, our.configuration),
            try spec.run(traces[0].trace, their.configuration)
          )
          #expect(one.apps == other.apps, "\(habit.name)")
          #expect(one.system == other.system, "\(habit.name)")
          if habit.name == "never" {
            let own = try #require(traces[0].trace.apps.firstIndex(of: app))
            #expect(one.apps[own].saves == 0)
          }
        }
      }
    }
  }

  @Test(
    "A recorded app is asked what if; its saves count only as captured, and other apps keep theirs")
  func recorded() throws {
    let traces = [
      try loaded(
        Self.draft.row(61, "notes", "save", value: 1).row(62, "game", "save", value: 1).end(70))
    ]
    let under = try plan(traces).under(SavingHabit.all, of: "notes")
    for run in under.runs {
      let isCaptured = under.policies[run.policy].name == SavingHabit.asCaptured.name
      let apps = traces[0].trace.apps
      let own = zip(apps, run.configuration.profiles).filter(\.1.modelsSaves).map(\.0)
      #expect(own == (isCaptured ? [] : ["notes"]))
    }
  }

  @Test("Only traces with the app are replayed, with every seed of a cell together")
  func tracesWithTheApp() throws {
    let traces = [
      try loaded(TraceText().row(0, "other", "launch").end(9), name: "without"),
      try loaded(Self.draft.end(70), name: "with"),
    ]
    let under = try plan(traces, [(.seeds, ["3"])]).under(SavingHabit.all, of: "notes")
    #expect(under.runs.count == 3 * SavingHabit.all.count)
    #expect(under.runs.allSatisfy { $0.trace == 1 })
    #expect(under.runs.indices.allSatisfy { under.runs[$0].firstOfCell == $0 / 3 * 3 })
    #expect(Set(under.runs.indices.map { under.key(of: $0) }).count == under.runs.count)
  }

  @Test("Twelve users: the mean of their rates, and the difference with its interval")
  func rates() async throws {
    let traces = try (1...12).map { user in
      try loaded(
        TraceText().header("user: u\(user)")
          .header(
            "apps: {notes: {category: notes, footprint: {launch: 60MB}, save: none}, "
              + "game: {category: large-game, footprint: {launch: 180MB}, edits: none}}"
          )
          .row(0, "notes", "launch")
          .row(4, "notes", "edit", value: 100, detail: "work_ms=\(user * 1000)")
          .row(9, "game", "launch").row(20, "game", "footprint", value: 300_000_000)
          .row(60, "notes", "launch").end(2 * 86_400), name: "u\(user)")
    }
    let rows = try await rows("notes", in: try plan(traces))
    // User k loses k seconds in two days: 78 s in 24 user-days.
    let never = try #require(rows.first { $0.habit == "never" })
    #expect(never.users == 12)
    #expect(never.figures["user_days"] == 24)
    #expect(never.figures["system_lost_work_noticed_seconds"] == 78)
    #expect(never.lostPerDay == 3.25)
    #expect(rows[0].lostPerDay == 3.25)
    let background = try #require(rows.first { $0.habit == "background" })
    #expect(background.lostPerDay == 0)
    #expect(background.comparison?.meanDifference == -3.25)
    #expect(background.comparison?.policyMean == 0)
    #expect(try #require(background.comparison?.high) < 0)
  }

  @Test("The order of jobs changes nothing, and the app's own figures agree with apps.csv")
  func ownFigures() async throws {
    let traces = [try loaded(Self.draft.end(70))]
    let plan = try plan(traces)
    let one = try await Savings(of: "game", in: plan, jobs: 1).rows
    let two = try await Savings(of: "game", in: plan, jobs: 4).rows
    #expect(one.map(\.figures) == two.map(\.figures))
    let result = try plan.policies[0].spec.run(
      traces[0].trace, plan.runs[0].configuration)
    let reader = MetricReader(result)
    let game = try #require(traces[0].trace.apps.firstIndex(of: "game"))
    for metric in SavingsRow.metrics where metric.scope == .runAndApp {
      #expect(
        one[0].figures[metric.name]
          == reader.value(of: metric, app: AppIndex(game)).number, "\(metric.name)")
    }
  }
  @Test("Of an app's losses the worst are listed, however much worse those of others are")
  func listedLosses() async throws {
    let text = TraceText()
      .header(
        "apps: {notes: {category: notes, footprint: {launch: 60MB}, save: none}, "
          + "mail: {category: messaging, footprint: {launch: 60MB}, save: none}, "
          + "game: {category: large-game, footprint: {launch: 180MB}, edits: none}}"
      )
      .row(0, "notes", "launch").row(4, "notes", "edit", value: 2048, detail: "work_ms=4000")
      .row(9, "mail", "launch").row(60, "mail", "edit", value: 2048, detail: "work_ms=40000")
      .row(65, "game", "launch").row(70, "game", "footprint", value: 500_000_000)
      .row(100, "notes", "launch").row(110, "mail", "launch")
    let plan = try plan([try loaded(text.end(120))])
    let rows = try await Savings(of: "notes", in: plan, listing: 1, jobs: 1).rows
    #expect(rows[0].figures["system_losses_noticed"] == 1)
    let losses = rows[0].runs.flatMap { $0.result?.worstLosses ?? [] }
    #expect(losses.map(\.workNanoseconds) == [4_000_000_000])
  }
}
