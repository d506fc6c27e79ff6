internal import JettisonTraces

/// When and where an app saves: two keys of its catalog entry, or what it does already.
package struct SavingHabit: Sendable, Equatable {
  /// What it is called.
  package let name: String
  /// `save.when` as a catalog writes it; nil: as captured.
  package let when: String?
  /// `save.thread`; nil: as it is.
  package let thread: String?

  private init(_ name: String, when: String?, thread: String? = nil) {
    self.name = name
    self.when = when
    self.thread = thread
  }

  /// The saves that the trace has, or those of the catalog if it has none.
  package static let asCaptured = SavingHabit("as captured", when: nil)

  /// The habits that `savings` compares, in the order of its table.
  package static let all: [SavingHabit] =
    [
      asCaptured,
      SavingHabit("never", when: "none"),
      SavingHabit("terminate", when: "terminate"),
      SavingHabit("resign", when: "resign"),
      SavingHabit("background", when: "background"),
      SavingHabit("background, task", when: "background", thread: "task"),
    ]
    + ["5s", "10s", "30s", "1min", "2min", "5min"].map { timer($0) }
    + [
      SavingHabit("every edit", when: "edit"),
      SavingHabit("background+terminate", when: "[background, terminate]"),
      SavingHabit("background+timer 30s", when: "[background, timer 30s]"),
      SavingHabit("resign+timer 30s", when: "[resign, timer 30s]"),
    ]

  private static func timer(_ period: String) -> SavingHabit {
    SavingHabit("timer \(period)", when: "timer \(period)")
  }

  /// What `--set` would be told to give an app the habit, and no other.
  package func settings(of app: String) -> [(key: String, text: String)] {
    guard let when else { return [] }
    let settings = [("save.when", when), ("save.thread", thread), ("task.save", "no")]
    return settings.compactMap { key, text in text.map { ("\(app).\(key)", $0) } }
  }

  /// The same as changes of the app's catalog entry.
  func changes(of app: String) throws(TraceError) -> [CatalogChange] {
    var changes: [CatalogChange] = []
    for (key, text) in settings(of: app) {
      if let change = try CatalogChange(key: key, text: text) { changes.append(change) }
    }
    return changes
  }
}
