internal import JettisonSupport
internal import JettisonTraces

/// The table that `ps` prints: a header row names the columns, in any order.
///
/// Toolbox, toybox, busybox and procps differ in columns and units; what they share is that the
/// command comes last and may hold blanks.
struct ProcessTable {
  /// What a column holds.
  enum Role: UInt8 {
    case user, pid, parent, resident, proportional, virtual, state, adj, score, name, other
  }

  /// Whose process it is.
  enum User: UInt8 {
    /// No such column.
    case unknown
    case root
    /// One of those that Android gives to apps: `u0_a12`, `app_12`, 10012.
    case app
    case other
  }

  /// What one row says.
  struct Row {
    var user = User.unknown
    var pid: Int64 = -1
    /// The process that started it; negative: no such column.
    var parent: Int64 = -1
    /// `oom_score_adj`; nil: no such column.
    var adj: Int64?
    /// Footprint in bytes: proportional where there is such a column, else resident.
    var bytes: Int64 = -1
    /// Addresses in use, in bytes; negative: no such column.
    var virtualBytes: Int64 = -1
    /// First letter of the state; 0: no such column.
    var state: UInt8 = 0
    /// Where the name stands in the line.
    var name = 0..<0

    /// Whether a process without memory is a thread of the kernel: it has no addresses either, or, where
    /// those are not listed, `kthreadd` (process 2) began it.
    var isOfKernel: Bool { virtualBytes < 0 ? parent == 2 || pid == 2 : virtualBytes == 0 }
  }

  private let roles: [Role]
  /// Whether sizes are proportional: shared pages are divided among those who share them.
  let isProportional: Bool

  /// Reads a header row; nil if the line is none, or lacks a pid, a size or a name.
  init?(header line: Span<UInt8>) {
    let words = String(decoding: Array(span: line), as: UTF8.self).uppercased()
      .split { $0 == " " || $0 == "\t" }
    var roles = words.map { Self.role(of: $0) }
    guard roles.contains(.pid), let name = roles.lastIndex(of: .name) else { return nil }
    guard roles.contains(.resident) || roles.contains(.proportional) else { return nil }
    isProportional = roles.contains(.proportional)
    // Toolbox prints the state in a column that its header does not name.
    if !roles.contains(.state), name > 0, words[name - 1] == "PC" {
      roles.insert(.state, at: name)
    }
    self.roles = roles
  }

  /// Whether there is a column `OOM`, which holds scores and not what is added to them.
  var hasScores: Bool { roles.contains(.score) }

  /// Whether rows say the state of their process.
  var hasStates: Bool { roles.contains(.state) }

  private static func role(of word: Substring) -> Role {
    switch word {
    case "OOM_ADJ", "OOM_SCORE_ADJ", "OOMADJ", "OOMA", "ADJ": return .adj
    // ps(1) of procps 4 and top: how likely the kernel is to take it, memory included.
    case "OOM", "OOM_SCORE", "OOMS": return .score
    default: break
    }
    let letters = word.prefix { $0.isLetter }
    switch letters {
    case "USER", "UID", "EUSER", "RUSER": return .user
    case "PID": return .pid
    case "PPID": return .parent
    case "RSS", "RES", "RSZ", "RSSIZE": return .resident
    case "PSS": return .proportional
    case "VSZ", "VSIZE", "VSS", "VIRT", "SIZE": return .virtual
    case "S", "ST", "STAT", "STATE": return .state
    case "NAME", "CMD", "COMMAND", "COMM", "ARGS", "CMDLINE", "PROCESS": return .name
    default: return .other
    }
  }

  /// Reads a row; nil if it lacks its pid, its size or its name.
  ///
  /// Budget: one pass over the bytes, no allocation.
  func row(_ line: Span<UInt8>) -> Row? {
    var row = Row()
    var position = 0
    for column in roles.indices {
      while position < line.count, Self.isBlank(line[position]) { position += 1 }
      let start = position
      position = line.firstBlank(from: start)
      guard position > start else { return nil }
      let field = line.extracting(start..<position)
      switch roles[column] {
      case .user: row.user = Self.user(field)
      case .pid:
        guard let pid = Self.number(field) else { return nil }
        row.pid = pid
      case .parent: row.parent = Self.number(field) ?? -1
      case .adj:
        guard let adj = Self.adj(field) else { return nil }
        row.adj = adj
      case .resident where !isProportional: row.bytes = Self.bytes(field) ?? -1
      case .proportional: row.bytes = Self.bytes(field) ?? -1
      case .virtual: row.virtualBytes = Self.bytes(field) ?? -1
      case .state: row.state = field[0]
      case .name: row.name = Self.name(start..<position, line)
      default: break
      }
    }
    return row.pid >= 0 && row.bytes >= 0 && !row.name.isEmpty ? row : nil
  }

