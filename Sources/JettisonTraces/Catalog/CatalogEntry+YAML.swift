internal import JettisonModel
internal import JettisonSupport

extension CatalogEntry {
  /// Reads one entry; unknown keys and words are errors that list the known ones.
  init(_ entry: YAMLEntry) throws(TraceError) {
    // "app:" with nothing after it says as little as "app: {}".
    let text = entry.value.scalar == "" ? "{}" : entry.value.canonicalText
    self.init(name: entry.key, canonicalText: text)
    let keys = try CatalogKeys(
      entry.value, "entry of '\(entry.key)'", known: Self.keys.map(\.name))
    for (key, value) in keys.entries {
      switch key {
      case "category": category = try value.category()
      case "footprint": footprint = try Footprint(value)
      case "launch": launch = try Launch(value)
      case "save": save = try Save(value)
      case "task": task = try Task(value)
      case "multitasking": multitasks = try value.answer()
      case "edits": edits = try Edits(value)
      case "warning": warning = try Warning(value)
      case "limit":
        limits = try Limits(value)
      case "compressed": compressedPPM = try value.share()
      case "group": group = try value.text("a name")
      case "cgroup": controlGroup = try value.text("a path such as user.slice/app")
      default: try readPlatformKey(key, value)
      }
    }
  }
}

extension CatalogEntry {
  /// The keys of an entry, each with those below it.
  package static let keys: [(name: String, below: [String])] = [
    ("category", []),
    ("footprint", ["launch", "growth", "background", "suspended", "releasable"]),
    ("launch", ["cold", "warm", "hot"]),
    ("save", ["when", "rate", "fixed", "atomic", "thread", "share"]),
    ("edits", ["probability", "work", "bytes"]),
    ("warning", ["responds", "releases", "delay"]),
    ("limit", ["active", "inactive", "soft"]),
    ("band", []), ("compressed", []), ("adj", []), ("kind", []), ("relaunch", []),
    ("preference", []), ("group", []), ("cgroup", []), ("task", ["expiration", "save"]),
    ("multitasking", []), ("uid", []),
  ]

  /// The keys below a key.
  fileprivate static func keys(below name: String) -> [String] {
    keys.first { $0.name == name }?.below ?? []
  }

  /// Keys that only models of a platform read.
  fileprivate mutating func readPlatformKey(
    _ key: String, _ value: CatalogValue
  ) throws(TraceError) {
    switch key {
    case "band": band = try value.band()
    case "adj": oomScoreAdj = Int16(try value.integer("a number from -1000 to 1000", -1000...1000))
    case "uid":
      userID = Int32(
        clamping: try value.integer("the number of a user, 0 for root", 0...Int64(UInt32.max)))
    case "kind":
      processKind = AppProfile.ProcessKind(
        rawValue: UInt8(try value.word(of: AppProfile.ProcessKind.self)))
    case "relaunch":
      relaunchClass = AppProfile.RelaunchClass(
        rawValue: UInt8(try value.word(of: AppProfile.RelaunchClass.self)))
    default:
      killPreference = AppProfile.KillPreference(
        rawValue: UInt8(try value.word(of: AppProfile.KillPreference.self)))
    }
  }
}

extension CatalogEntry.Footprint {
  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    for (key, value) in try CatalogKeys(value, of: "footprint").entries {
      switch key {
      case "launch": launchBytes = try value.bytes()
      case "growth": growthBytesPerMinute = try value.bytesPerMinute()
      case "background": backgroundBytes = try value.bytes()
      case "suspended": suspendedBytes = try value.bytes()
      default: releasablePPM = try value.share()
      }
    }
  }
}

extension CatalogEntry.Limits {
  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    guard value.node.mapping != nil else {
      activeBytes = try value.bytes()
      return
    }
    for (key, value) in try CatalogKeys(value, of: "limit").entries {
      switch key {
      case "active": activeBytes = try value.bytes()
      case "inactive": inactiveBytes = try value.bytes()
      default: try readSoft(value)
      }
    }
  }

  private mutating func readSoft(_ value: CatalogValue) throws(TraceError) {
    guard value.node.mapping != nil else {
      softActiveBytes = try value.bytes()
      return
    }
    let known = ["active", "inactive"]
    for (key, value) in try CatalogKeys(value.node, "'soft'", known: known).entries {
      if key == "active" {
        softActiveBytes = try value.bytes()
      } else {
        softInactiveBytes = try value.bytes()
      }
    }
  }
}

