import Foundation
import Testing

/// A file of the repository: its path below the top folder, and what it says.
private struct SourceFile {
  let path: String
  let text: String
  /// The text with blanks in the place of comments and of what string literals say.
  let code: String
  /// The text with blanks in the place of all but what string literals say.
  let literals: String

  init(path: String, text: String) {
    self.path = path
    self.text = text
    (code, literals) = CodeText.parts(of: text)
  }

  /// The module below `Sources` that the file belongs to; nil outside of it.
  var module: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  /// Places (`path:line`) of what a pattern captures in the code.
  func places(of pattern: Regex<(Substring, Substring)>) -> [String] {
    code.matches(of: pattern).map { place(of: $0.output.1.startIndex) }
  }

  func place(of position: String.Index) -> String {
    "\(path):\(code[..<position].count { $0 == "\n" } + 1)"
  }
}

/// What the whole repository keeps to, read off its files.
@Suite("House rules")
struct HouseRulesTests {
  /// Modules, each with those of ours that it may import: arrows point down only.
  static let mayImport: [String: Set<String>] = [
    "CSystemJemalloc": [],
    "CJemalloc": ["CSystemJemalloc"],
    "JettisonModel": [],
    "JettisonCore": ["CJemalloc", "JettisonModel"],
    "JettisonShippedPolicies": ["JettisonCore"],
    "JettisonPolicies": ["JettisonCore", "JettisonShippedPolicies"],
    "CSQLite": [],
    "CProcesses": [],
    "CRecorder": [],
    "JettisonPerfetto": [],
    "CSupport": [],
    "JettisonSupport": ["CSupport"],
    "JettisonTraces": ["JettisonModel", "JettisonSupport"],
    "JettisonImporters": [
      "JettisonModel", "JettisonPerfetto", "JettisonSupport", "JettisonTraces", "CSQLite",
    ],
    "JettisonRecording": [
      "JettisonModel", "JettisonImporters", "JettisonSupport", "JettisonTraces", "CProcesses",
    ],
    "JettisonSynthetic": ["JettisonModel", "JettisonSupport", "JettisonTraces"],
    "CProcessFootprint": [],
    "JettisonRecorder": ["CProcessFootprint"],
    "JettisonReports": ["JettisonCore", "JettisonPerfetto", "JettisonSupport"],
    "JettisonExperiments": [
      "JettisonCore", "JettisonPolicies", "JettisonSupport", "JettisonTraces", "JettisonReports",
    ],
    "JettisonPages": ["JettisonCore", "JettisonSupport", "JettisonReports"],
    "JettisonCLI": [
      "JettisonCore", "JettisonPolicies", "JettisonSupport", "JettisonTraces",
      "JettisonImporters", "JettisonRecording", "JettisonSynthetic", "JettisonReports",
      "JettisonExperiments", "JettisonPages",
    ],
  ]

  /// Longest function in lines, its first and its last included.
  static let longestFunction = 70

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What a generator wrote is none of ours to shape.
  private static let swift: [SourceFile] = files {
    $0.hasSuffix(".swift") && !$0.contains("/Generated/")
  }
  private static let sources: [SourceFile] = swift.filter { $0.module != nil }

  private static func files(where isWanted: (String) -> Bool) -> [SourceFile] {
    let tops = ["Sources", "Tests", "Benchmarks", "traces", "Package.swift", "README.md", ".ci"]
    let below = tops.flatMap { top in
      let inside = FileManager.default.enumerator(atPath: folder.appending(path: top).path)
      return [top] + (inside?.compactMap { $0 as? String } ?? []).map { "\(top)/\($0)" }
    }
    // Benchmarks is a package of its own and may have been built.
    return below.filter { !$0.contains("/.build") && isWanted($0) }.sorted().compactMap { path in
      let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
      return text.map { SourceFile(path: path, text: $0) }
    }
  }

  @Test("The rules are read off the whole repository")
  func wholeRepository() {
    #expect(Set(Self.sources.compactMap(\.module)).isSubset(of: Self.mayImport.keys))
    #expect(Self.sources.count > 100)
    #expect(Self.swift.contains { $0.path == "Package.swift" })
    #expect(Self.swift.contains { $0.path == "Tests/JettisonCoreTests/HouseRulesTests.swift" })
  }

