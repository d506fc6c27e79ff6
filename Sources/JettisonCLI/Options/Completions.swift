internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonImporters
internal import JettisonTraces

/// What a shell offers for values: the names of the registries.
extension CompletionKind {
  /// Every policy that a user can name.
  static var policies: CompletionKind { .list(PolicySources.all.map(\.name)) }

  /// Every device of the table.
  static var devices: CompletionKind { .list(DeviceTable.all.map(\.name)) }

  /// Every pressure model.
  static var models: CompletionKind { .list(PressureModelKind.allCases.map(\.rawValue)) }

  /// Every trace format.
  static var formats: CompletionKind { .list(TraceFormats.all.list.map(\.name)) }

  /// What a capture tells or a model gives.
  static var sources: CompletionKind {
    .list(ExperimentSpecification.Source.allCases.map(\.rawValue))
  }

  /// Metrics of `comparison.csv`.
  static var comparedMetrics: CompletionKind { .list(MetricTable.compared.map(\.name)) }

  /// Metrics of `summary.csv`, as the beginning of a condition.
  static var gates: CompletionKind { .list(MetricTable.summary.map { "\($0.name)>" }) }
}
