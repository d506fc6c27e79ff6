internal import JettisonCore
internal import JettisonReports

extension SpecificationText {
  /// What texts are read for, which says what holds where the user says nothing.
  package enum Purpose: Sendable {
    case replay
    case compare
    /// A look at single runs, under the policy of `replay`.
    case inspect
    /// A comparison with what the platform did, under its own policy, if it is one and known.
    case validate

    /// The policies; nil: the platform's.
    var policies: String? {
      switch self {
      case .replay, .inspect: "lru"
      case .compare: "lru,lru+saved,size,gdsf,landlord-loss"
      case .validate: nil
      }
    }

    var seeds: ExperimentSpecification.Seeds {
      switch self {
      case .replay, .compare: .asNeeded(from: 1)
      case .inspect, .validate: .count(1, from: 1)
      }
    }

    var listedLosses: Int {
      switch self {
      case .replay, .inspect: LossTables.listedLosses
      case .compare, .validate: 0
      }
    }
  }

  /// What the texts ask for.
  ///
  /// - Throws: ``ExperimentError`` for the first text that cannot be read, at its place.
  package func specification(
    for purpose: Purpose
  ) throws(ExperimentError) -> ExperimentSpecification {
    var asked = ExperimentSpecification(traces: traces)
    asked.places = places
    asked.wording = .options
    asked.checksArenas = checksArenas
    asked.isStrict = isStrict
    asked.listedLosses = purpose.listedLosses
    asked.settings = try settings()
    try readSizes(&asked)
    asked.seeds = try seeds(or: purpose.seeds)
    try readWays(&asked)
    asked.pinned = texts(.pin) ?? []
    asked.catalogs = list(.catalog)
    asked.devices = try devices()
    asked.policies = try policies(or: purpose.policies)
    asked.baseline = try baseline(among: asked.policies)
    asked.gates = try gates()
    asked.eventKinds = try eventKinds()
    return asked
  }

  private func readSizes(_ asked: inout ExperimentSpecification) throws(ExperimentError) {
    for text in list(.memory) {
      do throws(ConfigurationError) {
        asked.memoryBytes += try MemorySweep(parsing: text).bytes
      } catch let found {
        throw error(.memory, found)
      }
    }
    asked.capacityApps = try values(.capacity, form: "a number of apps such as 5apps") { text in
      guard text.hasSuffix("apps"), let count = Int64(text.dropLast(4)), count > 0 else {
        return nil
      }
      return count
    }
  }

  private func readWays(_ asked: inout ExperimentSpecification) throws(ExperimentError) {
    asked.hasNoise = try value(.noise, or: false, form: "on or off", SettingText.flag)
    asked.saves = try source(.saves)
    asked.footprints = try value(.footprints, or: .arena, form: "arena or declared") {
      FootprintSource(rawValue: $0)
    }
    asked.ranks = try source(.adj)
    asked.protectRecent = try value(
      .protectRecent, or: 0, form: "a number of apps such as 2", SettingText.count)
    asked.warmUpNanoseconds = try value(
      .warmUp, or: 0, form: "a duration such as 24h", SettingText.nanoseconds)
    asked.pressure = try text(.pressure).map { (name) throws(ExperimentError) in
      do throws(ConfigurationError) {
        return try PressureModelKind.named(name)
      } catch let found {
        throw error(.pressure, found)
      }
    }
  }

  private func source(_ key: Key) throws(ExperimentError) -> ExperimentSpecification.Source {
    try value(key, or: .captured, form: "captured or modelled") {
      ExperimentSpecification.Source(rawValue: $0)
    }
  }

  private func seeds(
    or standard: ExperimentSpecification.Seeds
  ) throws(ExperimentError) -> ExperimentSpecification.Seeds {
    let first = try value(.seed, or: UInt64(1), form: "a whole number such as 1") { UInt64($0) }
    guard text(.seeds) != nil else {
      return switch standard {
      case .asNeeded: .asNeeded(from: first)
      case .count(let count, _): .count(count, from: first)
      }
    }
    let limit = ExperimentSpecification.Seeds.mostSeeds
    let count = try value(.seeds, or: 1, form: "a number from 1 to \(limit)") { text in
      Int(text).flatMap { (1...limit).contains($0) ? $0 : nil }
    }
    let seeds = ExperimentSpecification.Seeds.count(count, from: first)
    guard seeds.isUsable else {
      throw error(
        .seed,
        .invalid(
          what: "value", text: "\(first)",
          remedy: "seeds are below 2^64: begin \(count - 1) below that or lower"))
    }
    return seeds
  }

  private func settings() throws(ExperimentError) -> [SettingSweep] {
    var sweeps: [SettingSweep] = []
    for text in texts(.set) ?? [] {
      do throws(ConfigurationError) {
        sweeps.append(try SettingSweep(parsing: text))
      } catch let found {
        throw error(.set, found)
      }
    }
    return sweeps
  }

  private func devices() throws(ExperimentError) -> [Device] {
    try list(.device).map { (name) throws(ExperimentError) in
      try DeviceFile.device(name) { error(.device, $0) }
    }
  }

  private func policies(or standard: String?) throws(ExperimentError) -> [PolicySpec]? {
    guard let texts = texts(.policies) ?? standard.map({ [$0] }) else { return nil }
    var policies: [PolicySpec] = []
    for text in texts { policies += try PolicySources.specs(text) { error(.policies, $0) } }
    return policies
  }

  /// The name of a policy file stands for it, as in reports.
  private func baseline(among policies: [PolicySpec]?) throws(ExperimentError) -> String? {
    guard let name = text(.baseline) else { return nil }
    if policies?.contains(where: { $0.name == name }) == true { return name }
    return try PolicySources.spec(name) { error(.baseline, $0) }.name
  }

  private func gates() throws(ExperimentError) -> [MetricGate] {
    try (texts(.failIf) ?? []).map { (text) throws(ExperimentError) in
      do throws(ConfigurationError) {
        return try MetricGate(parsing: text)
      } catch let found {
        throw error(.failIf, found)
      }
    }
  }

  private func eventKinds() throws(ExperimentError) -> Set<RecordedKind>? {
    guard texts(.events) != nil else { return nil }
    let known = RecordedKind.allCases
    let kinds = try list(.events).map { (name) throws(ExperimentError) in
      guard let kind = known.first(where: { $0.name == name }) else {
        throw error(.events, .unknown(what: "event", name: name, known: known.map(\.name)))
      }
      return kind
    }
    return Set(kinds)
  }
}

extension SpecificationText {
  /// The value of a key read by `parse`, or a default; a value that cannot be read is an error.
  private func value<Value>(
    _ key: Key, or fallback: Value, form: String, _ parse: (String) -> Value?
  ) throws(ExperimentError) -> Value {
    guard let text = text(key) else { return fallback }
    guard let value = parse(text) else {
      throw error(key, .invalid(what: "value", text: text, remedy: "write \(form)"))
    }
    return value
  }

  /// The values of a list key, each read by `parse`.
  private func values<Value>(
    _ key: Key, form: String, _ parse: (String) -> Value?
  ) throws(ExperimentError) -> [Value] {
    try list(key).map { (text) throws(ExperimentError) in
      guard let value = parse(text) else {
        throw error(key, .invalid(what: "value", text: text, remedy: "write \(form)"))
      }
      return value
    }
  }

  /// The parts of all texts of a key.
  private func list(_ key: Key) -> [String] {
    (texts(key) ?? []).flatMap { ListText.parts(of: $0) }
  }
}
