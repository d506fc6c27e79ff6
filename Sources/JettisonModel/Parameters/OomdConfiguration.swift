/// What oomd is told to watch and to do: rulesets of detectors and actions.
///
/// Read from oomd's own JSON by the command; the default is <doc:LinuxModels#oomd>'s sample for a
/// desktop.
public struct OomdConfiguration: Sendable, Equatable {
  /// An amount of memory.
  public enum Size: Sendable, Equatable {
    /// Bytes.
    case bytes(Int64)
    /// Percent of RAM, or of swap where swap is meant.
    case percent(Double)

    /// The amount out of a total, in bytes.
    package func bytes(of total: Int64) -> Double {
      switch self {
      case .bytes(let bytes): Double(bytes)
      case .percent(let percent): Double(total) * percent / 100
      }
    }
  }

  /// What pressure is felt for.
  ///
  /// There is no model of I/O: its pressure is always 0.
  public enum Resource: String, CaseIterable, Sendable {
    case memory
    case io
  }

  /// A condition, looked at every tick; `groups` are comma lists of shell patterns.
  public enum Detector: Sendable, Equatable {
    /// Full pressure over 10 s is above a threshold in percent without a break.
    case pressureAbove(
      groups: String, Resource, percent: Double, durationNanoseconds: Int64)
    /// Full pressure over 60 s is above a threshold without a break, that over 10 s is above it
    /// too and does not fall below `fastFallRatio` of what it was a tick ago.
    case pressureRisingBeyond(
      groups: String, Resource, percent: Double, durationNanoseconds: Int64,
      fastFallRatio: Double)
    /// The largest usage is above a threshold without a break.
    case memoryAbove(
      groups: String, Size, isAnonymous: Bool, durationNanoseconds: Int64)
    /// Pages were scanned within the time.
    case memoryReclaim(groups: String, durationNanoseconds: Int64)
    /// Free swap is below a percentage, and swapping out reaches a rate.
    case swapFree(percent: Double, swapOutBytesPerSecond: Double)
    /// Some control group exists.
    case exists(groups: String, negate: Bool)
    /// Always the same, here.
    case constant(Bool)
  }

  /// Detectors of which all must agree.
  public struct DetectorGroup: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// All must say yes.
    public var detectors: [Detector]

    /// Makes a group.
    public init(name: String, detectors: [Detector]) {
      self.name = name
      self.detectors = detectors
    }
  }

  /// Whom a kill takes first.
  public enum Ranking: Sendable, Equatable {
    /// The largest if it is large among its peers, else the fastest growing of the large ones.
    case memorySizeOrGrowth(
      sizePercent: Double, growingPercentile: Double, minimumGrowthRatio: Double)
    /// The largest in swap above a threshold; `isBiased`: less what protection excuses.
    case swapUsage(Size, isBiased: Bool)
    /// The highest full pressure.
    case pressure(Resource)
    /// The highest rate of scanned pages.
    case pageScans
  }

  /// A kill.
  public struct Kill: Sendable, Equatable {
    /// Whom it takes first.
    public var ranking: Ranking
    /// Who may be taken: a comma list of shell patterns.
    public var groups: String
    /// Whether it descends from a control group to the best of its leaves.
    public var isRecursive: Bool = false
    /// How long the ruleset rests afterwards, in nanoseconds; nil: as the ruleset says.
    public var postActionDelayNanoseconds: Int64?
    /// Whether the next action follows although a group was killed.
    public var alwaysContinues: Bool = false
    /// Whether it only pretends.
    public var isDry: Bool = false

    /// Makes a kill with the default options.
    public init(_ ranking: Ranking, groups: String) {
      self.ranking = ranking
      self.groups = groups
    }
  }

  /// What a ruleset does when it fires, in order.
  public enum Action: Sendable, Equatable {
    /// Kills; ends the ruleset's actions if there was a victim.
    case kill(Kill)
    /// Ends the ruleset's actions.
    case stop
  }

  /// Detector groups of which one is enough, and what follows.
  public struct Ruleset: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// One group is enough.
    public var detectorGroups: [DetectorGroup]
    /// In order, until one stops.
    public var actions: [Action]
    /// Rest after a kill, in nanoseconds.
    public var postActionDelayNanoseconds: Int64 = 15_000_000_000

    /// Makes a ruleset that rests 15 s after a kill.
    public init(name: String, detectorGroups: [DetectorGroup], actions: [Action]) {
      self.name = name
      self.detectorGroups = detectorGroups
      self.actions = actions
    }
  }

  /// In the order in which they act.
  public var rulesets: [Ruleset]

  /// Makes a configuration.
  public init(rulesets: [Ruleset]) {
    self.rulesets = rulesets
  }

  /// oomd's sample for a desktop, without what concerns protecting oomd itself.
  public static let desktop: OomdConfiguration = {
    func pressure(_ name: String, _ groups: String, _ percent: Double, seconds: Int64)
      -> DetectorGroup
    {
      DetectorGroup(
        name: name,
        detectors: [
          .pressureAbove(
            groups: groups, .memory, percent: percent,
            durationNanoseconds: seconds * 1_000_000_000),
          .memoryReclaim(groups: groups, durationNanoseconds: 10_000_000_000),
        ])
    }
    let everyone = "user.slice/*,system.slice/*"
    let growth = Ranking.memorySizeOrGrowth(
      sizePercent: 50, growingPercentile: 80, minimumGrowthRatio: 1.25)
    return OomdConfiguration(rulesets: [
      Ruleset(
        name: "memory pressure",
        detectorGroups: [
          pressure("user pressure", "user.slice", 60, seconds: 30),
          pressure("system pressure", "system.slice", 80, seconds: 60),
        ],
        actions: [.kill(Kill(growth, groups: everyone))]),
      Ruleset(
        name: "low swap",
        detectorGroups: [
          DetectorGroup(
            name: "swap free", detectors: [.swapFree(percent: 10, swapOutBytesPerSecond: 0)])
        ],
        actions: [.kill(Kill(.swapUsage(.bytes(1), isBiased: false), groups: everyone))]),
    ])
  }()
}
