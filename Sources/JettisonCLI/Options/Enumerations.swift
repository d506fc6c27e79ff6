public import ArgumentParser
public import JettisonCore
public import JettisonExperiments
public import JettisonReports
package import JettisonSynthetic
public import JettisonTraces

// Enumerations as values of options: the parser lists them in help, errors and completion.

extension FootprintSource: ExpressibleByArgument {}
extension ExperimentSpecification.Source: ExpressibleByArgument {}
extension ImportOptions.DateOrder: ExpressibleByArgument {}
extension SyntheticPopulation: ExpressibleByArgument {}
extension DetailKind: ExpressibleByArgument {}

/// Several of an enumeration, separated by commas.
struct Several<Value: ExpressibleByArgument>: ExpressibleByArgument {
  let values: [Value]

  init?(argument: String) {
    let parts = ListText.parts(of: argument)
    values = parts.compactMap { Value(argument: $0) }
    guard values.count == parts.count else { return nil }
  }

  static var allValueStrings: [String] { Value.allValueStrings }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
