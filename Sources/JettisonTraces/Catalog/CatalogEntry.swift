package import JettisonModel
internal import JettisonSupport

/// What a catalog says of one app, as written: everything is optional.
package struct CatalogEntry: Sendable {
  /// A written `footprint` replaces the category's whole entry.
  package struct Footprint: Sendable {
    /// Bytes after a cold launch.
    package var launchBytes: Int64 = 0
    /// Bytes per minute while active.
    package var growthBytesPerMinute: Int64 = 0
    /// Ceiling after leaving the front in bytes; negative: none.
    package var backgroundBytes: Int64 = -1
    /// Ceiling at suspension in bytes; negative: none.
    package var suspendedBytes: Int64 = -1
    /// Share that a warning can release, in parts per million.
    package var releasablePPM: Int64 = 0
  }

  /// Keys of `launch`, in nanoseconds.
  package struct Launch: Sendable {
    package var coldNanoseconds: Int64?
    package var warmNanoseconds: Int64?
    package var hotNanoseconds: Int64?
  }

  /// When the app saves by itself.
  package struct SaveWhen: Sendable {
    package var triggers: AppProfile.SaveTriggers = []
    /// Period of the timer in nanoseconds; 0: no timer.
    package var timerNanoseconds: Int64 = 0
  }

  /// Keys of `save`.
  package struct Save: Sendable {
    package var when: SaveWhen?
    package var bytesPerSecond: Int64?
    package var fixedNanoseconds: Int64?
    package var isAtomic: Bool?
    package var thread: AppProfile.SaveThread?
    package var sharePPM: Int64?
  }

  /// Keys of `task`: what the app does when a background task is about to expire.
  package struct Task: Sendable {
    /// Whether it ends its tasks.
    package var ends: Bool?
    /// Whether it saves.
    package var saves: Bool?
  }

  /// Keys of `edits`.
  package struct Edits: Sendable {
    package var isNone = false
    package var probability: Double?
    package var workPPM: Int64?
    package var bytesPerSecond: Int64?
  }

  /// Keys of `warning`.
  package struct Warning: Sendable {
    package var responseProbability: Double?
    package var releasePPM: Int64?
    package var delayNanoseconds: Int64?
  }

  /// Keys of `limit`, in bytes: passing a fatal one kills at once, a soft one is a high-water mark.
  package struct Limits: Sendable {
    package var activeBytes: Int64?
    package var inactiveBytes: Int64?
    package var softActiveBytes: Int64?
    package var softInactiveBytes: Int64?
  }

  /// The app's decoded name.
  package let name: String
  /// Defaults for everything that is not written.
  package internal(set) var category: Category?
  package internal(set) var footprint: Footprint?
  package internal(set) var launch: Launch?
  package internal(set) var save: Save?
  package internal(set) var task: Task?
  /// Whether it stays in memory when it is left.
  package internal(set) var multitasks: Bool?
  package internal(set) var edits: Edits?
  package internal(set) var warning: Warning?
  package internal(set) var limits: Limits?
  /// Share that is compressed while suspended, in parts per million.
  package internal(set) var compressedPPM: Int64?
  /// Priority band, for models of iOS.
  package internal(set) var band: Int16?
  /// `oom_score_adj`, for models of Android and Linux.
  package internal(set) var oomScoreAdj: Int16?
  /// Number of the user whose process it is, for models of Linux.
  package internal(set) var userID: Int32?
  package internal(set) var processKind: AppProfile.ProcessKind?
  package internal(set) var relaunchClass: AppProfile.RelaunchClass?
  package internal(set) var killPreference: AppProfile.KillPreference?
  /// Apps of one group end together where a policy asks for it.
  package internal(set) var group: String?
  /// Control group, such as `user.slice/app-notes`.
  package internal(set) var controlGroup: String?
  /// The entry as one canonical line of YAML.
  package let canonicalText: String

  init(name: String, canonicalText: String) {
    self.name = name
    self.canonicalText = canonicalText
  }

  /// The profile that the entry gives on a device, before the trace has its say.
  package func profile(on device: Device) -> AppProfile {
    var profile = (category ?? .utility).profile(on: device)
    if let footprint {
      profile.launchFootprintBytes = footprint.launchBytes
      profile.growthBytesPerMinute = footprint.growthBytesPerMinute
      profile.backgroundCeilingBytes = footprint.backgroundBytes
      profile.suspendedCeilingBytes = footprint.suspendedBytes
      profile.releasablePPM = footprint.releasablePPM
    }
    if let launch {
      if let cold = launch.coldNanoseconds {
        profile.coldLaunchNanoseconds = cold
        profile.deriveWarmAndHot()
      }
      if let warm = launch.warmNanoseconds { profile.warmLaunchNanoseconds = warm }
      if let hot = launch.hotNanoseconds { profile.hotLaunchNanoseconds = hot }
    }
    if let save { apply(save, to: &profile) }
    if let task { apply(task, to: &profile) }
    profile.multitasks = multitasks ?? profile.multitasks
    profile.modelsEdits = edits.map { !$0.isNone } ?? (category != nil)
    if let edits {
      profile.editProbability = edits.probability ?? profile.editProbability
      profile.editWorkPPM = edits.workPPM ?? profile.editWorkPPM
      profile.editBytesPerSecond = edits.bytesPerSecond ?? profile.editBytesPerSecond
    }
    if let warning {
      profile.warningResponseProbability =
        warning.responseProbability ?? profile.warningResponseProbability
      profile.warningReleasePPM = warning.releasePPM ?? profile.warningReleasePPM
      profile.warningDelayNanoseconds = warning.delayNanoseconds ?? profile.warningDelayNanoseconds
    }
    profile.limitBytes = limits?.activeBytes ?? -1
    profile.inactiveLimitBytes = limits?.inactiveBytes ?? -1
    profile.softLimitBytes = limits?.softActiveBytes ?? -1
    profile.softInactiveLimitBytes = limits?.softInactiveBytes ?? -1
    profile.compressedPPM = compressedPPM ?? -1
    profile.band = band ?? profile.band
    profile.oomScoreAdj = oomScoreAdj ?? profile.oomScoreAdj
    profile.userID = userID ?? profile.userID
    profile.processKind = processKind ?? profile.processKind
    profile.relaunchClass = relaunchClass ?? profile.relaunchClass
    profile.killPreference = killPreference ?? profile.killPreference
    return profile
  }

  private func apply(_ task: Task, to profile: inout AppProfile) {
    profile.endsTasksAtExpiration = task.ends ?? profile.endsTasksAtExpiration
    guard let saves = task.saves else { return }
    if saves {
      profile.saveTriggers.insert(.expiration)
    } else {
      profile.saveTriggers.remove(.expiration)
    }
  }

  private func apply(_ save: Save, to profile: inout AppProfile) {
    if let when = save.when {
      profile.saveTriggers = when.triggers
      profile.saveTimerNanoseconds = when.timerNanoseconds
    }
    profile.saveBytesPerSecond = save.bytesPerSecond ?? profile.saveBytesPerSecond
    profile.saveFixedNanoseconds = save.fixedNanoseconds ?? profile.saveFixedNanoseconds
    profile.savesAtomically = save.isAtomic ?? profile.savesAtomically
    profile.saveThread = save.thread ?? profile.saveThread
    profile.saveSharePPM = save.sharePPM ?? profile.saveSharePPM
  }
}
