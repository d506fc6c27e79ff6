internal import JettisonCore
internal import JettisonTraces

/// Turns oomd's JSON into rulesets.
struct OomdReader {
  let file: String
  /// What is ignored, as sentences.
  private(set) var notes: [String] = []

  init(file: String) {
    self.file = file
  }

  // MARK: Structure

  mutating func configuration(_ root: OomdJSON) throws(TraceError) -> OomdConfiguration {
    let entries = try object(root, "the file")
    try check(entries, known: ["rulesets", "prekill_hooks", "version"], in: "the file")
    if entries["prekill_hooks"] != nil { note("prekill_hooks are ignored: kills are instant") }
    guard let list = entries["rulesets"] else {
      throw error("has no 'rulesets'", "write {\"rulesets\": [...]}")
    }
    var rulesets: [OomdConfiguration.Ruleset] = []
    for (position, value) in try array(list, "'rulesets'").enumerated() {
      rulesets.append(try ruleset(value, number: position + 1))
    }
    guard !rulesets.isEmpty else { throw error("has no ruleset", "write at least one") }
    return OomdConfiguration(rulesets: rulesets)
  }

  private mutating func ruleset(
    _ value: OomdJSON, number: Int
  ) throws(TraceError) -> OomdConfiguration.Ruleset {
    let entries = try object(value, "ruleset \(number)")
    let name = try text(entries["name"], "ruleset \(number): 'name'") ?? "\(number)"
    let place = "ruleset '\(name)'"
    try check(entries, known: Self.rulesetKeys, in: place)
    for key in ["cgroup", "xattr_filter"] where entries[key] != nil {
      throw error(
        "\(place): '\(key)' is not supported",
        "name the control groups in the arguments of its plugins")
    }
    if entries["drop-in"] != nil { note("\(place): 'drop-in' is ignored: there are no drop-ins") }
    var groups: [OomdConfiguration.DetectorGroup] = []
    for group in try array(entries["detectors"], "\(place): 'detectors'") {
      groups.append(try detectorGroup(group, in: place))
    }
    var actions: [OomdConfiguration.Action] = []
    var ignored: [String] = []
    for action in try array(entries["actions"], "\(place): 'actions'") {
      let plugin = try plugin(action, in: place, kind: "action")
      if let action = try self.action(plugin) {
        actions.append(action)
      } else if plugin.name != "continue" {
        ignored.append(plugin.name)
        note("\(plugin.place) is ignored: \(Self.reasons[plugin.name] ?? "it decides nothing")")
      }
    }
    guard !actions.isEmpty else {
      throw error(
        "\(place): nothing would happen"
          + (ignored.isEmpty
            ? "" : ": '\(ignored.joined(separator: "', '"))' have no effect in a simulator"),
        "write an action such as kill_by_memory_size_or_growth")
    }
    var ruleset = OomdConfiguration.Ruleset(
      name: name, detectorGroups: groups, actions: actions)
    if let delay = try text(entries["post_action_delay"], "\(place): 'post_action_delay'") {
      ruleset.postActionDelayNanoseconds = try seconds(delay, "\(place): 'post_action_delay'")
    }
    return ruleset
  }

  private static let rulesetKeys = [
    "name", "detectors", "actions", "drop-in", "silence-logs", "post_action_delay",
    "prekill_hook_timeout", "cgroup", "xattr_filter",
  ]

  private static let reasons = [
    "systemd_restart": "there are no services to restart",
    "kernel_panic": "there is no kernel to stop",
    "kill_by_io_cost": "there is no model of I/O",
    "dump_cgroup_overview": "it only prints",
  ]

  private mutating func detectorGroup(
    _ value: OomdJSON, in place: String
  ) throws(TraceError) -> OomdConfiguration.DetectorGroup {
    let entries = try array(value, "\(place): a detector group")
    guard let first = entries.first, let name = try text(first, "\(place): a group's name") else {
      throw error(
        "\(place): a detector group is empty", "write [\"name\", {\"name\": plugin, ...}]")
    }
    var detectors: [OomdConfiguration.Detector] = []
    for entry in entries.dropFirst() {
      let plugin = try plugin(entry, in: "\(place), group '\(name)'", kind: "detector")
      detectors.append(try detector(plugin))
    }
    guard !detectors.isEmpty else {
      throw error(
        "\(place), group '\(name)': has no detector", "write at least one plugin after the name")
    }
    return OomdConfiguration.DetectorGroup(name: name, detectors: detectors)
  }