  private static func user(_ field: Span<UInt8>) -> User {
    if let number = number(field) { return number == 0 ? .root : number >= 10_000 ? .app : .other }
    if field.count == 4, field.starts(with: "root") { return .root }
    if field.starts(with: "app_") { return .app }
    // u0_a12, u10_i3, and u0a12 as dumpsys writes it.
    guard field.count > 3, field[0] == UInt8(ascii: "u") else { return .other }
    var position = 1
    while position < field.count, (0x30...0x39).contains(field[position]) { position += 1 }
    let isNumbered = position > 1 && position < field.count
    let follows = isNumbered ? field[position] : 0
    return follows == UInt8(ascii: "_") || follows == UInt8(ascii: "a") ? .app : .other
  }

  /// The last part of a path; anything else as it stands.
  private static func name(_ range: Range<Int>, _ line: Span<UInt8>) -> Range<Int> {
    guard line[range.lowerBound] == UInt8(ascii: "/") else { return range }
    var start = range.upperBound
    while start > range.lowerBound, line[start - 1] != UInt8(ascii: "/") { start -= 1 }
    return start < range.upperBound ? start..<range.upperBound : range
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func number(_ field: Span<UInt8>) -> Int64? {
    guard field.count <= 10 else { return nil }
    var end = 0
    guard let value = field.number(&end), end == field.count else { return nil }
    return value
  }

  private static func adj(_ field: Span<UInt8>) -> Int64? {
    var position = 0
    guard let adj = field.signedNumber(&position), position == field.count,
      AndroidAdj.range.contains(adj)
    else { return nil }
    return adj
  }

  /// A size: kilobytes of 1024 bytes unless K, M or G says otherwise; `12.5M` is one.
  static func bytes(_ field: Span<UInt8>) -> Int64? {
    // Most are plain.
    var end = 0
    if let kilobytes = field.number(&end), end == field.count, kilobytes <= TraceLimits.bytes >> 10
    {
      return kilobytes << 10
    }
    var value: Int64 = 0
    var divisor: Int64 = 1
    var hasPoint = false
    var position = 0
    while position < field.count {
      let byte = field[position]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if (0x30...0x39).contains(byte) {
        // Six digits after the point are less than a byte.
        if !hasPoint || divisor < 1_000_000 {
          guard let next = value.timesTenPlus(Int64(byte - 0x30)) else { return nil }
          value = next
          if hasPoint { divisor *= 10 }
        }
      } else {
        break
      }
      position += 1
    }
    guard position > 0 else { return nil }
    guard let scale = scale(field.extracting(position..<field.count)) else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: scale)
    let bytes = product / divisor
    return overflow || bytes > TraceLimits.bytes ? nil : bytes
  }

  private static func scale(_ unit: Span<UInt8>) -> Int64? {
    guard !unit.isEmpty else { return 1 << 10 }
    guard unit.count <= 3 else { return nil }
    switch unit[0] {
    case UInt8(ascii: "K"), UInt8(ascii: "k"): return 1 << 10
    case UInt8(ascii: "M"), UInt8(ascii: "m"): return 1 << 20
    case UInt8(ascii: "G"), UInt8(ascii: "g"): return 1 << 30
    default: return nil
    }
  }
}

extension Span where Element == UInt8 {
  /// Where the first space or tab stands from a position on; the end if there is none.
  fileprivate func firstBlank(from start: Int) -> Int {
    var position = start
    while position < count {
      let word = TextWord(self, from: position)
      let place = Swift.min(word.place(of: 0x20), word.place(of: 0x09))
      if place < 8 { return position + place }
      position += 8
    }
    return count
  }
}
