internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads a jetsam report as iOS 9 and later write it: a line with a small object, then an object.
///
/// Keys come in any order, unknown ones are skipped, and whatever is cut or damaged ends the
/// report there: processes that are whole by then are kept.
struct JetsamJSONReader {
  private typealias Damage = JSONScanner.Damage
  private typealias Token = JSONScanner.Token

  private var scanner = JSONScanner()
  private(set) var report = JetsamReport()
  /// Whether anything of a report was met.
  private(set) var isReport = false

  /// Reads all bytes and counts what is wrong with them.
  mutating func read(_ bytes: Span<UInt8>, issues: inout ImportIssues) {
    do throws(Damage) {
      while true {
        switch try scanner.next(bytes) {
        case .end: return
        case .beginObject: try readTop(bytes, &issues)
        default: throw .broken
        }
      }
    } catch {
      switch error {
      case .cut:
        issues.add(
          .dataLoss, "the report is cut off: what followed is lost", line: scanner.line)
      case .broken:
        issues.add(
          .dataLoss, "the report is damaged: what follows is lost", line: scanner.line)
      case .deep:
        issues.add(
          .dataLoss, "values are nested too deep: what follows is lost", line: scanner.line)
      }
    }
  }

  private mutating func readTop(
    _ bytes: Span<UInt8>, _ issues: inout ImportIssues
  ) throws(Damage) {
    while let key = try key(bytes) {
      switch key {
      case "product": report.product = try text(bytes) ?? report.product
      case "build", "os_version": report.system = try text(bytes) ?? report.system
      case "date", "timestamp":
        if let date = try text(bytes).flatMap(JetsamReport.moment) { report.date = date }
      case "timeDelta":
        if let age = try integer(bytes), (0...1_000_000).contains(age) { report.ageSeconds = age }
      case "pageSize": report.pageBytes = try integer(bytes)
      case "memoryStatus":
        isReport = true
        try readMemory(bytes)
      case "processes":
        isReport = true
        try readProcesses(bytes, &issues)
      default: try scanner.skipValue(bytes)
      }
    }
  }

  private mutating func readMemory(_ bytes: Span<UInt8>) throws(Damage) {
    guard try begins(.beginObject, bytes) else { return }
    while let key = try key(bytes) {
      switch key {
      case "pageSize": report.pageBytes = try integer(bytes)
      case "compressorSize": report.pages.compressor = try integer(bytes)
      case "uncompressed": report.pages.uncompressed = try integer(bytes)
      case "memoryPages": try readPages(bytes)
      default: try scanner.skipValue(bytes)
      }
    }
  }

  private mutating func readPages(_ bytes: Span<UInt8>) throws(Damage) {
    guard try begins(.beginObject, bytes) else { return }
    while let key = try key(bytes) {
      switch key {
      case "free": report.pages.free = try integer(bytes)
      case "active": report.pages.active = try integer(bytes)
      case "inactive": report.pages.inactive = try integer(bytes)
      case "speculative": report.pages.speculative = try integer(bytes)
      case "wired": report.pages.wired = try integer(bytes)
      case "purgeable": report.pages.purgeable = try integer(bytes)
      case "fileBacked": report.pages.fileBacked = try integer(bytes)
      default: try scanner.skipValue(bytes)
      }
    }
  }

  private mutating func readProcesses(
    _ bytes: Span<UInt8>, _ issues: inout ImportIssues
  ) throws(Damage) {
    guard try begins(.beginArray, bytes) else { return }
    while true {
      switch try scanner.next(bytes) {
      case .endArray: return
      case .beginObject:
        let process = try readProcess(bytes)
        if process.name.isEmpty {
          issues.add(.error, "a process without a name", line: process.line)
        } else {
          report.add(process, issues: &issues)
        }
      case let token:
        issues.add(.error, "an entry is not a process", line: scanner.line)
        if token == .beginArray { try leave(bytes) }
      }
    }
  }

  private mutating func readProcess(
    _ bytes: Span<UInt8>
  ) throws(Damage) -> JetsamReport.Process {
    var process = JetsamReport.Process()
    process.line = scanner.line
    while let key = try key(bytes) {
      switch key {
      case "name": process.name = try text(bytes) ?? ""
      case "rpages": process.pages = try integer(bytes)
      case "physicalPages": process.compressedPages = try compressedPages(bytes)
      case "priority": process.band = try integer(bytes)
      case "states": process.states = try states(bytes)
      case "reason": process.reason = try text(bytes)
      case "killDelta": process.killTicks = try integer(bytes)
      default: try scanner.skipValue(bytes)
      }
    }
    return process
  }

  /// The second number of `internal`: anonymous pages that are compressed.
  private mutating func compressedPages(_ bytes: Span<UInt8>) throws(Damage) -> Int64? {
    guard try begins(.beginObject, bytes) else { return nil }
    var numbers: [Int64?] = []
    while let key = try key(bytes) {
      guard key == "internal" else {
        try scanner.skipValue(bytes)
        continue
      }
      guard try begins(.beginArray, bytes) else { continue }
      var token = try scanner.next(bytes)
      while token != .endArray {
        if case .number(let range) = token, numbers.count < 2 {
          numbers.append(JSONScanner.integer(range, bytes))
        } else if token == .beginArray || token == .beginObject {
          try leave(bytes)
        }
        token = try scanner.next(bytes)
      }
    }
    return numbers.count == 2 ? numbers[1] : nil
  }

  private mutating func states(_ bytes: Span<UInt8>) throws(Damage) -> JetsamReport.States {
    var states: JetsamReport.States = []
    guard try begins(.beginArray, bytes) else { return states }
    while true {
      switch try scanner.next(bytes) {
      case .endArray: return states
      case .string(let range): states.insert(.init(word: JSONScanner.text(range, bytes)))
      case .beginArray, .beginObject: try leave(bytes)
      default: break
      }
    }
  }
}

// MARK: - Values

extension JetsamJSONReader {
  /// The next key of an object; nil at its end.
  private mutating func key(_ bytes: Span<UInt8>) throws(Damage) -> String? {
    switch try scanner.next(bytes) {
    case .key(let range): JSONScanner.text(range, bytes)
    default: nil
    }
  }

  /// Whether the next value is what is expected; any other is skipped.
  private mutating func begins(
    _ expected: Token, _ bytes: Span<UInt8>
  ) throws(Damage) -> Bool {
    let token = try scanner.next(bytes)
    if token == expected { return true }
    if token == .beginObject || token == .beginArray { try leave(bytes) }
    return false
  }

  /// Passes over the rest of the value that was opened last.
  private mutating func leave(_ bytes: Span<UInt8>) throws(Damage) {
    let depth = scanner.depth
    while scanner.depth >= depth { _ = try scanner.next(bytes) }
  }

  private mutating func text(_ bytes: Span<UInt8>) throws(Damage) -> String? {
    let token = try scanner.next(bytes)
    if case .string(let range) = token { return JSONScanner.text(range, bytes) }
    if token == .beginObject || token == .beginArray { try leave(bytes) }
    return nil
  }

  private mutating func integer(_ bytes: Span<UInt8>) throws(Damage) -> Int64? {
    let token = try scanner.next(bytes)
    if case .number(let range) = token { return JSONScanner.integer(range, bytes) }
    if token == .beginObject || token == .beginArray { try leave(bytes) }
    return nil
  }
}
