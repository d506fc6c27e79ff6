/// A parameter of a policy, as `jettison policies NAME` shows it.
public struct PolicyParameter: Sendable, Equatable {
  /// The key, as written after the policy's name.
  public let name: String
  /// What it does, with its unit.
  public let summary: String
  /// Its default, as it would be written.
  public let defaultText: String

  /// Describes a parameter.
  public init(_ name: String, _ summary: String, default defaultText: String) {
    self.name = name
    self.summary = summary
    self.defaultText = defaultText
  }
}

/// What a policy may need to know before its run begins.
///
/// When a policy is named, it is made once to check its arguments: for no run, with one app in 1 GiB.
public struct PolicyContext: Sendable {
  /// Name of the trace.
  public let traceName: String
  /// Names of the trace's apps, by ``AppIndex``.
  public let appNames: [String]
  /// Launches and other facts of the whole trace: only oracles may look ahead in it.
  public let index: TraceIndex
  /// Memory that apps may use, in bytes: RAM less the system's; where the capacity counts apps, apps.
  public let memoryBytes: Int64
  /// RAM and swap of the device, in bytes; swap is 0 where the pressure model has none.
  public let ramBytes: Int64
  /// See ``ramBytes``.
  public let swapBytes: Int64
  /// Page size of the device, in bytes.
  public let pageBytes: Int64
  /// Parameters of the killers of Linux.
  public let linux: LinuxParameters
  /// Which apps belong together, by ``AppIndex``: apps of one number do; empty: none do.
  public let groups: [UInt32]
  /// Wall-clock time at which the trace starts, in seconds since midnight; 0 if it does not say.
  public let startSecondsOfDay: Int64
  /// Draws for this run's seed and trace.
  public var random: KeyedRandom { draws.value }
  private let draws: Lazily<KeyedRandom>
  /// Seconds of waiting that one second of lost work is worth (`--set lambda`).
  public let lambda: Double
  /// The pressure model in force.
  public let pressure: PressureModelKind
  /// Whether the run is on `ideal-cache`.
  public let isIdealCache: Bool
  /// What this run works out together with others of the trace; nil: there is no other to share with.
  package let work: SharedWork?

  /// Number of apps in the trace.
  public var appCount: Int { appNames.count }

  init(_ trace: Trace, _ configuration: RunConfiguration, work: SharedWork? = nil) {
    self.work = work
    traceName = trace.name
    appNames = trace.apps
    index = trace.index
    startSecondsOfDay = trace.header.startSecondsOfDay ?? 0
    pressure = configuration.pressure
    isIdealCache = pressure == .idealCache
    let device = configuration.device
    memoryBytes =
      isIdealCache || configuration.capacityApps != nil
      ? configuration.capacity : device.ramBytes - device.reserveBytes
    ramBytes = device.ramBytes
    pageBytes = device.pageBytes
    linux = device.pressureParameters.linux
    swapBytes = device.swapBytes(under: configuration.pressure.family)
    groups = configuration.groups
    draws = trace.draws(seed: configuration.seed)
    lambda = configuration.lambda
  }

  /// No run in particular: to check arguments, with figures that a run may have.
  init() {
    traceName = "trace"
    appNames = ["app"]
    index = .withoutEvents(appCount: 1)
    startSecondsOfDay = 0
    memoryBytes = 1 << 30
    ramBytes = 1 << 30
    swapBytes = 0
    pageBytes = 4096
    linux = LinuxParameters()
    groups = []
    draws = Lazily { KeyedRandom(seed: 0, key: 0) }
    lambda = 1
    pressure = .thresholds
    isIdealCache = false
    work = nil
  }
}

/// A policy's name, documentation and way to run: one value per policy, in a registry.
///
/// The descriptor captures what speaks with the policy, compiled for it, so the choice of a policy
/// costs one call per run and nothing per event.
public struct PolicyDescriptor: Sendable {
  /// Name on the command line and in reports.
  public let name: String
  /// Other names that the literature uses and the command line takes.
  public let aliases: [String]
  /// What kind of policy it is: recency, frequency, size, cost, loss-aware and so on.
  public let family: String
  /// One sentence: whom it purges first.
  public let summary: String
  /// How it decides, well enough to implement it.
  public let details: String
  /// The paper or document it comes from.
  public let source: String
  /// Cost of a score and of an observed event.
  public let complexity: String
  /// Its parameters.
  public let parameters: [PolicyParameter]
  /// Whether it draws, so that seeds differ.
  public let draws: Bool
  /// Whether it cannot run without arguments; then `--policies all` leaves it out.
  public let needsArguments: Bool
  /// Hash of the definition of a policy that a file defines; nil: the version of Jettison says it.
  package var definitionHash: UInt64?
  /// Whether it sees the future of the trace: a yardstick, not a policy for a phone.
  public var isOracle: Bool { family == "oracle" }

