/// What an app is to its user while memory is taken away, the least important first.
public enum CanaryClass: String, CaseIterable, Sendable {
  /// Suspended: it only waits to be used again.
  case cached
  /// Runs in the background, and its end would not be noticed at once.
  case background
  /// Runs in the background, and the user hears or sees what it does.
  case perceptible
  /// What the system shields beyond what its state says: part of what is seen, or pinned.
  case protected
  /// In front.
  case front
}

/// How the apps of a class fared in a run in which memory was taken away: a row of `canary.csv`.
public struct CanaryRow: Sendable {
  /// The first end of an app.
  public struct Death: Sendable, Equatable {
    /// Its name.
    public let app: String
    /// How much had been taken away, in bytes.
    public let takenBytes: Int64
    /// What was available when the decision was made, in bytes; nil: there was no decision.
    public let availableBytes: Int64?
    /// The rule that it died by.
    public let cause: String

    /// Makes a death from its parts.
    package init(app: String, takenBytes: Int64, availableBytes: Int64?, cause: String) {
      self.app = app
      self.takenBytes = takenBytes
      self.availableBytes = availableBytes
      self.cause = cause
    }
  }

  /// What distinguishes the run from the others.
  public let key: RunKey
  /// The pressure model.
  public let model: String
  /// The class.
  public let appClass: CanaryClass
  /// Apps of the class that were in memory at the start.
  public let apps: Int
  /// Those that died, the first one first: the steps of a curve of survivors.
  public let deaths: [Death]
  /// Taken away at a time, in bytes.
  public let stepBytes: Int64
  /// Taken away in all, in bytes.
  public let takenBytes: Int64

  /// Makes a row from its parts.
  package init(
    key: RunKey, model: String, appClass: CanaryClass, apps: Int, deaths: [Death],
    stepBytes: Int64, takenBytes: Int64
  ) {
    self.key = key
    self.model = model
    self.appClass = appClass
    self.apps = apps
    self.deaths = deaths
    self.stepBytes = stepBytes
    self.takenBytes = takenBytes
  }
}
