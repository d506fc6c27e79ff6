import JettisonCore
import JettisonReports
import JettisonSupport

/// What a device's users lose and wait for at each memory size, a line per policy, and how much
/// memory is enough.
struct RAMCurve {
  /// Losses per user-week that the table asks for; the sentence asks for the third.
  private static let limits: [Double] = [10, 3, 1, 0.3]
  private static let askedLimit = 2
  private static let losses = ComparisonGroup.metric("system_losses_noticed")

  let device: String
  /// By memory, the smallest first.
  private let groups: [ComparisonGroup]
  /// Sizes that are not shown because runs failed.
  private let failed: [String]
  private let gates: [ClearedGate]
  /// The policies that have a line: the baseline first.
  let policies: [String]
  private let answers: [String: [EnoughMemory.Answer]]

  /// A condition of `--fail-if`, and from which memory size on no run meets it.
  private struct ClearedGate {
    var text: String
    /// nil: some run meets it even at the largest.
    var memoryBytes: Int64?
    /// The size in words.
    var memory = ""

    var sentence: String {
      memoryBytes == nil
        ? "At every size tried some run meets '\(text)'."
        : "From \(memory) on no run meets '\(text)'."
    }
  }

  /// Takes the groups of one device; nil unless they differ in memory.
  init?(_ groups: [ComparisonGroup], gates: [MetricGate], runs: [RunRecord]) {
    guard let first = groups.first, Set(groups.map(\.memoryBytes)).count == groups.count,
      groups.count > 1
    else { return nil }
    let most = groups.map(\.figures.userCount).max()
    let whole = groups.filter { $0.figures.userCount == most && $0.hasFigures }
      .sorted { $0.memoryBytes < $1.memoryBytes }
    guard whole.count > 1 else { return nil }
    // Where a user's runs failed, means would be those of others.
    failed = groups.filter { group in !whole.contains { $0.memoryBytes == group.memoryBytes } }
      .map(\.memory)
    let groups = whole
    self.groups = groups
    device = first.device
    let own = runs.filter { $0.key.device == first.device }
    self.gates = gates.map { Self.cleared($0, groups, own) }
    policies = Self.chosen(groups)
    answers =
      first.figures.isPerDay
      ? Dictionary(
        uniqueKeysWithValues: policies.map { policy in
          let values = groups.map { group in
            group.figures.values(Self.losses, policy).map { $0.map { $0 * 7 } }
          }
          return (policy, EnoughMemory(values).answers(Self.limits))
        }) : [:]
  }

  /// The baseline, then what loses least over all sizes; of oracles the best alone.
  private static func chosen(_ groups: [ComparisonGroup]) -> [String] {
    let first = groups[0]
    func lost(_ policy: String) -> Double {
      groups.reduce(0) { $0 + ($1.mean(ComparisonGroup.work, policy) ?? .infinity) }
    }
    let others = first.figures.policies.filter { $0 != first.baseline }
    let order = others.indices.sorted { (lost(others[$0]), $0) < (lost(others[$1]), $1) }
      .map { others[$0] }
    let real = order.filter { !first.view.oracles.contains($0) }
    let oracle = order.first { first.view.oracles.contains($0) }
    let room = RAMFigure.mostLines - 1 - (oracle == nil ? 0 : 1)
    return [first.baseline] + real.prefix(room) + [oracle].compactMap { $0 }
  }

  private static func cleared(
    _ gate: MetricGate, _ groups: [ComparisonGroup], _ runs: [RunRecord]
  ) -> ClearedGate {
    let met = Set(MetGate.all([gate], in: runs).map(\.key.memoryBytes))
    let clear = groups.reversed().prefix { !met.contains($0.memoryBytes) }.last
    return ClearedGate(
      text: gate.text, memoryBytes: clear?.memoryBytes, memory: clear.map(memory) ?? "")
  }

  // MARK: Words

  private var isPerDay: Bool { groups[0].figures.isPerDay }

