/// What the engine asks the pressure model in force, beyond single hooks.
extension Simulation {
  /// How short memory is.
  @inline(__always)
  mutating func pressureLevel() -> PressureLevel { model.level(&self) }

  /// Whether settling would do no more than note how much memory is left: a rule that has to check
  /// something before a time has a timer for it.
  ///
  /// May be false although it is so.
  mutating func isAtRest(until time: Int64) -> Bool {
    guard !limits.isExceeded, !memory.hasFailed, pressureLevel() == level else { return false }
    return model.isAtRest(until: time, &self)
  }
}
