package import JettisonModel

/// A built-in category of apps: invented but plausible medians that stand in for a catalog entry.
///
/// The figures are in the documentation of the trace format. Memory figures scale with the RAM of
/// the device's table row, up to 3 GiB.
package enum Category: String, CaseIterable, Sendable {
  case messaging
  case social
  case shortVideo = "short-video"
  case browser
  case maps
  case photo
  case notes
  case shopping
  case casualGame = "casual-game"
  case largeGame = "large-game"
  case music
  case utility

  /// How apps of a category save.
  fileprivate enum SaveClass {
    case full, autosave, partial, never
  }

  fileprivate struct Figures {
    var launchMB: Int64
    var growthMBPerMinute: Int64
    var suspendedMB: Int64
    var releasablePercent: Int64
    var coldMilliseconds: Int64
    var dirtyProbability: Double
    var workPerMille: Int64
    var save: SaveClass
  }

  /// RAM from which on the figures hold as they stand.
  private static let referenceRAMBytes: Int64 = 3 << 30

  private var figures: Figures {
    switch self {
    case .messaging: Figures(120, 10, 110, 25, 900, 0.35, 500, .autosave)
    case .social: Figures(260, 35, 300, 40, 1600, 0.10, 100, .partial)
    case .shortVideo: Figures(350, 45, 380, 45, 1800, 0.05, 50, .partial)
    case .browser: Figures(300, 40, 400, 35, 1200, 0.30, 300, .partial)
    case .maps: Figures(280, 25, 260, 40, 1500, 0.20, 200, .partial)
    case .photo: Figures(320, 60, 420, 30, 1400, 0.60, 800, .partial)
    case .notes: Figures(180, 12, 180, 20, 1300, 0.70, 900, .autosave)
    case .shopping: Figures(220, 20, 230, 30, 1500, 0.30, 600, .never)
    case .casualGame: Figures(350, 20, 380, 10, 3000, 0.60, 700, .partial)
    case .largeGame: Figures(1200, 80, 1500, 5, 10_000, 0.70, 800, .partial)
    case .music: Figures(140, 6, 130, 25, 1000, 0.05, 20, .full)
    case .utility: Figures(60, 2, 55, 20, 400, 0.05, 100, .full)
    }
  }

  /// The profile of an app of the category on a device; edits are modelled.
  package func profile(on device: Device) -> AppProfile {
    let figures = figures
    var profile = AppProfile()
    profile.launchFootprintBytes = Self.scaled(figures.launchMB, device)
    profile.growthBytesPerMinute = Self.scaled(figures.growthMBPerMinute, device)
    profile.suspendedCeilingBytes = Self.scaled(figures.suspendedMB, device)
    profile.releasablePPM = figures.releasablePercent * 10_000
    profile.coldLaunchNanoseconds = figures.coldMilliseconds * 1_000_000
    profile.deriveWarmAndHot()
    switch figures.save {
    case .full: profile.saveTriggers = .background
    case .autosave:
      profile.saveTriggers = .background
      profile.saveTimerNanoseconds = 30_000_000_000
    case .partial:
      profile.saveTriggers = .background
      profile.saveSharePPM = 670_000
    case .never: profile.saveTriggers = []
    }
    profile.modelsEdits = true
    profile.editProbability = figures.dirtyProbability
    profile.editWorkPPM = figures.workPerMille * 1000
    profile.editBytesPerSecond = 200
    profile.warningResponseProbability = 0.7
    profile.warningReleasePPM = 500_000
    return profile
  }

  /// Megabytes times min(1, RAM of the table row / 3 GiB), in whole bytes.
  private static func scaled(_ megabytes: Int64, _ device: Device) -> Int64 {
    let bytes = megabytes * 1_000_000
    let ram = min(max(0, device.tableRAMBytes), referenceRAMBytes)
    // Below 2^31 · 2^32: fits.
    return bytes * ram / referenceRAMBytes
  }
}

extension Category.Figures {
  fileprivate init(
    _ launchMB: Int64, _ growthMBPerMinute: Int64, _ suspendedMB: Int64,
    _ releasablePercent: Int64, _ coldMilliseconds: Int64, _ dirtyProbability: Double,
    _ workPerMille: Int64, _ save: Category.SaveClass
  ) {
    self.init(
      launchMB: launchMB, growthMBPerMinute: growthMBPerMinute, suspendedMB: suspendedMB,
      releasablePercent: releasablePercent, coldMilliseconds: coldMilliseconds,
      dirtyProbability: dirtyProbability, workPerMille: workPerMille, save: save)
  }
}

extension AppProfile {
  /// Warm = 0.4 × cold, hot = 0.12 × cold: the rule where only the cold latency is known.
  mutating func deriveWarmAndHot() {
    warmLaunchNanoseconds = coldLaunchNanoseconds * 2 / 5
    hotLaunchNanoseconds = coldLaunchNanoseconds * 3 / 25
  }
}