  private func memory(_ place: Int) -> String {
    Self.memory(groups[place])
  }

  private static func memory(_ group: ComparisonGroup) -> String {
    RAMFigure.exact(group.memoryBytes, countsApps: group.countsApps)
  }

  /// What memory is called.
  private var noun: String { groups[0].countsApps ? "capacity" : "RAM" }

  /// `1408 MiB (960 MiB to 2 GiB)`.
  private func text(_ answer: EnoughMemory.Answer) -> String {
    let found = size(at: answer.place ?? groups.count)
    return interval(answer).map { "\(found) (\($0))" } ?? found
  }

  private func interval(_ answer: EnoughMemory.Answer) -> String? {
    answer.interval.map { interval in
      let low = (interval.lowerBound == 0 ? "≤ " : "") + size(at: interval.lowerBound)
      return interval.lowerBound == interval.upperBound
        ? low : "\(low) to \(size(at: interval.upperBound))"
    }
  }

  /// The same in a sentence.
  private static func spoken(_ text: String) -> String {
    text.replacing("> ", with: "more than ").replacing("≤ ", with: "at most ")
  }

  /// A size tried; behind them, that none is enough.
  private func size(at place: Int) -> String {
    place < groups.count ? memory(place) : "> \(memory(groups.count - 1))"
  }

  /// The smallest memory for at most one loss per user-week, under the policy that needs least.
  var sentence: String? {
    guard isPerDay else { return nil }
    let real = policies.filter { !groups[0].view.oracles.contains($0) }
    let asked = real.compactMap { answers[$0]?[Self.askedLimit] }
    // Of those that need as little, the one that is surest of it.
    let ends = asked.map {
      [$0.place ?? groups.count, $0.interval?.upperBound ?? 0, $0.interval?.lowerBound ?? 0]
    }
    guard let number = ends.indices.min(by: { ends[$0].lexicographicallyPrecedes(ends[$1]) }),
      asked.count == real.count
    else { return nil }
    let answer = asked[number]
    let limit = "1 loss per user-week"
    let users = HumanText.counted(Double(groups[0].figures.userCount), "user")
    guard let least = answer.place else {
      return
        "On \(device), no \(noun == "RAM" ? "memory size" : "capacity") tried, up to \(memory(groups.count - 1)), keeps losses at "
        + "or below \(limit) under any of these policies."
    }
    let evidence =
      interval(answer).map { "95 % interval \(Self.spoken($0)), \(users)" }
      ?? "\(users), too few for an interval"
    var sentence =
      "On \(device), the smallest \(noun) tried for at most \(limit) is \(memory(least)) under "
      + "\(PageText.name(real[number])) (\(evidence))"
    if let beyond = groups[least].beyondMemoryWords(real[number]) { sentence += ", \(beyond)" }
    if real[number] != real[0], let baseline = answers[real[0]]?[Self.askedLimit] {
      sentence += "; under \(PageText.name(real[0])) it is \(Self.spoken(text(baseline)))"
    }
    return sentence + "."
  }

  // MARK: Figures

  private func curves(_ metric: Metric, scale: Double) -> [RAMFigure.Curve] {
    policies.map { policy in
      let isOracle = groups[0].view.oracles.contains(policy)
      var curve = RAMFigure.Curve(name: policy, remark: isOracle ? " (sees the future)" : "")
      for group in groups {
        guard let figure = group.mean(metric, policy) else { continue }
        curve.points.append(
          RAMFigure.Point(
            memoryBytes: group.memoryBytes, mean: figure * scale,
            interval: isPerDay
              ? Self.interval(of: group.figures.values(metric, policy), scale) : nil))
      }
      return curve
    }
  }

  /// The interval of the mean over users; nil where they are too few or hardly differ.
  private static func interval(of values: [Double]?, _ scale: Double) -> ClosedRange<Double>? {
    guard let values, values.count >= UserMetricTable.usersForInterval,
      let interval = PairedInterval(values.map { $0 * scale })
    else { return nil }
    // A loss is never below zero.
    return max(0, interval.low)...max(0, interval.high)
  }