  // MARK: Plugins

  /// A plugin with its arguments as text.
  private struct Plugin {
    let name: String
    let place: String
    let arguments: [String: String]
  }

  private mutating func plugin(
    _ value: OomdJSON, in place: String, kind: String
  ) throws(TraceError) -> Plugin {
    let entries = try object(value, "\(place): a plugin")
    try check(entries, known: ["name", "args"], in: "\(place): a plugin")
    guard let name = try text(entries["name"], "\(place): a plugin's 'name'") else {
      throw error("\(place): a plugin without a name", "write \"name\": ...")
    }
    guard let known = OomdPlugins.arguments[name] else {
      throw error(
        "\(place): unknown plugin '\(name)'",
        "known: \(OomdPlugins.arguments.keys.sorted().joined(separator: ", "))")
    }
    let full = "\(place): \(kind) '\(name)'"
    var arguments: [String: String] = [:]
    if let args = entries["args"] {
      let values = try object(args, "\(full): 'args'")
      try check(values, known: known, in: full)
      // In one order, so that of several mistakes it is always the same that is told.
      for key in values.keys.sorted() {
        arguments[key] = try text(values[key], "\(full): '\(key)'")
      }
    }
    return Plugin(name: name, place: full, arguments: arguments)
  }

  private mutating func detector(
    _ plugin: Plugin
  ) throws(TraceError) -> OomdConfiguration.Detector {
    switch plugin.name {
    case "pressure_above":
      return .pressureAbove(
        groups: try required("cgroup", plugin), try resource(plugin),
        percent: try number("threshold", plugin), durationNanoseconds: try duration(plugin))
    case "pressure_rising_beyond":
      return .pressureRisingBeyond(
        groups: try required("cgroup", plugin), try resource(plugin),
        percent: try number("threshold", plugin), durationNanoseconds: try duration(plugin),
        fastFallRatio: try number("fast_fall_ratio", plugin, default: 0.85))
    case "memory_above":
      let isAnonymous = plugin.arguments["threshold_anon"] != nil
      return .memoryAbove(
        groups: try required("cgroup", plugin),
        try size(isAnonymous ? "threshold_anon" : "threshold", plugin, default: nil),
        isAnonymous: isAnonymous, durationNanoseconds: try duration(plugin))
    case "memory_reclaim":
      return .memoryReclaim(
        groups: try required("cgroup", plugin), durationNanoseconds: try duration(plugin))
    case "swap_free":
      return .swapFree(
        percent: try number("threshold_pct", plugin),
        swapOutBytesPerSecond: try number("swapout_bps_threshold", plugin, default: 0))
    case "exists":
      return .exists(
        groups: try required("cgroup", plugin), negate: try flag("negate", plugin))
    case "nr_dying_descendants":
      // Nothing dies slowly here: there are always none.
      let count = try number("count", plugin)
      let isAtMost = try flag("lte", plugin, default: true)
      note("\(plugin.place) always finds none")
      return .constant(isAtMost ? 0 <= count : 0 > count)
    case "dump_cgroup_overview", "senpai", "continue":
      note("\(plugin.place) is ignored: it always says yes")
      return .constant(true)
    case "stop":
      return .constant(false)
    default:
      throw error("\(plugin.place): is not a detector", "write it under 'actions'")
    }
  }

  /// The action of a plugin; nil: it has no effect here.
  private mutating func action(_ plugin: Plugin) throws(TraceError) -> OomdConfiguration.Action? {
    switch plugin.name {
    case "stop": return .stop
    case "continue", "systemd_restart", "kernel_panic", "kill_by_io_cost", "dump_cgroup_overview":
      return nil
    case "kill_by_memory_size_or_growth":
      // oomd reads a ratio that is written as a whole number, though its default is 1.25.
      var ratio = 1.25
      if plugin.arguments["min_growth_ratio"] != nil {
        ratio = try number("min_growth_ratio", plugin).rounded(.towardZero)
      }
      let percentile = try number("growing_size_percentile", plugin, default: 80)
      guard (0..<100).contains(percentile) else {
        throw error(
          "\(plugin.place): 'growing_size_percentile' is not below 100", "write 0 to 99")
      }
      return try kill(
        .memorySizeOrGrowth(
          sizePercent: try number("size_threshold", plugin, default: 50),
          growingPercentile: percentile, minimumGrowthRatio: ratio), plugin)
    case "kill_by_swap_usage":
      return try kill(
        .swapUsage(
          try size("threshold", plugin, default: .bytes(1)),
          isBiased: try flag("biased_swap_kill", plugin)), plugin)
    case "kill_by_pressure": return try kill(.pressure(try resource(plugin)), plugin)
    case "kill_by_pg_scan": return try kill(.pageScans, plugin)
    default: throw error("\(plugin.place): is not an action", "write it under 'detectors'")
    }
  }

