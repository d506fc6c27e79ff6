import JettisonCore
import JettisonSupport
import JettisonSynthetic
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("Helpers of importers")
struct ImportHelpersTests {
  @Test("Days count from 1970 through leap years")
  func civilDays() {
    #expect(CivilTime.days(year: 1970, month: 1, day: 1) == 0)
    #expect(CivilTime.days(year: 2000, month: 2, day: 29) == 11_016)
    #expect(CivilTime.days(year: 2100, month: 2, day: 29) == nil)
    #expect(CivilTime.days(year: 2021, month: 4, day: 31) == nil)
    var expected: Int64 = 0
    for year in 1970...2199 {
      for month in 1...12 {
        for day in 1...CivilTime.length(ofMonth: month, year: year) {
          #expect(CivilTime.days(year: year, month: month, day: day) == expected)
          expected += 1
        }
      }
    }
  }

  @Test(
    "Moments are read back as they are written",
    arguments: [0, 951_782_400, 1_573_320_612, 4_102_444_799] as [Int64])
  func moments(seconds: Int64) {
    let text = CivilTime.iso8601(seconds: seconds)
    let moment = CivilTime.moment(Array(text.utf8).span)
    #expect(moment?.nanoseconds == seconds * 1_000_000_000)
    #expect(moment?.offsetSeconds == 0)
  }

  @Test(
    "Texts that are no moments are refused",
    arguments: [
      "", "2021", "2021-13-01T00:00:00", "2021-01-01", "2021-01-01T24:00", "2021-01-01T10:60:00",
      "2021-01-01T10:00:00+1", "2021-01-01T10:00:00.", "2021-01-01T10:00:00Zx", "1969-12-31T00:00",
    ])
  func noMoments(text: String) {
    #expect(CivilTime.moment(Array(text.utf8).span) == nil)
  }

  @Test("A header that is well-formed keeps its clock: there is one grammar of dates")
  func starts() {
    #expect(CivilTime.isStart("2016-12-31T23:59:60Z"))
    #expect(CivilTime.isStart("2011-04-18 11:00 +0200"))
    #expect(!CivilTime.isStart("2011-04-18T11:00:00"))
    #expect(!CivilTime.isStart("1969-12-31T23:59:59Z"))
    let leap = CivilTime.moment(Array("2016-12-31T23:59:60Z".utf8).span)
    let next = CivilTime.moment(Array("2017-01-01T00:00:00Z".utf8).span)
    #expect(leap == next)
  }

  @Test("An input in which a format finds nothing is refused, not an empty trace")
  func nothingFound() {
    for format in TraceFormats.all.list where !format.isNative {
      #expect(throws: TraceError.self, "\(format.name)") { try load("\n\n", as: format) }
    }
  }

  @Test("A map by numbers holds what a dictionary does", arguments: 0..<20)
  func numberMap(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var map = NumberMap<Int32, Int>()
    var dictionary: [Int32: Int] = [:]
    for step in 0..<2000 {
      let key = Int32(truncatingIfNeeded: generator.next() % 97) - 48
      #expect(map[key] == dictionary[key], "seed \(seed): step \(step)")
      let value = generator.next() % 3 == 0 ? nil : step
      map[key] = value
      dictionary[key] = value
    }
  }

  @Test("Fields are cut and unquoted")
  func delimitedLine() {
    var line = DelimitedLine()
    func fields(_ text: String) -> [String]? {
      line.split(Array(text.utf8).span, by: UInt8(ascii: ","))
        ? (0..<line.count).map { String(decoding: line[$0], as: UTF8.self) } : nil
    }
    #expect(fields("") == [""])
    #expect(fields("a,,b ") == ["a", "", "b "])
    #expect(fields("\"a,\"\"b\"\"\",c") == ["a,\"b\"", "c"])
    #expect(fields("a\"b,c") == ["a\"b", "c"])
    #expect(fields("\"a") == nil)
    #expect(fields("\"a\"b,c") == nil)
  }

  @Test("Lines are the same however the bytes are cut")
  func lineSplitter() {
    let text = Array("\u{FEFF}one\r\ntwo\n\n\nlast \r".utf8)
    for size in 1...text.count {
      var splitter = LineSplitter()
      var lines: [String] = []
      func take(_ line: Span<UInt8>, _ number: Int) {
        #expect(number == lines.count + 1)
        lines.append(String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self))
      }
      for start in stride(from: 0, to: text.count, by: size) {
        splitter.feed(text.span.extracting(start..<min(start + size, text.count)), take)
      }
      splitter.finish(take)
      #expect(lines == ["one", "two", "", "", "last "])
    }
  }

  @Test("Globs match whole names")
  func globs() {
    #expect(AppFilter([]).keeps("anything"))
    #expect(AppFilter(["com.example.*"]).keeps("com.example.mail"))
    #expect(!AppFilter(["com.example.*"]).keeps("org.com.example.mail"))
    #expect(AppFilter(["?hat"]).keeps("chat"))
    #expect(!AppFilter(["?hat"]).keeps("hat"))
    #expect(AppFilter(["x", "*b*a"]).keeps("abba"))
    #expect(
      !AppFilter([String(repeating: "a*", count: 40) + "b"]).keeps(
        String(repeating: "a", count: 80)))
  }

  @Test("Well-known names get a category, unknown ones are utilities")
  func categories() {
    let expected = [
      "Gmail": "messaging", "com.google.android.gm": "messaging", "Téléphone": "messaging",
      "YouTube": "short-video", "com.android.chrome": "browser", "Google": "browser",
      "Google Opinion Rewards": "utility", "Instagram": "social", "Maps": "maps",
      "Caméra": "photo", "Notes Keep": "notes", "Boutique Amazon": "shopping",
      "lichess": "casual-game", "Uber": "maps", "Uber Eats": "shopping", "Minecraft": "large-game",
      "Spotify": "music",
      "Calculatrice": "utility", "": "utility",
    ]
    for (name, category) in expected.sorted(by: { $0.key < $1.key }) {
      #expect(CategoryGuess.category(of: name) == category, "\(name)")
    }
  }

  @Test("The guessed block is what a catalog would write, and holds a hundred apps at most")
  func categoryBlock() throws {
    let names = ["Zeta", "com.android.chrome", "L'interface: \"x\"", "no", "1", "Spotify"]
    let yaml = try #require(CategoryBlock.yaml(apps: names))
    let trace = try TraceText().header("apps:").header(
      yaml.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n# ")
    ).row(0, "Zeta", "launch").trace()
    #expect(trace.header.appsYAML == yaml)
    #expect(yaml.split(separator: "\n").count == names.count)
    let many = (0..<150).map { "App \($0)" } + (0..<120).map { "Chess \($0)" }
    let lines = CategoryBlock.yaml(apps: many)?.split(separator: "\n") ?? []
    #expect(lines.count == 100)
    #expect(lines.allSatisfy { $0.hasSuffix("{category: casual-game}") })
  }

  @Test("What the generator makes survives writing and reading")
  func roundTrips() throws {
    try checkRoundTrip(SyntheticUsers.generate(user: 1, days: 2, seed: 4))
  }
}
