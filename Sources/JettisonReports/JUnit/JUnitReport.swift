package import JettisonCore
internal import JettisonSupport

/// Conditions and whether they were met, in the XML that build servers read.
///
/// Times are omitted: they would differ from run to run.
package struct JUnitReport: Sendable {
  /// One condition that makes the command fail.
  package struct Case: Sendable {
    /// The condition as it is written.
    package var name: String
    /// One sentence for each run that meets it.
    package var failures: [String]
    /// One sentence for each run without an answer, because the run itself failed.
    package var errors: [String]
    /// Why the condition tells nothing; nil: it does.
    package var silence: String?

    /// Makes a case.
    package init(
      name: String, failures: [String], errors: [String], silence: String? = nil
    ) {
      self.name = name
      self.failures = failures
      self.errors = errors
      self.silence = silence
    }
  }

  private let cases: [Case]

  /// Takes the conditions in their order.
  package init(_ cases: [Case]) {
    self.cases = cases
  }

  /// Judges runs by conditions.
  package init(_ gates: [MetricGate], runs: [RunRecord]) {
    let met = MetGate.all(gates, in: runs)
    let errors = runs.compactMap { record -> String? in
      guard case .failed(let reason) = record.outcome else { return nil }
      return "\(record.key.place): failed: \(reason)"
    }
    let silent = Set(MetricGate.silent(gates, in: runs))
    cases = gates.map { gate in
      Case(
        name: gate.text, failures: met.filter { $0.gate == gate.text }.map(\.sentence),
        errors: errors,
        silence: silent.contains(gate.text) ? MetricGate.silence(of: gate.text) : nil)
    }
  }

  /// The document.
  package var text: String {
    let failed = cases.count { !$0.failures.isEmpty }
    let broken = cases.count { $0.failures.isEmpty && !$0.errors.isEmpty }
    let silent = cases.count { $0.failures.isEmpty && $0.errors.isEmpty && $0.silence != nil }
    let counts =
      "tests=\"\(cases.count)\" failures=\"\(failed)\" errors=\"\(broken)\""
      + (silent == 0 ? "" : " skipped=\"\(silent)\"")
    let lines =
      [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
        "  <testsuite name=\"jettison\" \(counts)>",
      ] + cases.flatMap(Self.lines) + ["  </testsuite>", "</testsuites>"]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func lines(_ test: Case) -> [String] {
    let head = "    <testcase classname=\"fail-if\" name=\"\(escaped(test.name))\""
    let (element, sentences) =
      test.failures.isEmpty ? ("error", test.errors) : ("failure", test.failures)
    guard let first = sentences.first else {
      guard let silence = test.silence else { return [head + "/>"] }
      return [
        head + ">", "      <skipped message=\"\(escaped(silence))\"/>", "    </testcase>",
      ]
    }
    let more = sentences.count == 1 ? "" : " (and \(sentences.count - 1) more)"
    let body = sentences.map(escaped).joined(separator: "\n")
    return [
      head + ">", "      <\(element) message=\"\(escaped(first + more))\">\(body)</\(element)>",
      "    </testcase>",
    ]
  }

  /// Text that neither ends an attribute nor an element, without characters that XML forbids.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in PrintableText.clean(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
