/// Priority bands of iOS on today's scale (16 and later); a larger number is more important.
///
/// Up to iOS 15 every number was a tenth. Source: `memorystatus` of xnu-11417.
public enum PriorityBand {
  private static let table: [(name: String, number: Int16)] = [
    ("idle", 0), ("ageing-1", 10), ("ageing-1-stuck", 15), ("ageing-2", 20), ("background", 30),
    ("mail", 40), ("phone", 50), ("freezer", 75), ("ui-support", 80), ("foreground-support", 90),
    ("foreground", 100), ("audio", 120), ("conductor", 130), ("driver", 150), ("home", 160),
    ("executive", 170), ("important", 180), ("critical", 190), ("max", 210),
  ]

  /// Names that catalogs may use.
  public static let names: [String] = table.map(\.name)

  /// The number of a name; nil if there is none.
  public static func number(named name: String) -> Int16? {
    table.first { $0.name == name }?.number
  }
}
