import Foundation
import JettisonCore
import Testing

@testable import JettisonReports

@Suite("Reports as JSON and JUnit XML")
struct JSONTextTests {
  private static func row(_ policy: String) -> Comparison {
    var row = Comparison(
      device: "iphone-4", memoryBytes: 536_870_912, metric: "purges", policy: policy,
      baseline: "lru")
    row.users = 2
    row.meanDifference = -0.25
    row.ratioOfTotals = .infinity
    row.differences = [.init(user: "a;b", difference: 1e-7)]
    return row
  }

  @Test("Rows have the columns of the CSV file in order, and null for what is empty")
  func rows() throws {
    let text = RunTables.comparison.json([Self.row("=size\"\\\u{1}é"), Self.row("gdsf")])
    #expect(
      text.hasPrefix(
        "[\n  {\"device\": \"iphone-4\", \"memory_bytes\": 536870912, \"metric\": \"purges\", "
          + "\"part\": \"users\", \"policy\": \"=size\\\"\\\\\\u0001é\", \"baseline\": \"lru\", \"users\": 2, "
          + "\"users_differing\": 0, \"mean_difference\": -0.25, \"median_difference\": null, "
          + "\"ratio_of_totals\": null, \"low\": null,"))
    #expect(text.hasSuffix("\"differences\": \"a%3Bb=1e-7\"}\n]\n"))
    let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    let objects = try #require(read)
    #expect(objects.count == 2)
    #expect(objects[0]["policy"] as? String == "=size\"\\\u{1}é", "no guard against spreadsheets")
    #expect(Set(objects[0].keys) == Set(RunTables.comparison.columns.map(\.name)))
  }

  @Test("No rows are an empty array")
  func empty() {
    #expect(RunTables.comparison.json([]) == "[]\n")
  }

  @Test("A case per condition, with the figure in the message")
  func junit() throws {
    let report = JUnitReport([
      .init(
        name: "purges>0", failures: ["a: purges is 2", "b: purges is 3"], errors: ["c failed"]),
      .init(name: "kills<\"1\"", failures: [], errors: ["c & d\u{1B} failed"]),
      .init(name: "losses>9", failures: [], errors: []),
    ])
    #expect(
      report.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="3" failures="1" errors="1">
          <testsuite name="jettison" tests="3" failures="1" errors="1">
            <testcase classname="fail-if" name="purges&gt;0">
              <failure message="a: purges is 2 (and 1 more)">a: purges is 2
        b: purges is 3</failure>
            </testcase>
            <testcase classname="fail-if" name="kills&lt;&quot;1&quot;">
              <error message="c &amp; d\u{FFFD} failed">c &amp; d\u{FFFD} failed</error>
            </testcase>
            <testcase classname="fail-if" name="losses&gt;9"/>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("A condition on a figure that no run has is skipped, not passed")
  func silence() throws {
    let report = JUnitReport([
      .init(name: "recall<1", failures: [], errors: [], silence: "no run has it")
    ])
    #expect(
      report.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="1" failures="0" errors="0" skipped="1">
          <testsuite name="jettison" tests="1" failures="0" errors="0" skipped="1">
            <testcase classname="fail-if" name="recall&lt;1">
              <skipped message="no run has it"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }
}
