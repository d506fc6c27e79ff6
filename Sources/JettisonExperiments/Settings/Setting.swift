package import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// One thing about a device or a run that a ``SettingSweep`` and device files can change.
///
/// The table ``all`` is the only place where these keys are read: options, device files, experiment
/// files and `jettison devices` all go through it.
public struct Setting: Sendable {
  /// Where a setting may be written.
  public enum Scope: Sendable {
    /// In a device file and in an experiment.
    case device
    /// In an experiment only: it is no property of a device.
    case run
  }

  /// In which runs a setting decides about anything.
  enum Effect: Sendable {
    case always
    case never
    /// Where arenas of jemalloc give footprints.
    case withArenas
    /// Everywhere but in the cache of the literature.
    case onPhones
    /// Where the pressure model reads this.
    case ifRead(PressureInputs)
    /// Where the killer of one of these models is at work.
    case under([PressureModelKind])
  }

  /// The key, nested ones joined by a dot.
  public let key: String
  /// Where it may be written.
  public let scope: Scope
  /// What it decides, in one sentence.
  public let summary: String
  /// What to write, for messages: "a size such as 512MiB".
  public let form: String
  private let effect: Effect
  private let store: @Sendable (String, inout RunConfiguration) -> Bool

  init(
    _ key: String, _ scope: Scope, _ summary: String, _ form: String,
    acts effect: Effect = .onPhones,
    _ store: @escaping @Sendable (String, inout RunConfiguration) -> Bool
  ) {
    self.key = key
    self.scope = scope
    self.summary = summary
    self.form = form
    self.effect = effect
    self.store = store
  }

  /// Every setting, in the order in which they are applied and listed.
  public static let all: [Setting] =
    identity + limits + thresholds + PressureParameters.all.map(Setting.init) + run

  /// The setting of a key.
  package static func named(_ key: String, in scopes: [Scope]) throws(ConfigurationError) -> Setting
  {
    let known = all.filter { scopes.contains($0.scope) }
    guard let setting = known.first(where: { $0.key == key }) else {
      throw .unknown(what: "setting", name: key, known: known.map(\.key))
    }
    return setting
  }

  /// Reads `text` and changes `configuration`.
  package func apply(
    _ text: String, to configuration: inout RunConfiguration
  ) throws(ConfigurationError) {
    guard store(text, &configuration) else {
      throw .invalid(what: key, text: text, remedy: "write \(form)")
    }
  }
}

extension Setting {
  /// Whether the setting decides about anything in a run of this kind.
  package func acts(in configuration: RunConfiguration) -> Bool {
    switch effect {
    case .always: true
    case .never: false
    case .withArenas: configuration.footprints == .arena
    case .onPhones: !configuration.pressure.isTextbook
    case .ifRead(let input): configuration.pressure.reads(input)
    case .under(let models): models.contains(configuration.pressure)
    }
  }

  private static let size = "a size such as 512MiB"
  private static let time = "a duration such as 5s"
  private static let percent = "a percentage of RAM such as 8%"

  private static let identity = [
    Setting("name", .device, "What reports call the device.", "a name", acts: .always) {
      text, run in
      run.device.name = text
      return !text.isEmpty
    },
    Setting(
      "model", .device, "What the maker calls the device; decides nothing.", "a text", acts: .never
    ) { text, run in
      run.device.model = text
      return !text.isEmpty
    },
    Setting(
      "ram", .device, "Memory of the device; percentages follow, and its limit keeps its share.",
      size, acts: .always
    ) { text, run in
      guard let bytes = SettingText.bytes(text), bytes > 0 else { return false }
      run.device.setRAM(bytes)
      return true
    },
    Setting("reserve", .device, "Memory that the system itself takes.", size) { text, run in
      store(SettingText.bytes(text), in: &run.device.reserveBytes)
    },
    Setting(
      "page", .device, "Size of a memory page.", "a power of two such as 4096 or 16KiB",
      acts: .ifRead(.page)
    ) { text, run in
      guard let bytes = SettingText.bytes(text), bytes > 0, bytes & (bytes - 1) == 0 else {
        return false
      }
      run.device.pageBytes = bytes
      return true
    },
    Setting(
      "limit", .device, "Most memory that one app may take.", "a size such as 650MiB, or none"
    ) { text, run in
      guard text != "none" else {
        run.device.limitBytes = nil
        return true
      }
      guard let bytes = SettingText.bytes(text), bytes > 0 else { return false }
      run.device.limitBytes = bytes
      return true
    },
    Setting(
      "multitasking", .device, "Whether apps that leave the front stay in memory.", "on or off",
      acts: .always
    ) { text, run in
      store(SettingText.flag(text), in: &run.device.multitasks)
    },
    Setting(
      "api-level", .device, "Release of Android, which says what the framework does.",
      "the API level of an Android release such as 31, or none", acts: .ifRead(.apiLevel)
    ) { text, run in
      guard text != "none" else {
        run.device.apiLevel = nil
        return true
      }
      guard let level = SettingText.count(text), (1...999).contains(level) else { return false }
      run.device.apiLevel = level
      return true
    },
    Setting(
      "era", .device, "Which generation of killers the device has; it also says what a lock does.",
      "one of \(eraNames), or none"
    ) { text, run in
      run.device.era = Era(rawValue: text)
      run.device.lock = run.device.era?.lock ?? .inactive
      return text == "none" || run.device.era != nil
    },
    // After the era, which says what a lock does unless this does.
    Setting(
      "lock", .device, "What the app in front becomes when the screen locks.",
      "inactive or background"
    ) { text, run in
      store(Device.Lock(rawValue: text), in: &run.device.lock)
    },
  ]

