/// What decides how a process ages and when it is active: who it is.
enum JetsamClass: BitwiseCopyable, Sendable {
  /// Managed by the system's app life cycle.
  case app
  /// Tracked: idle when it has nothing to do.
  case daemon(AppProfile.RelaunchClass)
  /// Neither: its band is its own.
  case system
}

/// What the kernel keeps of one process beside its place in a bucket.
struct JetsamProcess: BitwiseCopyable, Sendable {
  let kind: JetsamClass
  /// What was asked for last, before ageing.
  var requested: Int16 = PriorityBand.idle
  /// When ageing ends, in nanoseconds; negative: it does not age.
  var ageingEnd: Int64 = -1
  /// Frozen to flash at some time of this life: it stays so after a thaw.
  var wasFrozen = false

  init(_ kind: JetsamClass) { self.kind = kind }
}

/// The buckets: where a process stands in them, and how it moves.
///
/// A bucket is the order in which its members last asked for their place: the head, next to die,
/// is the one that has not asked for longest. Places are numbers that only grow.
struct JetsamQueue: BitwiseCopyable, Sendable {
  /// How long processes age.
  struct Ageing: BitwiseCopyable, Sendable, Equatable {
    let agesApps: Bool
    let agesByRelaunch: Bool
    let hasStuckBand: Bool
    let baseNanoseconds: Int64
    static let stuckNanoseconds: Int64 = 30_000_000_000

    init(era: JetsamEra, parameters: JetsamParameters) {
      agesApps = parameters.agesApps ?? era.agesApps
      agesByRelaunch = era.agesByRelaunch
      hasStuckBand = era.hasStuckBand
      baseNanoseconds = parameters.ageingNanoseconds
    }

    /// Where a process waits before it is idle; nil: it does not.
    func band(_ kind: JetsamClass) -> Int16? {
      switch kind {
      case .app: agesApps ? PriorityBand.opportunistic : nil
      case .daemon: PriorityBand.deferred
      case .system: nil
      }
    }

    /// How long it waits, in nanoseconds.
    func duration(_ kind: JetsamClass) -> Int64 {
      switch kind {
      case .daemon(let relaunch) where agesByRelaunch:
        switch relaunch {
        case .high: baseNanoseconds
        case .medium: baseNanoseconds / 2
        case .low, .unknown: baseNanoseconds / 5
        }
      case .daemon, .system: baseNanoseconds
      case .app: baseNanoseconds / 5
      }
    }

    /// How long it waits once more, in nanoseconds: at least a second, however short ageing is, so
    /// that who always has work to do is not looked at all the time.
    func extensionDuration(_ kind: JetsamClass) -> Int64 { max(1_000_000_000, duration(kind)) }
  }

  let ageing: Ageing
  private var tail: Int64 = 0

  init(_ ageing: Ageing) { self.ageing = ageing }

  /// Carries out a request for a band: the process goes to the tail of it, or of its ageing band.
  ///
  /// A request for the band it is in moves it to the tail but does not restart its time there.
  mutating func request(
    _ band: Int16, _ process: inout JetsamProcess, _ standing: inout Standing, at now: Int64
  ) {
    process.requested = band
    var target = isReserved(band) ? PriorityBand.idle : band
    if process.wasFrozen, target <= PriorityBand.freezer { target = PriorityBand.freezer }
    let asksForIdle = target == PriorityBand.idle && !isReserved(band)
    if asksForIdle, let ageingBand = ageing.band(process.kind) {
      if process.ageingEnd >= 0 {
        target = standing.band
      } else if standing.band > ageingBand || standing.band == .min {
        process.ageingEnd = now + ageing.duration(process.kind)
        target = ageingBand
      }
    }
    if target > PriorityBand.opportunistic { process.ageingEnd = -1 }
    move(&process, &standing, to: target, at: now)
  }

  /// Puts a process where it stands if it asked for a band at a time before the run.
  ///
  /// Who asked before the start of the trace stands nearer the head than anyone who asks in it.
  mutating func place(
    _ band: Int16, _ process: inout JetsamProcess, _ standing: inout Standing, since: Int64,
    at now: Int64
  ) {
    process.requested = band
    append(&standing)
    if since < 0 { standing.order = since }
    standing.band = isReserved(band) ? PriorityBand.idle : band
    standing.sinceNanoseconds = since
    guard band == PriorityBand.idle, let ageingBand = ageing.band(process.kind) else { return }
    let end = since + ageing.duration(process.kind)
    if end > now {
      standing.band = ageingBand
      process.ageingEnd = end
    } else {
      standing.sinceNanoseconds = end
    }
  }

  /// Ageing is over, unless the process has work to do.
  ///
  /// An app with an assertion stays for another two seconds, a dirty daemon for another term; a
  /// daemon that is clean but holds an assertion moves to band 15 once, where the band exists.
  mutating func age(
    _ process: inout JetsamProcess, _ standing: inout Standing, holdsAssertion: Bool,
    isDirty: Bool, at now: Int64
  ) {
    let isStuck = standing.band == PriorityBand.stuck
    if case .daemon = process.kind {
      if isDirty, !isStuck {
        process.ageingEnd = now + ageing.extensionDuration(process.kind)
        return
      }
      if holdsAssertion, ageing.hasStuckBand, !isStuck {
        process.ageingEnd = now + Ageing.stuckNanoseconds
        move(&process, &standing, to: PriorityBand.stuck, at: now)
        return
      }
    } else if holdsAssertion {
      process.ageingEnd = now + ageing.extensionDuration(process.kind)
      return
    }
    process.ageingEnd = -1
    move(&process, &standing, to: PriorityBand.idle, at: now)
  }

  /// Bands 1 to 20 are open only to entitled experiments and to ageing itself.
  private func isReserved(_ band: Int16) -> Bool {
    (PriorityBand.idle + 1...PriorityBand.opportunistic).contains(band)
  }

  private mutating func move(
    _ process: inout JetsamProcess, _ standing: inout Standing, to band: Int16, at now: Int64
  ) {
    append(&standing)
    guard standing.band != band else { return }
    standing.band = band
    standing.sinceNanoseconds = now
  }

  private mutating func append(_ standing: inout Standing) {
    tail += 1
    standing.order = tail
  }
}