  /// Makes a policy of its arguments, for a run.
  ///
  /// Also called when a policy is named, with a context of no run in particular (``PolicyContext``): what
  /// it throws then refuses the name.
  public typealias Maker<Policy> =
    @Sendable (PolicyArguments, PolicyContext) throws(ConfigurationError) -> Policy
  /// Lets a policy go through a trace, with a loop that has just begun.
  @usableFromInline
  typealias Replay =
    @Sendable (inout ReplayLoop, PolicySpec, PolicyContext, Trace) throws(RunError) -> Void

  /// The policy's type, found on demand: for a generic one the runtime has to look for it.
  let type: @Sendable () -> any PurgePolicy.Type
  /// Makes the policy by itself, where a call through its protocol does not hurt.
  let make: Maker<any PurgePolicy>
  /// Compiled for the policy, where it is described.
  let replay: Replay
  /// Compiled for the policy, too.
  let goOn: SoleRun

  /// Describes a policy and how to make it from its arguments.
  @inlinable
  public init<Policy: PurgePolicy>(
    name: String, aliases: [String] = [], family: String, summary: String, details: String,
    source: String, complexity: String = "O(1) per event and score",
    parameters: [PolicyParameter] = [], draws: Bool = false, needsArguments: Bool = false,
    make: @escaping Maker<Policy>
  ) {
    self.init(
      name: name, aliases: aliases, family: family, summary: summary, details: details,
      source: source, complexity: complexity, parameters: parameters, draws: draws,
      needsArguments: needsArguments, type: { Policy.self },
      make: { (arguments, context) throws(ConfigurationError) in try make(arguments, context) },
      replay: { (loop, spec, context, trace) throws(RunError) in
        var seat = PolicySeat(
          try spec.made(by: make, in: context), name: spec.name, appNames: context.appNames)
        try seat.run(&loop, trace)
      },
      goOn: { (seat, loop, trace) throws(RunError) in
        var seat = PolicySeat<Policy>(seat)
        try seat.run(&loop, trace)
      })
  }

  @usableFromInline
  init(
    name: String, aliases: [String], family: String, summary: String, details: String,
    source: String, complexity: String, parameters: [PolicyParameter], draws: Bool,
    needsArguments: Bool, type: @escaping @Sendable () -> any PurgePolicy.Type,
    make: @escaping Maker<any PurgePolicy>, replay: @escaping Replay, goOn: @escaping SoleRun
  ) {
    self.name = name
    self.aliases = aliases
    self.family = family
    self.summary = summary
    self.details = details
    self.source = source
    self.complexity = complexity
    self.parameters = parameters
    self.draws = draws
    self.needsArguments = needsArguments
    self.type = type
    self.make = make
    self.replay = replay
    self.goOn = goOn
  }

  /// See ``PurgePolicy/ordersFront(under:)``.
  package func ordersFront(_ model: PressureModelKind) -> Bool {
    type().ordersFront(under: model)
  }

  /// See ``PurgePolicy/hasTerms``.
  package var hasTerms: Bool { type().hasTerms }
}

extension [PolicyDescriptor] {
  /// The policy of a name.
  ///
  /// - Throws: `ConfigurationError` if there is none, or more than one.
  package func policy(named name: String) throws(ConfigurationError) -> PolicyDescriptor {
    let named = filter { $0.name == name || $0.aliases.contains(name) }
    guard let policy = named.first else {
      throw .unknown(what: "policy", name: name, known: map(\.name))
    }
    guard named.count == 1 else {
      throw .invalid(
        what: "policy", text: name, remedy: "two policies have the name (give one another name)")
    }
    return policy
  }
}

/// The `key=value` pairs written after a policy's name.
///
/// Only keys that the policy declares as ``PolicyParameter`` can be written: any other that is asked for
/// here has no text, and its default counts.
public struct PolicyArguments: Sendable, Equatable {
  private var values: [(key: String, value: String)] = []

  /// No arguments: every parameter at its default.
  public init() {}

  init(values: [(key: String, value: String)]) {
    self.values = values
  }

  /// The text given for a key, or nil.
  public subscript(key: String) -> String? {
    values.last { $0.key == key }?.value
  }

  /// A finite number of at least `minimum`.
  ///
  /// - Throws: ``ConfigurationError`` for any other text.
  public func number(
    _ key: String, default fallback: Double, minimum: Double = 0
  ) throws(ConfigurationError) -> Double {
    guard let text = self[key] else { return fallback }
    guard let value = Double(text), value.isFinite, value >= minimum else {
      throw .invalid(
        what: "parameter '\(key)'", text: text,
        remedy: "write a number of at least \(Self.plain(minimum))")
    }
    return value
  }

