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
  package func scores(of app: String, in trace: String) -> (episodes: [Int], scores: [Double]) {
    var result: (episodes: [Int], scores: [Double]) = ([], [])
    for row in rows[rows.partitioningIndex { $0.app >= app }...].prefix(while: { $0.app == app })
    where row.trace == nil || row.trace == trace {
      result.episodes.append(row.episode)
      result.scores.append(row.score)
    }
    return result
  }
}
