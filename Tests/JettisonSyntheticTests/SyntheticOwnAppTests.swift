import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonSynthetic
@testable import JettisonTraces

@Suite("Apps of one's own in synthetic lives")
struct SyntheticOwnAppTests {
  @Test(
    "About so many launches a day",
    arguments: [("a", 0.5, 400), ("com.example.mine", 5, 120), ("x:y", 60, 20), ("busy", 300, 5)])
  func launches(name: String, rate: Double, days: Int) throws {
    let app = try SyntheticOwnApp(parsing: "\(name):notes:\(rate)")
    #expect(app.name == name)
    var count = 0
    for user in 0..<4 {
      for population in SyntheticPopulation.allCases {
        let trace = try SyntheticUsers.generate(
          user: user, days: days, seed: 2, population: population, ownApps: [app])
        let position = try #require(trace.apps.firstIndex(of: name))
        let starts = trace.index.launchStarts
        count += starts[position + 1] - starts[position]
        #expect(trace.header.appsYAML?.contains("category: notes}") == true)
      }
    }
    let mean = Double(count) / Double(days * 8)
    // Poisson: at least 1,600 launches, so a standard error of at most 2.5 %.
    #expect(abs(mean / rate - 1) < 0.08, "\(mean) launches a day")
  }

  @Test("A user with one more app leads the same life otherwise")
  func others() throws {
    let app = try SyntheticOwnApp(parsing: "mine:utility:0.01")
    func rows(_ apps: [SyntheticOwnApp]) throws -> [String] {
      summary(try SyntheticUsers.generate(user: 2, days: 3, seed: 2, ownApps: apps))
        .filter { !$0.contains("mine") }
    }
    // So rare that it does not occur in three days of this user.
    #expect(try rows([]) == rows([app]))
  }

  @Test(
    "What cannot be used is refused with a remedy",
    arguments: [
      ("mine", "write NAME:CATEGORY:LAUNCHES-PER-DAY"),
      ("mine:notes", "write NAME:CATEGORY:LAUNCHES-PER-DAY"),
      (":notes:3", "write 1 to 1024 bytes"),
      ("a\nb:notes:3", "name 'a%0Ab' cannot be used: write 1 to 1024 bytes"),
      ("mine::3", "unknown category ''"),
      ("mine:notes:", "write 0.01 to 500"),
      ("mine:notes:NaN", "write 0.01 to 500"),
      ("mine:notes:inf", "write 0.01 to 500"),
      ("mine:notes:1000000000", "write 0.01 to 500"),
      ("mine:note:3", "unknown category 'note'"),
      ("mine:notes:0", "write 0.01 to 500"),
      ("mine:notes:501", "write 0.01 to 500"),
      ("mine:notes:often", "write 0.01 to 500"),
      ("mine:notes:-3", "write 0.01 to 500"),
      ("mine:notes:1e3", "write 0.01 to 500"),
      ("com.example.chat:notes:3", "the generator has an app of that name"),
    ])
  func refuses(text: String, message: String) {
    do throws(ConfigurationError) {
      _ = try SyntheticOwnApp(parsing: text)
      Issue.record("\(text) was taken")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  @Test("Too many, twice the same, or more than a day holds")
  func sums() throws {
    let app = try SyntheticOwnApp(parsing: "mine:notes:300")
    let other = try SyntheticOwnApp(parsing: "other:notes:300")
    #expect(throws: ConfigurationError.self) { try SyntheticOwnApp.check([app, app]) }
    #expect(throws: ConfigurationError.self) { try SyntheticOwnApp.check([app, other]) }
    let many = try (0...SyntheticOwnApp.limit).map {
      try SyntheticOwnApp(parsing: "app\($0):notes:1")
    }
    #expect(throws: ConfigurationError.self) { try SyntheticOwnApp.check(many) }
    try SyntheticOwnApp.check(Array(many.dropLast()))
    // Who asks for a trace without asking first is told the same.
    do throws(TraceError) {
      _ = try SyntheticUsers.generate(user: 0, days: 1, seed: 1, ownApps: [app, app])
      Issue.record("one app twice was taken")
    } catch {
      #expect(error.kind == .misuse)
      #expect("\(error)".contains("name each app once"), "\(error)")
    }
  }
}
