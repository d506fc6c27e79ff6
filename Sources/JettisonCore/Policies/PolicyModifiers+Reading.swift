extension PolicyModifiers {
  /// What each modifier in force does, in the order of ``all``.
  package var effects: [(modifier: String, text: String)] {
    var effects: [(modifier: String, text: String)] = []
    if isSavedFirst { effects.append(("+saved", "Apps with nothing unsaved go before all others")) }
    if !protected.isEmpty {
      effects.append(("+protect", "Never go: \(protected.joined(separator: ", "))"))
    }
    if recentCount > 0 {
      let apps = recentCount == 1 ? "app used last is" : "\(recentCount) apps used last are"
      effects.append(("+recent=\(recentCount)", "The \(apps) spared"))
    }
    if intervalNanoseconds > 0 {
      let seconds = Self.text(Double(intervalNanoseconds) / 1e9)
      effects.append(
        ("+interval=\(seconds)s", "An app that a decision ended is spared for \(seconds) s"))
    }
    if isMinimal { effects.append(("+minimal", "Victims that are not needed in the end stay")) }
    if let untilPercent {
      let share = Self.text(untilPercent)
      effects.append(("+until=\(share)%", "Purging goes on until \(share) % of RAM are available"))
    }
    switch unit {
    case .process: break
    case .app: effects.append(("+unit=app", "Processes of one app go together"))
    case .group: effects.append(("+unit=group", "Apps of one group go together"))
    }
    return effects
  }

  /// A number without a needless `.0`.
  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// What each modifier in force does, one sentence each.
  package var sentences: [String] { effects.map { "\($0.text) (\($0.modifier))." } }
}

// MARK: - Reading

extension PolicyModifiers {
  /// One modifier, for lists and errors.
  public struct Kind: Sendable {
    /// The word after the plus sign.
    public let name: String
    /// How it is written.
    public let usage: String
    /// One sentence: what it does.
    public let summary: String
    /// What else there is to know.
    public let details: String
    /// It behind a policy.
    public let example: String
    let value: Value

    /// Whether something follows an equals sign.
    enum Value: Sendable { case none, needed }
  }

  /// All modifiers, in the order of the documentation.
  public static let all: [Kind] = [
    Kind(
      name: "saved", usage: "+saved", summary: "Apps with nothing unsaved go before all others.",
      details: "Neither what is synced nor a position counts as unsaved. Among those with nothing "
        + "unsaved, and among the others, the policy's order holds.",
      example: "lru+saved", value: .none),
    Kind(
      name: "protect", usage: "+protect=APP",
      summary: "The app never goes; * and ? match any names. Repeatable.",
      details: "The app is no candidate. * stands for any characters, ? for one.",
      example: "lru+protect=com.example.*", value: .needed),
    Kind(
      name: "recent", usage: "+recent=N",
      summary: "The N apps used last are spared, the one in front not counted.",
      details: "They are no candidates. A run may spare some, too: the larger number counts.",
      example: "lru+recent=2", value: .needed),
    Kind(
      name: "interval", usage: "+interval=4h",
      summary: "An app that a decision ended less than this ago is spared.",
      details: "It is no candidate until that time has passed since its purge or kill, even if "
        + "no other app can go. When it has, the engine decides anew.",
      example: "lru+interval=4h", value: .needed),
    Kind(
      name: "minimal", usage: "+minimal",
      summary: "Of the victims those stay without which enough is freed, the last first.",
      details: "Victims are the shortest prefix of the order that frees enough; then, from its "
        + "end, each stays without which the others still free enough.",
      example: "lru+minimal", value: .none),
    Kind(
      name: "until", usage: "+until=15%",
      summary: "Once begun, purging goes on until this much of RAM is available.",
      details: "It goes on down the order as long as the next app is suspended: it only adds "
        + "purges, no running app is killed for it, and a model's own target is never lowered. On "
        + "ideal-cache it is a share of the capacity.",
      example: "lru+until=15%", value: .needed),
    Kind(
      name: "unit", usage: "+unit=app",
      summary: "process: a victim goes alone; app: with the app's other processes; group: with the "
        + "apps of its group in the catalog.",
      details: "With a victim go all other candidates of its unit. app: names that are equal up to "
        + "a colon; group: the group of the catalog, else the processes of the app. An app in "
        + "front, a pinned one or one of a later tier stays.",
      example: "lru+unit=app", value: .needed),
  ]

