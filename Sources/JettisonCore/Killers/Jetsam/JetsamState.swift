/// What jetsam remembers of one app during a run.
struct JetsamApp: BitwiseCopyable {
  var process: JetsamProcess
  let limits: JetsamLimits
  /// Whether the active limits are in force.
  private(set) var isActive = true
  /// What of them counts for a high-water kill, in bytes.
  private(set) var highwaterBytes: Int64 = .max
  /// Bytes over which the app is warned that its limit is near.
  private(set) var warningBytes: Int64 = .max
  var limitWarning = JetsamLimitWarning()
  /// Told of the level since its bit was cleared.
  var heardWarning = false
  var heardCritical = false
  /// On flash now.
  var isFrozen = false
  /// Bytes of RAM that its compressed memory takes.
  var compressorBytes: Int64 = 0

  init(_ process: JetsamProcess, _ limits: JetsamLimits, warningPercent: Double) {
    self.process = process
    self.limits = limits
    enforce(active: true, warningPercent: warningPercent)
  }

  /// Puts the active limits into force, or the inactive ones.
  mutating func enforce(active: Bool, warningPercent: Double) {
    isActive = active
    highwaterBytes = limits.highwater(isActive: active)
    warningBytes = JetsamLimits.warning(limit: highwaterBytes, percent: warningPercent)
  }
}

/// What the killer remembers during a run.
struct JetsamState: ~Copyable {
  let era: JetsamEra
  let loop: JetsamLoop
  let levels: JetsamLevels
  let pageSize: PageSize
  let limitWarningPercent: Double
  /// Whether memory of suspended apps is compressed, so that levels follow the compressor.
  let compresses: Bool
  var queue: JetsamQueue
  var reaper: JetsamReaper
  var aggression: JetsamAggression
  var sustained: JetsamSustainedPressure
  var freezer: JetsamFreezer
  var delivery: JetsamDelivery
  var apps: Column<JetsamApp>
  /// Bytes of RAM that compressed memory takes.
  var compressorBytes: Int64 = 0
  var suspendedCount: Int64 = 0
  /// Processes in band 0, whether or not they may be killed.
  var idleCount: Int64 = 0
  /// A process grew above its limit.
  var isViolatorFlagged = false
  /// When the next sweep may be due; before it no check is needed.
  var nextSweep: Int64 = .min

  init(_ configuration: RunConfiguration) {
    let device = configuration.device
    let parameters = device.pressureParameters.jetsam.capped
    era = JetsamEra(configuration.pressure)
    let thresholds = JetsamThresholds(
      ramBytes: device.ramBytes, pageBytes: device.pageBytes, era: era, parameters: parameters)
    loop = JetsamLoop(thresholds: thresholds, idleRule: era.idleRule)
    levels = JetsamLevels(thresholds, parameters, era: era)
    pageSize = PageSize(device)
    limitWarningPercent = parameters.limitWarningPercent
    compresses = era.hasCompressor && device.compression != nil
    queue = JetsamQueue(JetsamQueue.Ageing(era: era, parameters: parameters))
    reaper = JetsamReaper(parameters)
    aggression = JetsamAggression(parameters, ramBytes: device.ramBytes)
    sustained = JetsamSustainedPressure(era: era, parameters: parameters)
    freezer = JetsamFreezer(parameters)
    delivery = JetsamDelivery(era: era, parameters: parameters)
    apps = Column(capacity: 8)
    guard configuration.pressure.family == .jetsam else { return }
    for profile in configuration.profiles {
      apps.append(
        JetsamApp(
          JetsamProcess(JetsamClass(profile)), JetsamLimits(profile, device: device),
          warningPercent: limitWarningPercent))
    }
  }

  init(copying other: borrowing JetsamState) {
    era = other.era
    loop = other.loop
    levels = other.levels
    pageSize = other.pageSize
    limitWarningPercent = other.limitWarningPercent
    compresses = other.compresses
    queue = other.queue
    reaper = other.reaper
    aggression = other.aggression
    sustained = other.sustained
    freezer = other.freezer
    delivery = other.delivery
    apps = Column(copying: other.apps)
    compressorBytes = other.compressorBytes
    suspendedCount = other.suspendedCount
    idleCount = other.idleCount
    isViolatorFlagged = other.isViolatorFlagged
    nextSweep = other.nextSweep
  }

  subscript(app: AppIndex) -> JetsamApp {
    @inline(__always) _read { yield apps[app.position] }
    @inline(__always) _modify { yield &apps[app.position] }
  }
}

// What moves an app among the bands: see ``JetsamQueue``.
extension JetsamState {
  mutating func request(
    _ band: Int16, _ app: AppIndex, _ standing: inout Standing, at now: Int64
  ) {
    queue.request(band, &apps[app.position].process, &standing, at: now)
  }

  mutating func place(
    _ band: Int16, _ app: AppIndex, _ standing: inout Standing, since: Int64, at now: Int64
  ) {
    queue.place(band, &apps[app.position].process, &standing, since: since, at: now)
  }

  mutating func age(
    _ app: AppIndex, _ standing: inout Standing, works: Bool, at now: Int64
  ) {
    queue.age(
      &apps[app.position].process, &standing, holdsAssertion: works, isDirty: works, at: now)
  }
}

extension JetsamEra {
  /// The era of a model; that of `ios-18` for one of another family.
  init(_ model: PressureModelKind) {
    switch model {
    case .ios6: self = .ios6
    case .ios7: self = .ios7
    case .ios12: self = .ios12
    case .ios14: self = .ios14
    case .ios17: self = .ios17
    case .ios18: self = .ios18
    default:
      assert(model.family != .jetsam, "each model of jetsam has an era of its own")
      self = .ios18
    }
  }
}

extension JetsamClass {
  init(_ profile: AppProfile) {
    switch profile.processKind {
    case .app: self = .app
    case .daemon: self = .daemon(profile.relaunchClass)
    case .system: self = .system
    }
  }
}

extension JetsamLimits {
  /// The limits of an app: its own, else the device's; in whole arena pages, as footprints are.
  init(_ profile: AppProfile, device: Device) {
    func limit(_ bytes: Int64, else other: Int64) -> Int64 {
      bytes >= 0 ? AppMemory.roundedUpToPage(bytes) : other
    }
    active = limit(
      profile.limitBytes, else: device.limitBytes.map(AppMemory.roundedUpToPage) ?? .max)
    inactive = limit(profile.inactiveLimitBytes, else: active)
    softActive = limit(profile.softLimitBytes, else: .max)
    softInactive = limit(profile.softInactiveLimitBytes, else: softActive)
  }
}
