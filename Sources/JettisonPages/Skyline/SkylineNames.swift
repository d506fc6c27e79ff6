import JettisonCore
import JettisonSupport

/// Names of a trace's apps as pictures show them: cleaned, cut, and short where they stay unlike.
struct SkylineNames: Sendable {
  /// Characters of a name that are shown in sentences.
  private static let longest = 60
  /// Characters of a name in the margin.
  private static let longestLane = 22
  /// Characters of a name beside a mark.
  private static let longestShort = 18

  private let names: [String]
  private let laneNames: [String]
  private let shortNames: [String]

  /// Takes decoded names, by ``AppIndex``.
  init(_ names: [String]) {
    let lasts = names.map { name in name.split(separator: ".").last.map(String.init) ?? name }
    var counts: [String: Int] = [:]
    for last in lasts { counts[last, default: 0] += 1 }
    let shorts = zip(names, lasts).map { counts[$1] == 1 ? $1 : $0 }
    self.names = names.map { Self.shown($0, Self.longest) }
    shortNames = shorts.map { Self.shown($0, Self.longestShort) }
    laneNames = zip(names, shorts).map { name, short in
      Self.shown(name.utf8.count <= Self.longestLane ? name : short, Self.longestLane)
    }
  }

  /// The names, cut where they are very long, by ``AppIndex``.
  var all: [String] { names }

  /// How many there are.
  var count: Int { names.count }

  /// The name, cut where it is very long.
  func shown(_ app: AppIndex) -> String { Self.name(app, of: names) }

  /// The name in as much room as the margin has.
  func lane(_ app: AppIndex) -> String { Self.name(app, of: laneNames) }

  /// The name in as much room as a mark has.
  func short(_ app: AppIndex) -> String { Self.name(app, of: shortNames) }

  private static func name(_ app: AppIndex, of names: [String]) -> String {
    app.position < names.count ? names[app.position] : "–"
  }

  /// About how wide a text is in a picture, in tenths of a unit.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 68 : 120) }
  }

  /// A name that may be written from right to left, kept from turning what stands around it.
  private static func shown(_ name: String, _ longest: Int) -> String {
    let name = PageText.name(name, longest: longest)
    return name.utf8.allSatisfy { $0 < 0x80 } ? name : "\u{2068}\(name)\u{2069}"
  }
}