extension CatalogEntry.Launch {
  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    for (key, value) in try CatalogKeys(value, of: "launch").entries {
      let latency = try value.nanoseconds(limit: TraceLimits.latencyNanoseconds)
      switch key {
      case "cold": coldNanoseconds = latency
      case "warm": warmNanoseconds = latency
      default: hotNanoseconds = latency
      }
    }
  }
}

extension CatalogEntry.Save {
  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    if value.node.scalar == "none" {
      when = CatalogEntry.SaveWhen()
      return
    }
    for (key, value) in try CatalogKeys(value, of: "save").entries {
      switch key {
      case "when": when = try CatalogEntry.SaveWhen(value)
      case "rate": bytesPerSecond = try value.bytesPerSecond(minimum: 1)
      case "fixed": fixedNanoseconds = try value.nanoseconds(limit: TraceLimits.workNanoseconds)
      case "atomic": isAtomic = try value.flag()
      case "thread":
        let words = ["main", "queue", "task"]
        thread = AppProfile.SaveThread(rawValue: UInt8(try value.word(words)))
      default: sharePPM = try value.share()
      }
    }
  }
}

extension CatalogEntry.Task {
  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    for (key, value) in try CatalogKeys(value, of: "task").entries {
      switch key {
      case "expiration": ends = try value.word(["ends", "ignores"]) == 0
      default: saves = try value.answer()
      }
    }
  }
}

extension CatalogEntry.SaveWhen {
  /// The triggers of a catalog, as they are written.
  private static let words: [(name: String, trigger: AppProfile.SaveTriggers)] = [
    ("resign", .resign), ("background", .background), ("warning", .warning),
    ("expiration", .expiration), ("terminate", .terminate), ("edit", .edit),
  ]

  /// The same as a catalog and `--set` write it: `none`, `background`, `[resign, timer 30s]`.
  package var text: String {
    var words = Self.words.filter { triggers.contains($0.trigger) }.map(\.name)
    if timerNanoseconds > 0 {
      words.append("timer \(Quantity.text(nanoseconds: timerNanoseconds))")
    }
    switch words.count {
    case 0: return "none"
    case 1: return words[0]
    default: return "[\(words.joined(separator: ", "))]"
    }
  }

  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    if value.node.scalar == "none" { return }
    let nodes = value.node.sequence ?? [value.node]
    for node in nodes {
      let word = try CatalogValue(key: "when", node: node).text("a list of words")
      guard let trigger = Self.words.first(where: { $0.name == word })?.trigger else {
        try addTimer(word, node)
        continue
      }
      guard !triggers.contains(trigger) else {
        throw node.place.error("'\(word)' is there twice", "keep one of them")
      }
      triggers.insert(trigger)
    }
  }

  private mutating func addTimer(_ word: String, _ node: YAMLNode) throws(TraceError) {
    let parts = word.split(separator: " ")
    guard parts.count == 2, parts[0] == "timer" else {
      throw node.place.error(
        "unknown trigger '\(word)'",
        "known: \(Self.words.map(\.name).joined(separator: ", ")), \"timer 30s\"")
    }
    guard let period = Quantity.nanoseconds(String(parts[1])), period >= 1_000_000,
      period <= TraceLimits.workNanoseconds
    else {
      throw node.place.error(
        "'\(parts[1])' is not a timer's period", "write a time from 1ms on, such as 30s")
    }
    if timerNanoseconds > 0 { throw node.place.error("a second timer", "keep one") }
    timerNanoseconds = period
  }
}

extension CatalogEntry.Edits {
  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    if value.node.scalar == "none" {
      isNone = true
      return
    }
    for (key, value) in try CatalogKeys(value, of: "edits").entries {
      switch key {
      case "probability": probability = Double(try value.share()) / 1_000_000
      case "work": workPPM = try value.partsPerMillion(limit: 1_000_000_000)
      default: bytesPerSecond = try value.bytesPerSecond(minimum: 0)
      }
    }
  }
}

extension CatalogEntry.Warning {
  fileprivate init(_ value: CatalogValue) throws(TraceError) {
    for (key, value) in try CatalogKeys(value, of: "warning").entries {
      switch key {
      case "responds": responseProbability = Double(try value.share()) / 1_000_000
      case "releases": releasePPM = try value.share()
      default: delayNanoseconds = try value.nanoseconds(limit: TraceLimits.workNanoseconds)
      }
    }
  }
}

/// The keys of one mapping of a catalog, checked against the known ones.
private struct CatalogKeys {
  let entries: [(key: String, value: CatalogValue)]

