public import JettisonCore

/// A run beside the capture that it replays: what both say of kills, warnings and available memory.
public struct ValidatedRun: Sendable {
  /// Which run it is.
  public let key: RunKey
  /// What counts as about the same time, in nanoseconds.
  public let windowNanoseconds: Int64
  /// Whether the ranks (`oom_score_adj`) of the capture counted; nil: it has none, or the model asks
  /// for none.
  public let usesCapturedRanks: Bool?
  /// Observed ends that are not for memory and so not compared, by cause.
  public let otherExits: [ExitCause: Int]
  /// Everything that was compared, in order of time; what was observed first.
  public let rows: [ValidationRow]
  /// What the rows add up to.
  public let figures: ValidationFigures
  /// The run that decided for itself, with what it was made from; nil: unknown.
  package var record: RunRecord?

  /// Makes a run from its parts and adds up its rows.
  package init(
    key: RunKey, windowNanoseconds: Int64, usesCapturedRanks: Bool? = nil,
    otherExits: [ExitCause: Int] = [:], rows: [ValidationRow]
  ) {
    self.key = key
    self.windowNanoseconds = windowNanoseconds
    self.usesCapturedRanks = usesCapturedRanks
    self.otherExits = otherExits
    self.rows = rows
    figures = ValidationFigures(rows)
  }

  /// The run in a sentence.
  package var place: String { key.place(usesCapturedRanks: usesCapturedRanks) }
}
