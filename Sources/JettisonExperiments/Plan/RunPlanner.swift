package import JettisonCore
internal import JettisonReports
internal import JettisonTraces

/// Turns what a user asked for into a plan: everything is read and checked before the first run.
package struct RunPlanner {
  /// What a command asks for where the user says nothing.
  package enum Command: Sendable {
    case replay
    case compare
    /// A look at single runs, under the policy of `replay`.
    case inspect
    /// A comparison with what the platform did, under its own policy, if it is one and known.
    case validate

    var policies: [String] {
      switch self {
      case .replay, .inspect, .validate: ["lru"]
      case .compare: ["lru", "lru+saved", "size", "gdsf", "landlord-loss"]
      }
    }

    var listedLosses: Int {
      switch self {
      case .replay, .inspect: LossTables.listedLosses
      case .compare, .validate: 0
      }
    }
  }

  /// Seeds where nobody says how many, something is drawn and users are too few for an interval.
  package static let defaultSeedCount: UInt64 = 10

  /// The device of a trace that names none.
  package static let defaultDevice = "iphone-4"

  private let options: ExperimentOptions
  private let command: Command
  private let variants: [SettingVariant]
  private let memories: [Int64?]
  private let capacities: [Int64?]
  private let seeds: [UInt64]
  /// Whether ``seeds`` serve every device; nil: only those with too few users.
  private let areSeedsAsked: Bool
  private let hasNoise: Bool
  /// Whether apps save as the catalog says also where a trace has saves of them.
  private let modelsSaves: Bool
  private let template: RunConfiguration
  /// The devices of `--device`; nil: every trace has its own.
  private let namedDevices: [Device]?

  /// Reads every option that does not depend on a trace.
  package init(_ options: ExperimentOptions, for command: Command) throws(ExperimentError) {
    self.options = options
    self.command = command
    variants = try SettingVariant.all(options)
    let memories = try options.values(.memory, form: "a size such as 1GiB") { text -> Int64? in
      SettingText.bytes(text).flatMap { $0 > 0 ? $0 : nil }
    }
    self.memories = memories ?? [nil]
    let capacities = try options.values(.capacity, form: "a number of apps such as 5apps") {
      text -> Int64? in
      guard text.hasSuffix("apps"), let count = Int64(text.dropLast(4)), count > 0 else {
        return nil
      }
      return count
    }
    self.capacities = capacities ?? [nil]
    areSeedsAsked = options.text(.seeds) != nil || command == .inspect || command == .validate
    seeds = try Self.seeds(options, or: areSeedsAsked ? 1 : Self.defaultSeedCount)
    hasNoise = try options.value(.noise, or: false, form: "on or off", SettingText.flag)
    modelsSaves = try options.value(.saves, or: false, form: "captured or modelled") { text in
      ["captured": false, "modelled": true][text]
    }
    template = try Self.template(options, for: command)
    namedDevices = try Self.namedDevices(options)
  }

  private static func namedDevices(
    _ options: ExperimentOptions
  ) throws(ExperimentError) -> [Device]? {
    guard let names = options.texts(.device)?.flatMap({ ExperimentOptions.split($0) }) else {
      return nil
    }
    var devices: [Device] = []
    for name in names {
      if ExperimentFile.isOne(name) || name.contains("/") {
        devices.append(try DeviceFile.read(name))
        continue
      }
      do {
        devices.append(try DeviceTable.device(named: name))
      } catch {
        throw options.error(.device, error)
      }
    }
    return devices
  }

  private static func seeds(
    _ options: ExperimentOptions, or standard: UInt64
  ) throws(ExperimentError) -> [UInt64] {
    let first = try options.value(.seed, or: UInt64(1), form: "a whole number such as 1") {
      UInt64($0)
    }
    let limit: UInt64 = 100_000
    let standard = min(standard - 1, .max - first) + 1
    let count = try options.value(.seeds, or: standard, form: "a number from 1 to \(limit)") {
      text -> UInt64? in
      guard let count = UInt64(text), count >= 1, count <= limit,
        !first.addingReportingOverflow(count - 1).overflow
      else { return nil }
      return count
    }
    return (0..<count).map { first + $0 }
  }

  private static func template(
    _ options: ExperimentOptions, for command: Command
  ) throws(ExperimentError) -> RunConfiguration {
    let blank = Device(name: "", ramBytes: 1, reserveBytes: 0, source: "")
    var run = RunConfiguration(device: blank, pressure: .thresholds, profiles: [])
    run.footprints = try options.value(
      .footprints, or: run.footprints, form: "arena or declared"
    ) { FootprintSource(rawValue: $0) }
    run.checksArenas = options.checksArenas
    run.usesCapturedRanks = try options.value(.adj, or: true, form: "captured or modelled") {
      ["captured": true, "modelled": false][$0]
    }
    run.listedLosses = command.listedLosses
    run.protectRecentCount = try options.value(
      .protectRecent, or: 0, form: "a number of apps such as 2"
    ) { text in Int(text).flatMap { $0 >= 0 ? $0 : nil } }
    run.warmUpNanoseconds = try options.value(
      .warmUp, or: 0, form: "a duration such as 24h", SettingText.nanoseconds)
    return run
  }

  /// The policies asked for, parsed.
  ///
  /// - Parameter devices: What is replayed on.
  /// - Throws: ``ExperimentError/option(_:_:)`` for an unknown policy or parameter, and where two
  ///   policies would have one name in reports; ``ExperimentError/input(_:)`` for a policy file.
  package func policies(on devices: [Device] = []) throws(ExperimentError) -> [PlannedPolicy] {
    let texts: [String]
    if let asked = options.texts(.policies) {
      texts = asked.flatMap(ExperimentOptions.splitPolicies)
    } else {
      texts = try usualPolicies(on: devices)
    }
    var result: [PlannedPolicy] = []
    let named = texts.flatMap { $0 == "all" ? Self.allPolicies : [$0] }
    for text in named {
      let spec = try PolicySources.spec(text) { options.error(.policies, $0) }
      guard !result.contains(where: { $0.name == spec.name }) else {
        throw options.error(
          .policies,
          .invalid(what: "policy", text: text, remedy: "it is asked for twice; name it once"))
      }
      result.append(PlannedPolicy(name: spec.name, spec: spec))
    }
    return result
  }

  /// The policies of a command where none is asked for.
  private func usualPolicies(on devices: [Device]) throws(ExperimentError) -> [String] {
    guard command == .validate else { return command.policies }
    var own: Set<String> = []
    for device in devices { own.insert(try model(of: device).platformPolicy) }
    guard own.count == 1, let policy = own.first else { return command.policies }
    return [policy]
  }

  private func model(of device: Device) throws(ExperimentError) -> PressureModelKind {
    do {
      return try PressureChoice.choose(for: device, option: options.text(.pressure))
    } catch {
      throw options.error(.pressure, error)
    }
  }

  /// Every registered policy, plain and with `+saved`.
  private static var allPolicies: [String] {
    PolicySources.all.filter { !$0.needsArguments }.flatMap { [$0.name, "\($0.name)+saved"] }
  }

  /// The plan for traces that have been read.
  package func plan(_ traces: [LoadedTrace]) throws(ExperimentError) -> RunPlan {
    var devices: [[Device]] = []
    var notesOnDevices: [(text: String, path: String?)] = []
    for loaded in traces {
      if let namedDevices {
        devices.append(namedDevices)
      } else {
        devices.append([try ownDevice(of: loaded, notes: &notesOnDevices)])
      }
    }
    let policies = try policies(on: devices.flatMap { $0 })
    var plan = RunPlan(
      traces: traces, policies: policies, baseline: try baseline(in: policies),
      gates: try gates())
    try checkApps(of: traces)
    let save = Int(EventKind.save.rawValue)
    if modelsSaves, traces.allSatisfy({ $0.trace.index.kindCounts[save] == 0 }) {
      plan.note("--saves modelled does nothing: no trace has a save")
    }
    for remark in traces.first?.catalogs.compactMap(\.remark) ?? [] { plan.note(remark) }
    for policy in policies {
      for sentence in IdleModifiers(policy).unmatched(traces) { plan.note(sentence) }
    }
    for note in notesOnDevices { plan.note(note.text, of: note.path) }
    let crowded = areSeedsAsked ? [] : Self.crowdedDevices(traces, devices)
    for (position, loaded) in traces.enumerated() {
      for device in devices[position] {
        try addRuns(
          of: loaded, at: position, on: device, isCrowded: crowded.contains(device.name), to: &plan)
      }
    }
    return plan
  }

  /// Devices with users enough for an interval: chance is told from their spread, and one seed
  /// does.
  private static func crowdedDevices(
    _ traces: [LoadedTrace], _ devices: [[Device]]
  ) -> Set<String> {
    var durations: [String: Double] = [:]
    var users: [String: Set<String>] = [:]
    for (position, loaded) in traces.enumerated() {
      let user = loaded.trace.header.user
      durations[user, default: 0] += Double(loaded.trace.index.endNanoseconds)
      for device in devices[position] { users[device.name, default: []].insert(user) }
    }
    return Set(
      users.filter { _, users in
        users.count { durations[$0, default: 0] >= UserMetricTable.shortestNanoseconds }
          >= UserMetricTable.usersForInterval
      }.keys)
  }

  private func baseline(in policies: [PlannedPolicy]) throws(ExperimentError) -> Int {
    guard let name = options.text(.baseline) else { return 0 }
    // The name of a policy file stands for it, as in reports.
    if let position = policies.firstIndex(where: { $0.name == name }) { return position }
    let spec = try PolicySources.spec(name) { options.error(.baseline, $0) }
    guard let position = policies.firstIndex(where: { $0.name == spec.name }) else {
      throw options.error(
        .baseline, .unknown(what: "baseline", name: name, known: policies.map(\.name)))
    }
    return position
  }

  private func gates() throws(ExperimentError) -> [MetricGate] {
    var gates: [MetricGate] = []
    for text in options.texts(.failIf) ?? [] {
      do {
        gates.append(try MetricGate(parsing: text))
      } catch {
        throw options.error(.failIf, error)
      }
    }
    return gates
  }

  /// Refuses apps that `--pin` and `--set` name and no trace has.
  private func checkApps(of traces: [LoadedTrace]) throws(ExperimentError) {
    let named =
      (options.texts(.pin) ?? []).map { (key: ExperimentOptions.Key.pin, app: $0) }
      + variants[0].changes.map { (key: .set, app: $0.app) }
    guard !named.isEmpty else { return }
    let apps = AppNames(traces)
    for (key, app) in named where !apps.contains(app) {
      throw options.error(key, apps.unknown(app))
    }
  }
}

