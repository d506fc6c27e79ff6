internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// The ranks of every process at one moment, as the activity manager lists them.
///
/// `dumpsys activity lru` has `#28: fore   TOP  1878:com.example.home/u0a82`, `dumpsys activity oom`
/// and `processes` have `Proc # 0: fore   T/A/TOP  trm: 0 1878:com.example.home/u0a82 (top)`: the
/// rank in words, the state of the process, its id, its name and its user.
struct RankListing {
  /// One process.
  private struct Row {
    let pid: Int32
    let name: UInt32
    let rank: Int32
    let state: State
    let line: Int
  }

  /// What the word between the rank and the process says, as far as it matters here.
  private enum State {
    case top, empty, other
  }

  /// More processes than any device runs: what follows is damage.
  private static let mostRows = 1 << 16

  private var rows: [Int32: Row] = [:]
  private var isInside = false
  private var isCut = false
  /// Lines of processes whose rank or name cannot be read: how many, and the first.
  private var unread: (count: Int, line: Int) = (0, 0)

  /// Whether nothing was listed.
  var isEmpty: Bool { rows.isEmpty && unread.count == 0 }

  /// Forgets what was listed.
  mutating func clear() { self = RankListing() }

  /// Takes a line of a dump of the activity manager.
  mutating func take(_ line: Span<UInt8>, number: Int, names: inout ByteTable) {
    if line.has("ACTIVITY MANAGER ", at: 0) {
      isInside = line.has("LRU PROCESSES", at: 17)
      return
    }
    if line.has("  Process ", at: 0) {
      isInside = line.has("LRU list", at: 10) || line.has("OOM control", at: 10)
      return
    }
    guard isInside, let start = Self.afterNumber(line) else { return }
    guard let row = row(line, from: start, number, &names) else {
      unread = (unread.count + 1, unread.count == 0 ? number : unread.line)
      return
    }
    guard rows.count < Self.mostRows || rows[row.pid] != nil else {
      isCut = true
      return
    }
    rows[row.pid] = row
  }

  /// Adds the rows as records.
  func record(at moment: Int64, into capture: inout AndroidCapture) throws(TraceError) {
    if isCut {
      capture.note(.dataLoss, "a listing of more processes than there can be is cut")
    }
    if unread.count > 0 {
      capture.lives.timeline.issues.add(
        .error, "a process in a list of the activity manager whose rank or name is not known",
        count: unread.count, lines: [unread.line])
    }
    for row in rows.values.sorted(by: { $0.line < $1.line }) {
      var record = AndroidRecord(.listed, at: moment, line: row.line)
      record.pid = row.pid
      record.name = row.name
      record.adj = row.rank
      record.extra = Self.state(of: row).rawValue
      try capture.add(record)
    }
  }

  private static func state(of row: Row) -> AndroidProcessState {
    switch row.rank {
    case ..<0: .persistent
    // Heavy-weight apps, the launcher, the app used last, cached ones.
    case 400..<500, 600..<800: .idle
    case Int32(AndroidAdj.cached)...: row.state == .empty ? .empty : .idle
    default: row.state == .top ? .top : .running
    }
  }

  // MARK: Rows

  /// Where a row goes on after its number, such as `Proc # 0: `; nil: the line is no row.
  private static func afterNumber(_ line: Span<UInt8>) -> Int? {
    var position = 0
    line.skipSpaces(&position)
    guard position >= 4 else { return nil }
    if line.has("Proc ", at: position) || line.has("PERS ", at: position) { position += 5 }
    guard line.take("#", &position) else { return nil }
    line.skipSpaces(&position)
    guard line.number(&position) != nil, line.take(":", &position) else { return nil }
    line.skipSpaces(&position)
    return position
  }

  private func row(
    _ line: Span<UInt8>, from start: Int, _ number: Int, _ names: inout ByteTable
  ) -> Row? {
    guard let rank = AndroidAdj.rank(line.extracting(start..<line.count)) else { return nil }
    var position = start
    while let word = Self.nextWord(line, &position) {
      var inside = word.lowerBound
      guard let pid = line.number(&inside).flatMap({ Int32(exactly: $0) }),
        line.take(":", &inside)
      else { continue }
      var end = word.upperBound
      while end > inside, line[end - 1] != UInt8(ascii: "/") { end -= 1 }
      guard end - 1 > inside else { return nil }
      return Row(
        pid: pid, name: names.number(of: line.extracting(inside..<end - 1)), rank: Int32(rank),
        state: Self.state(line, start..<word.lowerBound), line: number)
    }
    return nil
  }

  private static func nextWord(_ line: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    line.skipSpaces(&position)
    let start = position
    while position < line.count, line[position] != 0x20 { position += 1 }
    return start < position ? start..<position : nil
  }

  /// The state between the rank and the process: that of the app in front, or that of a cached one
  /// without anything to show (`CEM`; `CE` up to Android 8).
  private static func state(_ line: Span<UInt8>, _ range: Range<Int>) -> State {
    let words = line.extracting(range)
    if words.find("TOP ") != nil { return .top }
    return words.find("CEM ") != nil || words.find("CE ") != nil ? .empty : .other
  }
}
