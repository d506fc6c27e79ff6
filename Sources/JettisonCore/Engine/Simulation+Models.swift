/// What the engine asks the pressure model in force, beyond single hooks.
extension Simulation {
  /// How short memory is.
  @inline(__always)
  mutating func pressureLevel() -> PressureLevel { model.level(&self) }

  /// Whether memory is where nobody looks before a time: settling would do no more than note it.
  ///
  /// May be false although it is so.
  mutating func isAtRest(until time: Int64) -> Bool {
    guard !limitExceeded, !memory.hasFailed, pressureLevel() == level else { return false }
    return model.isAtRest(until: time, &self)
  }
}
