/// Levels of available memory in percent of RAM.
enum ThresholdsFamily: PressureFamily {
  static var inputs: PressureInputs { [.thresholds, .ends] }
  static var policesBackground: Bool { true }
}
