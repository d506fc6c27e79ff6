internal import JettisonCore
internal import JettisonTraces

extension RunPlanner {
  /// Modifiers and options about who may go that cannot act on a trace.
  func noteIdleChoices(
    _ configuration: RunConfiguration, _ loaded: LoadedTrace, _ plan: inout RunPlan
  ) {
    let apps = loaded.trace.apps
    let spared = configuration.protectRecentCount
    if spared >= apps.count, spared > 0 {
      plan.note(
        "\(asked.name(of: .protectRecent)) \(spared) spares all \(apps.count) apps: no app can be purged",
        of: loaded.path)
    }
    for policy in plan.policies {
      for sentence in IdleModifiers(policy).sentences(apps, configuration) {
        plan.note(sentence, of: loaded.path)
      }
    }
  }

  /// A capture of a larger device says that its system alone has more than this one.
  func noteSystemMemory(
    _ configuration: RunConfiguration, _ loaded: LoadedTrace, _ plan: inout RunPlan
  ) {
    guard !configuration.pressure.isTextbook else { return }
    let ram = configuration.device.ramBytes
    var isTooMuch = false
    loaded.trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count {
        let event = events[position]
        if event.kind == .systemMemory, event.value >= ram { isTooMuch = true }
      }
    }
    guard isTooMuch else { return }
    plan.note(
      "the system of the trace has more memory than '\(configuration.device.name)' at all, so that "
        + "nothing is left for apps (choose a device as large as the captured one with "
        + "\(asked.name(of: .device)), or \(asked.name(of: .memory)))",
      of: loaded.path)
  }

  func noteWarmUp(
    _ configuration: RunConfiguration, _ loaded: LoadedTrace, _ plan: inout RunPlan
  ) {
    guard configuration.warmUpNanoseconds > 0,
      configuration.warmUpNanoseconds >= loaded.trace.index.endNanoseconds
    else { return }
    plan.note("the trace ends within the warm-up, so nothing of it counts", of: loaded.path)
  }
}
