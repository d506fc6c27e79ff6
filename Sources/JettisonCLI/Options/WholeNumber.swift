internal import JettisonCore
internal import JettisonExperiments

/// Reads the whole numbers of options, so that a wrong one is told like any other wrong value.
enum WholeNumber {
  /// A number within a range.
  ///
  /// - Parameters:
  ///   - text: What was written.
  ///   - option: The option, for the error.
  ///   - range: What may be written.
  ///   - remedy: What to write instead.
  static func read<Number: FixedWidthInteger>(
    _ text: String, _ option: String, _ range: ClosedRange<Number>, remedy: String
  ) throws(ExperimentError) -> Number {
    guard let number = Number(text), range.contains(number) else {
      throw .value(option, .invalid(what: "value", text: text, remedy: remedy))
    }
    return number
  }
}