  // MARK: Whole

  func section(_ number: Int) -> PageSection {
    let losses = curves(Self.losses, scale: isPerDay ? 7 : 1)
    let relaunches = curves(ComparedPolicy.relaunches, scale: 1)
    let week = isPerDay ? " per user-week" : " in all"
    let day = isPerDay ? " per user-day" : " in all"
    let limits = gates.compactMap { gate in
      gate.memoryBytes.map { RAMFigure.Limit(memoryBytes: $0, words: gate.sentence) }
    }
    let hasIntervals = losses.contains { $0.points.contains { $0.interval != nil } }
    let shading = hasIntervals ? "; shaded: the 95 % interval of the mean over users" : ""
    let figures = [
      RAMFigure(
        metric: Self.losses,
        caption: "Losses against \(noun), on a scale of powers of ten\(shading).",
        title: "losses noticed\(week)", curves: losses, limits: limits,
        countsApps: groups[0].countsApps),
      RAMFigure(
        metric: ComparedPolicy.relaunches,
        caption: "Relaunches of ended apps against \(noun), likewise.",
        title: "relaunches\(day)", curves: relaunches, limits: limits,
        countsApps: groups[0].countsApps),
    ]
    let body =
      Markup("div", ["class": "beside even"], figures.map(\.markup).joined()) + table
    return PageSection(
      id: "ram-\(number)", heading: "How much \(noun) is enough on \(PageText.name(device))",
      link: "\(noun == "RAM" ? "RAM" : "Capacity") on \(PageText.name(device, longest: 40))",
      lead: lead, body: body,
      data: data(losses, relaunches))
  }

  private var lead: [String] {
    let rest = groups[0].figures.policies.count - policies.count
    let omitted =
      rest > 0 ? ["The figures have \(policies.count) policies; the files have all."] : []
    let failures =
      failed.isEmpty
      ? [] : ["Not shown because runs failed: \(failed.joined(separator: ", "))."]
    return [sentence].compactMap { $0 } + gates.map(\.sentence) + omitted + failures
  }

  private var table: Markup {
    guard isPerDay else { return Markup() }
    var table = PageTable(
      "The smallest \(noun) for at most so many losses per user-week",
      [.words("smallest \(noun) for at most")]
        + Self.limits.map { .figures("\(HumanText.figure($0)) per user-week") })
    for policy in policies {
      let own = answers[policy] ?? []
      table.add(
        [.name(policy)]
          + own.map { answer in
            .figure(answer.place.map { Double(groups[$0].memoryBytes) }, text: text(answer))
          })
    }
    return table.markup
  }

  private func data(
    _ losses: [RAMFigure.Curve], _ relaunches: [RAMFigure.Curve]
  ) -> PageData {
    return .object([
      ("device", .text(device)),
      ("limits_per_user_week", .array(Self.limits.map { .real($0) })),
      (
        "policies",
        .array(
          zip(losses, relaunches).map { loss, relaunch in
            .object([
              ("policy", .text(loss.name)), ("losses_per_user_week", loss.data),
              ("relaunches_per_user_day", relaunch.data),
              (
                "smallest_memory_bytes",
                .array(
                  (answers[loss.name] ?? []).map { answer in
                    .cell(ReportCell(answer.place.map { groups[$0].memoryBytes }))
                  })
              ),
            ])
          })
      ),
      (
        "gates",
        .array(
          gates.map {
            .object([("gate", .text($0.text)), ("memory_bytes", .cell(ReportCell($0.memoryBytes)))])
          })
      ),
    ])
  }
}

extension ComparisonGroup {
  /// Whether some policy went through for all users.
  fileprivate var hasFigures: Bool {
    figures.policies.contains { mean(Self.work, $0) != nil }
  }
}
