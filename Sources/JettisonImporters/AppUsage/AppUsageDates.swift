internal import JettisonSupport
internal import JettisonTraces

/// Dates, times of day and durations as screen-time logs write them.
enum AppUsageDates {
  typealias DateOrder = ImportOptions.DateOrder

  /// Three numbers of a date in the order in which they are written.
  struct Written: Hashable {
    let first: Int
    let second: Int
    let third: Int
    /// Whether a full stop parts them, as where the day comes first.
    let isDotted: Bool

    /// Days since 1970, reading the numbers in an order; nil if there is no such date.
    func days(_ order: DateOrder) -> Int64? {
      switch order {
      case .monthDayYear: Self.days(third, first, second)
      case .dayMonthYear: Self.days(third, second, first)
      case .yearMonthDay: Self.days(first, second, third)
      }
    }

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
      CivilTime.days(year: year < 100 ? 2000 + year : year, month: month, day: day)
    }
  }

  /// Reads `12/5/19`, `05.12.2019`, `2019-12-05` or `2019. 12. 5.`.
  static func written(_ text: Span<UInt8>) -> Written? {
    var numbers: [Int] = []
    var digits = 0
    var separator: UInt8?
    for position in 0..<text.count {
      let byte = text[position]
      switch byte {
      case 0x30...0x39:
        if digits == 0 { numbers.append(0) }
        digits += 1
        guard digits <= 4, numbers.count <= 3 else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
      case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."):
        guard digits > 0, separator == nil || separator == byte else { return nil }
        separator = byte
        digits = 0
      case 0x20:
        guard digits == 0 else { return nil }
      default: return nil
      }
    }
    guard numbers.count == 3, let separator else { return nil }
    return Written(
      first: numbers[0], second: numbers[1], third: numbers[2],
      isDotted: separator == UInt8(ascii: "."))
  }

  /// Seconds since midnight of `00:43:05`, `0:43`, `12:43:05 AM` or `午後 1:02:03`.
  static func timeOfDay(_ text: Span<UInt8>) -> Int64? {
    if let seconds = duration(text, isClock: true) { return seconds < 86_400 ? seconds : nil }
    guard let (clock, half) = split(text), let seconds = duration(clock.span, isClock: true) else {
      return nil
    }
    guard let half else { return seconds < 86_400 ? seconds : nil }
    guard (3_600..<46_800).contains(seconds) else { return nil }
    return seconds % 43_200 + (half ? 43_200 : 0)
  }

  /// Seconds of `1:02:03` or, for a duration, `2:03` (minutes and seconds).
  static func duration(_ text: Span<UInt8>, isClock: Bool = false) -> Int64? {
    var parts: (Int64, Int64, Int64) = (0, 0, 0)
    var partCount = 1
    var digits = 0
    for position in 0..<text.count {
      let byte = text[position]
      if byte == UInt8(ascii: ":") {
        guard digits > 0, partCount < 3 else { return nil }
        parts = (parts.1, parts.2, 0)
        partCount += 1
        digits = 0
      } else {
        guard (0x30...0x39).contains(byte), digits < 5 else { return nil }
        parts.2 = parts.2 * 10 + Int64(byte - 0x30)
        digits += 1
      }
    }
    guard digits > 0, partCount >= 2 else { return nil }
    if partCount == 2 { parts = isClock ? (parts.1, parts.2, 0) : (0, parts.1, parts.2) }
    // The first number of those that were written may be large, the others are below 60.
    guard parts.2 < 60, partCount == 2 && !isClock || parts.1 < 60 else { return nil }
    return parts.0 * 3_600 + parts.1 * 60 + parts.2
  }

  /// Digits and colons of a time, and whether it says "after noon"; nil if it says anything else.
  private static func split(_ text: Span<UInt8>) -> (clock: [UInt8], afterNoon: Bool?)? {
    var clock: [UInt8] = []
    var word: [UInt8] = []
    for position in 0..<text.count {
      let byte = text[position]
      if (0x30...0x3A).contains(byte) { clock.append(byte) } else { word.append(byte) }
    }
    let letters = String(decoding: word, as: UTF8.self).lowercased().unicodeScalars.filter {
      !["\u{20}", "\u{A0}", "\u{202F}", "."].contains($0)
    }
    switch String(String.UnicodeScalarView(letters)) {
    case "": return (clock, nil)
    case "am", "a", "午前", "오전", "上午", "vorm": return (clock, false)
    case "pm", "p", "午後", "오후", "下午", "nachm": return (clock, true)
    default: return nil
    }
  }

  /// What is known about the order of a log's dates.
  struct Detection: Equatable {
    let order: DateOrder
    /// Whether another order would have made sense too.
    let isAmbiguous: Bool
  }

  /// Finds the order in which most dates exist and the log runs one way, newest or oldest first.
  ///
  /// If several do equally, the log that spans the fewest days wins: days that follow each other
  /// are months apart when read the wrong way. `dates` come in file order, repeats removed.
  /// Nil if there are no dates. Complexity: O(dates).
  static func detect(_ dates: [Written]) -> Detection? {
    var best: (order: DateOrder, cost: Cost)?
    var isAmbiguous = false
    for order in preference(dates.first) {
      let cost = Cost(dates.map { $0.days(order) })
      guard let other = best else {
        best = (order, cost)
        continue
      }
      if cost < other.cost {
        best = (order, cost)
        isAmbiguous = false
      } else if !(other.cost < cost) {
        isAmbiguous = true
      }
    }
    return best.map { Detection(order: $0.order, isAmbiguous: isAmbiguous) }
  }

  /// What speaks against an order of dates, the weightiest first.
  private struct Cost: Comparable {
    let missing: Int
    let turns: Int
    let span: Int64

    init(_ days: [Int64?]) {
      let known = days.compactMap { $0 }
      missing = days.count - known.count
      let steps = zip(known, known.dropFirst())
      turns = min(steps.count { $0 < $1 }, steps.count { $0 > $1 })
      span = (known.max() ?? 0) - (known.min() ?? 0)
    }

    static func < (lhs: Cost, rhs: Cost) -> Bool {
      (lhs.missing, lhs.turns, lhs.span) < (rhs.missing, rhs.turns, rhs.span)
    }
  }

  /// Orders from the likeliest to the least likely, by the look of a date alone.
  private static func preference(_ date: Written?) -> [DateOrder] {
    guard let date else { return [] }
    if date.first > 31 { return [.yearMonthDay] }
    if date.third > 31 {
      return date.isDotted ? [.dayMonthYear, .monthDayYear] : [.monthDayYear, .dayMonthYear]
    }
    return date.isDotted
      ? [.dayMonthYear, .monthDayYear, .yearMonthDay]
      : [.monthDayYear, .dayMonthYear, .yearMonthDay]
  }
}
