public import JettisonCore
public import JettisonTraces

/// What an experiment replays: every trace on every device, with every memory size, capacity,
/// catalog and combination of settings, under every policy, with every seed.
///
/// ```swift
/// var specification = ExperimentSpecification(traces: ["captures"])
/// specification.policies = try .reading("lru,gdsf:cost=1+saved,mine.yaml")
/// specification.memoryBytes = [512 << 20, 1 << 30]
/// specification.settings = [try SettingSweep("decay", ["5s", "10s"])]
/// ```
///
/// Nothing is read or checked before an ``Experiment`` is made of it.
public struct ExperimentSpecification: Sendable {
  /// Where something comes from that a capture may tell and a model may give.
  public enum Source: String, CaseIterable, Sendable {
    case captured
    case modelled
  }

  /// The seeds of every draw.
  public enum Seeds: Sendable, Equatable {
    /// From a seed on: ten where something is drawn for too few users to tell chance from their
    /// spread, else one.
    case asNeeded(from: UInt64)
    /// So many from a seed on, 1 to 100,000, for every trace.
    case count(Int, from: UInt64)

    static let mostSeeds = 100_000

    /// Whether the number of seeds is one that can be.
    var isUsable: Bool {
      guard case .count(let count, let first) = self else { return true }
      return count >= 1 && count <= Self.mostSeeds
        && !first.addingReportingOverflow(UInt64(count - 1)).overflow
    }
  }

  /// Files of traces and captures, and folders, which stand for the traces in them; at least one.
  public var traces: [String]
  /// The formats that they may have: Jettison's own, or `.all` of JettisonImporters.
  public var formats = TraceFormats.native
  /// The policies, of which no two have one name; nil: what the platform itself does, as far as it
  /// is known and all devices have the same, else `lru`.
  public var policies: [PolicySpec]?
  /// The devices; empty: each trace has the one that it names, or `iphone-4`.
  public var devices: [Device] = []
  /// RAM in bytes, from 1 to 1 PiB, that takes the place of the devices'; empty: their own.
  public var memoryBytes: [Int64] = []
  /// How many apps `ideal-cache` holds if every app has size 1; empty: it counts bytes.
  public var capacityApps: [Int64] = []
  /// Where footprints come from; `ideal-cache` always takes the declared ones.
  public var footprints = FootprintSource.arena
  /// YAML files of what is known about apps, in the form of `apps:` in a trace; several are
  /// compared.
  public var catalogs: [String] = []
  /// Whether apps save when the trace says, or when the catalog does.
  public var saves = Source.captured
  /// Whether `oom_score_adj` is what the trace tells, or what the model gives.
  public var ranks = Source.captured
  /// What is changed about devices, runs and apps; each combination of values is replayed.
  public var settings: [SettingSweep] = []
  /// The pressure model that takes the place of the devices'; nil: their own.
  public var pressure: PressureModelKind?
  /// Whether figures of built-in app categories are drawn around their medians.
  public var hasNoise = false
  /// Names of apps that are never purged.
  public var pinned: [String] = []
  /// How many of the apps used last are spared, 0 or more.
  public var protectRecent = 0
  /// The seeds of every draw.
  public var seeds = Seeds.asNeeded(from: 1)
  /// Time at the start that does not count, in nanoseconds, 0 or more.
  public var warmUpNanoseconds: Int64 = 0
  /// Name of the policy that the others are compared with; nil: the first.
  public var baseline: String?
  /// Conditions on metrics of `summary.csv` that no run should meet.
  public var gates: [MetricGate] = []
  /// The kinds of events that should have a row in `events.csv`, for the code that makes
  /// the `CSVReportSink`; nil: all.
  public var eventKinds: Set<RecordedKind>?
  /// Whether every arena is checked against the allocator's own statistics.
  public var checksArenas = false
  /// Whether an error inside an input is fatal; else it is counted and skipped.
  public var isStrict = false
  /// How many of the worst losses a result lists, 0 or more.
  ///
  /// Pages need no number here: a sink says how many it shows, and the largest number counts.
  public var listedLosses = 0