  private func kill(
    _ ranking: OomdConfiguration.Ranking, _ plugin: Plugin
  ) throws(TraceError) -> OomdConfiguration.Action {
    var kill = OomdConfiguration.Kill(ranking, groups: try required("cgroup", plugin))
    guard plugin.arguments["ruleset_cgroup"] == nil else {
      throw error("\(plugin.place): 'ruleset_cgroup' is not supported", "write 'cgroup' alone")
    }
    kill.isRecursive = try flag("recursive", plugin)
    kill.isDry = try flag("dry", plugin)
    kill.alwaysContinues = try flag("always_continue", plugin)
    if let delay = plugin.arguments["post_action_delay"] {
      kill.postActionDelayNanoseconds = try seconds(
        delay, "\(plugin.place): 'post_action_delay'")
    }
    return .kill(kill)
  }

  // MARK: Values

  private func required(_ key: String, _ plugin: Plugin) throws(TraceError) -> String {
    guard let value = plugin.arguments[key], !value.isEmpty else {
      throw error("\(plugin.place): argument '\(key)' is missing", "write \"\(key)\": ...")
    }
    return value
  }

  private func resource(_ plugin: Plugin) throws(TraceError) -> OomdConfiguration.Resource {
    let text = try required("resource", plugin)
    guard let resource = OomdConfiguration.Resource(rawValue: text) else {
      throw error("\(plugin.place): resource '\(text)'", "known: memory, io")
    }
    return resource
  }

  private func number(_ key: String, _ plugin: Plugin) throws(TraceError) -> Double {
    if let value = Self.number(try required(key, plugin)) { return value }
    return try invalid(key, plugin, "a number such as 60")
  }

  private func number(
    _ key: String, _ plugin: Plugin, default fallback: Double
  ) throws(TraceError) -> Double {
    guard plugin.arguments[key] != nil else { return fallback }
    return try number(key, plugin)
  }

  private static func number(_ text: String) -> Double? {
    guard text.utf8.first.map({ $0 >= 0x30 && $0 <= 0x39 }) == true, let value = Double(text),
      value.isFinite, value <= 1e15
    else { return nil }
    return value
  }

  private func duration(_ plugin: Plugin) throws(TraceError) -> Int64 {
    try seconds(try required("duration", plugin), "\(plugin.place): 'duration'")
  }

  private func seconds(_ text: String, _ place: String) throws(TraceError) -> Int64 {
    guard let value = Self.number(text), value <= 1e9 else {
      throw error("\(place): '\(text)'", "write seconds such as 30")
    }
    return Int64((value * 1e9).rounded())
  }

  private func flag(
    _ key: String, _ plugin: Plugin, default fallback: Bool = false
  ) throws(TraceError) -> Bool {
    guard let text = plugin.arguments[key] else { return fallback }
    switch text.lowercased() {
    case "true", "1": return true
    case "false", "0": return false
    default: return try invalid(key, plugin, "true or false")
    }
  }

  /// A bare number is megabytes; suffixed ones add up; a percentage is of RAM or swap.
  private func size(
    _ key: String, _ plugin: Plugin, default fallback: OomdConfiguration.Size?
  ) throws(TraceError) -> OomdConfiguration.Size {
    guard let text = plugin.arguments[key] else {
      if let fallback { return fallback }
      return try invalid(key, plugin, "a size such as 1G or 5%")
    }
    if let size = Self.size(text) { return size }
    return try invalid(key, plugin, "a size such as 512 (MB), \"1.5G 256M\" or 5%")
  }

