extension Simulation {
  /// The next victim, or nil: called until nothing more is due.
  mutating func openAndroid() -> OpenDecision? { nil }

  /// How short memory is.
  mutating func androidLevel() -> PressureLevel { .normal }

  /// An app entered a state, or its tasks and modes changed: its standing may have.
  mutating func androidStandingChanged(_ app: AppIndex, from before: AppState, to after: AppState) {
  }

  /// A timer of the model is due.
  mutating func fireAndroid(_ timer: Timer) {}
}
