internal import JettisonCore
internal import JettisonSupport

/// Android's driver in the kernel, and its daemon.
enum AndroidText: PressureText {
  static func rule(_ configuration: RunConfiguration) -> String {
    limiter(configuration) + parameters(ModelParameterText.inForce(configuration))
  }

  static func cachedLimit(of device: Device) -> Int? { CachedAppLimits(device).maximum }

  /// What the Memory Limiter lets apps hold, where it is on; with a blank at its end.
  private static func limiter(_ configuration: RunConfiguration) -> String {
    guard let limiter = configuration.memoryLimiter else { return "" }
    func text(_ limit: MemoryLimit) -> String {
      "\(HumanText.size(bytes: limit.memoryBytes)) and swap "
        + HumanText.size(bytes: limit.swapBytes)
    }
    return "beside lmkd the Memory Limiter lets a visible app hold \(text(limiter.visible)), "
      + "another that is not cached \(text(limiter.notVisible)). "
  }
}