  private static func size(_ text: String) -> OomdConfiguration.Size? {
    if text.hasSuffix("%") {
      return number(String(text.dropLast())).flatMap { $0 <= 100 ? .percent($0) : nil }
    }
    if let megabytes = number(text) {
      let bytes = megabytes * 1_048_576
      return bytes < 1e18 ? .bytes(Int64(bytes.rounded())) : nil
    }
    let units: [Character: Double] = [
      "K": 1024, "M": 1_048_576, "G": 1_073_741_824, "T": 1_099_511_627_776, "k": 1024,
      "m": 1_048_576, "g": 1_073_741_824, "t": 1_099_511_627_776,
    ]
    var sum = 0.0
    let parts = text.split(separator: " ")
    for part in parts {
      let unit = part.last.flatMap { units[$0] }
      guard let value = number(String(unit == nil ? part : part.dropLast())) else { return nil }
      sum += value * (unit ?? 1)
    }
    return parts.isEmpty || sum >= 1e18 ? nil : .bytes(Int64(sum.rounded()))
  }

  // MARK: JSON

  private func object(_ value: OomdJSON, _ what: String) throws(TraceError) -> [String: OomdJSON] {
    guard case .object(let entries) = value else {
      throw error("\(what) is not an object", "write {...}")
    }
    return entries
  }

  private func array(_ value: OomdJSON?, _ what: String) throws(TraceError) -> [OomdJSON] {
    guard let value, case .array(let entries) = value else {
      throw error("\(what) is not a list", "write [...]")
    }
    return entries
  }

  private func text(_ value: OomdJSON?, _ what: String) throws(TraceError) -> String? {
    switch value {
    case .text(let text): return text
    case .none, .null: return nil
    case .array, .object: throw error("\(what) is not one value", "write a text or a number")
    }
  }

  private func check(
    _ entries: [String: OomdJSON], known: [String], in place: String
  ) throws(TraceError) {
    guard let unknown = entries.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw error(
      "\(place): unknown key '\(unknown)'", "known: \(known.sorted().joined(separator: ", "))")
  }

  private func invalid<Value>(
    _ key: String, _ plugin: Plugin, _ form: String
  ) throws(TraceError) -> Value {
    let written = plugin.arguments[key].map { "is '\($0)'" } ?? "is missing"
    throw error("\(plugin.place): argument '\(key)' \(written)", "write \(form)")
  }

  private func error(_ what: String, _ remedy: String) -> TraceError {
    TraceError(file: file, what: what, remedy: remedy)
  }

  private mutating func note(_ sentence: String) {
    notes.append("\(file): \(sentence)")
  }
}

/// What oomd's plugins take.
enum OomdPlugins {
  private static let common = [
    "cgroup", "ruleset_cgroup", "recursive", "post_action_delay", "dry", "always_continue",
    "debug", "kernelkill", "reap_memory",
  ]

  /// Arguments by plugin.
  static let arguments: [String: [String]] = [
    "pressure_above": ["cgroup", "resource", "threshold", "duration"],
    "pressure_rising_beyond": [
      "cgroup", "resource", "threshold", "duration", "fast_fall_ratio",
    ],
    "memory_above": ["cgroup", "threshold", "threshold_anon", "duration"],
    "memory_reclaim": ["cgroup", "duration"],
    "swap_free": ["threshold_pct", "swapout_bps_threshold"],
    "exists": ["cgroup", "negate"],
    "nr_dying_descendants": ["cgroup", "count", "lte", "negate"],
    "dump_cgroup_overview": ["cgroup", "always"],
    "senpai": [
      "cgroup", "limit_min_bytes", "limit_max_bytes", "interval", "pressure_ms", "pressure_pct",
      "io_pressure_pct", "max_probe", "max_backoff", "coeff_probe", "coeff_backoff",
      "immediate_backoff", "memory_high_timeout_ms", "swap_threshold",
      "swapout_bps_threshold", "swap_validation", "modulate_swappiness", "log_interval",
    ],
    "kill_by_memory_size_or_growth": common + [
      "size_threshold", "growing_size_percentile", "min_growth_ratio",
    ],
    "kill_by_swap_usage": common + ["threshold", "biased_swap_kill"],
    "kill_by_pressure": common + ["resource"],
    "kill_by_io_cost": common,
    "kill_by_pg_scan": common,
    "systemd_restart": ["service", "post_action_delay", "dry"],
    "kernel_panic": [],
    "continue": [],
    "stop": [],
  ]
}