extension RunPlanner {
  /// The device that a trace names; if it names none, the default with a note.
  private func ownDevice(
    of loaded: LoadedTrace, notes: inout [(text: String, path: String?)]
  ) throws(ExperimentError) -> Device {
    if options.texts(.capacity) != nil {
      notes.append(("--capacity counts in apps: the device is 'ideal-cache'", nil))
      return try tabled("ideal-cache")
    }
    if let yaml = loaded.trace.header.deviceYAML {
      let device = try DeviceFile.read(
        yaml: yaml, ofTrace: loaded.path,
        line: TraceLoader.headerLine(of: "device", in: loaded.path))
      notes.append((DeviceFile.note(on: device, yaml: yaml, of: loaded.trace), loaded.path))
      return device
    }
    guard let name = loaded.trace.header.device else {
      notes.append(
        (
          "the trace names no device: '\(Self.defaultDevice)' serves (choose with --device)",
          loaded.path
        ))
      return try tabled(Self.defaultDevice)
    }
    if let device = DeviceTable.all.first(where: { $0.name == name }) { return device }
    throw .input(
      TraceError(
        file: loaded.path, line: TraceLoader.headerLine(of: "device", in: loaded.path),
        what: "the device '\(name)' is not in the device table",
        remedy: "choose one with --device; 'jettison devices' lists them"))
  }