  /// Where values were written, if they were; errors about them say so.
  var places: [Key: Place] = [:]
  /// What notes call a value.
  var wording = Wording.values

  /// Asks for everything as it is: traces on their own devices.
  ///
  /// - Parameters:
  ///   - traces: Files and folders.
  ///   - policies: The policies; nil: what the platform itself does.
  public init(traces: [String], policies: [PolicySpec]? = nil) {
    self.traces = traces
    self.policies = policies
  }

  /// Reads an experiment file: <doc:ReplayingAndComparing> lists its keys.
  ///
  /// What the file does not say is as `jettison compare` has it: without `policies:`, the policies are
  /// `lru,lru+saved,size,gdsf,landlord-loss`, not what the platform itself does.
  ///
  /// - Parameter path: A YAML file; paths in it are relative to it.
  /// - Throws: ``ExperimentError`` with file, line and remedy for the first mistake.
  public init(contentsOf path: String) throws(ExperimentError) {
    self = try ExperimentFile.read(path).specification(for: .compare)
    wording = .values
  }
}

extension ExperimentSpecification {
  /// A run on no device in particular.
  static var blankRun: RunConfiguration {
    let blank = Device(name: "", ramBytes: 1, reserveBytes: 0, source: "")
    return RunConfiguration(device: blank, pressure: .thresholds, profiles: [])
  }

  /// Refuses numbers out of range.
  func check() throws(ExperimentError) {
    let numbers: [(Key, [Int64], ClosedRange<Int64>)] = [
      (.memory, memoryBytes, 1...SettingText.largestBytes),
      (.capacity, capacityApps, 1...Int64.max),
      (.protectRecent, [Int64(protectRecent)], 0...Int64.max),
      (.warmUp, [warmUpNanoseconds], 0...TraceLimits.timeNanoseconds),
    ]
    for (key, values, range) in numbers {
      guard let value = values.first(where: { !range.contains($0) }) else { continue }
      let most = range.upperBound == .max ? "" : ", \(range.upperBound) at most"
      throw error(
        key,
        .invalid(
          what: "value", text: "\(value)", remedy: "use \(range.lowerBound) or more\(most)"))
    }
    guard listedLosses >= 0 else {
      throw .value(
        "listedLosses", .invalid(what: "value", text: "\(listedLosses)", remedy: "use 0 or more"))
    }
    guard seeds.isUsable else {
      throw error(
        .seeds,
        .invalid(
          what: "value", text: "\(seeds)", remedy: "use 1 to \(Seeds.mostSeeds) seeds below 2^64"))
    }
    guard policies?.isEmpty != true else {
      throw error(.policies, .invalid(what: "list", text: "", remedy: "name a policy"))
    }
  }

  /// The words for what an experiment varies: the keys of an experiment file, and, after two
  /// dashes, the long options of commands.
  package enum Key: String, CaseIterable, Sendable {
    case policies
    case device
    case memory
    case capacity
    case footprints
    case catalog
    case saves
    case adj
    case set
    case pressure
    case noise
    case pin
    case protectRecent = "protect-recent"
    case seed
    case seeds
    case warmUp = "warm-up"
    case baseline
    case events
    case failIf = "fail-if"

    /// Whether the key takes more than one value.
    var isList: Bool {
      switch self {
      case .policies, .device, .memory, .capacity, .catalog, .set, .pin, .events, .failIf: true
      default: false
      }
    }
  }

  /// What notes and errors call a value that was written nowhere.
  enum Wording: Sendable {
    /// By the word of an experiment file.
    case values
    /// By the option of a command.
    case options
  }

  /// What the one who asked calls a value.
  func name(of key: Key) -> String {
    switch wording {
    case .values: key.rawValue
    case .options: "--\(key.rawValue)"
    }
  }

  /// An error about a value, at the place where it was written.
  func error(_ key: Key, _ error: ConfigurationError) -> ExperimentError {
    places[key]?.error(key, error) ?? .value(name(of: key), error)
  }
}
