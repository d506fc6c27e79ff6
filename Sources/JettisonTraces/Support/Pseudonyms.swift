internal import JettisonModel
internal import JettisonSupport

/// Stand-ins for words that a capture chose freely: each gets a number of its kind, in order of
/// appearance, and equal words the same.
///
/// What the format or a platform prescribes stays: it identifies no person.
struct Pseudonyms {
  /// Keys of details whose values are free, with the words that platforms prescribe there.
  private static let freeDetailKeys: [String: Set<String>] = [
    "scene": [],
    "mode": [
      "audio", "location", "voip", "fetch", "push", "service", "navigation", "call",
      "bluetooth-central", "bluetooth-peripheral", "external-accessory", "newsstand-content",
      "processing", "remote-notification",
    ],
    // Of `present` and of `adj`: Android's own words for states of processes.
    "state": [
      "front", "background", "suspended", "sys", "pers", "psvc", "fg", "fore", "vis", "prcp",
      "prcm", "prcl", "bkup", "hvy", "svc", "svcb", "prev", "home", "cch", "ntv", "TOP",
    ],
    "resource": ["contacts", "calendar", "photos", "file", "file-lock", "database", "sqlite"],
    "kind": Set(EventDetail.changeKinds + ["data", "position", "cold", "warm", "hot"]),
    "to": [
      "connected", "disconnected", "portrait", "portrait-upside-down", "landscape",
      "landscape-left", "landscape-right", "face-up", "face-down", "on", "off", "0", "1",
    ],
  ]
  /// Folders of control groups that every machine with systemd or cgroup v2 has, and the pattern of
  /// them all.
  private static let commonControlGroups: Set<String> = [
    "", "-.slice", "system.slice", "user.slice", "machine.slice", "session.slice", "app.slice",
    "background.slice", "workload.slice", "init.scope", "*",
  ]

  private var numbers: [String: [String: Int]] = [:]

  /// Makes no stand-in yet.
  init() {}

  /// The detail of a row with its free words replaced.
  mutating func detail(_ text: String) -> String {
    guard !text.isEmpty else { return text }
    return text.split(separator: ";", omittingEmptySubsequences: false).map { pair in
      guard let sign = pair.firstIndex(of: "="),
        let known = Self.freeDetailKeys[String(pair[..<sign])]
      else { return String(pair) }
      let value = String(pair[pair.index(after: sign)...])
      guard !known.contains(value) else { return String(pair) }
      return "\(pair[...sign])\(standIn(for: value, kind: String(pair[..<sign])))"
    }.joined(separator: ";")
  }

  /// An app's entry of the catalog with its groups replaced.
  mutating func catalogEntry(_ node: YAMLNode) -> YAMLNode {
    guard let entries = node.mapping else { return node }
    let renamed = entries.map { entry -> YAMLEntry in
      guard let text = entry.value.scalar else { return entry }
      switch entry.key {
      case "group": return entry.replacing(standIn(for: text, kind: "group"))
      case "cgroup": return entry.replacing(controlGroup(text))
      default: return entry
      }
    }
    return YAMLNode(content: .mapping(renamed), place: node.place)
  }

  /// The settings of systemd-oomd with the control groups replaced that it watches.
  mutating func killerUnits(_ node: YAMLNode) -> YAMLNode {
    guard let entries = node.mapping else { return node }
    let renamed = entries.map { entry -> YAMLEntry in
      guard ["pressure-units", "swap-units"].contains(entry.key), let text = entry.value.scalar
      else { return entry }
      let units = text.split(separator: ",", omittingEmptySubsequences: false)
      return entry.replacing(units.map { controlGroup(String($0)) }.joined(separator: ","))
    }
    return YAMLNode(content: .mapping(renamed), place: node.place)
  }

  /// Folder by folder, so that the nesting stays.
  private mutating func controlGroup(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { folder in
      let name = String(folder)
      if Self.commonControlGroups.contains(name) { return name }
      let suffix = [".slice", ".service", ".scope"].first { name.hasSuffix($0) } ?? ""
      return standIn(for: name, kind: "cgroup") + suffix
    }.joined(separator: "/")
  }

  private mutating func standIn(for word: String, kind: String) -> String {
    let number = numbers[kind]?[word] ?? (numbers[kind]?.count ?? 0) + 1
    numbers[kind, default: [:]][word] = number
    return "\(kind)-\(number)"
  }
}

extension YAMLEntry {
  fileprivate func replacing(_ text: String) -> YAMLEntry {
    YAMLEntry(
      key: key, place: place, value: YAMLNode(content: .scalar(text), place: value.place))
  }
}

extension ImportIssues {
  /// The same issues without what they quote of the input, from the first quote to the last: what is
  /// quoted may have quotes of its own.
  var withoutQuotes: ImportIssues {
    var issues = ImportIssues()
    issues.areLinesOfSource = areLinesOfSource
    issues.parts = parts.enumerated().map {
      IssuePart(name: "part-\($0 + 1)", firstLine: $1.firstLine)
    }
    for issue in all {
      issues.add(
        issue.severity, Self.withoutQuote(issue.text), count: issue.count, lines: issue.lines)
    }
    return issues
  }

  private static func withoutQuote(_ text: String) -> String {
    guard text != TraceRules.noEndIssue, let first = text.firstIndex(of: "'"),
      let last = text.lastIndex(of: "'"), first < last
    else { return text }
    return "\(text[...first])…\(text[last...])"
  }
}
