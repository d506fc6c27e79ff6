public import JettisonCore

/// What one saving habit of an app comes to on one device: a row of `savings.csv`.
public struct SavingsRow: Sendable {
  /// The app.
  public let app: String
  /// The purge policy that all habits are replayed under.
  public let policy: String
  /// Name of the device, with what is swept after a colon.
  public let device: String
  /// RAM in bytes.
  public let memoryBytes: Int64
  /// What the habit is called.
  public let habit: String
  /// `save.when` of the habit; nil: as captured.
  public let when: String?
  /// `save.thread` of the habit; nil: as it is.
  public let thread: String?
  /// Users whose traces have the app.
  public let users: Int
  /// Sums over traces of means over seeds, by the name of the metric; empty if a run failed.
  public var figures: [String: Double] = [:]
  /// Work lost per user-day, mean over users; nil where no user has a rate.
  public var lostPerDay: Double?
  /// How that differs from the first habit; nil for the first itself.
  public var comparison: Comparison?
  /// Whether of the habits that lose nothing this one writes least.
  public var isFrugal = false
  /// The runs that the row sums up, as if the trace had no other app.
  package var runs: [RunRecord] = []

  /// Makes a row without figures.
  package init(
    app: String, policy: String, device: String, memoryBytes: Int64, habit: String,
    when: String?, thread: String?, users: Int
  ) {
    self.app = app
    self.policy = policy
    self.device = device
    self.memoryBytes = memoryBytes
    self.habit = habit
    self.when = when
    self.thread = thread
    self.users = users
  }

  /// Whether no system end lost anything, noticed or not.
  public var losesNothing: Bool {
    !figures.isEmpty && Self.lossNames.allSatisfy { figures[$0] == 0 }
  }

  /// Columns that together count every system end with a loss.
  private static let lossNames = [
    "loss_events", "kill_loss_events", "watchdog_loss_events", "task_loss_events",
    "no_multitasking_loss_events",
  ]

  /// The metric that habits are compared by.
  public static let comparedMetric = metric("system_lost_work_noticed_seconds")

  /// The metrics of a row, in the order of the columns.
  public static let metrics: [Metric] =
    ([
      "user_days", "launches", "system_ends", "system_losses_noticed",
      "system_lost_work_noticed_seconds", "system_lost_bytes_noticed", "system_lost_work_seconds",
    ] + lossNames + [
      "user_discards", "user_discarded_work_seconds", "saves", "written_bytes",
      "saves_interrupted_window", "saves_interrupted_purge", "watchdog_terminations",
      "task_expirations", "handler_wait_seconds", "system_relaunch_wait_seconds",
    ]).map(metric)

  private static func metric(_ name: String) -> Metric {
    guard let metric = MetricTable.summary.first(where: { $0.name == name }) else {
      preconditionFailure("the table has a metric \(name)")
    }
    return metric
  }
}
