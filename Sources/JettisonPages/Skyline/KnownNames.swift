import JettisonCore

/// Words of what comes back often: asking such a value itself has its mirror looked at.
enum KnownNames {
  static func of(_ tieBreak: TieBreak) -> String { ties[Int(tieBreak.rawValue)] }
  static func of(_ outcome: SaveOutcome) -> String { outcomes[Int(outcome.rawValue)] }

  private static let ties = names { TieBreak(rawValue: $0)?.name }
  private static let outcomes = names { SaveOutcome(rawValue: $0)?.name }

  /// Names of all values, which are counted from 0.
  private static func names(_ name: (UInt8) -> String?) -> [String] {
    var names: [String] = []
    while let next = name(UInt8(names.count)) { names.append(next) }
    return names
  }
}
