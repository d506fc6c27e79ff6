extension Simulation {
  /// The next victim, or nil: called until nothing more is due.
  mutating func openLinux() -> OpenDecision? { nil }

  /// How short memory is.
  mutating func linuxLevel() -> PressureLevel { .normal }

  /// An app took memory.
  mutating func linuxMemoryTaken(by app: AppIndex, bytes: Int64) {}

  /// A timer of the model is due.
  mutating func fireLinux(_ timer: Timer) {}
}
