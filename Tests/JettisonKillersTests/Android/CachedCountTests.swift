import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Who counts among the cached apps that the framework keeps only so many of.
struct CachedCountTests {
  private static func phone(
    _ count: Int, natives: Int, api: Int = 31, change: (inout AndroidParameters) -> Void = { _ in }
  ) -> Scenario {
    // 8 GiB: memory never runs short.
    var scenario = Scenario(ramMiB: 8192, pressure: .androidLMKD)
    scenario.configuration.device.apiLevel = api
    change(&scenario.configuration.device.pressureParameters.android)
    for native in 0..<natives { scenario = scenario.app("native\(native)", MiB: 1) }
    for app in 0..<count { scenario = scenario.app("app\(app)", MiB: 30) }
    return scenario
  }

  /// All of them were there when the capture began.
  private static func rows(_ count: Int, natives: Int) -> String {
    var rows = (0..<natives).map { "0s,native\($0),present,,,state=suspended" }
    rows += (0..<count).map { "0s,app\($0),present,,,state=suspended" }
    rows += (0..<natives).map { "0s,native\($0),pin,1" }
    return (rows + ["60s,,end"]).joined(separator: "\n")
  }

  @Test func `native daemons are no cached apps`() throws {
    // Ten apps are cached, the one used last is the previous one: nine of 16. With 40 daemons
    // counted they would be 49.
    let natives = try Self.phone(10, natives: 40).replay(Self.rows(10, natives: 40), on: .fast)
    #expect(natives.story(.purge, .kill) == [])
    // Twenty are three too many; so they are beside daemons.
    for count in [0, 40] {
      let many = try Self.phone(20, natives: count)
        .replay(Self.rows(20, natives: count), on: .fast)
      #expect(many.story(.purge).count == 3, "\(count) natives")
      #expect(many.story(.purge).allSatisfy { $0.hasPrefix("0s app") }, "\(count) natives")
    }
  }

  @Test func `what the capture lists as empty has slots of its own`() throws {
    func rows(_ empty: Int) -> String {
      let rows = (0..<28).map {
        "0s,app\($0),present,,,state=suspended\($0 < empty ? ";shown=0" : "")"
      }
      return (rows + ["60s,app0,launch", "90s,,end"]).joined(separator: "\n")
    }
    // 28 shown apps, one of them the previous one: eleven too many. Half of them empty: none.
    let shown = try Self.phone(28, natives: 0, api: 29).replay(rows(0), on: .fast)
    #expect(shown.story(.purge).count == 11)
    #expect(shown.story(.purge).allSatisfy { $0.hasSuffix("cachedLimit") })
    let half = try Self.phone(28, natives: 0, api: 29).replay(rows(14), on: .fast)
    #expect(half.story(.purge, .kill) == [])
    // Eighteen empty ones are two too many.
    let many = try Self.phone(28, natives: 0, api: 29).replay(rows(18), on: .fast)
    #expect(many.story(.purge).map { $0.hasSuffix("emptyLimit") } == [true, true])
    #expect(half.totals("app0").warmLaunches == 1)
    #expect(shown.totals("app0").warmLaunches == 0)
  }

  @Test func `what is pinned by an option or at work does not count either`() throws {
    var scenario = Self.phone(20, natives: 0)
    let trace = try Trace(rows: Self.rows(20, natives: 0))
    scenario.configuration.pinned = trace.apps.enumerated()
      .filter { ["app7", "app8", "app9"].contains($0.element) }.map { AppIndex($0.offset) }
    #expect(
      try scenario.replay(Self.rows(20, natives: 0), on: .fast).story(.purge, .kill) == [])
    // Three with a foreground service are perceptible, two with a task are services.
    let busy = """
      0s,app0,background-mode,1,,mode=audio
      0s,app1,background-mode,1,,mode=location
      0s,app2,background-mode,1,,mode=navigation
      0s,app3,task-begin,,1
      """
    let rows =
      (0..<20).map { "0s,app\($0),present,,,state=\($0 < 4 ? "background" : "suspended")" }
      + [busy, "20s,,end"]
    let replayed = try Self.phone(20, natives: 0).replay(
      rows.joined(separator: "\n"), on: .fast)
    #expect(replayed.story(.purge, .kill) == [])
  }

  @Test func `the limit follows the release`() throws {
    // 40 cached apps, one of them the previous one.
    let rows = Self.rows(40, natives: 0)
    func purges(api: Int, limit: Int? = nil) throws -> Int {
      try Self.phone(40, natives: 0, api: api) { $0.cachedLimit = limit }
        .replay(rows, on: .fast).story(.purge).count
    }
    #expect(try purges(api: 26) == 39 - 16)
    #expect(try purges(api: 33) == 39 - 16)
    #expect(try purges(api: 34) == 0)
    #expect(try purges(api: 31, limit: 60) == 39 - 30)
    #expect(try purges(api: 34, limit: 32) == 39 - 16)
    #expect(try purges(api: 31, limit: 0) == 0)
  }

  @Test func `empty apps are kept for half an hour, later for weeks`() throws {
    let names = (0..<12).map { "app\($0)" }
    let rows =
      names.enumerated().map { "\($0.offset)s,\($0.element),background-launch" }
      + ["3600s,app0,background-launch", "3700s,,end"]
    func ends(api: Int) throws -> [String] {
      try Self.phone(12, natives: 0, api: api)
        .replay(rows.joined(separator: "\n"), on: .fast).story(.purge)
    }
    // Above eight, those that began more than half an hour ago go, until eight are left.
    #expect(try ends(api: 31).allSatisfy { $0.hasSuffix("emptyAge") })
    #expect(try ends(api: 31).isEmpty == false)
    #expect(try ends(api: 34) == [])
  }

  @Test func `the app on top of a sleeping device keeps its value and is not cached`() throws {
    let limits = CachedAppLimits(maximum: 32)
    var apps = AppTable(
      trace: try Trace(rows: "0s,a,launch\n1s,b,launch\n2s,c,launch\n3s,,end"),
      profiles: Array(repeating: AppProfile(), count: 3))
    var adjuster = OomAdjuster(appCount: 3, limits: limits)
    for position in 0..<3 {
      let app = AppIndex(position)
      apps[app].state = .suspended
      apps[app].wasShown = true
      apps[app].lastLeftFront = Int64(position)
      adjuster.began(app)
    }
    adjuster.pass(apps, at: 9, topSleeping: AppIndex(2))
    #expect((0..<3).map { adjuster.adj(AppIndex($0)) } == [900, 700, 0])
    #expect(adjuster.shownCount == 1)
    adjuster.pass(apps, at: 9, topSleeping: .none)
    #expect((0..<3).map { adjuster.adj(AppIndex($0)) } == [910, 900, 700])
    #expect(adjuster.shownCount == 2)
  }
}
