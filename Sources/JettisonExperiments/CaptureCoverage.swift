package import JettisonCore
package import JettisonTraces

/// What a replay needs of a capture as a whole, and where it comes from.
package struct CaptureCoverage: Sendable {
  /// One thing that a replay needs.
  package struct Need: Sendable, Equatable {
    /// What it is.
    package let name: String
    /// Where it comes from; several where it differs by app.
    package let sources: [Provenance]
    /// What of it the capture holds, and what a replay does about the rest.
    package let text: String
  }

  /// Everything, in the order of a replay: who runs, with how much memory, doing what, and what the
  /// real system did about it.
  package let needs: [Need]

  /// Looks at a trace and its apps as a device has them.
  ///
  /// - Complexity: O(events).
  package init(_ trace: Trace, _ apps: [ResolvedApp]) {
    let counts = CaptureCounts(trace)
    needs =
      Self.life(counts) + Self.memory(counts, apps) + Self.state(counts, apps)
      + Self.outcomes(counts)
  }

  // MARK: Who runs

  private static func life(_ counts: CaptureCounts) -> [Need] {
    let launches = counts[.launch]
    let leaves = counts.list([.home, .screen])
    return [
      row(
        "running at the start", counts.list([.present]),
        without: "every app begins with its first launch"),
      launches > 0
        ? Need(
          name: "launches", sources: [.observed],
          text: "\(counted(launches, "launch", "launches")) of "
            + counted(counts.launchedApps, "app"))
        : Need(name: "launches", sources: [.absent], text: "no app comes to the front"),
      leaves.isEmpty
        ? Need(
          name: "leaving the front", sources: [launches > 0 ? .derived : .absent],
          text: "at the next launch")
        : Need(
          name: "leaving the front", sources: [.observed],
          text: "\(leaves); else at the next launch"),
      row(
        "background time", counts.list([.taskBegin, .backgroundMode, .backgroundLaunch]),
        without: "apps are suspended when the device's delay is over"),
      row(
        "ends", counts.list([.quit, .exit, .crash, .update, .boot]),
        without: "apps end for memory only"),
    ]
  }

  // MARK: With how much memory

  private static func memory(_ counts: CaptureCounts, _ apps: [ResolvedApp]) -> [Need] {
    var footprints: [String] = []
    if counts.sampleCount > 0 {
      let derived = counts.derivedSampleCount
      footprints.append(
        counted(counts.sampleCount, "sample") + " of " + counted(counts.sampledApps, "app")
          + (derived == 0 ? "" : ", \(derived) of them derived"))
    }
    if counts.allocatedApps > 0 {
      footprints.append("by blocks for \(counted(counts.allocatedApps, "app"))")
    }
    let rest = bySource(.footprint, apps, without: [.observed, .derived])
    footprints += rest.map { "\($0.source.rawValue) for \(counted($0.count, "app"))" }
    return [
      Need(
        name: "footprints", sources: sources(.footprint, apps),
        text: footprints.joined(separator: "; ")),
      row(
        "allocations",
        counts[.alloc] == 0
          ? ""
          : "\(counted(counts[.alloc], "block")) of \(counted(counts.allocatingApps, "app"))",
        without: "footprints are moved as a whole"),
      row(
        "ranks (adj)", counts[.adj] == 0 ? "" : counted(counts[.adj], "row"),
        without: "the model gives them, where it has any"),
      counts[.systemMemory] > 0
        ? Need(
          name: "system memory", sources: [.observed],
          text: counted(counts[.systemMemory], "sample"))
        : Need(
          name: "system memory", sources: [.imputed], text: "the reserve of the device"),
    ]
  }

  // MARK: Doing what

  private static func state(_ counts: CaptureCounts, _ apps: [ResolvedApp]) -> [Need] {
    [
      need("edits", .edits, counts[.edit], "edit", apps),
      need("saves", .saves, counts[.save], "save", apps),
      need("launch latencies", .coldLaunch, counts[.observedLaunch], "launch", apps, "launches"),
    ]
  }

  // MARK: What the real system did

  private static func outcomes(_ counts: CaptureCounts) -> [Need] {
    let others = counts.observedExits - counts.kills
    let warnings = counts[.observedWarning]
    let command = ": see 'jettison validate'"
    return [
      row(
        "observed kills",
        counts.kills == 0
          ? ""
          : counted(counts.kills, "end") + " for memory"
            + (others == 0 ? "" : ", \(counted(others, "other"))") + command,
        without: others == 0
          ? "there is nothing to validate against"
          : "\(counted(others, "observed end")), none for memory"),
      row(
        "observed warnings", warnings == 0 ? "" : counted(warnings, "warning") + command,
        without: "there is nothing to validate against"),
      row(
        "available memory",
        counts[.observedAvailable] == 0
          ? "" : counted(counts[.observedAvailable], "sample") + "; a replay has its own",
        without: "a replay has its own"),
    ]
  }

  // MARK: Words

  /// Observed if there is something to tell of it.
  private static func row(_ name: String, _ text: String, without: String) -> Need {
    text.isEmpty
      ? Need(name: name, sources: [.absent], text: without)
      : Need(name: name, sources: [.observed], text: text)
  }

  private static func need(
    _ name: String, _ field: ResolvedApp.Field, _ count: Int, _ noun: String,
    _ apps: [ResolvedApp], _ nouns: String? = nil
  ) -> Need {
    let bySource = bySource(field, apps, without: [])
    var parts: [String] = []
    if count > 0 {
      let observed = bySource.first { $0.source == .observed }?.count ?? 0
      parts.append(
        counted(count, noun, nouns) + (observed == 0 ? "" : " of \(counted(observed, "app"))"))
    }
    for (source, count) in bySource where source != .observed {
      let word = source == .absent ? "none" : source.rawValue
      parts.append("\(word) for \(counted(count, "app"))")
    }
    return Need(
      name: name, sources: sources(field, apps), text: parts.joined(separator: "; "))
  }

  private static let order: [Provenance] = [.observed, .derived, .catalog, .imputed, .absent]

  private static func bySource(
    _ field: ResolvedApp.Field, _ apps: [ResolvedApp], without left: [Provenance]
  ) -> [(source: Provenance, count: Int)] {
    order.filter { !left.contains($0) }.compactMap { source in
      let count = apps.reduce(0) { $0 + ($1.provenance[field] == source ? 1 : 0) }
      return count == 0 ? nil : (source, count)
    }
  }

  private static func sources(
    _ field: ResolvedApp.Field, _ apps: [ResolvedApp]
  ) -> [Provenance] {
    let all = bySource(field, apps, without: []).map(\.source)
    // What some apps lack is told in words.
    return all.count > 1 ? all.filter { $0 != .absent } : all
  }

  private static func counted(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(nouns ?? noun + "s")"
  }
}

