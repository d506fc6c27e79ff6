extension RunConfiguration {
  /// Refuses values that no run can have, and lists of another length than the trace has apps.
  ///
  /// - Parameter appCount: How many apps the trace has.
  package func check(appCount: Int) throws(RunError) {
    do throws(ConfigurationError) {
      try checkLists(appCount)
      try checkFigures()
      for profile in profiles { try profile.checkFigures() }
    } catch {
      throw .configuration(error)
    }
  }

  /// Refuses values of the device and of the run that no run can have, whatever the trace.
  package func checkFigures() throws(ConfigurationError) {
    try checkOwnFigures()
    try device.checkFigures()
    guard pressure.isTextbook || device.reserveBytes < device.ramBytes else {
      throw .invalid(
        what: "device.reserveBytes", text: "\(device.reserveBytes)",
        remedy: "the system must leave apps some of the \(device.ramBytes) bytes of RAM")
    }
    for parameter in PressureParameters.parameters(of: pressure) {
      try device.pressureParameters.check(parameter)
    }
  }

  private func checkLists(_ appCount: Int) throws(ConfigurationError) {
    let lists: [(name: String, count: Int, mayBeEmpty: Bool)] = [
      ("profiles", profiles.count, false), ("groups", groups.count, true),
      ("controlGroups", controlGroups.count, true),
    ]
    for (name, count, mayBeEmpty) in lists
    where count != appCount && !(mayBeEmpty && count == 0) {
      throw .invalid(
        what: name, text: "\(count) values",
        remedy: "give one for each of the trace's \(appCount) apps"
          + (mayBeEmpty ? ", or none at all" : ""))
    }
    for app in pinned where app.position >= appCount {
      throw .invalid(
        what: "pinned", text: "\(app.position)", remedy: "the trace has \(appCount) apps")
    }
  }

  private func checkOwnFigures() throws(ConfigurationError) {
    try Figure.whole("capacityApps", capacityApps ?? 1, 1...Int64.max)
    try Figure.time("decayNanoseconds", decayNanoseconds)
    try Figure.time("warningPurgeDelayNanoseconds", warningPurgeDelayNanoseconds)
    try Figure.time("warmUpNanoseconds", warmUpNanoseconds)
    try Figure.whole("protectRecentCount", Int64(protectRecentCount))
    try Figure.whole("listedLosses", Int64(listedLosses))
    try Figure.real("lambda", lambda)
  }
}

extension Device {
  fileprivate func checkFigures() throws(ConfigurationError) {
    try Figure.size("device.ramBytes", ramBytes, from: 1)
    try Figure.size("device.tableRAMBytes", tableRAMBytes, from: 1)
    try Figure.size("device.reserveBytes", reserveBytes)
    try Figure.size("device.pageBytes", pageBytes, from: 1)
    try Figure.size("device.limitBytes", limitBytes ?? 0)
    try Figure.time("device.budgets.handlerNanoseconds", budgets.handlerNanoseconds)
    try Figure.time("device.budgets.taskNanoseconds", budgets.taskNanoseconds)
    try Figure.time(
      "device.budgets.backgroundLaunchNanoseconds", budgets.backgroundLaunchNanoseconds)
    try Figure.time("device.suspensionDelayNanoseconds", suspensionDelayNanoseconds)
    try Figure.real("device.thresholds.warnPercent", thresholds.warnPercent, upTo: 10_000)
    try Figure.real("device.thresholds.purgePercent", thresholds.purgePercent, upTo: 10_000)
    try Figure.real("device.thresholds.untilPercent", thresholds.untilPercent, upTo: 10_000)
    try Figure.real("device.thresholds.criticalPercent", thresholds.criticalPercent, upTo: 10_000)
    try Figure.real("device.thresholds.returnPercent", thresholds.returnPercent, upTo: 10_000)
    try Figure.real("device.thresholds.stepPercent", thresholds.stepPercent, upTo: 10_000)
    try Figure.real("device.compression.ratio", compression?.ratio ?? 1, from: 1)
    try Figure.real(
      "device.compression.suspendedShare", compression?.suspendedShare ?? 0, upTo: 1)
  }
}

