import Foundation
import JettisonCore
import JettisonReports
import Testing

@testable import JettisonPages

@Suite("The page of memory canaries")
struct CanaryPageTests {
  private static let mebibyte: Int64 = 1 << 20

  private static func rows(
    _ policy: String = "lru", trace: String = "<b>canary</b>", seed: UInt64 = 1
  ) -> [CanaryRow] {
    let key = RunKey(
      trace: trace, user: "ann", policy: policy, device: "nokia-1",
      memoryBytes: 1 << 30, seed: seed)
    let deaths: [CanaryClass: [Int64]] = [
      .cached: [100, 100, 300], .background: [400], .front: [600],
    ]
    return CanaryClass.allCases.map { appClass in
      let own = deaths[appClass, default: []].enumerated().map { place, taken in
        CanaryRow.Death(
          app: "\(appClass)<\(place)>", takenBytes: taken * mebibyte,
          availableBytes: place == 0 ? -5 : nil, cause: "low-mem")
      }
      return CanaryRow(
        key: key, model: "android-lmkd", appClass: appClass,
        apps: own.count + (appClass == .protected ? 2 : 0), deaths: own,
        stepBytes: 4 * mebibyte, takenBytes: 700 * mebibyte)
    }
  }

  private static let page = CanaryPage(rows() + rows("size"), runs: []).page(
    command: "jettison canary")

  @Test("A line goes down a step at each death, and stays where no app dies")
  func corners() {
    let rows = Self.rows()
    let cached = SurvivorSteps.corners(rows[0]).map { [$0.taken / Self.mebibyte, Int64($0.alive)] }
    #expect(
      cached == [
        [0, 3], [100, 3], [100, 2], [100, 2], [100, 1], [300, 1], [300, 0], [700, 0],
      ])
    let protected = SurvivorSteps.corners(rows[3]).map {
      [$0.taken / Self.mebibyte, Int64($0.alive)]
    }
    #expect(protected == [[0, 2], [700, 2]])
  }

  @Test("Each run has a figure with a mark for every death, and the same figures as data")
  func figures() throws {
    #expect(Self.page.sections.map(\.id) == ["first-deaths", "run-1", "run-2"])
    for section in Self.page.sections.dropFirst() {
      #expect(section.body.source.ranges(of: "class=\"mark ").count == 5)
      #expect(section.body.source.ranges(of: "<polyline").count == 4, "no line without apps")
      let json = try #require(section.data?.scriptText)
      let data = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let classes = try #require(data["classes"] as? [[String: Any]])
      for (row, told) in zip(Self.rows(), classes) {
        #expect(told["class"] as? String == row.appClass.rawValue)
        #expect(told["apps"] as? Int == row.apps)
        let deaths = try #require(told["deaths"] as? [[String: Any]])
        #expect(deaths.map { $0["taken_bytes"] as? Int64 } == row.deaths.map(\.takenBytes))
        #expect(deaths.map { $0["app"] as? String } == row.deaths.map(\.app))
        #expect(deaths.map { $0["available_bytes"] as? Int64 } == row.deaths.map(\.availableBytes))
      }
    }
  }

  @Test("Runs that differ in their trace or seed alone are told apart")
  func labels() {
    let seeds = CanaryPage(Self.rows() + Self.rows(seed: 2), runs: []).page(command: "")
    #expect(Set(seeds.sections.map(\.heading)).count == 3)
    #expect(Set(seeds.sections.dropFirst().map(\.link)).count == 2)
    #expect(seeds.sections[0].body.source.contains(">seed<"))
    let traces = CanaryPage(Self.rows(trace: "a") + Self.rows(trace: "b"), runs: []).page(
      command: "")
    #expect(Set(traces.sections.dropFirst().map(\.link)).count == 2)
    #expect(traces.answer.hasPrefix("a on nokia-1 with 1 GiB under lru"))
    #expect(!Self.page.sections[0].body.source.contains(">seed<"))
  }

  @Test("The answer names the least and the most important apps, and names are text")
  func answer() {
    #expect(Self.page.answer.contains("the first cached app dies when 100 MiB are gone"))
    #expect(Self.page.answer.contains("the app in front dies when 600 MiB are gone"))
    let text = PageTemplate.text(of: Self.page)
    #expect(!text.contains("<b>canary") && !text.contains("cached<0>"))
    #expect(text.contains("survives") && text.contains("–"))
  }
}
