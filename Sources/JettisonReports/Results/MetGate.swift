package import JettisonCore
internal import JettisonSupport

/// A condition that a run meets.
public struct MetGate: Sendable {
  /// Which run.
  public let key: RunKey
  /// The condition as it is written, without blanks.
  public let gate: String
  /// Which run, which figure, which condition.
  public let sentence: String

  /// Takes a figure that meets a condition.
  ///
  /// - Parameters:
  ///   - key: Which run.
  ///   - place: The run in a sentence.
  ///   - metric: Name of the figure.
  ///   - value: What it is.
  ///   - gate: The condition as it is written, without blanks.
  package init(key: RunKey, place: String, metric: String, value: Double, gate: String) {
    self.key = key
    self.gate = gate
    sentence = "\(place): \(metric) is \(NumberText.real(value)), which meets '\(gate)'"
  }

  /// The conditions that runs meet, in the order of the runs.
  package static func all(_ gates: [MetricGate], in runs: [RunRecord]) -> [MetGate] {
    guard !gates.isEmpty else { return [] }
    return runs.flatMap { record -> [MetGate] in
      guard let reader = record.metricReader() else { return [] }
      return gates.compactMap { gate in
        let value = reader.value(of: gate.metric)
        guard gate.isMet(by: value), let number = value.number else { return nil }
        return MetGate(
          key: record.key, place: record.key.place, metric: gate.metric.name, value: number,
          gate: gate.text)
      }
    }
  }
}

extension MetricGate {
  /// The conditions, as they are written, that tell nothing: no run has their figure.
  ///
  /// None where no run came to an end.
  package static func silent(_ gates: [MetricGate], in runs: [RunRecord]) -> [String] {
    var silent = gates
    var isAnyFinished = false
    // Mostly the first run has them all: the others are not even asked.
    for run in runs where !silent.isEmpty {
      guard let reader = run.metricReader() else { continue }
      isAnyFinished = true
      silent.removeAll { reader.value(of: $0.metric).number != nil }
    }
    return isAnyFinished ? silent.map(\.text) : []
  }

  /// The sentence about a condition that tells nothing.
  package static func silence(of gate: String) -> String {
    "'\(gate)' tells nothing: no run has that figure"
  }

  /// The condition as it is written, without blanks.
  package var text: String { "\(metric.name)\(comparison.rawValue)\(NumberText.real(value))" }
}

extension RunKey {
  /// The run in a sentence.
  package var place: String { "\(trace), \(policy), \(device), seed \(seed)" }

  /// The same with whose ranks counted, where there are two kinds.
  package func place(usesCapturedRanks: Bool?) -> String {
    place + (usesCapturedRanks.map { ", adj \($0 ? "captured" : "modelled")" } ?? "")
  }
}
