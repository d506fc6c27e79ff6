import JettisonCore
import JettisonTestSupport

extension Scenario {
  /// A phone with plenty of memory and two apps, of which `a` writes 1000 bytes per second when it
  /// saves.
  static func writing(
    _ triggers: AppProfile.SaveTriggers, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> Scenario {
    Scenario(ramMiB: 10_000).app("b").app("a") {
      $0.saveTriggers = triggers
      $0.saveFixedNanoseconds = 0
      $0.saveBytesPerSecond = 1000
      change(&$0)
    }
  }
}
