package import JettisonCore
package import JettisonReports
internal import JettisonTraces

/// A policy as the user named it, ready to run.
package struct PlannedPolicy: Sendable {
  /// The name in reports.
  package let name: String
  /// Runs a trace under it.
  package let spec: PolicySpec
}

/// One run of the matrix: everything it depends on.
package struct PlannedRun: Sendable {
  /// Position in ``RunPlan/traces``.
  package internal(set) var trace: Int
  /// Position in ``RunPlan/policies``.
  package internal(set) var policy: Int
  /// Position in ``RunPlan/blocks``.
  package let block: Int
  /// Every parameter in force, the seed included.
  package internal(set) var configuration: RunConfiguration
  /// What is known about the apps of the trace.
  let catalog: PlannedCatalog
  /// The same in words, by ``AppIndex``.
  let natures: [AppNature]
  /// Position of the run with the first seed of this cell; its own position for that one.
  package internal(set) var firstOfCell: Int
  /// Whether the user said how many seeds; else a cell that draws nothing has its first run only.
  package let isSeedAsked: Bool
  /// Whether the seed decides about more than the draws inside the run.
  package let hasNoise: Bool
  /// Whether imputed figures have a part in the result.
  package let isImputed: Bool
}

/// The catalog of a run, after `--set`, with its hash.
struct PlannedCatalog: Sendable {
  let catalog: Catalog
  /// nil: the built-in categories alone.
  let hash: UInt64?
  /// The files that it is from.
  let paths: [String]

  init(_ catalog: Catalog, from paths: [String]) {
    self.catalog = catalog
    self.paths = paths
    hash = catalog.count == 0 ? nil : catalog.contentHash
  }
}

/// A matrix of runs in the order of the reports: traces, devices, memory sizes, settings,
/// policies, seeds.
package struct RunPlan: Sendable {
  /// The traces, in the order in which they were named.
  package let traces: [LoadedTrace]
  /// The policies, in the order in which they were named.
  package internal(set) var policies: [PlannedPolicy]
  /// The devices at their memory sizes, in order of first use.
  package internal(set) var blocks: [Block] = []
  /// The runs.
  package internal(set) var runs: [PlannedRun] = []
  /// Position in ``policies`` of the one the others are compared with.
  package let baseline: Int
  /// The conditions of `--fail-if`.
  package let gates: [MetricGate]

  init(
    traces: [LoadedTrace], policies: [PlannedPolicy], baseline: Int, gates: [MetricGate]
  ) {
    self.traces = traces
    self.policies = policies
    self.baseline = baseline
    self.gates = gates
  }

  /// Another plan with other traces, and what is run on them.
  init(_ other: RunPlan, traces: [LoadedTrace], runs: [PlannedRun]) {
    self.traces = traces
    policies = other.policies
    blocks = other.blocks
    baseline = other.baseline
    gates = other.gates
    remarks = other.remarks
    self.runs = runs
  }

  /// Notes by sentence, with the traces they are about.
  private var remarks: [(text: String, paths: [String])] = []

  /// What the user should know before reading results, each once with its traces.
  package var notes: [String] {
    remarks.map { text, paths in
      switch paths.count {
      case 0: text
      case 1: "\(paths[0]): \(text)"
      default: "\(paths[0]) and \(paths.count - 1) more: \(text)"
      }
    }
  }

  /// Adds a note, about one trace or about all of them.
  mutating func note(_ text: String, of path: String? = nil) {
    let paths = path.map { [$0] } ?? []
    guard let position = remarks.firstIndex(where: { $0.text == text }) else {
      remarks.append((text, paths))
      return
    }
    if !remarks[position].paths.contains(where: { $0 == path }) { remarks[position].paths += paths }
  }

  mutating func position(of block: Block) -> Int {
    if let position = blocks.firstIndex(of: block) { return position }
    blocks.append(block)
    return blocks.count - 1
  }
}

extension RunPlan {
  /// What tells a run from the others in every report.
  package func key(of position: Int) -> RunKey {
    let run = runs[position]
    let trace = traces[run.trace].trace
    return RunKey(
      trace: trace.name, user: trace.header.user, policy: policies[run.policy].name,
      device: blocks[run.block].device, memoryBytes: blocks[run.block].memoryBytes,
      seed: run.configuration.seed)
  }
}
