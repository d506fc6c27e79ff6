internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// The memory of every process at one moment, as `dumpsys meminfo` and `procrank` list it.
struct MemoryListing {
  /// One process.
  struct Row {
    let pid: Int32
    let name: UInt32
    let bytes: Int64
    let line: Int
    var state: AndroidProcessState?
    var isResident = false
  }

  /// More processes than any device runs: what follows is damage.
  private static let mostRows = 1 << 16

  /// Which list the lines are of.
  private enum Part {
    case other, byProcess, byAdjustment, residents
  }

  private(set) var rows: [Int32: Row] = [:]
  /// Whether rows were ignored because there were too many.
  private(set) var isCut = false
  private var part = Part.other
  private var state: AndroidProcessState?
  /// Figures of the summary of `dumpsys meminfo`, in bytes.
  private var free: Int64?
  private var kernel: Int64?
  private var lost: Int64?
  private var compressed: Int64 = 0
  private var summaryLine = 0
  /// Positions of the columns of `procrank`, in words.
  private var pssColumn = 0
  private var swapColumn: Int?

  /// Whether nothing was listed.
  var isEmpty: Bool { rows.isEmpty && free == nil }

  /// Forgets what was listed.
  mutating func clear() { self = MemoryListing() }

  /// Adds the rows and the summary as records.
  func record(at moment: Int64, into capture: inout AndroidCapture) throws(TraceError) {
    if isCut {
      capture.note(.dataLoss, "a listing of more processes than there can be is cut")
    }
    for row in rows.values.sorted(by: { $0.line < $1.line }) {
      var record = AndroidRecord(.footprint, at: moment, line: row.line)
      record.pid = row.pid
      record.name = row.name
      record.value = row.bytes
      record.extra = row.isResident ? 3 : 2
      try capture.add(record)
      guard let state = row.state else { continue }
      record.kind = .listed
      record.extra = state.rawValue
      try capture.add(record)
    }
    guard let free, let kernel else { return }
    var record = AndroidRecord(.available, at: moment, line: summaryLine)
    record.value = free
    try capture.add(record)
    record.kind = .systemMemory
    record.value = kernel + max(lost ?? 0, 0) + compressed
    try capture.add(record)
  }
}

// MARK: - dumpsys meminfo

extension MemoryListing {
  /// Takes a line of `dumpsys meminfo`.
  ///
  /// The list by adjustment says the same as the list by process, and the state of each.
  mutating func takeDump(_ line: Span<UInt8>, number: Int, names: inout ByteTable) {
    if line.has("Total ", at: 0) {
      switch true {
      case line.has("Total PSS by process", at: 0): part = .byProcess
      case line.has("Total PSS by OOM adjustment", at: 0): part = .byAdjustment
      case line.has("Total RSS by process", at: 0): part = .residents
      default: part = .other
      }
      return
    }
    takeSummary(line, number)
    guard part != .other else { return }
    var position = 0
    line.skipSpaces(&position)
    guard let kilobytes = Self.kilobytes(line, &position), line.take("K", &position),
      line.take(":", &position)
    else {
      if position >= line.count { part = .other }
      return
    }
    line.skipSpaces(&position)
    guard let bracket = line.find(" (pid ", from: position) else {
      if part == .byAdjustment {
        state = AndroidProcessState(group: line.text(line.trimmed(position..<line.count)))
      }
      return
    }
    let name = position..<bracket
    position = bracket + 6
    guard !name.isEmpty, let pid = line.number(&position).flatMap({ Int32(exactly: $0) }) else {
      return
    }
    if part == .residents, rows[pid] != nil { return }
    var row = Row(
      pid: pid, name: names.number(of: line.extracting(name)), bytes: kilobytes * 1024,
      line: number)
    row.isResident = part == .residents
    if part == .byAdjustment { row.state = state }
    add(row)
  }

  private mutating func add(_ row: Row) {
    guard rows.count < Self.mostRows || rows[row.pid] != nil else {
      isCut = true
      return
    }
    rows[row.pid] = row
  }