  /// The keys below a key of an entry.
  init(_ value: CatalogValue, of key: String) throws(TraceError) {
    try self.init(value.node, "'\(key)'", known: CatalogEntry.keys(below: key))
  }

  init(_ node: YAMLNode, _ what: String, known: [String]) throws(TraceError) {
    // An entry with nothing in it says nothing, and that is allowed.
    if node.scalar == "" {
      entries = []
      return
    }
    guard let mapping = node.mapping else {
      throw node.place.error(
        "the \(what) is not a mapping", "known keys: \(known.joined(separator: ", "))")
    }
    var entries: [(String, CatalogValue)] = []
    for entry in mapping {
      guard known.contains(entry.key) else {
        throw entry.place.error(
          "unknown key '\(entry.key)' in the \(what)", "known: \(known.joined(separator: ", "))")
      }
      entries.append((entry.key, CatalogValue(key: entry.key, node: entry.value)))
    }
    self.entries = entries
  }
}

/// One value of a catalog, and the ways to read it.
private struct CatalogValue {
  let key: String
  let node: YAMLNode

  func text(_ expected: String) throws(TraceError) -> String {
    guard let text = node.scalar, !text.isEmpty else { throw misfit(expected) }
    return text
  }

  func category() throws(TraceError) -> Category {
    let known = Category.allCases.map(\.rawValue)
    let name = try text("one of: \(known.joined(separator: ", "))")
    guard let category = Category(rawValue: name) else {
      throw node.place.error(
        "\(ConfigurationError.unknown(what: "category", name: name, known: known))")
    }
    return category
  }

  func bytes() throws(TraceError) -> Int64 {
    try number("a size of at most 1TiB, such as 120MB", 0...TraceLimits.bytes, Quantity.bytes)
  }

  func bytesPerMinute() throws(TraceError) -> Int64 {
    try number("a rate, such as 10MB/min", 0...TraceLimits.bytes, Quantity.bytesPerMinute)
  }

  func bytesPerSecond(minimum: Int64) throws(TraceError) -> Int64 {
    try number(
      "a rate, such as \(minimum > 0 ? "80MB/s" : "200/s")", minimum...TraceLimits.bytes,
      Quantity.bytesPerSecond)
  }

  func nanoseconds(limit: Int64) throws(TraceError) -> Int64 {
    try number("a time, such as 900ms", 0...limit, Quantity.nanoseconds)
  }

  func share() throws(TraceError) -> Int64 {
    try number(
      "a share from 0 to 1, such as 25% or 0.25", 0...1_000_000, Quantity.partsPerMillion)
  }

  func partsPerMillion(limit: Int64) throws(TraceError) -> Int64 {
    try number("a number, such as 0.9", 0...limit, Quantity.partsPerMillion)
  }

  func flag() throws(TraceError) -> Bool {
    try word(["false", "true"]) == 1
  }

  /// `yes` or `no`.
  func answer() throws(TraceError) -> Bool {
    try word(["no", "yes"]) == 1
  }

  func word(_ words: [String]) throws(TraceError) -> Int {
    let expected = "one of: \(words.joined(separator: ", "))"
    guard let position = words.firstIndex(of: try text(expected)) else { throw misfit(expected) }
    return position
  }

  /// Position of a word among the cases of an enumeration.
  func word<Word: CaseIterable>(of _: Word.Type) throws(TraceError) -> Int {
    try word(Word.allCases.map { "\($0)" })
  }

  func integer(_ expected: String, _ range: ClosedRange<Int64>) throws(TraceError) -> Int64 {
    try number(expected, range, Quantity.integer)
  }

  /// A number of today's scale, or a name.
  func band() throws(TraceError) -> Int16 {
    let expected = "a band from 0 to 210, or one of: \(PriorityBand.names.joined(separator: ", "))"
    if let number = PriorityBand.number(named: try text(expected)) { return number }
    return Int16(try number(expected, 0...210, Quantity.integer))
  }

  private func number(
    _ expected: String, _ range: ClosedRange<Int64>, _ read: (String) -> Int64?
  ) throws(TraceError) -> Int64 {
    guard let number = read(try text(expected)), range.contains(number) else {
      throw misfit(expected)
    }
    return number
  }

  private func misfit(_ expected: String) -> TraceError {
    let shown = node.scalar.map { "'\($0.prefix(60))'" } ?? "a list or mapping"
    return node.place.error("\(shown) does not fit '\(key)'", "write \(expected)")
  }
}
