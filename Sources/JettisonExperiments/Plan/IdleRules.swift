package import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// Modifiers that cannot change anything on a trace.
struct IdleModifiers {
  private let policy: PlannedPolicy
  private var modifiers: PolicyModifiers { policy.spec.modifiers }

  init(_ policy: PlannedPolicy) {
    self.policy = policy
  }

  /// Names and globs of `+protect` that match no app of any trace.
  func unmatched(_ traces: [LoadedTrace]) -> [String] {
    modifiers.protected.filter { text in
      let glob = NameGlob(text)
      return !traces.contains { $0.trace.apps.contains { glob.matches($0) } }
    }
    .map { "policy '\(policy.name)': +protect=\($0) matches no app" }
  }

  /// What does nothing on one trace.
  func sentences(_ apps: [String], _ configuration: RunConfiguration) -> [String] {
    [protect(apps), recent(apps.count), until(configuration), unit(apps, configuration)].compactMap
    {
      $0.map { "policy '\(policy.name)': \($0)" }
    }
  }

  private func protect(_ apps: [String]) -> String? {
    guard !modifiers.protected.isEmpty, apps.allSatisfy(modifiers.protects) else { return nil }
    return "+protect spares every app: no app can be purged"
  }

  private func recent(_ appCount: Int) -> String? {
    guard modifiers.recentCount >= appCount, modifiers.recentCount > 0 else { return nil }
    return "+recent=\(modifiers.recentCount) spares all \(appCount) apps: no app can be purged"
  }

  private func until(_ configuration: RunConfiguration) -> String? {
    guard let percent = modifiers.untilPercent,
      let own = configuration.pressure.text.untilPercent(configuration.device.thresholds),
      percent <= own
    else { return nil }
    return "+until=\(NumberText.real(percent))% does nothing: the pressure model "
      + "'\(configuration.pressure.rawValue)' goes on until \(NumberText.real(own)) % by itself"
  }

  private func unit(_ apps: [String], _ configuration: RunConfiguration) -> String? {
    switch modifiers.unit {
    case .process: return nil
    case .app:
      guard Set(apps.map(KillUnits.app)).count == apps.count else { return nil }
      return "+unit=app does nothing: every app has one process"
    case .group:
      guard Set(configuration.groups).count == configuration.groups.count else { return nil }
      return "+unit=group does nothing: no two apps share a group"
    }
  }
}

extension RunPlan {
  /// Devices and memory sizes on which no run made a decision, each with how short memory ever got.
  ///
  /// - Parameters:
  ///   - results: Results of runs that went through, by position in the plan.
  ///   - made: The runs that were made; nil: all.
  package func blocksWithoutDecisions(
    _ results: [Int: RunResult], of made: Set<Int>? = nil
  ) -> [String] {
    blocks.indices.compactMap { block in
      let ofBlock = runs.indices.filter { runs[$0].block == block && made?.contains($0) != false }
      let finished = ofBlock.compactMap { results[$0] }
      guard let first = ofBlock.first, !finished.isEmpty, finished.count == ofBlock.count,
        finished.allSatisfy({ $0.system.decisions == 0 })
      else { return nil }
      let least = finished.map(\.system.availableBytesLeast).min() ?? .max
      return sentence(blocks[block], runs[first].configuration, least: least)
    }
  }

  private func sentence(
    _ block: Block, _ configuration: RunConfiguration, least: Int64
  ) -> String {
    let memory =
      configuration.capacityApps.map { HumanText.counted(Double($0), "app") }
      ?? HumanText.size(bytes: block.memoryBytes)
    let ram = Double(configuration.device.ramBytes)
    let figure =
      "least: \(NumberText.real((1000 * Double(least) / ram).rounded() / 10)) %, "
      + HumanText.size(bytes: least)
    return "no run on '\(block.device)' with \(memory) made a decision: "
      + configuration.pressure.text.noDecision(configuration, least: figure)
  }
}