  /// `Free RAM`, `Used RAM` and `Lost RAM`: what is free and the kernel's cache are available; the
  /// kernel, what is lost and what zram takes are the system's.
  private mutating func takeSummary(_ line: Span<UInt8>, _ number: Int) {
    var start = 0
    line.skipSpaces(&start)
    guard line.has("RAM:", at: start + 5) || line.has("ZRAM:", at: start) else { return }
    if line.has("Free", at: start) {
      guard let cached = Self.kilobytes(line, before: "K cached kernel"),
        let unused = Self.kilobytes(line, before: "K free")
      else { return }
      free = (cached + unused) * 1024
      summaryLine = number
    } else if line.has("Used", at: start) {
      kernel = Self.kilobytes(line, before: "K kernel").map { $0 * 1024 }
    } else if line.has("Lost", at: start) {
      start += 9
      lost = Self.kilobytes(line, &start).map { $0 * 1024 }
    } else if line.has("ZRAM:", at: start) {
      compressed = (Self.kilobytes(line, before: "K physical") ?? 0) * 1024
    }
  }

  /// Takes `134,665`, spaces before it included; at most a terabyte.
  private static func kilobytes(_ line: Span<UInt8>, _ position: inout Int) -> Int64? {
    line.skipSpaces(&position)
    var value: Int64?
    while position < line.count {
      let byte = line[position]
      if byte >= 0x30, byte <= 0x39 {
        value = (value ?? 0) * 10 + Int64(byte - 0x30)
        if value ?? 0 > 1 << 40 { return nil }
      } else if byte != UInt8(ascii: ",") || value == nil {
        break
      }
      position += 1
    }
    return value
  }

  /// The number that stands before a word.
  private static func kilobytes(_ line: Span<UInt8>, before word: String) -> Int64? {
    guard let end = line.find(word) else { return nil }
    var start = end
    while start > 0, line[start - 1] == UInt8(ascii: ",") || line[start - 1] >= 0x30,
      line[start - 1] <= 0x39
    { start -= 1 }
    return kilobytes(line, &start)
  }
}

// MARK: - procrank

extension MemoryListing {
  /// Takes a line of `procrank`; the columns are found by their names.
  mutating func takeRanks(_ line: Span<UInt8>, number: Int, names: inout ByteTable) {
    var words: [Range<Int>] = []
    var position = 0
    while true {
      line.skipSpaces(&position)
      guard position < line.count, words.count < 16 else { break }
      let start = position
      while position < line.count, line[position] != 0x20 { position += 1 }
      words.append(start..<position)
    }
    guard words.count >= 3 else { return }
    if line.has("PID", at: words[0].lowerBound) {
      pssColumn = words.firstIndex { $0.count == 3 && line.has("Pss", at: $0.lowerBound) } ?? 0
      swapColumn = words.firstIndex { $0.count == 5 && line.has("PSwap", at: $0.lowerBound) }
      return
    }
    guard pssColumn > 0, let command = words.firstIndex(where: { isCommand(line, $0) }),
      command > pssColumn
    else { return }
    position = words[0].lowerBound
    guard let pid = line.number(&position).flatMap({ Int32(exactly: $0) }),
      position == words[0].upperBound
    else { return }
    var bytes: Int64 = 0
    for column in [pssColumn, swapColumn ?? pssColumn] where column < command {
      if column == pssColumn, bytes > 0 { continue }
      var start = words[column].lowerBound
      guard let kilobytes = Self.kilobytes(line, &start) else { return }
      bytes += kilobytes * 1024
    }
    let name = Self.name(line, words[command])
    add(Row(pid: pid, name: names.number(of: line.extracting(name)), bytes: bytes, line: number))
  }

  /// Whether a word is neither a number nor an amount such as `7805100K`.
  private func isCommand(_ line: Span<UInt8>, _ word: Range<Int>) -> Bool {
    for position in word {
      let byte = line[position]
      let isDigit = byte >= 0x30 && byte <= 0x39
      let isUnit = position == word.upperBound - 1 && byte == UInt8(ascii: "K") && word.count > 1
      if !isDigit, !isUnit { return true }
    }
    return false
  }

  /// The last part of a path, as the other listing names it.
  private static func name(_ line: Span<UInt8>, _ word: Range<Int>) -> Range<Int> {
    guard line[word.lowerBound] == UInt8(ascii: "/") else { return word }
    var start = word.upperBound
    while start > word.lowerBound, line[start - 1] != UInt8(ascii: "/") { start -= 1 }
    return start < word.upperBound ? start..<word.upperBound : word
  }
}
