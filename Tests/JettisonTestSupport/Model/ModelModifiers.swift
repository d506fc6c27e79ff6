import JettisonCore

/// Modifiers of a policy, read and applied in the most obvious way.
struct ModelModifiers {
  /// Words with their values, in the order in which they are written.
  private let parts: [(word: String, value: String)]

  /// Reads `+saved+recent=2`; what is wrong stays without effect.
  init(_ text: String) {
    parts = text.split(separator: "+").map { part in
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      return (sides[0], sides.count > 1 ? sides[1] : "")
    }
  }

  func has(_ word: String) -> Bool { parts.contains { $0.word == word } }

  private func value(_ word: String) -> String? { parts.first { $0.word == word }?.value }

  var recent: Int { value("recent").flatMap { Int($0) } ?? 0 }

  /// In nanoseconds.
  var interval: Int64? {
    guard let text = value("interval"), let unit = text.last, let count = Int64(text.dropLast())
    else { return nil }
    let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    return seconds[unit].map { count * $0 * 1_000_000_000 }
  }

  /// Available memory up to which purging goes on.
  func until(of capacity: Int64) -> Int64? {
    guard let percent = value("until").flatMap({ Double($0.dropLast()) }) else { return nil }
    return Int64((Double(capacity) * percent / 100).rounded(.up))
  }

  func protects(_ name: String) -> Bool {
    parts.contains { $0.word == "protect" && Self.matches($0.value[...], name[...]) }
  }

  private static func matches(_ glob: Substring, _ name: Substring) -> Bool {
    guard let first = glob.first else { return name.isEmpty }
    if first == "*" {
      return matches(glob.dropFirst(), name)
        || !name.isEmpty && matches(glob, name.dropFirst())
    }
    guard let letter = name.first, first == "?" || first == letter else { return false }
    return matches(glob.dropFirst(), name.dropFirst())
  }

  func goTogether(_ a: ModelApp, _ b: ModelApp, _ groups: [UInt32]) -> Bool {
    switch value("unit") {
    case "app": a.name.prefix { $0 != ":" } == b.name.prefix { $0 != ":" }
    case "group":
      !groups.isEmpty && groups[a.index.position] == groups[b.index.position]
    default: false
    }
  }
}
