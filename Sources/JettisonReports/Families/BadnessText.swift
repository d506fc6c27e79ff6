internal import JettisonCore

/// A decision of the Linux kernel: the points of all, and with which `oom_score_adj` another would
/// have died.
struct BadnessText {
  private let decision: DecisionRecord
  private let configuration: RunConfiguration
  private let apps: [String]
  private let style: TextStyle
  private let totalPages: Int64
  /// What those pages are.
  private let ofWhat: String

  /// Takes a decision in which `linux-oom` gave the scores.
  init(
    _ decision: DecisionRecord, _ configuration: RunConfiguration, apps: [String],
    _ style: TextStyle
  ) {
    self.decision = decision
    self.configuration = configuration
    self.apps = apps
    self.style = style
    let device = configuration.device
    let total = device.pressureParameters.linux.totalBytes
    let (ram, swap) = (device.ramBytes, device.swapBytes(under: .linux))
    totalPages =
      total > 0 ? total / device.pageBytes : ram / device.pageBytes + swap / device.pageBytes
    ofWhat = total > 0 ? "the group's limit" : "RAM and swap"
  }

  /// The table and what follows from it, as lines each ended.
  var rendered: String {
    guard let victim = decision.candidates.first(where: \.isChosen) else { return "" }
    var text = Prose.paragraph(
      "The kernel's points, of \(totalPages) pages of \(ofWhat); a step of adj is \(step) pages",
      style)
    var table = TextTable([
      .init("rank", .right), .init("app", .left), .init("points", .right),
      .init("printed", .right), .init("adj", .right), .init("would have died", .left),
    ])
    for (place, candidate) in decision.candidates.enumerated() {
      let points = Self.points(candidate)
      table.add([
        .init("\(place + 1)"), .init(apps[candidate.app.position]), .init("\(points)"),
        .init("\(printed(points))"), .init("\(adjustment(candidate))"),
        .init(candidate.app == victim.app ? "died" : wish(candidate, instead: victim)),
      ])
    }
    text += table.rendered(style)
    for sentence in [spared(victim), askers(victim)] where !sentence.isEmpty {
      text += Prose.paragraph(sentence, style)
    }
    return text
  }

  /// Pages that one more of `oom_score_adj` is worth.
  private var step: Int64 { totalPages / 1000 }

  private static func points(_ candidate: CandidateRecord) -> Int64 {
    // Scores of the kernel are whole and far smaller than what a double holds.
    Int64(exactly: (-candidate.score).rounded()) ?? 0
  }

  /// The score that the kernel prints with a victim.
  private func printed(_ points: Int64) -> Int64 {
    max(0, totalPages > 0 ? points * 1000 / totalPages : 0)
  }

  private func adjustment(_ candidate: CandidateRecord) -> Int64 { Int64(candidate.band ?? 0) }

  /// From which `adj` on a candidate has more points than the victim.
  private func wish(_ candidate: CandidateRecord, instead victim: CandidateRecord) -> String {
    guard step > 0 else { return "with no adj" }
    let missing = Self.points(victim) - Self.points(candidate)
    let needed = adjustment(candidate) + missing / step + 1
    return needed <= 1000 ? "with adj \(needed)" : "with no adj"
  }

  /// Up to which `adj` another would have died in the victim's place.
  private func spared(_ victim: CandidateRecord) -> String {
    guard let next = decision.candidates.first(where: { !$0.isChosen }) else { return "" }
    let lead = Self.points(victim) - Self.points(next)
    let name = TextStyle.clean(apps[victim.app.position])
    let other = TextStyle.clean(apps[next.app.position])
    let limit = step > 0 && lead >= 0 ? adjustment(victim) - lead / step - 1 : .min
    return limit > -1000
      ? "\(name) would have lived with adj \(limit) or less, and \(other) died."
      : "\(name) would have lived with adj -1000 only, and \(other) died."
  }

  /// Why who ran, and may have asked for the memory, did not die for it.
  private func askers(_ victim: CandidateRecord) -> String {
    guard !configuration.device.pressureParameters.linux.killsAllocatingTask else { return "" }
    let running = decision.candidates.filter { $0.state != .suspended }
    if running.count == 1, running[0].app == victim.app {
      return "It is the one that ran and asked for memory, but it died for its points: the kernel "
        + "does not look at who asks."
    }
    return running.prefix(3).filter { $0.app != victim.app }.map { candidate in
      "\(TextStyle.clean(apps[candidate.app.position])) ran, and may have asked for the memory; "
        + "it has \(Self.points(candidate)) points, "
        + "\(Self.points(victim) - Self.points(candidate)) fewer, and the kernel does not look at "
        + "who asks (oom.kill-allocating-task is off)."
    }.joined(separator: " ")
  }
}