/// How many rows of what a capture holds.
private struct CaptureCounts {
  private let kinds: [Int]
  let launchedApps: Int
  let sampledApps: Int
  let allocatingApps: Int
  /// Apps with blocks and without samples.
  let allocatedApps: Int
  private(set) var sampleCount = 0
  private(set) var derivedSampleCount = 0
  private(set) var kills = 0

  var observedExits: Int { self[.observedExit] }

  init(_ trace: Trace) {
    kinds = trace.index.kindCounts
    func apps(with facts: TraceIndex.AppFacts) -> Int {
      trace.index.facts.reduce(0) { $0 + ($1.contains(facts) ? 1 : 0) }
    }
    launchedApps = apps(with: .launches)
    sampledApps = apps(with: .samples)
    allocatingApps = apps(with: .allocations)
    allocatedApps = trace.index.facts.reduce(0) {
      $0 + ($1.intersection(.memory) == .allocations ? 1 : 0)
    }
    var presentBytes = Array(repeating: Int64(-1), count: trace.apps.count)
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count {
        let event = events[position]
        switch event.kind {
        case .footprint:
          let isDerived = trace.details[Int(event.detail)].isDerived
          // Says of the figure of `present` that it is derived: one sample, not two.
          let isRepeat =
            isDerived && event.timeNanoseconds == 0
            && presentBytes[event.app.position] == event.value
          sampleCount += isRepeat ? 0 : 1
          derivedSampleCount += isDerived ? 1 : 0
        case .present where event.flags.contains(.hasValue):
          presentBytes[event.app.position] = event.value
          sampleCount += 1
        case .observedExit:
          kills += trace.details[Int(event.detail)].exitCause.isForMemory ? 1 : 0
        default: continue
        }
      }
    }
  }

  /// How many rows there are of each of some kinds: `2 home, 1 screen`.
  func list(_ kinds: [EventKind]) -> String {
    kinds.filter { self[$0] > 0 }.map { "\(self[$0]) \($0.name)" }.joined(separator: ", ")
  }

  subscript(kind: EventKind) -> Int { kinds[Int(kind.rawValue)] }
}