  /// A bound as people write it: whole numbers without a fraction.
  static func plain(_ bound: Double) -> String {
    let text = "\(bound)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A positive number with an optional unit of time; the result is in seconds, or a bare number.
  ///
  /// - Throws: ``ConfigurationError`` for any other text, and for more seconds than a number can hold.
  public func duration(
    _ key: String, default fallback: Double
  ) throws(ConfigurationError) -> Double {
    guard let text = self[key] else { return fallback }
    let (digits, unit) = DurationUnit.split(text) ?? (text[...], .s)
    let seconds = Double(digits).map { $0 * unit.seconds }
    guard let seconds, seconds.isFinite, seconds > 0 else {
      throw .invalid(
        what: "parameter '\(key)'", text: text, remedy: "write a duration such as 30s, 12h or 1d")
    }
    return seconds
  }

  /// One of a fixed list of words.
  ///
  /// - Throws: ``ConfigurationError`` for any other word, with those that are known.
  public func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, default fallback: Choice
  ) throws(ConfigurationError) -> Choice {
    guard let text = self[key] else { return fallback }
    guard let choice = Choice(rawValue: text) else {
      throw .unknown(
        what: "value of parameter '\(key)'", name: text,
        known: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  /// Whether the same values were written, in the same order.
  public static func == (lhs: PolicyArguments, rhs: PolicyArguments) -> Bool {
    lhs.values.elementsEqual(rhs.values) { $0 == $1 }
  }
}

/// A policy as named for a run: `name` or `name:key=value,key=value`, then modifiers such as
/// `+saved` in any order.
public struct PolicySpec: Sendable {
  /// The policy.
  public let descriptor: PolicyDescriptor
  /// What was written after its name.
  public let arguments: PolicyArguments
  /// How its order is used.
  public let modifiers: PolicyModifiers
  /// As written: what reports show.
  public let name: String

  /// Reads a policy as people write it, among those that can be named.
  ///
  /// Throws ``ConfigurationError`` for an unknown name, key or modifier and for a value that does
  /// not fit.
  public init(
    parsing text: String, among policies: [PolicyDescriptor]
  ) throws(ConfigurationError) {
    let (plain, modifiers) = try PolicyModifiers.split(text)
    self.modifiers = modifiers
    let parts = plain.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    descriptor = try policies.policy(named: String(parts[0]))
    arguments =
      parts.count == 1
      ? PolicyArguments() : try Self.parse(String(parts[1]), for: descriptor)
    _ = try descriptor.make(arguments, PolicyContext())
    name = text
  }

  /// The same policy under another name in reports.
  package func renamed(_ name: String) -> PolicySpec {
    PolicySpec(descriptor: descriptor, arguments: arguments, modifiers: modifiers, name: name)
  }

  private init(
    descriptor: PolicyDescriptor, arguments: PolicyArguments, modifiers: PolicyModifiers,
    name: String
  ) {
    self.descriptor = descriptor
    self.arguments = arguments
    self.modifiers = modifiers
    self.name = name
  }

  /// Replays a trace under this policy.
  ///
  /// Throws ``RunError`` for a configuration that does not fit the trace or that no run can have, if
  /// the allocator cannot serve, or if the policy fails.
  public func run(
    _ trace: Trace, _ configuration: RunConfiguration, recorder: (any Recorder)? = nil
  ) throws(RunError) -> RunResult {
    try run(trace, configuration, recorder: recorder, sharing: nil)
  }

  /// Replays a trace as one of several runs of it that share what does not depend on which app is purged.
  ///
  /// Throws ``RunError`` if the allocator cannot serve, or if the policy fails.
  package func run(
    _ trace: Trace, _ configuration: RunConfiguration, recorder: (any Recorder)?,
    sharing work: SharedWork?
  ) throws(RunError) -> RunResult {
    try configuration.check(appCount: trace.apps.count)
    var loop = try ReplayLoop(
      trace, configuration, model: configuration.pressure.family.model, for: descriptor.type(),
      modifiers: modifiers, knowsFront: descriptor.ordersFront(configuration.pressure),
      draws: descriptor.draws, recorder: recorder)
    let context = PolicyContext(trace, configuration, work: work)
    try descriptor.replay(&loop, self, context, trace)
    return loop.finish()
  }

  private static func parse(
    _ text: String, for descriptor: PolicyDescriptor
  ) throws(ConfigurationError) -> PolicyArguments {
    var values: [(key: String, value: String)] = []
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else {
        throw .invalid(
          what: "parameter of policy '\(descriptor.name)'", text: String(pair),
          remedy: "write key=value")
      }
      guard descriptor.parameters.contains(where: { $0.name == sides[0] }) else {
        throw .unknown(
          what: "parameter of policy '\(descriptor.name)'", name: String(sides[0]),
          known: descriptor.parameters.map(\.name))
      }
      values.append((String(sides[0]), String(sides[1])))
    }
    return PolicyArguments(values: values)
  }
}
