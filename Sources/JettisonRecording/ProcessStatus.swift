internal import JettisonSupport

/// One process of Linux at one moment, as `/proc/PID/stat` tells it (`proc_pid_stat(5)`).
struct ProcessStatus: Equatable, Sendable {
  /// Tells lives apart: numbers of processes are used again, together with their start never.
  ///
  /// They are ordered by their starts.
  struct Identity: Hashable, Comparable, Sendable {
    var number: Int32
    /// In ticks since the machine started.
    var startTicks: Int64

    static func < (one: Identity, other: Identity) -> Bool {
      (one.startTicks, one.number) < (other.startTicks, other.number)
    }
  }

  var identity: Identity
  /// The first 15 bytes of the name of the program, or what the program calls itself.
  var name: String
  /// The letter of its state, such as `T` for stopped and `Z` for ended.
  var state: UInt8
  var parent: Int32
  /// Changes whenever the process may have touched memory: time on the processor, faults and
  /// resident pages.
  var activity: [Int64]
  /// How it ended, as `waitpid` says it; only of a process that has.
  var exitStatus: Int32?

  /// Whether it runs no code until it is told to go on.
  var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }
  /// Whether it has ended, and only its parent has not taken note.
  var hasEnded: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }
}

extension ProcessStatus {
  /// Longest name that the kernel keeps.
  static let longestName = 15

  /// Reads the file's one line; nil if it isn't one.
  ///
  /// The name may hold any bytes, brackets and line breaks too: it ends at the last bracket.
  ///
  /// Complexity: O(bytes).
  init?(_ text: Span<UInt8>) {
    var open = 0
    while open < text.count, text[open] != UInt8(ascii: "(") { open += 1 }
    var close = text.count - 1
    while close > open, text[close] != UInt8(ascii: ")") { close -= 1 }
    guard open < text.count, close > open else { return nil }
    var numbers = ProcNumbers()
    guard let number = numbers.next(text.extracting(0..<open)), let number = Int32(exactly: number),
      number > 0
    else {
      return nil
    }
    var state = close + 1
    while state < text.count, text[state] == 0x20 { state += 1 }
    guard state < text.count else { return nil }
    // What follows, by its number in the manual: 4 is the parent.
    var fields: [Int64] = []
    numbers = ProcNumbers(from: state + 1)
    while fields.count < 49, let field = numbers.next(text) { fields.append(field) }
    func field(_ number: Int) -> Int64? { number - 4 < fields.count ? fields[number - 4] : nil }
    guard let parent = field(4), let parent = Int32(exactly: parent), let start = field(22) else {
      return nil
    }
    let name = Self.name(text.extracting(open + 1..<close))
    self.init(
      identity: Identity(number: number, startTicks: start), name: name, state: text[state],
      parent: parent, activity: [10, 12, 14, 15, 24].map { field($0) ?? 0 }, exitStatus: nil)
    if hasEnded, let status = field(52) { exitStatus = Int32(truncatingIfNeeded: status) }
  }

  private static func name(_ bytes: Span<UInt8>) -> String {
    var name: [UInt8] = []
    for position in 0..<bytes.count { name.append(bytes[position]) }
    return name.isEmpty ? "unnamed" : String(decoding: name, as: UTF8.self)
  }

  /// The whole name of a program of which the kernel keeps the beginning, from its command line.
  ///
  /// - Parameter commandLine: `/proc/PID/cmdline`: words that end in zero bytes.
  static func wholeName(_ name: String, commandLine: Span<UInt8>) -> String {
    guard name.utf8.count >= longestName else { return name }
    var word: [UInt8] = []
    for position in 0..<commandLine.count {
      let byte = commandLine[position]
      // Some programs write their title there: a name, a blank and more.
      if byte == 0 || byte == 0x20 { break }
      if byte == UInt8(ascii: "/") {
        word.removeAll(keepingCapacity: true)
      } else {
        word.append(byte)
      }
    }
    let text = String(decoding: word, as: UTF8.self)
    return text.utf8.starts(with: name.utf8) ? text : name
  }
}

/// Whole numbers between blanks, from left to right; ends at what is none.
struct ProcNumbers {
  private var position: Int

  init(from position: Int = 0) {
    self.position = position
  }

  /// The next number; nil at the end, and where there is no number.
  mutating func next(_ text: Span<UInt8>) -> Int64? {
    while position < text.count, text[position] == 0x20 || text[position] == 0x09 { position += 1 }
    let isNegative = position < text.count && text[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let start = position
    var magnitude: UInt64 = 0
    while position < text.count, (0x30...0x39).contains(text[position]) {
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(text[position] - 0x30))
      guard !overflow, !carry else { return nil }
      magnitude = sum
      position += 1
    }
    guard position > start else { return nil }
    // Limits of addresses do not fit; nothing here needs them.
    let value = Int64(clamping: magnitude)
    return isNegative ? -value : value
  }
}