  @Test("Modules import downwards only")
  func imports() {
    for file in Self.sources {
      guard let module = file.module, let allowed = Self.mayImport[module] else { continue }
      let imported = Self.imports(of: file.code).filter { Self.mayImport[$0] != nil }
      #expect(allowed.isSuperset(of: imported), "\(file.path)")
    }
  }

  /// Folders of modules, the lowest first: each names only what lies below it.
  ///
  /// The empty name stands for files in none of them. The star stands for all folders that are not
  /// listed, which don't name each other.
  static let folders: [String: [String]] = [
    "JettisonModel": ["Values", "Parameters", "Devices", "Families", "Apps", "Traces", "Runs"],
    "JettisonCore": [
      "Memory", "Metrics", "Tables", "Killers", "Engine", "Pressure", "Policies", "",
    ],
    "JettisonShippedPolicies": ["Queues", "Cost", "Recency", "*", ""],
    "JettisonSupport": ["Values", "Text", "Files", "JSON", "YAML", ""],
    "JettisonTraces": ["Support", "Formats", "Catalog", "Native", "", "Merge"],
    "JettisonImporters": [
      "SQLite", "Capture", "Allocations", "AppUsage", "AndroidLog", "KernelOOM", "KillerJournal",
      "*", "",
    ],
    "JettisonExperiments": [
      "Support", "Settings", "Files", "Policies", "Specification", "Traces", "Plan", "", "Canary",
      "Explain", "Savings", "Validation",
    ],
    "JettisonReports": [
      "Files", "Results", "Statistics", "Sinks", "Tables", "Terminal", "Families", "Explain", "*",
    ],
    "JettisonPages": ["Markup", "Drawing", "Frame", "Parts", "*"],
    "JettisonCLI": ["Console", "Options", "Commands", ""],
  ]

