/// What the command calls the properties that the library's errors and issues name.
///
/// The library says "the log has no year (set `ImportOptions.year`)", because it knows nothing of
/// options; a user of the command reads "(set --year)".
enum OptionNames {
  /// The property as texts of the library have it, and the option that sets it.
  static let all: [(property: String, option: String)] = [
    ("Device.ramBytes", "--memory"),
    ("ExperimentSpecification.devices", "--device"),
    ("ExperimentSpecification.memoryBytes", "--memory"),
    ("ImportOptions.apiLevel", "--api-level"),
    ("ImportOptions.app", "--app"),
    ("ImportOptions.apps", "--apps"),
    ("ImportOptions.columns", "--columns"),
    ("ImportOptions.dateOrder", "--date-order"),
    ("ImportOptions.device", "--device"),
    ("ImportOptions.isStrict", "--strict"),
    ("ImportOptions.operationsPerSecond", "--rate"),
    ("ImportOptions.user", "--user"),
    ("ImportOptions.year", "--year"),
    ("ImportOptions.zoneOffsetSeconds", "--zone"),
    ("ProcessSelection.names", "--name"),
    ("ProcessSelection.numbers", "--pid"),
    ("TraceLoader.load(format:)", "--format"),
    ("TraceLoader.loadAll", "'jettison import … -o DIR'"),
  ]

  /// A text of the library in the words of the command.
  ///
  /// - Complexity: O(characters) for a text that names no property.
  static func worded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "`")) else { return text }
    return all.reduce(text) { $0.replacing("`\($1.property)`", with: $1.option) }
  }
}
