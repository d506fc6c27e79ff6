/// The kill list of iOS 4 and 5.
enum KillListFamily: PressureFamily {
  static var inputs: PressureInputs { [.thresholds, .step] }
  static var policesBackground: Bool { true }
}
