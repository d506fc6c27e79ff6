extension Simulation {
  /// The next victim, or nil: called until nothing more is due.
  mutating func openLinux() -> OpenDecision? { nil }

  /// How short memory is.
  mutating func linuxLevel() -> PressureLevel { .normal }

  /// An app waits for memory.
  mutating func linuxStalled(_ app: AppIndex, for nanoseconds: Int64) {}

  /// An app began or ceased to run code.
  mutating func linuxRunningChanged(_ app: AppIndex) {}

  /// A timer of the model is due.
  mutating func fireLinux(_ timer: Timer) {}
}