  private func tabled(_ name: String) throws(ExperimentError) -> Device {
    do {
      return try DeviceTable.device(named: name)
    } catch {
      throw options.error(.device, error)
    }
  }

  private func addRuns(
    of loaded: LoadedTrace, at position: Int, on device: Device, isCrowded: Bool,
    to plan: inout RunPlan
  ) throws(ExperimentError) {
    for memory in memories {
      for (catalog, variant) in loaded.catalogs.flatMap({ file in variants.map { (file, $0) } }) {
        var configuration = try configured(device, memory: memory, variant: variant)
        let model = try model(of: configuration.device)
        try check(configuration.device, under: model)
        for sentence in configuration.device.idleSettings(under: model) {
          plan.note(sentence)
        }
        configuration.pressure = model
        try readOomd(&configuration, &plan)
        if model == .idealCache { configuration.footprints = .declared }
        for (setting, text) in variant.values where !setting.acts(in: configuration) {
          plan.note(
            "--set \(setting.key)=\(text) does nothing under the pressure model "
              + "'\(model.rawValue)' with \(configuration.footprints.rawValue) footprints")
        }
        configuration.pinned = pins(in: loaded.trace)
        noteWarmUp(configuration, loaded, &plan)
        let inForce = try changed(catalog, by: variant)
        let apps = resolved(inForce, of: loaded, on: configuration.device, &plan)
        configuration.setGroups(of: apps)
        noteIdleChoices(configuration, loaded, &plan)
        for capacity in capacities {
          var sized = configuration
          try apply(capacity, to: &sized)
          noteSystemMemory(sized, loaded, &plan)
          let label = Self.label(catalog, variant)
          let name = configuration.device.name + (label.isEmpty ? "" : ":\(label)")
          let block = plan.position(
            of: Block(
              device: name, memoryBytes: capacity ?? configuration.device.ramBytes))
          try addRuns(
            loaded, position, block: block, configuration: sized, inForce, apps,
            seeds: isCrowded ? [seeds[0]] : seeds, to: &plan)
        }
      }
    }
  }

