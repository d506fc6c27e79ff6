/// Kills of idle processes because pressure has lasted too long.
struct JetsamSustainedPressure: BitwiseCopyable, Sendable {
  let isOn: Bool
  let afterNanoseconds: Int64
  let pauseNanoseconds: Int64
  /// How many may still be killed before it gives up.
  private(set) var remaining: Int64 = 0
  /// One may be killed now.
  private(set) var isDue = false

  init(era: JetsamEra, parameters: JetsamParameters) {
    isOn = parameters.killsUnderSustainedPressure ?? era.killsUnderSustainedPressure
    afterNanoseconds = parameters.sustainedNanoseconds
    pauseNanoseconds = parameters.sustainedPauseNanoseconds
  }

  /// The time is over: twice as many as are idle now may go.
  mutating func begin(idleCount: Int64) {
    remaining = 2 * idleCount
    isDue = remaining > 0
  }

  /// One has gone; false if enough have, else the next follows after the pause.
  mutating func killed() -> Bool {
    isDue = false
    remaining -= 1
    return remaining > 0
  }

  /// The pause is over.
  mutating func resume() { isDue = remaining > 0 }

  /// The level is normal again, or no process is left.
  mutating func stop() {
    remaining = 0
    isDue = false
  }
}