  private static let eraNames = Era.allCases.map(\.rawValue).joined(separator: ", ")

  private static let limits = [
    Setting(
      "budgets.handler", .device,
      "Time for applicationDidEnterBackground: and applicationWillTerminate:.", time
    ) { text, run in
      store(SettingText.nanoseconds(text), in: &run.device.budgets.handlerNanoseconds)
    },
    Setting(
      "budgets.task", .device, "Time for background tasks, from entering the background on.", time
    ) { text, run in
      store(SettingText.nanoseconds(text), in: &run.device.budgets.taskNanoseconds)
    },
    Setting("budgets.background-launch", .device, "Time for a launch into the background.", time) {
      text, run in
      store(SettingText.nanoseconds(text), in: &run.device.budgets.backgroundLaunchNanoseconds)
    },
    Setting(
      "suspension-delay", .device, "Time from the end of the last handler or task to suspension.",
      time
    ) { text, run in
      store(SettingText.nanoseconds(text), in: &run.device.suspensionDelayNanoseconds)
    },
    Setting(
      "compression.ratio", .device, "Uncompressed over compressed size of memory.",
      "a number above 1 such as 2.5"
    ) { text, run in
      guard let ratio = SettingText.number(text), ratio > 1 else { return false }
      run.device.compression = Device.Compression(
        ratio: ratio, suspendedShare: run.device.compression?.suspendedShare ?? 0)
      return true
    },
    Setting(
      "compression.suspended-share", .device, "Share of a suspended app that is compressed.",
      "a share such as 50%"
    ) { text, run in
      guard let share = SettingText.share(text) else { return false }
      run.device.compression = Device.Compression(
        ratio: run.device.compression?.ratio ?? 1, suspendedShare: share)
      return true
    },
  ]

  private static let thresholds = [
    Setting(
      "thresholds.warn", .device, "Available memory below which apps are warned.", percent,
      acts: .ifRead(.thresholds)
    ) { text, run in
      store(SettingText.percent(text), in: &run.device.thresholds.warnPercent)
    },
    Setting(
      "thresholds.purge", .device, "Available memory below which suspended apps are purged.",
      percent, acts: .ifRead(.thresholds)
    ) { text, run in
      store(SettingText.percent(text), in: &run.device.thresholds.purgePercent)
    },
    Setting(
      "thresholds.until", .device, "Available memory at which purging stops.", percent,
      acts: .ifRead(.ends)
    ) { text, run in
      store(SettingText.percent(text), in: &run.device.thresholds.untilPercent)
    },
    Setting(
      "thresholds.critical", .device, "Available memory below which the level is critical.",
      percent,
      acts: .ifRead(.thresholds)
    ) { text, run in
      store(SettingText.percent(text), in: &run.device.thresholds.criticalPercent)
    },
    Setting(
      "thresholds.return", .device,
      "How far above its threshold a level ends.",
      "a percentage of the threshold such as 15%", acts: .ifRead(.ends)
    ) { text, run in
      store(SettingText.percent(text), in: &run.device.thresholds.returnPercent)
    },
    Setting(
      "thresholds.step", .device, "How far available memory must move to be noted.",
      percent, acts: .ifRead(.step)
    ) { text, run in
      store(SettingText.percent(text), in: &run.device.thresholds.stepPercent)
    },
  ]

