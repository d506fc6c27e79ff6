/// `scores`: purges in the order of scores that were computed elsewhere.
///
/// The newest score of an app at or before the newest launch counts; an app without one goes first.
/// State: the table. O(1) per event, O(log rows) per score. Predictors that have to be trained
/// (AppUsage2Vec, ICDM 2019; WhatsNextApp, IEEE Access 2022; CoSEM, CIKM 2021) come in this way.
struct ImportedScores: PurgePolicy {
  /// Which scores go first.
  enum Order: String, CaseIterable, Sendable {
    /// The lowest: scores are probabilities or values.
    case ascending = "asc"
    /// The highest: scores are distances.
    case descending = "desc"
  }

  let order: Order
  private var newest = -1
  private var seen: [Int]
  private var episodes: [[Int]] = []
  private var scores: [[Double]] = []

  init(_ table: ScoreTable, order: Order, context: PolicyContext) {
    self.order = order
    seen = Array(repeating: 0, count: context.appCount)
    for name in context.appNames {
      let rows = table.scores(of: name, in: context.traceName)
      episodes.append(rows.episodes)
      scores.append(rows.scores)
    }
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    guard event.kind == .requested || event.kind == .launched else { return }
    let launches = apps.launchCount(event.app)
    newest += launches - seen[event.app.position]
    seen[event.app.position] = launches
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let next = episodes[app.position].partitioningIndex { $0 > newest }
    guard next > 0 else { return -.infinity }
    let score = scores[app.position][next - 1]
    return order == .ascending ? score : -score
  }
}

extension PolicyDescriptor {
  /// The policy `scores` over a table that has been read.
  ///
  /// Reading files is left to the caller; `jettison` reads the table that `file` names.
  public static func importedScores(_ table: ScoreTable) -> PolicyDescriptor {
    PolicyDescriptor(
      name: "scores", family: "external",
      summary: "Purges in the order of scores that were computed elsewhere.",
      details: """
        Score: the app's newest one at or before the newest launch, by a CSV file with the columns \
        episode, app, score and, if wanted, trace. episode is the position of a launch row among \
        all launch rows of the trace, from 0; app is its name; a score holds until the app's next \
        one; rows that name a trace are for that trace only. With order=asc the lowest score goes \
        first, with order=desc the highest. Apps without a score go first. The scores are taken as \
        they are: whether they were learned from the launches that are being replayed is up to \
        their maker.
        """,
      source: """
        predictions of any model, such as AppUsage2Vec (ICDM 2019), WhatsNextApp (IEEE Access \
        2022) or CoSEM (CIKM 2021)
        """,
      complexity: "O(1) per event, O(log rows) per score",
      parameters: [
        PolicyParameter("file", "The CSV file.", default: "none: required"),
        PolicyParameter("order", "Which scores go first: asc or desc.", default: "asc"),
      ],
      needsArguments: true
    ) { (arguments, context) throws(ConfigurationError) in
      guard arguments["file"] != nil else {
        throw .invalid(what: "policy", text: "scores", remedy: "write scores:file=scores.csv")
      }
      return ImportedScores(
        table, order: try arguments.choice("order", default: ImportedScores.Order.ascending),
        context: context)
    }
  }
}