  @Test(
    "Folders of a module name only what lies below them",
    arguments: HouseRulesTests.folders.keys.sorted())
  func arrows(module: String) throws {
    let declaration =
      /(?m)^(?:public |package |private |fileprivate )*(?:final )?(?:struct|enum|class|protocol) (\w+)/
    let order = try #require(Self.folders[module])
    var homes: [String: Set<String>] = [:]
    var codes: [(path: String, folder: String, code: String)] = []
    for file in Self.sources where file.module == module {
      let parts = file.path.split(separator: "/")
      let folder = parts.count > 3 ? String(parts[2]) : ""
      try #require(order.contains(folder) || order.contains("*"), "\(file.path)")
      codes.append((file.path, folder, file.code))
      for match in file.code.matches(of: declaration) {
        homes[String(match.output.1), default: []].insert(folder)
      }
    }
    func height(_ folder: String) -> Int {
      order.firstIndex(of: folder) ?? order.firstIndex(of: "*") ?? order.count
    }
    #expect(homes.count > 20)
    for (path, folder, code) in codes {
      let words = Set(code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
      let above = words.filter { word in
        homes[word].map { !$0.contains { $0 == folder || height($0) < height(folder) } } ?? false
      }
      #expect(above.isEmpty, "\(path) names what lies above it: \(above.sorted())")
    }
  }

  @Test("The engine names platforms in one file: that with the state of each")
  func platforms() {
    let platform =
      /\b((?:jetsam|android|linux|lmkd?|ios\d|idealCache|memoryLimiter|oomd|earlyoom|systemd)\w*)/
      .ignoresCase()
    for file in Self.sources where file.path.hasPrefix("Sources/JettisonCore/Engine/") {
      if file.path.hasSuffix("/Simulation.swift") { continue }
      #expect(file.places(of: platform) == [])
    }
  }

  /// SwiftPM compiles a target anew only after a change of a module that the manifest names for it: a
  /// program of older and newer parts disagrees about how its types lie in memory.
  @Test("The manifest names for each target every module that it sees")
  func dependencies() throws {
    let manifest = try #require(Self.swift.first { $0.path == "Package.swift" }).text
    let declared = manifest.matches(
      of: /[tT]arget\(\s*name: "(\w+)",\s*dependencies: \[([^\]]*)\]/)
    #expect(declared.count > 25)
    var shown: [String: [String]] = [:]
    for file in Self.swift {
      guard let module = file.module else { continue }
      shown[module, default: []] += file.code.matches(of: /@_exported public import (\w+)/)
        .map { String($0.output.1) }
    }
    func seen(_ module: String) -> [String] { [module] + (shown[module] ?? []).flatMap(seen) }
    for target in declared {
      let (name, names) = (target.output.1, target.output.2.matches(of: /\w+/))
      let files = Self.swift.filter { $0.path.split(separator: "/").dropLast().contains(name) }
      let modules = Set(files.flatMap { Self.imports(of: $0.code) }.flatMap(seen))
      let missing = modules.intersection(shown.keys).subtracting(names.map { String($0.output) })
      #expect(missing == [], "\(name)")
    }
  }

  @Test("No product compiles SwiftProtobuf, which takes long and serves tests alone")
  func noProtobuf() {
    for file in Self.sources {
      #expect(!Self.imports(of: file.code).contains("SwiftProtobuf"), "\(file.path)")
    }
  }

  @Test("Model, core and policies do without Foundation")
  func noFoundation() {
    let modules = ["JettisonModel", "JettisonCore", "JettisonShippedPolicies", "JettisonPolicies"]
    for file in Self.sources where modules.contains(file.module ?? "") {
      #expect(!Self.imports(of: file.code).contains { $0.hasPrefix("Foundation") }, "\(file.path)")
    }
  }

  @Test("Only the command line prints; beside it, only what watches or records knows a clock")
  func noPrinting() {
    let printing = /(?:^|[^.\w])(print\()/
    let clock = /\b(Date\(\)|ContinuousClock|SuspendingClock|clock_gettime|DispatchTime)/
    for file in Self.sources where file.module != "JettisonCLI" {
      #expect(file.places(of: printing) == [])
      let watches = [
        "/ProgressLine.swift", "/Deadline.swift", "/RecorderClock.swift", "/ProcSampler.swift",
      ]
      let isWatch = watches.contains { file.path.hasSuffix($0) }
      if !isWatch { #expect(file.places(of: clock) == []) }
    }
  }

  @Test("Nothing talks the compiler out of its checks")
  func noUncheckedCode() {
    let banned = /(@unchecked\s+Sendable|\bunsafeFlags\b)/
    for file in Self.swift where file.path != "Package.swift" {
      #expect(file.places(of: banned) == [])
    }
  }

  @Test("What debug builds optimise keeps every assertion")
  func optimizedDebugBuilds() throws {
    let manifest = try #require(Self.swift.first { $0.path == "Package.swift" })
    let flags = #".unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))"#
    #expect(manifest.text.ranges(of: "unsafeFlags").count == 1)
    #expect(manifest.text.contains(flags))
  }

  @Test("A policy hears of events if it has an observe of its own, and only then")
  func observing() {
    var deaf = 0
    for file in Self.sources
    where file.code.contains(/struct \w+(?:<.*>)?: (?:Purge|Ranking)Policy/) {
      let observes = file.code.contains("mutating func observe(_ event")
      let isDeaf = file.code.contains("static var observesEvents: Bool")
      deaf += isDeaf ? 1 : 0
      #expect(observes != isDeaf, "\(file.path)")
    }
    #expect(deaf > 10)
  }

  @Test("A copy of a table names every part of it, also those that have a default")
  func copies() throws {
    let copy = try Regex(
      #"init\(copying other: borrowing (\w+)\) \x7B([^\x7D]*)\x7D"#,
      as: (Substring, Substring, Substring).self)
    // Properties of the type itself stand two spaces in. Computed ones have a body.
    let stored = try Regex(
      #"\n  (?:@usableFromInline |private |fileprivate |private\(set\) )*(var|let) (\w+)[^=\x7B\n]*(=[^\x7B\n]*)?(?=\n)"#,
      as: (Substring, Substring, Substring, Substring?).self)
    var count = 0
    for file in Self.sources {
      for match in file.code.matches(of: copy) where !match.2.contains("self.init(") {
        count += 1
        let type = try #require(file.code.range(of: "struct \(match.1)"))
        let rest = file.code[type.upperBound...]
        let body = rest[..<(try #require(rest.firstRange(of: "\n}")).lowerBound)]
        for property in body.matches(of: stored) where property.1 == "var" || property.3 == nil {
          #expect(
            match.2.contains("\n    \(property.2) = "), "\(file.path): \(property.2)")
        }
      }
    }
    #expect(count > 15)
  }

  /// Files of libraries whose texts name options all the same, and why.
  static let namesOptions: [String: String] = [
    "Sources/JettisonExperiments/Explain/EndListText.swift": "a command line to run",
    "Sources/JettisonPages/": "pages say what to run, and styles have names like these",
    "Sources/JettisonReports/Terminal/": "tables that nothing but the command prints",
  ]

  @Test("Libraries know nothing of the command's options; OptionNames has those of properties")
  func options() throws {
    let option = /(?:^|[^-!\w])(--[a-z])/
    let property = /`([A-Z]\w+\.[a-z][\w:()]*)/
    var named: Set<String> = []
    for file in Self.sources where file.module != "JettisonCLI" {
      for match in file.literals.matches(of: property) { named.insert(String(match.output.1)) }
      if Self.namesOptions.keys.contains(where: { file.path.hasPrefix($0) }) { continue }
      let places = file.literals.matches(of: option).map { match in
        let line = file.literals[..<match.output.1.startIndex].count { $0 == "\n" } + 1
        return "\(file.path):\(line)"
      }
      #expect(places == [])
    }
    for prefix in Self.namesOptions.keys {
      let files = Self.sources.filter { $0.path.hasPrefix(prefix) }
      #expect(files.contains { $0.literals.contains(option) }, "\(prefix) names none any more")
    }
    let table = try #require(Self.sources.first { $0.path.hasSuffix("/OptionNames.swift") })
    let known = Set(
      table.literals.matches(of: /([A-Z]\w+\.[a-z][\w:()]*)/).map { String($0.output.1) })
    #expect(known == named)
  }

  @Test("Functions fit on a page")
  func functionLengths() {
    for file in Self.swift {
      let long = CodeText.functions(of: file.code).filter { function in
        file.code[function].count { $0 == "\n" } >= Self.longestFunction
      }
      #expect(long.map { file.place(of: $0.lowerBound) } == [])
    }
  }

  @Test("No file names a folder of the machine that it was written on")
  func noMachinePaths() {
    // Put together here, so that this file passes.
    let folders = ["tmp", "home", "root", "work", "Users", "opt", "var"]
    let pattern = "(?<![\\w.}])/(\(folders.joined(separator: "|")))/"
    for file in Self.files(where: { _ in true }) {
      #expect(file.text.range(of: pattern, options: .regularExpression) == nil, "\(file.path)")
    }
  }

  @Test("Sources cite nothing that the repository does not hold")
  func citations() {
    let held = Set(
      Self.files { $0.hasSuffix(".md") }.map { String($0.path.split(separator: "/").last ?? "") })
    // Written by a run.
    let written: Set<String> = ["columns.md"]
    for file in Self.sources {
      let named = file.text.matches(of: /[\w\-]+\.md\b/).map { String($0.output) }
      #expect(held.union(written).isSuperset(of: named), "\(file.path)")
    }
  }

  @Test("A function is found with its length, whatever its texts say")
  func reading() {
    let text = #"""
      protocol P {
        func a() -> Int
        init(b: Int)
      }
      func c(
        d: [Int] = []
      ) throws(E) -> String {
        // } a comment, "
        let text = "} \(d.map { "{\($0)" }) \" }"
        return """
          } "quoted" \(text)
          """ + ##"{"# "##
      }
      func e() -> Int { 0 }
      """#
    let (code, literals) = CodeText.parts(of: text)
    let functions = CodeText.functions(of: code).map { String(code[$0]) }
    #expect(functions.count == 2)
    #expect(functions.first?.count { $0 == "\n" } == 8)
    #expect(functions.last == "func e() -> Int { 0 }")
    #expect(code.count { $0 == "\n" } == text.count { $0 == "\n" })
    let lines = literals.split(separator: "\n").map { $0.filter { $0 != " " } }
    #expect(lines.filter { !$0.isEmpty } == [##"}{\"}"##, ##"}"quoted""##, ##"{"#"##])
    #expect(
      Self.imports(of: "internal import A\n@testable import B.C\nlet import1 = 2") == ["A", "B"])
  }

  private static func imports(of code: String) -> [String] {
    code.matches(of: /\bimport\s+(?:struct\s+|class\s+|enum\s+|func\s+)?(\w+)/)
      .map { String($0.output.1) }
  }
}

/// Reads Swift well enough to tell code from text.
private enum CodeText {
  private enum Place {
    case code(parentheses: Int)
    case string(quotes: Int, hashes: Int)
  }

  /// The same text twice, line by line: without comments and contents of string literals, and
  /// with nothing but these contents.
  static func parts(of text: String) -> (code: String, literals: String) {
    var scanner = Scanner(text)
    while !scanner.isAtEnd { scanner.step() }
    return (scanner.code, scanner.literals)
  }

  private struct Scanner {
    private let text: [UInt8]
    private var position = 0
    private var places = [Place.code(parentheses: 0)]
    private var kept: [UInt8] = []
    private var said: [UInt8] = []

    init(_ text: String) {
      self.text = Array(text.utf8)
      kept.reserveCapacity(self.text.count)
      said.reserveCapacity(self.text.count)
    }

    var isAtEnd: Bool { position >= text.count }
    var code: String { String(decoding: kept, as: UTF8.self) }
    var literals: String { String(decoding: said, as: UTF8.self) }

    mutating func step() {
      switch places[places.count - 1] {
      case .code(let parentheses): stepInCode(parentheses)
      case .string(let quotes, let hashes): stepInString(quotes, hashes)
      }
    }

    private func has(_ word: String, at offset: Int = 0) -> Bool {
      text[min(position + offset, text.count)...].starts(with: word.utf8)
    }

    private mutating func keep() {
      kept.append(text[position])
      said.append(Self.blank(for: text[position]))
      position += 1
    }

    private mutating func skip(_ count: Int, isSaid: Bool = false) {
      for byte in text[position..<min(position + count, text.count)] {
        kept.append(Self.blank(for: byte))
        said.append(isSaid ? byte : Self.blank(for: byte))
      }
      position = min(position + count, text.count)
    }

    private static func blank(for byte: UInt8) -> UInt8 {
      byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " ")
    }

    private mutating func stepInCode(_ parentheses: Int) {
      let last = places.count - 1
      switch text[position] {
      case UInt8(ascii: "("): places[last] = .code(parentheses: parentheses + 1)
      case UInt8(ascii: ")") where parentheses == 0 && last > 0: places.removeLast()
      case UInt8(ascii: ")"): places[last] = .code(parentheses: parentheses - 1)
      case UInt8(ascii: "/") where has("//"):
        while !isAtEnd, text[position] != UInt8(ascii: "\n") { skip(1) }
        return
      case UInt8(ascii: "/") where has("/*"):
        while !isAtEnd, !has("*/") { skip(1) }
        return skip(2)
      case UInt8(ascii: "#"), UInt8(ascii: "\""):
        let hashes = text[position...].prefix { $0 == UInt8(ascii: "#") }.count
        guard has("\"", at: hashes) else { break }
        let quotes = has("\"\"\"", at: hashes) ? 3 : 1
        places.append(.string(quotes: quotes, hashes: hashes))
        return skip(quotes + hashes)
      default: break
      }
      keep()
    }

    private mutating func stepInString(_ quotes: Int, _ hashes: Int) {
      let hashMarks = String(repeating: "#", count: hashes)
      switch text[position] {
      case UInt8(ascii: "\"") where has(String(repeating: "\"", count: quotes) + hashMarks):
        places.removeLast()
        skip(quotes + hashes)
      case UInt8(ascii: "\\") where has("\\\(hashMarks)("):
        skip(1 + hashes)
        // Balanced by the parenthesis that ends the interpolation.
        keep()
        places.append(.code(parentheses: 0))
      case UInt8(ascii: "\\") where has("\\\(hashMarks)"): skip(2 + hashes, isSaid: true)
      default: skip(1, isSaid: true)
      }
    }
  }

  /// Functions that have a body, from their first word to their closing brace.
  static func functions(of code: String) -> [Range<String.Index>] {
    code.matches(of: /(?:^|[^.\w])((?:func|init|deinit|subscript)\b)/).compactMap { match in
      let start = match.output.1.startIndex
      return end(of: code[start...]).map { start..<$0 }
    }
  }

  /// Where a declaration ends that has a body.
  private static func end(of declaration: Substring) -> String.Index? {
    var brackets = 0
    var braces = 0
    for position in declaration.indices {
      switch declaration[position] {
      case "(", "[": brackets += 1
      case ")", "]": brackets -= 1
      case "{": braces += 1
      case "}":
        braces -= 1
        // The protocol around it ends first.
        if braces < 0 { return nil }
        if braces == 0, brackets == 0 { return declaration.index(after: position) }
      case "\n" where brackets == 0 && braces == 0:
        let next = declaration[position...].drop { $0.isWhitespace }
        guard next.first == "{" || next.starts(with: /(where|throws|async|->)/) else { return nil }
      default: break
      }
    }
    return nil
  }
}