  /// What tells a catalog and a variant from others in the name of a device.
  private static func label(_ catalog: NamedCatalog, _ variant: SettingVariant) -> String {
    [catalog.name.isEmpty ? "" : "catalog=\(catalog.name)", variant.label]
      .filter { !$0.isEmpty }.joined(separator: ";")
  }

  /// A catalog with what `--set` says about apps.
  private func changed(
    _ named: NamedCatalog, by variant: SettingVariant
  ) throws(ExperimentError) -> PlannedCatalog {
    do throws(TraceError) {
      return PlannedCatalog(try named.catalog.applying(variant.changes), from: named.paths)
    } catch {
      throw .input(error)
    }
  }

  /// The apps of a trace, with a note where its own saves switch those of the catalog off.
  private func resolved(
    _ planned: PlannedCatalog, of loaded: LoadedTrace, on device: Device, _ plan: inout RunPlan
  ) -> [ResolvedApp] {
    var issues = ImportIssues()
    let apps = planned.catalog.resolve(
      loaded.trace, on: device, modelsSaves: modelsSaves, issues: &issues)
    let switchedOff = apps.indices.filter { position in
      let profile = apps[position].profile
      return !modelsSaves && loaded.trace.index.facts[position].contains(.saves)
        && apps[position].origin != .unknown
        && (!profile.saveTriggers.isDisjoint(with: .ownTime) || profile.saveTimerNanoseconds > 0)
    }
    if !switchedOff.isEmpty {
      plan.note(
        "the trace has saves of \(LoadedTrace.listed(switchedOff.map { apps[$0].name })), so that "
          + "what the catalog says of their resign, background, edit and timer saves is off "
          + "(--saves modelled puts it in the place of those in the trace)",
        of: loaded.path)
    }
    return apps
  }

  /// Reads oomd's own configuration where it is asked for.
  private func readOomd(
    _ configuration: inout RunConfiguration, _ plan: inout RunPlan
  ) throws(ExperimentError) {
    let path = configuration.device.pressureParameters.linux.oomdConfigurationPath
    guard configuration.pressure == .oomd, !path.isEmpty else { return }
    let reading = try OomdFile.read(path)
    configuration.device.pressureParameters.linux.oomdConfiguration = reading.configuration
    for sentence in reading.notes { plan.note(sentence) }
  }

  /// The device under one memory size and one combination of settings.
  private func configured(
    _ device: Device, memory: Int64?, variant: SettingVariant
  ) throws(ExperimentError) -> RunConfiguration {
    var configuration = template
    configuration.device = device
    if options.text(.pressure) == PressureModelKind.idealCache.rawValue {
      configuration.device.isIdealCache = true
      configuration.device.reserveBytes = 0
    }
    if let memory { configuration.device.setRAM(memory) }
    for (setting, text) in variant.values {
      do {
        try setting.apply(text, to: &configuration)
      } catch {
        throw options.error(.set, error)
      }
    }
    return configuration
  }

  /// Refuses a device whose parameters contradict each other, under the option that did it.
  private func check(
    _ device: Device, under pressure: PressureModelKind
  ) throws(ExperimentError) {
    guard let contradiction = device.contradiction(under: pressure) else { return }
    let sets = (options.texts(.set) ?? []).map { $0.prefix { $0 != "=" } }
    let isSet = contradiction.keys.contains { key in sets.contains { $0 == key } }
    let culprit: ExperimentOptions.Key =
      if isSet { .set } else if options.texts(.memory) != nil { .memory } else { .device }
    throw options.error(culprit, contradiction.error)
  }