  /// Takes the modifiers off a policy as people write it.
  ///
  /// A plus sign begins a modifier if a word follows that ends there or at `=`, `,` or another
  /// plus sign; so neither `1e+5` nor a file named `my+policy.yaml` has one.
  ///
  /// Throws ``ConfigurationError`` for an unknown or repeated modifier and for a value that does
  /// not fit.
  ///
  /// - Returns: What stands before the first modifier, and the modifiers.
  public static func split(
    _ text: String
  ) throws(ConfigurationError) -> (plain: String, modifiers: PolicyModifiers) {
    let starts = text.indices.filter { text[$0] == "+" && beginsModifier(text[$0...].dropFirst()) }
    guard let first = starts.first else { return (text, PolicyModifiers()) }
    var modifiers = PolicyModifiers()
    var seen: [String] = []
    for (position, start) in starts.enumerated() {
      let end = position + 1 < starts.count ? starts[position + 1] : text.endIndex
      try modifiers.add(String(text[start..<end].dropFirst()), seen: &seen)
    }
    return (String(text[..<first]), modifiers)
  }

  private static func beginsModifier(_ text: Substring) -> Bool {
    let word = text.prefix { $0.isASCII && $0.isLetter || $0 == "-" || $0 == "_" }
    guard !word.isEmpty else { return false }
    guard let next = text[word.endIndex...].first else { return true }
    return next == "=" || next == "+" || next == ","
  }

  /// Adds what is written after one plus sign.
  private mutating func add(_ text: String, seen: inout [String]) throws(ConfigurationError) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(sides[0])
    guard !name.contains(",") else {
      throw .invalid(
        what: "modifier", text: text,
        remedy: "parameters come before modifiers, as in gdsf:cost=1+saved")
    }
    guard let kind = Self.all.first(where: { $0.name == name }) else {
      throw .unknown(what: "modifier", name: name, known: Self.all.map(\.name))
    }
    let value = sides.count == 2 ? String(sides[1]) : ""
    switch kind.value {
    case .none where sides.count == 2:
      throw .invalid(
        what: "modifier", text: "+\(text)", remedy: "write \(kind.usage): it takes no value")
    case .needed where value.isEmpty:
      throw .invalid(
        what: "modifier", text: "+\(text)", remedy: "it needs a value: write \(kind.usage)")
    default: break
    }
    guard name == "protect" || !seen.contains(name) else {
      throw .invalid(
        what: "modifier", text: "+\(text)", remedy: "+\(name) stands twice; once is enough")
    }
    seen.append(name)
    try set(kind, value)
  }

  private mutating func set(_ kind: Kind, _ value: String) throws(ConfigurationError) {
    switch kind.name {
    case "saved": isSavedFirst = true
    case "minimal": isMinimal = true
    case "protect": protected.append(value)
    case "recent":
      guard let count = Self.count(value) else {
        throw Self.misfit(kind, value, "write a number of apps from 1 on, as in +recent=3")
      }
      recentCount = count
    case "interval":
      guard let span = Self.nanoseconds(value) else {
        throw Self.misfit(kind, value, "write a duration such as 30s, 90m, 4h or 1d")
      }
      intervalNanoseconds = span
    case "until":
      guard let percent = Self.percent(value) else {
        throw Self.misfit(
          kind, value, "write a share of RAM such as 15%, more than 0 and up to 100")
      }
      untilPercent = percent
    default:
      guard let unit = KillUnit(rawValue: value) else {
        throw .unknown(
          what: "value of +\(kind.name)", name: value, known: KillUnit.allCases.map(\.rawValue))
      }
      self.unit = unit
    }
  }

  private static func misfit(
    _ kind: Kind, _ value: String, _ remedy: String
  ) -> ConfigurationError {
    .invalid(what: "value of +\(kind.name)", text: value, remedy: remedy)
  }

  private static func count(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// A positive decimal with a unit of time; nil if it isn't one, or is longer than any trace.
  private static func nanoseconds(_ text: String) -> Int64? {
    guard let (number, unit) = DurationUnit.split(text), let value = decimal(number) else {
      return nil
    }
    let span = (value * unit.seconds * 1e9).rounded()
    return span >= 1 && span < 9e18 ? Int64(span) : nil
  }

  private static func percent(_ text: String) -> Double? {
    guard text.hasSuffix("%"), let value = decimal(text.dropLast()) else { return nil }
    return value > 0 && value <= 100 ? value : nil
  }

  /// Digits with at most one point: what `Double` reads beyond that (`0x1p3`, `inf`) is no figure
  /// that people write.
  private static func decimal(_ text: Substring) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else { return nil }
    return Double(text)
  }
}
