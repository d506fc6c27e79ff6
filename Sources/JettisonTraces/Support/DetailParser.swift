internal import JettisonModel
internal import JettisonSupport

/// Reads the `detail` column: `key=value` pairs joined by `;`, by the table of each event.
///
/// One parser serves one trace, because open word lists (modes, kinds of device changes) get
/// dense numbers in order of appearance.
struct DetailParser {
  /// Words of `observed-exit`'s `cause`.
  static let exitCauses = ExitCause.allCases.map(\.name)

  /// A detail, read.
  struct Parsed {
    var detail = EventDetail()
    /// The text in its canonical form: known keys, in the order given.
    var text: [UInt8] = []
    /// Keys that begin with `x-`.
    var ignoredKeys = 0
  }

  private var modes: [String] = []
  private var changeKinds = EventDetail.changeKinds
  private var resources: [String] = []

  /// The keys an event knows, in the order of the documentation.
  static func keys(of kind: EventKind) -> [String] {
    switch kind {
    case .present: ["state", "shown", "since_ns", "unsaved_bytes", "unsaved_work_ms"]
    case .backgroundLaunch: ["reason"]
    case .interrupt: ["by"]
    case .interruptEnd: ["by", "outcome"]
    case .backgroundMode: ["mode"]
    case .sharedResource: ["resource"]
    case .adj: ["state"]
    case .pin: ["reason"]
    case .deviceChange: ["kind", "to"]
    case .footprint: ["derived"]
    case .alloc, .realloc, .free: ["purgeable", "align"]
    case .edit: ["work_ms", "scene", "kind", "synced"]
    case .save: ["duration_ms", "trigger", "complete", "atomic"]
    case .observedExit: ["cause", "band"]
    case .observedLaunch: ["kind"]
    case .end: ["reason"]
    default: []
    }
  }