  private func apply(
    _ capacity: Int64?, to configuration: inout RunConfiguration
  ) throws(ExperimentError) {
    guard let capacity else { return }
    guard configuration.pressure == .idealCache else {
      throw options.error(
        .capacity,
        .invalid(
          what: "capacity", text: "\(capacity)apps",
          remedy: "'\(configuration.device.name)' counts bytes; use --device ideal-cache, "
            + "or --memory"))
    }
    configuration.capacityApps = capacity
  }

  private func addRuns(
    _ loaded: LoadedTrace, _ position: Int, block: Int, configuration: RunConfiguration,
    _ catalog: PlannedCatalog, _ apps: [ResolvedApp], seeds: [UInt64], to plan: inout RunPlan
  ) throws(ExperimentError) {
    let draws = hasNoise && ProfileNoise.matters(to: apps)
    let isImputed = apps.contains(where: \.isImputed)
    let natures = apps.map {
      AppNature(category: $0.category.rawValue, saveWhen: $0.saveWhen.text)
    }
    var seeded: [RunConfiguration] = []
    for seed in seeds {
      var run = configuration
      run.seed = seed
      run.profiles =
        draws
        ? ProfileNoise.profiles(of: apps, key: loaded.trace.drawKey, seed: seed)
        : apps.map(\.profile)
      seeded.append(run)
    }
    let ofTrace = plan.runs.reversed().prefix { $0.trace == position }
    guard !ofTrace.contains(where: { $0.block == block }) else {
      let taken = plan.blocks[block]
      throw .misuse(
        what: "device '\(taken.device)' with \(taken.memoryBytes) is asked for twice",
        remedy: "reports could not tell the runs apart: name it once, or give device files "
          + "different names")
    }
    for policy in plan.policies.indices {
      let first = plan.runs.count
      for run in seeded {
        plan.runs.append(
          PlannedRun(
            trace: position, policy: policy, block: block, configuration: run, catalog: catalog,
            natures: natures, firstOfCell: first, isSeedAsked: areSeedsAsked, hasNoise: draws,
            isImputed: isImputed))
      }
    }
  }

  private func pins(in trace: Trace) -> [AppIndex] {
    let names = Set(options.texts(.pin) ?? [])
    return trace.apps.indices.filter { names.contains(trace.apps[$0]) }.map { AppIndex($0) }
  }

  /// Modifiers and options about who may go that cannot act on a trace.
  private func noteIdleChoices(
    _ configuration: RunConfiguration, _ loaded: LoadedTrace, _ plan: inout RunPlan
  ) {
    let apps = loaded.trace.apps
    let spared = configuration.protectRecentCount
    if spared >= apps.count, spared > 0 {
      plan.note(
        "--protect-recent \(spared) spares all \(apps.count) apps: nobody can be purged",
        of: loaded.path)
    }
    for policy in plan.policies {
      for sentence in IdleModifiers(policy).sentences(apps, configuration) {
        plan.note(sentence, of: loaded.path)
      }
    }
  }

  /// A capture of a larger device says that its system alone has more than this one.
  private func noteSystemMemory(
    _ configuration: RunConfiguration, _ loaded: LoadedTrace, _ plan: inout RunPlan
  ) {
    guard configuration.pressure != .idealCache else { return }
    let ram = configuration.device.ramBytes
    var isTooMuch = false
    loaded.trace.events.withEvents { events in
      for position in 0..<events.count {
        let event = events[position]
        if event.kind == .systemMemory, event.value >= ram { isTooMuch = true }
      }
    }
    guard isTooMuch else { return }
    plan.note(
      "the system of the trace has more memory than '\(configuration.device.name)' at all, so that "
        + "nothing is left for apps (choose a device as large as the captured one with --device, "
        + "or --memory)",
      of: loaded.path)
  }

  private func noteWarmUp(
    _ configuration: RunConfiguration, _ loaded: LoadedTrace, _ plan: inout RunPlan
  ) {
    guard configuration.warmUpNanoseconds > 0,
      configuration.warmUpNanoseconds >= loaded.trace.index.endNanoseconds
    else { return }
    plan.note("the trace ends within the warm-up, so nothing of it counts", of: loaded.path)
  }
}
