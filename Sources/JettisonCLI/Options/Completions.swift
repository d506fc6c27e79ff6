internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonImporters
internal import JettisonTraces

/// What a shell offers for values: the names of the registries.
extension CompletionKind {
  /// Every policy that a user can name.
  static var policies: CompletionKind { names(PolicySources.all.map(\.name)) }

  /// Every device of the table.
  static var devices: CompletionKind { names(DeviceTable.all.map(\.name)) }

  /// Every pressure model.
  static var models: CompletionKind { names(PressureModelKind.allCases.map(\.rawValue)) }

  /// Every trace format.
  static var formats: CompletionKind { names(TraceFormats.all.list.map(\.name)) }

  /// Metrics of `comparison.csv`.
  static var comparedMetrics: CompletionKind { names(MetricTable.compared.map(\.name)) }

  /// Metrics of `summary.csv`, as the beginning of a condition.
  static var gates: CompletionKind { names(MetricTable.summary.map { "\($0.name)>" }) }

  /// Keys of `--set`.
  static var settings: CompletionKind { names(Setting.all.map { "\($0.key)=" }) }

  /// The names of a registry, worked out only for who asks for a completion script or a manual:
  /// every command would wait for them.
  private static func names(_ names: @autoclosure () -> [String]) -> CompletionKind {
    let isAskedFor = CommandLine.arguments.contains {
      $0.hasPrefix("--generate-completion-script") || $0 == "--experimental-dump-help"
    }
    return isAskedFor ? .list(names()) : .default
  }
}
