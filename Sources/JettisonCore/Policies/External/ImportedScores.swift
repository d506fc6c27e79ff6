/// Scores that were computed elsewhere: by launch of a trace and app.
///
/// A row says what an app's score is from a launch on; it holds until the app's next row. Launches
/// are counted over the whole trace from 0, every `launch` row being one.
public struct ScoreTable: Sendable, Equatable {
  /// One row.
  public struct Row: Sendable, Equatable {
    /// Position among all launches of the trace, from 0.
    public let episode: Int
    /// Name of the app, as the trace has it.
    public let app: String
    /// The score; not a number is not allowed.
    public let score: Double
    /// Name of the trace that the row is for; nil: any.
    public let trace: String?

    /// Makes a row.
    public init(episode: Int, app: String, score: Double, trace: String? = nil) {
      self.episode = episode
      self.app = app
      self.score = score
      self.trace = trace
    }
  }

  /// The rows, ascending by app and episode; rows of one launch in the order given.
  private let rows: [Row]

  /// Sorts rows; the last one of an app and launch counts.
  ///
  /// Complexity: O(n log n).
  public init(_ rows: [Row]) {
    self.rows = rows.enumerated().sorted { a, b in
      let left = a.element
      let right = b.element
      return left.app != right.app
        ? left.app < right.app
        : (left.episode, a.offset) < (right.episode, b.offset)
    }.map(\.element)
  }

  /// Episodes and scores of one app in one trace, ascending by episode.
  func scores(of app: String, in trace: String) -> (episodes: [Int], scores: [Double]) {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].app < app { low = middle + 1 } else { high = middle }
    }
    var result: (episodes: [Int], scores: [Double]) = ([], [])
    while low < rows.count, rows[low].app == app {
      if rows[low].trace == nil || rows[low].trace == trace {
        result.episodes.append(rows[low].episode)
        result.scores.append(rows[low].score)
      }
      low += 1
    }
    return result
  }
}

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
    let known = episodes[app.position]
    var low = 0
    var high = known.count
    while low < high {
      let middle = (low + high) / 2
      if known[middle] <= newest { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return -.infinity }
    let score = scores[app.position][low - 1]
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
