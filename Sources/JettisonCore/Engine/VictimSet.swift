/// What a policy's modifiers ask of the engine, in numbers.
struct ChoiceRules: BitwiseCopyable, Sendable {
  /// How many of the apps used last are spared.
  let recentCount: Int
  /// How long an app is spared after a decision ended it, in nanoseconds; 0: not at all.
  let intervalNanoseconds: Int64
  /// Available memory at which purging that has begun may stop, in bytes (in apps where the
  /// capacity counts apps); `.min`: where the model says.
  let untilBytes: Int64

  init(_ modifiers: PolicyModifiers, _ configuration: RunConfiguration) {
    recentCount = max(configuration.protectRecentCount, modifiers.recentCount)
    intervalNanoseconds = modifiers.intervalNanoseconds
    untilBytes = modifiers.untilBytes(under: configuration) ?? .min
  }
}

extension PolicyModifiers {
  /// `+until` in bytes of a device, or in apps where its capacity counts apps; nil: not asked for.
  package func untilBytes(under configuration: RunConfiguration) -> Int64? {
    guard let untilPercent else { return nil }
    let capacity = configuration.capacity
    return Int64((Double(capacity) * untilPercent / 100).rounded(.up))
  }
}

/// Who of a ranked list goes, where a modifier makes of the victims a set.
///
/// The model's own need comes first: the shortest prefix that meets it, each victim with its unit.
/// Then, under `+until`, it goes on for as long as the next in order is purged and not killed. Then,
/// under `+minimal`, the last victims stay as far as enough is freed without them.
struct VictimSet {
  /// One candidate, as far as it matters here.
  struct Option: BitwiseCopyable {
    /// Candidates of one number go together.
    let unit: UInt32
    /// What its end gives back, in bytes.
    let freedBytes: Int64
    /// Whether its end is a purge and not a kill.
    let isPurge: Bool
  }

  /// What the model asks for, in bytes; at least 0.
  private let modelNeedBytes: Int64
  /// What `+until` asks for, in bytes; 0: nothing.
  private let untilNeedBytes: Int64
  private let endsAfterOne: Bool
  private let isMinimal: Bool
  /// What must be freed by those that go in the end.
  private var enoughBytes: Int64 {
    endsAfterOne ? untilNeedBytes : max(modelNeedBytes, untilNeedBytes)
  }

  init(_ open: OpenDecision, isMinimal: Bool) {
    modelNeedBytes = max(0, open.modelTargetBytes - open.availableBytes)
    untilNeedBytes = open.untilBytes == .min ? 0 : max(0, open.untilBytes - open.availableBytes)
    endsAfterOne = open.endsAfterOne
    self.isMinimal = isMinimal
  }

  /// The same need for another policy.
  init(_ request: PurgeRequest, isMinimal: Bool) {
    modelNeedBytes = request.neededBytes
    untilNeedBytes = 0
    endsAfterOne = request.endsAfterOne
    self.isMinimal = isMinimal
  }

  /// Whether each option goes.
  ///
  /// Complexity: O(n·m) for n options of which m are chosen for themselves.
  func choose(_ options: [Option]) -> [Bool] {
    var isChosen = Array(repeating: false, count: options.count)
    /// Chosen for themselves; the others of their units went along.
    var leaders: [Int] = []
    var freed: Int64 = 0
    for position in options.indices where !isChosen[position] {
      if !leaders.isEmpty, !goesOn(after: freed, to: options[position]) { break }
      leaders.append(position)
      freed += take(options[position].unit, options, &isChosen, true)
    }
    guard isMinimal else { return isChosen }
    for leader in leaders.reversed() where leaders.count > 1 {
      let bytes = take(options[leader].unit, options, &isChosen, false)
      if freed - bytes >= enoughBytes, isChosen.contains(true) {
        freed -= bytes
      } else {
        _ = take(options[leader].unit, options, &isChosen, true)
      }
    }
    return isChosen
  }

  /// Whether another victim follows.
  private func goesOn(after freed: Int64, to next: Option) -> Bool {
    let isModelContent = endsAfterOne || freed >= modelNeedBytes
    return isModelContent ? next.isPurge && freed < untilNeedBytes : true
  }

  /// Adds or drops all options of a unit; what they free.
  private func take(
    _ unit: UInt32, _ options: [Option], _ isChosen: inout [Bool], _ goes: Bool
  ) -> Int64 {
    var bytes: Int64 = 0
    for position in options.indices where options[position].unit == unit {
      isChosen[position] = goes
      bytes += options[position].freedBytes
    }
    return bytes
  }
}
