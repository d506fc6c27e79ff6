/// A setting that a run cannot use: an unknown name, a value out of range.
///
/// Payloads hold facts; ``description`` is the sentence.
public enum ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No such thing: `what` ("policy", "device", "setting"), the name given and those that exist.
  case unknown(what: String, name: String, known: [String])
  /// A value that does not fit; `remedy` says what to write instead.
  case invalid(what: String, text: String, remedy: String)

  /// More names than these would be a wall that hides the sentence.
  private static let listedNames = 24
  /// How many of more names stand for all.
  private static let exampleNames = 8
  /// Longer texts are cut, to so many characters.
  private static let longestText = 200
  private static let shownText = 60

  /// The sentence, with the nearest known names where there are any.
  public var description: String {
    switch self {
    case .unknown(let what, let name, let known):
      "unknown \(what) '\(Self.short(name))'\(Self.hint(name, known)); \(Self.list(of: what, known))"
    case .invalid(let what, let text, let remedy):
      "\(what) '\(Self.short(text))' cannot be used: \(remedy)"
    }
  }

  /// What was given, cut where it is longer than whatever may have been meant.
  private static func short(_ text: String) -> String {
    text.count > longestText ? text.prefix(shownText) + "…" : text
  }

  /// The nearest names; of a few that follow anyway, the nearest alone.
  private static func hint(_ name: String, _ known: [String]) -> String {
    let count = known.count > listedNames ? known.count : 1
    let names = NearestNames.of(name, in: known).prefix(count).map { "'\($0)'" }
    guard let last = names.last else { return "" }
    let others = names.dropLast().joined(separator: ", ")
    return " (did you mean \(others.isEmpty ? "" : "\(others) or ")\(last)?)"
  }

  /// All names if they are few, else where they stand.
  private static func list(of what: String, _ known: [String]) -> String {
    guard known.count > listedNames else {
      return known.isEmpty ? "there is none" : "known: \(known.joined(separator: ", "))"
    }
    if let place = place(of: what) { return "\(place) lists all \(known.count)" }
    let examples = known.prefix(exampleNames).joined(separator: ", ")
    return "known: \(examples) and \(known.count - exampleNames) more"
  }

  /// What shows every name of a kind to the user.
  private static func place(of what: String) -> String? {
    switch what {
    case "policy": "'jettison policies'"
    case "device": "'jettison devices'"
    case "format": "'jettison formats'"
    case "metric": "columns.md of the CSV reports"
    default: nil
    }
  }
}