  private static let run = [
    Setting(
      "decay", .run,
      "Age at which freed pages of an arena go back, while the app runs; default 10s.", time,
      acts: .withArenas
    ) { text, run in
      store(SettingText.nanoseconds(text), in: &run.decayNanoseconds)
    },
    Setting(
      "tcache", .run, "Whether each arena has a thread cache; default on.", "on or off",
      acts: .withArenas
    ) { text, run in
      store(SettingText.flag(text), in: &run.usesThreadCache)
    },
    Setting(
      "lambda", .run, "Seconds of waiting that a second of lost work is worth; default 1.",
      "a number such as 1", acts: .always
    ) { text, run in
      store(SettingText.number(text), in: &run.lambda)
    },
    Setting(
      "warning.order", .run,
      "Whether warnings go out before or after purging; default warn-then-purge.",
      "warn-then-purge, purge-then-warn or both", acts: .ifRead(.thresholds)
    ) { text, run in
      store(WarningOrder(rawValue: text), in: &run.warningOrder)
    },
    Setting(
      "warning.purge-delay", .run, "How long purging waits for warned apps; default 0s.",
      time, acts: .ifRead(.thresholds)
    ) { text, run in
      store(SettingText.nanoseconds(text), in: &run.warningPurgeDelayNanoseconds)
    },
  ]

  private static func store<Value>(_ value: Value?, in place: inout Value) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }
}

extension Device {
  /// Changes RAM as `--memory` does: a per-app limit keeps its share, the reserve its bytes.
  ///
  /// - Precondition: `bytes` and the RAM so far are positive.
  package mutating func setRAM(_ bytes: Int64) {
    if let limit = limitBytes {
      let (high, low) = limit.multipliedFullWidth(by: bytes)
      // A limit is at most a few times RAM; one that still does not fit is no limit at all.
      limitBytes =
        high >= ramBytes ? nil : max(1, ramBytes.dividingFullWidth((high, low)).quotient)
    }
    ramBytes = bytes
  }

  /// Settings that make no sense together.
  package struct Contradiction: Sendable, Equatable {
    /// The sentence.
    package let error: ConfigurationError
    /// The keys that have a part in it, the most likely culprit first.
    package let keys: [String]
  }

  /// What makes no sense together under a pressure model; nil if all is well.
  package func contradiction(under pressure: PressureModelKind) -> Contradiction? {
    if reserveBytes >= ramBytes, !pressure.isTextbook {
      return Contradiction(
        error: .invalid(
          what: "memory", text: Quantity.text(bytes: ramBytes),
          remedy:
            "the system of '\(name)' alone takes \(Quantity.text(bytes: reserveBytes)) of it (give "
            + "more memory, or lower the reserve)"),
        keys: ["reserve", "ram"])
    }
    if pressure.reads(.ends), thresholds.untilPercent < thresholds.purgePercent {
      return Contradiction(
        error: .invalid(
          what: "thresholds.until", text: "\(NumberText.real(thresholds.untilPercent))%",
          remedy: "purging would stop before it starts at "
            + "\(NumberText.real(thresholds.purgePercent))% (set it to the value of "
            + "thresholds.purge or more)"),
        keys: ["thresholds.until", "thresholds.purge"])
    }
    return nil
  }

  /// Settings that can never act on this device, or always do, as sentences.
  package func idleSettings(under pressure: PressureModelKind) -> [String] {
    guard !pressure.isTextbook else { return [] }
    let reachable = 100 * Double(ramBytes - reserveBytes) / Double(ramBytes)
    var sentences = pressure.text.effects(of: thresholds, above: reachable)
      .filter { $0.percent > reachable }
      .map {
        "\(name): \($0.key) is \(Self.short($0.percent)) % of RAM, but with the reserve never more "
          + "than \(Self.short(reachable)) % is available: \($0.effect)"
      }
    if let compression, compression.ratio <= 1 || compression.suspendedShare <= 0 {
      sentences.append(
        "\(name): compression needs both a ratio above 1 and a suspended share above 0: it is off")
    }
    return sentences
  }

  /// One decimal, without locale.
  private static func short(_ value: Double) -> String {
    let tenths = (value * 10).rounded()
    return "\(tenths / 10)"
  }
}
