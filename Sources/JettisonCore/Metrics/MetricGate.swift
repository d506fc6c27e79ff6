/// A condition on a metric that makes a command fail, such as `foreground_kills>0`.
public struct MetricGate: Sendable {
  /// How the metric stands to the value.
  public enum Comparison: String, CaseIterable, Sendable {
    case greaterOrEqual = ">="
    case lessOrEqual = "<="
    case equal = "=="
    case notEqual = "!="
    case greater = ">"
    case less = "<"

    /// Whether a number stands so to another.
    package func holds(_ number: Double, _ value: Double) -> Bool {
      switch self {
      case .greater: number > value
      case .greaterOrEqual: number >= value
      case .less: number < value
      case .lessOrEqual: number <= value
      case .equal: number == value
      case .notEqual: number != value
      }
    }
  }

  /// What is measured.
  public let metric: Metric
  /// How it is compared.
  public let comparison: Comparison
  /// With what, in the metric's unit (times in seconds).
  public let value: Double

  /// Reads a condition: a metric of `summary.csv`, a comparison and a number; blanks may stand
  /// between them.
  ///
  /// - Throws: ``ConfigurationError`` if the metric is unknown or the text is no condition.
  public init(parsing text: String) throws(ConfigurationError) {
    let parts = try Self.parts(of: text, example: "foreground_kills>0")
    self.metric = try MetricTable.metric(named: parts.name)
    self.comparison = parts.comparison
    self.value = parts.value
  }

  /// Takes a condition apart, whatever its metric is one of.
  package static func parts(
    of text: String, example: String
  ) throws(ConfigurationError) -> (name: String, comparison: Comparison, value: Double) {
    let remedy = "write a metric, one of > >= < <= == != and a number, such as '\(example)'"
    let isSign: (Character) -> Bool = { "<>=!".contains($0) }
    guard let start = text.firstIndex(where: isSign) else {
      throw .invalid(what: "condition", text: text, remedy: remedy)
    }
    let end = text[start...].firstIndex { !isSign($0) } ?? text.endIndex
    guard let comparison = Comparison(rawValue: String(text[start..<end])),
      let value = Double(trimmed(text[end...])), value.isFinite
    else { throw .invalid(what: "condition", text: text, remedy: remedy) }
    return (trimmed(text[..<start]), comparison, value)
  }

  /// Whether a value meets the condition.
  ///
  /// An empty value never does.
  public func isMet(by measured: MetricValue) -> Bool {
    measured.number.map { comparison.holds($0, value) } ?? false
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = text.firstIndex(where: { !isBlank($0) }),
      let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }
}