  /// Reads one detail.
  ///
  /// Called once per distinct text, not per row.
  mutating func parse(
    _ bytes: Span<UInt8>, for kind: EventKind, isQuoted: Bool
  ) throws(TraceFault) -> Parsed {
    var parsed = Parsed()
    var seen: [String] = []
    var start = 0
    while start <= bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: ";") { end += 1 }
      let pair = bytes.extracting(start..<end)
      let (key, value) = try Self.split(pair, isQuoted: isQuoted)
      if key.hasPrefix("x-") {
        parsed.ignoredKeys += 1
      } else {
        if seen.contains(key) { throw .detailRepeated(key) }
        seen.append(key)
        try set(key, value, kind, &parsed.detail)
        if !parsed.text.isEmpty { parsed.text.append(UInt8(ascii: ";")) }
        parsed.text += Array(key.utf8)
        parsed.text.append(UInt8(ascii: "="))
        for byte in value.utf8 { PercentEncoding.append(byte, to: &parsed.text) }
      }
      start = end + 1
    }
    if parsed.detail.presentState == .front, !parsed.detail.wasShown {
      throw .detailValue(
        key: "shown", value: "0", expected: "1, or leave the key out: an app in front is shown")
    }
    return parsed
  }

  /// Splits one pair at its first `=` and decodes the value.
  private static func split(
    _ pair: Span<UInt8>, isQuoted: Bool
  ) throws(TraceFault) -> (key: String, value: String) {
    var equals = 0
    while equals < pair.count, pair[equals] != UInt8(ascii: "=") { equals += 1 }
    guard equals > 0, equals < pair.count else { throw .detailShape(show(pair)) }
    for position in 0..<pair.count where position != equals {
      let byte = pair[position]
      let isStructural =
        switch byte {
        case 0..<0x20, 0x7F, UInt8(ascii: "="): true
        case UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "\""): !isQuoted
        default: false
        }
      if isStructural { throw .unencoded(.detail, byte) }
    }
    guard let key = text(Array(span: pair.extracting(0..<equals))),
      let decoded = PercentEncoding.decode(pair.extracting(equals + 1..<pair.count))
    else { throw .percent(.detail) }
    guard let value = text(decoded) else { throw .notUTF8(.detail) }
    return (key, value)
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    String(validating: bytes, as: UTF8.self)
  }

  private static func show(_ pair: Span<UInt8>) -> String {
    String(decoding: Array(span: pair.extracting(0..<min(pair.count, 60))), as: UTF8.self)
  }

  private mutating func set(
    _ key: String, _ value: String, _ kind: EventKind, _ detail: inout EventDetail
  ) throws(TraceFault) {
    switch (kind, key) {
    case (.present, _): try setPresent(key, value, &detail)
    case (.edit, _): try setEdit(key, value, &detail)
    case (.save, _): try setSave(key, value, &detail)
    case (.backgroundLaunch, "reason"):
      _ = try Self.word(key, value, ["push", "location", "fetch", "voip"])
    case (.interrupt, "by"), (.interruptEnd, "by"):
      let words = ["call", "sms", "alert", "lock"]
      detail.interrupter = .init(rawValue: try Self.word(key, value, words))
    case (.interruptEnd, "outcome"):
      let word = try Self.word(key, value, ["dismissed", "accepted"])
      detail.outcome = word == 1 ? .accepted : .dismissed
    case (.backgroundMode, "mode"):
      detail.mode = UInt8(try Self.number(key, value, in: &modes, "modes", limit: 63))
    case (.pin, "reason"): _ = try Self.word(key, value, ["call", "navigation", "user"])
    case (.deviceChange, "kind"):
      detail.changeKind = UInt16(
        try Self.number(key, value, in: &changeKinds, "kinds of device changes", limit: 63))
    case (.deviceChange, "to"): detail.isDisconnection = value == "disconnected"
    case (.sharedResource, "resource"):
      detail.resource = UInt8(
        try Self.number(key, value, in: &resources, "resources", limit: 63))
    // The platform's own word for the state, for people who read the trace.
    case (.adj, "state"): break
    case (.footprint, "derived"): detail.isDerived = try Self.flag(key, value)
    case (.alloc, "purgeable"), (.realloc, "purgeable"), (.free, "purgeable"):
      detail.isPurgeable = try Self.flag(key, value)
    case (.alloc, "align"), (.realloc, "align"), (.free, "align"):
      let alignment = try Self.integer(key, value, 1...TraceLimits.alignment)
      guard alignment & (alignment - 1) == 0 else {
        throw .detailValue(key: key, value: value, expected: "a power of two")
      }
      detail.alignment = alignment
    case (.observedExit, "cause"):
      let cause = ExitCause(rawValue: try Self.word(key, value, Self.exitCauses))
      detail.exitCause = cause ?? .unknown
    case (.observedExit, "band"):
      detail.band = Int32(try Self.integer(key, value, TraceLimits.bands))
      detail.hasBand = true
    case (.observedLaunch, "kind"):
      let kind = LaunchKind(rawValue: try Self.word(key, value, ["cold", "warm", "hot"]))
      detail.launchKind = kind ?? .cold
    case (.end, "reason"):
      let words = ["complete", "stopped", "lost"]
      detail.endReason = .init(rawValue: try Self.word(key, value, words)) ?? .complete
    default: throw .detailKey(key, kind, known: Self.keys(of: kind))
    }
  }

  private func setPresent(
    _ key: String, _ value: String, _ detail: inout EventDetail
  ) throws(TraceFault) {
    switch key {
    case "state":
      let words = ["front", "background", "suspended"]
      detail.presentState = .init(rawValue: try Self.word(key, value, words)) ?? .suspended
    case "shown": detail.wasShown = try Self.flag(key, value)
    case "since_ns":
      detail.sinceNanoseconds = try Self.integer(key, value, 0...TraceLimits.timeNanoseconds)
    case "unsaved_bytes":
      detail.unsavedBytes = try Self.integer(key, value, 0...TraceLimits.bytes)
    case "unsaved_work_ms": detail.unsavedWorkNanoseconds = try Self.milliseconds(key, value)
    default: throw .detailKey(key, .present, known: Self.keys(of: .present))
    }
  }

  private func setEdit(
    _ key: String, _ value: String, _ detail: inout EventDetail
  ) throws(TraceFault) {
    switch key {
    case "work_ms": detail.workNanoseconds = try Self.milliseconds(key, value)
    case "scene": break
    case "kind": detail.isPosition = try Self.word(key, value, ["data", "position"]) == 1
    case "synced": detail.isSynced = try Self.flag(key, value)
    default: throw .detailKey(key, .edit, known: Self.keys(of: .edit))
    }
  }

  private func setSave(
    _ key: String, _ value: String, _ detail: inout EventDetail
  ) throws(TraceFault) {
    switch key {
    case "duration_ms": detail.durationNanoseconds = try Self.milliseconds(key, value)
    case "trigger":
      let words = ["background", "timer", "warning", "user", "resign", "expiration"]
      detail.trigger = .init(rawValue: try Self.word(key, value, words) + 1) ?? .unspecified
    case "complete": detail.isComplete = try Self.flag(key, value)
    case "atomic":
      detail.hasAtomic = true
      detail.isAtomic = try Self.flag(key, value)
    default: throw .detailKey(key, .save, known: Self.keys(of: .save))
    }
  }

  private static func word(
    _ key: String, _ value: String, _ words: [String]
  ) throws(TraceFault) -> UInt8 {
    guard let position = words.firstIndex(of: value) else {
      let known = words.joined(separator: ", ")
      throw .detailValue(key: key, value: value, expected: "one of: \(known)")
    }
    return UInt8(position)
  }

  private static func flag(_ key: String, _ value: String) throws(TraceFault) -> Bool {
    guard value == "0" || value == "1" else {
      throw .detailValue(key: key, value: value, expected: "0 or 1")
    }
    return value == "1"
  }

  private static func integer(
    _ key: String, _ value: String, _ range: ClosedRange<Int64>
  ) throws(TraceFault) -> Int64 {
    guard let number = Quantity.integer(value), range.contains(number) else {
      throw .detailValue(
        key: key, value: value,
        expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func milliseconds(_ key: String, _ value: String) throws(TraceFault) -> Int64 {
    guard let nanoseconds = Quantity.scaled(value, by: 1_000_000), nanoseconds >= 0,
      nanoseconds <= TraceLimits.workNanoseconds
    else {
      throw .detailValue(
        key: key, value: value, expected: "milliseconds, at most 366 days, such as 4000 or 0.5")
    }
    return nanoseconds
  }

  /// The number, from 1, of a word of an open list.
  private static func number(
    _ key: String, _ value: String, in words: inout [String], _ what: String, limit: Int
  ) throws(TraceFault) -> Int {
    guard !value.isEmpty else {
      throw .detailValue(key: key, value: value, expected: "a name, or leave the key out")
    }
    if let position = words.firstIndex(where: { $0.utf8.elementsEqual(value.utf8) }) {
      return position + 1
    }
    guard words.count < limit else { throw .tooMany(.detail, what: what, limit: limit) }
    words.append(value)
    return words.count
  }
}