extension PressureParameters {
  fileprivate func check(_ parameter: ModelParameter) throws(ConfigurationError) {
    let key = parameter.key
    switch parameter.place {
    case .percent(let path): try Figure.real(key, self[keyPath: path], upTo: 100)
    case .optionalPercent(let path): try Figure.real(key, self[keyPath: path] ?? 0, upTo: 100)
    case .number(let path): try Figure.real(key, self[keyPath: path])
    case .count(let path): try Figure.whole(key, Int64(self[keyPath: path]))
    case .optionalCount(let path): try Figure.whole(key, Int64(self[keyPath: path] ?? 0))
    case .duration(let path), .bytes(let path): try Figure.whole(key, self[keyPath: path])
    case .optionalDuration(let path), .optionalBytes(let path):
      try Figure.whole(key, self[keyPath: path] ?? 0)
    case .limits(let path): try self[keyPath: path].check(key)
    case .flag, .optionalFlag, .text: break
    }
  }
}

extension MemoryLimits {
  fileprivate func check(_ key: String) throws(ConfigurationError) {
    guard case .sets(let sets) = self else { return }
    for limit in sets.flatMap({ [$0.visible, $0.notVisible] }) {
      try Figure.whole(key, limit.memoryBytes)
      try Figure.whole(key, limit.swapBytes)
    }
  }
}

extension AppProfile {
  /// What a negative figure says of its own: no limit, or the device's.
  fileprivate func checkFigures() throws(ConfigurationError) {
    try Figure.size("launchFootprintBytes", launchFootprintBytes)
    try Figure.size("growthBytesPerMinute", growthBytesPerMinute)
    try Figure.size("backgroundCeilingBytes", backgroundCeilingBytes, from: .min)
    try Figure.size("suspendedCeilingBytes", suspendedCeilingBytes, from: .min)
    try Figure.share("releasablePPM", releasablePPM)
    try Figure.time("coldLaunchNanoseconds", coldLaunchNanoseconds)
    try Figure.time("warmLaunchNanoseconds", warmLaunchNanoseconds)
    try Figure.time("hotLaunchNanoseconds", hotLaunchNanoseconds)
    try Figure.time("saveTimerNanoseconds", saveTimerNanoseconds)
    try Figure.size("saveBytesPerSecond", saveBytesPerSecond, from: 1)
    try Figure.time("saveFixedNanoseconds", saveFixedNanoseconds)
    try Figure.share("saveSharePPM", saveSharePPM)
    try Figure.real("editProbability", editProbability, upTo: 1)
    try Figure.whole("editWorkPPM", editWorkPPM, 0...1_000_000_000)
    try Figure.size("editBytesPerSecond", editBytesPerSecond)
    try Figure.real("warningResponseProbability", warningResponseProbability, upTo: 1)
    try Figure.share("warningReleasePPM", warningReleasePPM)
    try Figure.time("warningDelayNanoseconds", warningDelayNanoseconds)
    try Figure.size("limitBytes", limitBytes, from: .min)
    try Figure.size("softLimitBytes", softLimitBytes, from: .min)
    try Figure.size("inactiveLimitBytes", inactiveLimitBytes, from: .min)
    try Figure.size("softInactiveLimitBytes", softInactiveLimitBytes, from: .min)
    try Figure.share("compressedPPM", compressedPPM, from: .min)
  }
}

/// Figures of a run, and the ranges they may lie in.
private enum Figure {
  static func whole(
    _ name: String, _ value: Int64, _ range: ClosedRange<Int64> = 0...Int64.max
  ) throws(ConfigurationError) {
    guard !range.contains(value) else { return }
    throw fault(name, "\(value)", "\(range.lowerBound) to \(range.upperBound)")
  }

  /// Far more bytes than any device has: sums of a few fit.
  static func size(
    _ name: String, _ bytes: Int64, from least: Int64 = 0
  ) throws(ConfigurationError) {
    try whole(name, bytes, least...(1 << 53))
  }

  static func time(_ name: String, _ nanoseconds: Int64) throws(ConfigurationError) {
    try whole(name, nanoseconds, 0...Trace.longestNanoseconds)
  }

  /// Parts per million of a whole.
  static func share(
    _ name: String, _ ppm: Int64, from least: Int64 = 0
  ) throws(ConfigurationError) {
    try whole(name, ppm, least...1_000_000)
  }

  static func real(
    _ name: String, _ value: Double, from least: Double = 0,
    upTo most: Double = .greatestFiniteMagnitude
  ) throws(ConfigurationError) {
    // What is no number is in no range.
    guard !(least...most).contains(value) else { return }
    throw fault(name, "\(value)", "\(least) to \(most)")
  }

  private static func fault(
    _ name: String, _ text: String, _ range: String
  ) -> ConfigurationError {
    .invalid(what: name, text: text, remedy: "use \(range)")
  }
}
