internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Something that a killer's journal says, in one line or in several.
enum JournalEntry {
  /// The machine, or limits of the killer; what is nil is not told.
  case limits(KillerLimits)
  /// How much memory and swap was left.
  case memory(JournalMemory)
  /// Whom the killer looked at. A whole list has every process that there was.
  case candidates([JournalCandidate], isWhole: Bool)
  /// A process was sent a signal.
  case kill(JournalCandidate)
  /// The newest victim is gone.
  case victimEnded
  /// The newest victim lives on.
  case killFailed
}

/// Where and when an entry stands in the journal.
struct JournalPlace {
  let line: Int
  /// Nanoseconds on the journal's clock; nil: not told.
  let time: Int64?
}

/// Memory and swap at one moment, in bytes.
struct JournalMemory: Equatable {
  var availableBytes: Int64
  /// What `availableBytes` is a part of; nil: all of RAM.
  var totalBytes: Int64?
  /// Nil: not told.
  var swapFreeBytes: Int64?
  var swapTotalBytes: Int64?
}

/// A process or control group that a killer looked at, or ended.
struct JournalCandidate {
  /// Who it is: a process by its number, a control group by the number of its path, below zero.
  var key: Int64
  /// Number of its name among the names of the journal.
  var name: UInt32
  var line: Int
  /// Its memory; nil: not told.
  var residentBytes: Int64?
  /// What of it is swapped out; nil: not told.
  var swapBytes: Int64?
  /// Its score as earlyoom counts it.
  var score: Int64?
  /// Its `oom_score_adj`; nil: not told.
  var adjustment: Int64?
}

/// What a journal tells once: the machine and the limits of its killer.
///
/// Percentages are in hundredths.
struct KillerLimits: Equatable {
  var ramBytes: Int64?
  var swapBytes: Int64?
  var termMemory: Int64?
  var killMemory: Int64?
  var termSwap: Int64?
  var killSwap: Int64?
  var swapUsed: Int64?
  var pressure: Int64?
  var pressureNanoseconds: Int64?
  /// The control group whose pressure is watched.
  var pressureUnit: String?

  /// Takes what was not told before; false if something else was told.
  mutating func fill(from other: KillerLimits) -> Bool {
    var agrees = true
    func take<Value: Equatable>(_ value: inout Value?, _ new: Value?) {
      if let value, let new, value != new { agrees = false }
      value = value ?? new
    }
    take(&ramBytes, other.ramBytes)
    take(&swapBytes, other.swapBytes)
    take(&termMemory, other.termMemory)
    take(&killMemory, other.killMemory)
    take(&termSwap, other.termSwap)
    take(&killSwap, other.killSwap)
    take(&swapUsed, other.swapUsed)
    take(&pressure, other.pressure)
    take(&pressureNanoseconds, other.pressureNanoseconds)
    // Several units may be watched, each named when it acts: the first one stands for them.
    pressureUnit = pressureUnit ?? other.pressureUnit
    return agrees
  }

  /// The machine as a flow mapping with the keys of a device file; nil: nothing is told, not even
  /// whose journal it is.
  ///
  /// The era is that of the one killer; of several none is the machine's.
  func deviceYAML(of killers: Set<KillerHistory.Killer>) -> String? {
    guard !killers.isEmpty || self != KillerLimits() else { return nil }
    let era = killers.count == 1 ? killers.first?.rawValue : nil
    var facts: [String] = []
    if let ramBytes { facts += ["ram: \(ramBytes)", "reserve: 0"] }
    facts += [
      "page: \(KillerHistory.pageBytes)", "era: \(era ?? "linux-oom")",
      "oom: {page-table-bytes: 0}",
    ]
    facts += [earlyoomYAML, systemdOomdYAML].compactMap { $0 }
    if let ramBytes {
      // The journal says what is swapped out: it is so at once, and costs nothing.
      facts.append(
        "reclaim: {swap: \(swapBytes ?? 0), swappable: 100%, min: \(ramBytes), "
          + "working-set: 0%, scan: 0us, swap-in: 0us}")
    }
    return "{\(facts.joined(separator: ", "))}"
  }

  private var earlyoomYAML: String? {
    Self.mapping(
      "earlyoom",
      [
        ("memory-term", termMemory), ("memory-kill", killMemory), ("swap-term", termSwap),
        ("swap-kill", killSwap),
      ].map { ($0, $1.map(JournalText.percent)) })
  }

  private var systemdOomdYAML: String? {
    Self.mapping(
      "systemd-oomd",
      [
        ("swap-used", swapUsed.map(JournalText.percent)),
        ("pressure", pressure.map(JournalText.percent)),
        ("pressure-duration", pressureNanoseconds.map(Quantity.text(nanoseconds:))),
        ("pressure-units", pressureUnit.map { YAMLNode.quoted($0) }),
      ])
  }

  private static func mapping(_ name: String, _ values: [(String, String?)]) -> String? {
    let told = values.compactMap { key, value in value.map { "\(key): \($0)" } }
    return told.isEmpty ? nil : "\(name): {\(told.joined(separator: ", "))}"
  }
}
