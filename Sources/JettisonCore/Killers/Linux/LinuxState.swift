/// What the killers of Linux remember during a run.
struct LinuxState: ~Copyable {
  let tree: ControlGroupTree
  /// Stalls by node of the tree; empty where the model does not ask.
  var stalls: [PressureStall]
  /// What was seen of each node at the newest poll.
  var figures: [ControlGroupFigures]
  /// Moving averages of usage by node, in bytes.
  var averages: [Int64]
  /// Preference by node: that of the apps directly in it.
  let preferences: [AppProfile.KillPreference]

  var oomd: OomdEngine
  /// Whether the next tick would change an average.
  var averagesMove = false
  /// Swapped out at the newest poll, in bytes.
  var swappedOutBefore: Int64 = 0

  let swapUnits: [Int]
  let pressureUnits: [Int]
  var sustained: [SustainedPressure]
  /// Pages scanned of each node at the newest poll, and when they last grew.
  var scannedBefore: [Int64]
  var scannedAt: [Int64?]
  /// Pages scanned of each node between the newest two polls of the pressure rule.
  var scanRates: [Int64]
  /// Until when the pressure rule rests.
  var restsUntil = Int64.min
  /// Units of the pressure rule that are to be tried in this poll.
  var pendingUnits: [Int] = []

  let earlyoom: EarlyoomRules
  /// The newest poll, and how long earlyoom sleeps from there, in nanoseconds.
  var lastPoll: Int64 = 0
  var sleepNanoseconds: Int64 = 0

  /// The control group that each candidate of the open decision would take along; negative: no
  /// candidate.
  var unitOfApp: Column<Int32>
  /// Why the open decision was opened; nil: none is open, or it takes no other app along.
  var unitTrigger: RecordedCause?

  /// Polls are due now: what is left of them.
  var polls: Polls = []
  /// When the timer of the next poll is set for.
  var nextPoll: Int64 = .max
  /// Polls before which something has happened since the last of their kind.
  var stale: Polls = [.main, .swap]
  /// The app that took memory last.
  var lastTaker = AppIndex.none

  /// Parts of a poll.
  struct Polls: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    /// oomd's tick, earlyoom's poll, systemd-oomd's pressure rule.
    static let main = Polls(rawValue: 1)
    /// systemd-oomd's swap rule.
    static let swap = Polls(rawValue: 2)
  }

  init(_ configuration: RunConfiguration) {
    let device = configuration.device
    let parameters = device.pressureParameters.linux
    let isLinux = configuration.pressure.family == .linux
    let appCount = isLinux ? configuration.profiles.count : 0
    let paths =
      configuration.controlGroups.count == appCount
      ? configuration.controlGroups : (0..<appCount).map { "user.slice/app-\($0)" }
    tree = ControlGroupTree(paths: paths, wholes: isLinux ? parameters.wholeGroups : "")
    let count = tree.nodes.count
    let countsGroups = [.oomd, .systemdOOMD].contains(configuration.pressure)
    let processors = device.pressureParameters.reclaim.processors
    stalls = Array(
      repeating: PressureStall(
        processors: min(PressureStall.maximumProcessors, max(1, processors))),
      count: countsGroups ? count : 0)
    figures = Array(repeating: ControlGroupFigures(), count: count)
    averages = Array(repeating: 0, count: count)
    preferences = Self.preferences(of: tree, configuration)
    oomd = OomdEngine(
      isLinux ? parameters.oomdConfiguration : OomdConfiguration(rulesets: []), tree: tree,
      tickNanoseconds: max(1_000_000, parameters.oomdIntervalNanoseconds))
    swapUnits = tree.matches(parameters.systemdOomd.swapUnits)
    pressureUnits = tree.matches(parameters.systemdOomd.pressureUnits)
    sustained = Array(repeating: SustainedPressure(), count: pressureUnits.count)
    scannedBefore = Array(repeating: 0, count: count)
    scannedAt = Array(repeating: nil, count: count)
    scanRates = Array(repeating: 0, count: count)
    earlyoom = EarlyoomRules(parameters: parameters.earlyoom)
    unitOfApp = Column(repeating: -1, count: appCount)
    let swap = device.swapBytes(under: .linux)
    let memory = EarlyoomRules.Memory(
      availableBytes: max(0, device.ramBytes - device.reserveBytes), anonymousBytes: 0,
      swapTotalBytes: swap, swapFreeBytes: swap)
    sleepNanoseconds = earlyoom.sleepMilliseconds(memory) * 1_000_000
  }

  /// Copies what another world's killers know.
  init(copying other: borrowing LinuxState) {
    tree = other.tree
    stalls = other.stalls
    figures = other.figures
    averages = other.averages
    preferences = other.preferences
    oomd = other.oomd
    averagesMove = other.averagesMove
    swappedOutBefore = other.swappedOutBefore
    swapUnits = other.swapUnits
    pressureUnits = other.pressureUnits
    sustained = other.sustained
    scannedBefore = other.scannedBefore
    scannedAt = other.scannedAt
    scanRates = other.scanRates
    restsUntil = other.restsUntil
    pendingUnits = other.pendingUnits
    earlyoom = other.earlyoom
    lastPoll = other.lastPoll
    sleepNanoseconds = other.sleepNanoseconds
    unitOfApp = Column(copying: other.unitOfApp)
    unitTrigger = other.unitTrigger
    polls = other.polls
    nextPoll = other.nextPoll
    stale = other.stale
    lastTaker = other.lastTaker
  }

  /// Of apps that share a control group the strongest wish counts: omit, avoid, prefer.
  private static func preferences(
    of tree: ControlGroupTree, _ configuration: RunConfiguration
  ) -> [AppProfile.KillPreference] {
    var preferences = Array(repeating: AppProfile.KillPreference.none, count: tree.nodes.count)
    for (profile, node) in zip(configuration.profiles, tree.nodeOfApp)
    where profile.killPreference.rawValue > preferences[node].rawValue {
      preferences[node] = profile.killPreference
    }
    return preferences
  }
}
