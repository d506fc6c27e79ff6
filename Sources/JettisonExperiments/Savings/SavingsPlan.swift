internal import JettisonCore
package import JettisonTraces

extension RunPlan {
  /// The runs of this plan with one app, each under several habits of it: the habits stand in the
  /// place of the policies, so that everything that compares policies compares them.
  ///
  /// Only when and where the app saves differs. Runs of traces without the app are skipped.
  ///
  /// - Parameters:
  ///   - habits: The habits.
  ///   - app: Whose.
  /// - Precondition: The plan has one policy.
  package func under(
    _ habits: [SavingHabit], of app: String
  ) throws(TraceError) -> RunPlan {
    precondition(policies.count == 1, "habits are compared under one policy")
    let changes = try habits.map { (habit) throws(TraceError) in try habit.changes(of: app) }
    var plan = self
    plan.policies = habits.map { PlannedPolicy(name: $0.name, spec: policies[0].spec) }
    plan.runs = []
    for cell in runs.indices.filter({ runs[$0].firstOfCell == $0 }) {
      let trace = traces[runs[cell].trace].trace
      guard let position = trace.apps.firstIndex(of: app) else { continue }
      let seeds = runs[cell...].prefix { $0.firstOfCell == cell }
      for (habit, changes) in changes.enumerated() {
        let first = plan.runs.count
        let catalog = try runs[cell].catalog.catalog.applying(changes)
        let saving = catalog.profileSavingAsWritten(
          trace, AppIndex(position), on: runs[cell].configuration.device)
        for var run in seeds {
          run.policy = habit
          run.firstOfCell = first
          run.configuration.spareArenas(for: trace)
          if !changes.isEmpty {
            run.configuration.profiles[position].save(as: saving)
          }
          plan.runs.append(run)
        }
      }
    }
    return plan
  }
}

extension AppProfile {
  /// Takes over when and where another profile saves.
  fileprivate mutating func save(as other: AppProfile) {
    saveTriggers = other.saveTriggers
    saveTimerNanoseconds = other.saveTimerNanoseconds
    saveThread = other.saveThread
    modelsSaves = other.modelsSaves
  }
}

extension RunConfiguration {
  /// Declares footprints where arenas would come to the same: they differ by the pages of single
  /// allocations, and savings don't depend on arenas.
  fileprivate mutating func spareArenas(for trace: Trace) {
    let allocates = [EventKind.alloc, .realloc].contains {
      trace.index.kindCounts[Int($0.rawValue)] > 0
    }
    if !allocates, !checksArenas { footprints = .declared }
  }
}
