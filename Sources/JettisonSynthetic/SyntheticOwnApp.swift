public import JettisonModel
internal import JettisonSupport
package import JettisonTraces

/// An app of your own that every synthetic user has.
///
/// It behaves as the built-in app category that it names.
public struct SyntheticOwnApp: Sendable {
  /// How many may be added.
  public static let limit = 20
  /// Launches per day that one app may have; all together may have no more than the most.
  public static let launchesPerDay = 0.01...500.0

  /// Its name.
  public let name: String
  /// How it behaves.
  package let category: Category
  /// Mean number of launches a day, within ``SyntheticOwnApp/launchesPerDay-type.property``.
  public let launchesPerDay: Double

  /// Reads `NAME:CATEGORY:LAUNCHES-PER-DAY`, such as `com.example.mine:notes:4`.
  ///
  /// - Parameter text: The three parts; the name may have colons.
  /// - Throws: `ConfigurationError` with the remedy for each part that cannot be used.
  public init(parsing text: String) throws(ConfigurationError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3 else {
      throw .invalid(
        what: "app", text: text,
        remedy: "write NAME:CATEGORY:LAUNCHES-PER-DAY, such as com.example.mine:notes:4")
    }
    name = parts.dropLast(2).joined(separator: ":")
    guard (1...TraceLimits.nameBytes).contains(name.utf8.count),
      !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw .invalid(
        what: "name", text: PercentEncoding.encode(name),
        remedy: "write 1 to \(TraceLimits.nameBytes) bytes without control characters")
    }
    let taken = SyntheticApps.all.map(\.name) + SyntheticApps.daemons
    guard !taken.contains(name) else {
      throw .invalid(
        what: "name", text: name,
        remedy: "the generator has an app of that name; choose another")
    }
    let word = parts[parts.count - 2]
    guard let category = Category(rawValue: word) else {
      throw .unknown(what: "category", name: word, known: Category.allCases.map(\.rawValue))
    }
    self.category = category
    let number = parts[parts.count - 1]
    guard let millionths = Quantity.scaled(number, by: 1_000_000),
      Self.launchesPerDay.contains(Double(millionths) / 1_000_000)
    else {
      throw .invalid(what: "launches per day", text: number, remedy: "write 0.01 to 500")
    }
    launchesPerDay = Double(millionths) / 1_000_000
  }

  /// Checks what no app can know by itself: names and sums.
  ///
  /// ``SyntheticUsers`` does, too; a caller that makes several people asks before the first.
  package static func check(_ apps: [SyntheticOwnApp]) throws(ConfigurationError) {
    guard apps.count <= limit else {
      throw .invalid(what: "number of apps", text: "\(apps.count)", remedy: "at most \(limit)")
    }
    var names: Set<String> = []
    for app in apps where !names.insert(app.name).inserted {
      throw .invalid(what: "name", text: app.name, remedy: "name each app once")
    }
    let sum = apps.reduce(0) { $0 + $1.launchesPerDay }
    guard sum <= launchesPerDay.upperBound else {
      throw .invalid(
        what: "sum of launches per day", text: "\(Int(sum.rounded()))",
        remedy: "at most 500 fit into a day")
    }
  }
}
