internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// Turns what a user asked for into a plan: everything is read and checked before the first run.
package struct RunPlanner {
  /// Default number of seeds where something is drawn and users are too few for an interval.
  private static let usualSeedCount: UInt64 = 10

  /// The device of a trace that names none.
  package static let defaultDevice = "iphone-4"

  /// What is asked for.
  package let asked: ExperimentSpecification
  private let variants: [SettingVariant]
  private let seeds: [UInt64]
  /// Whether ``seeds`` serve every device; false: only those with too few users.
  private let areSeedsAsked: Bool
  private let template: RunConfiguration

  /// Checks everything that does not depend on a trace.
  package init(_ asked: ExperimentSpecification) throws(ExperimentError) {
    try asked.check()
    self.asked = asked
    do throws(ConfigurationError) {
      variants = try SettingVariant.all(asked.settings)
    } catch {
      throw asked.error(.set, error)
    }
    switch asked.seeds {
    case .count(let count, let first):
      areSeedsAsked = true
      seeds = (0..<UInt64(count)).map { first + $0 }
    case .asNeeded(let first):
      areSeedsAsked = false
      seeds = (0...min(Self.usualSeedCount - 1, .max - first)).map { first + $0 }
    }
    var template = ExperimentSpecification.blankRun
    template.footprints = asked.footprints
    template.checksArenas = asked.checksArenas
    template.usesCapturedRanks = asked.ranks == .captured
    template.listedLosses = asked.listedLosses
    template.protectRecentCount = asked.protectRecent
    template.warmUpNanoseconds = asked.warmUpNanoseconds
    self.template = template
  }

  /// The policies for devices; where none is asked for, the platform's own.
  private func policies(on devices: [Device]) throws(ExperimentError) -> [PlannedPolicy] {
    let specs = if let named = asked.policies { named } else { [try usualPolicy(on: devices)] }
    var result: [PlannedPolicy] = []
    for spec in specs {
      guard !result.contains(where: { $0.name == spec.name }) else {
        throw asked.error(
          .policies,
          .invalid(what: "policy", text: spec.name, remedy: "it is asked for twice; name it once"))
      }
      result.append(PlannedPolicy(name: spec.name, spec: spec))
    }
    return result
  }

  /// The policy of the platform, if all devices have the same; else `lru`.
  private func usualPolicy(on devices: [Device]) throws(ExperimentError) -> PolicySpec {
    let own = Set(devices.map { model(of: $0).platformPolicy })
    return try PolicySources.spec(own.count == 1 ? own.first ?? "lru" : "lru") {
      asked.error(.policies, $0)
    }
  }

  private func model(of device: Device) -> PressureModelKind {
    asked.pressure ?? device.ownPressureModel
  }

  /// The plan for traces that have been read.
  ///
  /// - Parameters:
  ///   - traces: What is replayed.
  ///   - areSome: Whether what is asked for is about more traces, so that one of those may have an app
  ///     that these do not: ``checkApps(of:)`` is then for who has all of them.
  package func plan(
    _ traces: [LoadedTrace], areSome: Bool = false
  ) throws(ExperimentError) -> RunPlan {
    var devices: [[Device]] = []
    var notesOnDevices: [(text: String, path: String?)] = []
    for loaded in traces {
      devices.append(
        asked.devices.isEmpty
          ? [try ownDevice(of: loaded, notes: &notesOnDevices)] : asked.devices)
    }
    if asked.devices.isEmpty { Self.tellApart(&devices, notes: &notesOnDevices) }
    let policies = try policies(on: devices.flatMap { $0 })
    var plan = RunPlan(
      traces: traces, policies: policies, baseline: try baseline(in: policies), gates: asked.gates)
    if !areSome { try checkApps(of: traces) }
    let save = Int(EventKind.save.rawValue)
    if asked.saves == .modelled, traces.allSatisfy({ $0.trace.index.kindCounts[save] == 0 }) {
      plan.note("\(asked.name(of: .saves)) modelled does nothing: no trace has a save")
    }
    for remark in traces.first?.catalogs.compactMap(\.remark) ?? [] { plan.note(remark) }
    for policy in policies {
      for sentence in IdleModifiers(policy).unmatched(traces) { plan.note(sentence) }
    }
    let apps = AppNames(traces)
    for (key, app) in namedApps where !apps.contains(app) {
      plan.note("\(asked.name(of: key)) '\(app)' matches no app")
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
    guard let name = asked.baseline else { return 0 }
    guard let position = policies.firstIndex(where: { $0.name == name }) else {
      throw asked.error(
        .baseline, .unknown(what: "baseline", name: name, known: policies.map(\.name)))
    }
    return position
  }

  /// Whether options name apps, of which any of the traces may have each.
  package var namesApps: Bool { !namedApps.isEmpty }

  /// The apps that are pinned or changed, with the option that names each.
  private var namedApps: [(key: ExperimentSpecification.Key, app: String)] {
    asked.pinned.map { (key: .pin, app: $0) }
      + variants[0].changes.map { (key: .set, app: $0.app) }
  }

  /// Refuses apps that are pinned or changed and that no trace has.
  package func checkApps(of traces: [LoadedTrace]) throws(ExperimentError) {
    guard namesApps else { return }
    let apps = AppNames(traces)
    for (key, app) in namedApps where !apps.contains(app) {
      throw asked.error(key, apps.unknown(app))
    }
  }
}

extension RunPlanner {
  /// The device that a trace names; if it names none, the default with a note.
  private func ownDevice(
    of loaded: LoadedTrace, notes: inout [(text: String, path: String?)]
  ) throws(ExperimentError) -> Device {
    if !asked.capacityApps.isEmpty {
      notes.append(
        ("\(asked.name(of: .capacity)) counts in apps: the device is 'ideal-cache'", nil))
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
          "the trace names no device: '\(Self.defaultDevice)' serves (choose with "
            + "\(asked.name(of: .device)))",
          loaded.path
        ))
      return try tabled(Self.defaultDevice)
    }
    if let device = DeviceTable.all.first(where: { $0.name == name }) { return device }
    throw .input(
      TraceError(
        file: loaded.path, line: TraceLoader.headerLine(of: "device", in: loaded.path),
        what: "the device '\(name)' is not in the device table",
        remedy: "choose one with \(asked.name(of: .device)); 'jettison devices' lists them"))
  }

  /// Gives machines of one name that end apps in different ways different names.
  private static func tellApart(
    _ devices: inout [[Device]], notes: inout [(text: String, path: String?)]
  ) {
    let machines = CapturedMachines(devices.flatMap { $0 })
    for note in machines.notes { notes.append((note, nil)) }
    for position in devices.indices {
      for place in devices[position].indices {
        devices[position][place].name = machines.nameOfItsOwn(devices[position][place])
      }
    }
  }

  private func tabled(_ name: String) throws(ExperimentError) -> Device {
    do {
      return try DeviceTable.device(named: name)
    } catch {
      throw asked.error(.device, error)
    }
  }

  private func addRuns(
    of loaded: LoadedTrace, at position: Int, on device: Device, isCrowded: Bool,
    to plan: inout RunPlan
  ) throws(ExperimentError) {
    for memory in asked.memoryBytes.isEmpty ? [nil] : asked.memoryBytes.map(Optional.some) {
      for (catalog, variant) in loaded.catalogs.flatMap({ file in variants.map { (file, $0) } }) {
        var configuration = try configured(device, memory: memory, variant: variant)
        let model = model(of: configuration.device)
        configuration.pressure = model
        try check(configuration.device, under: model)
        try checkFigures(configuration)
        for sentence in configuration.device.idleSettings(under: model) {
          plan.note(sentence)
        }
        try readOomd(&configuration, &plan)
        if model.isTextbook { configuration.footprints = .declared }
        for (setting, text) in variant.values where !setting.acts(in: configuration) {
          plan.note(
            "\(asked.name(of: .set)) \(setting.key)=\(text) does nothing under the pressure model "
              + "'\(model.rawValue)' with \(configuration.footprints.rawValue) footprints")
        }
        configuration.pinned = pins(in: loaded.trace)
        noteWarmUp(configuration, loaded, &plan)
        let inForce = try changed(catalog, by: variant)
        let apps = resolved(inForce, of: loaded, on: configuration.device, &plan)
        configuration.setGroups(of: apps)
        noteIdleChoices(configuration, loaded, &plan)
        for capacity in asked.capacityApps.isEmpty ? [nil] : asked.capacityApps.map(Optional.some) {
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

  /// A catalog with what is changed about apps.
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
      loaded.trace, on: device, modelsSaves: asked.saves == .modelled, issues: &issues)
    let switchedOff = apps.indices.filter { position in
      let profile = apps[position].profile
      return asked.saves == .captured && loaded.trace.index.facts[position].contains(.saves)
        && apps[position].origin != .unknown
        && (!profile.saveTriggers.isDisjoint(with: .ownTime) || profile.saveTimerNanoseconds > 0)
    }
    if !switchedOff.isEmpty {
      plan.note(
        "the trace has saves of \(LoadedTrace.listed(switchedOff.map { apps[$0].name })), so that "
          + "what the catalog says of their resign, background, edit and timer saves is off "
          + "(\(asked.name(of: .saves)) modelled puts it in the place of those in the trace)",
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
    if asked.pressure?.isTextbook == true {
      configuration.device.isIdealCache = true
      configuration.device.reserveBytes = 0
    }
    if let memory { configuration.device.setRAM(memory) }
    for (setting, text) in variant.values {
      do {
        try setting.apply(text, to: &configuration)
      } catch {
        throw asked.error(.set, error)
      }
    }
    return configuration
  }

  /// Refuses a device whose parameters contradict each other, under the value that did it.
  private func check(
    _ device: Device, under pressure: PressureModelKind
  ) throws(ExperimentError) {
    guard let contradiction = device.contradiction(under: pressure) else { return }
    let isSet = contradiction.keys.contains { key in asked.settings.contains { $0.key == key } }
    let culprit: ExperimentSpecification.Key =
      if isSet { .set } else if !asked.memoryBytes.isEmpty { .memory } else { .device }
    throw asked.error(culprit, contradiction.error)
  }

  /// Refuses figures that every run would refuse: those of a device that a program made, or a setting.
  private func checkFigures(_ configuration: RunConfiguration) throws(ExperimentError) {
    do throws(ConfigurationError) {
      try configuration.checkFigures()
    } catch {
      throw asked.error(asked.settings.isEmpty ? .device : .set, error)
    }
  }

  private func apply(
    _ capacity: Int64?, to configuration: inout RunConfiguration
  ) throws(ExperimentError) {
    guard let capacity else { return }
    guard configuration.pressure.isTextbook else {
      throw asked.error(
        .capacity,
        .invalid(
          what: "capacity", text: "\(capacity)apps",
          remedy: "'\(configuration.device.name)' counts bytes; use \(asked.name(of: .device)) "
            + "ideal-cache, or \(asked.name(of: .memory))"))
    }
    configuration.capacityApps = capacity
  }

  private func addRuns(
    _ loaded: LoadedTrace, _ position: Int, block: Int, configuration: RunConfiguration,
    _ catalog: PlannedCatalog, _ apps: [ResolvedApp], seeds: [UInt64], to plan: inout RunPlan
  ) throws(ExperimentError) {
    let draws = asked.hasNoise && ProfileNoise.matters(to: apps)
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
      let device = plan.blocks[block].device
      let memory =
        configuration.capacityApps.map { Prose.counted(Int($0), "app") }
        ?? Quantity.text(bytes: configuration.device.ramBytes)
      throw .misuse(
        what: "device '\(device)' with \(memory) is asked for twice",
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
    let names = Set(asked.pinned)
    return trace.apps.indices.filter { names.contains(trace.apps[$0]) }.map { AppIndex($0) }
  }
}
