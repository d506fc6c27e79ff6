internal import JettisonSupport

/// Ranks of Android's processes (`oom_score_adj`) as its texts write them.
///
/// The framework writes a rank as the step at or below it and what is above that step: `cch+45`
/// is 945, `fore` is 0, `psvc` is -700. Up to Android 6 it had a scale of its own, from -17 to 16.
enum AndroidAdj {
  /// Ranks that a process may have; 1001 says that none was worked out yet.
  static let range: ClosedRange<Int64> = -1000...1000
  /// From this rank on processes are cached: they run no code.
  static let cached: Int64 = 900

  /// Steps by the words that lines of the activity manager use; `bak` was Android 4's.
  private static let steps: [(word: String, rank: Int64)] = [
    ("cch", cached), ("bak", cached), ("svcb", 800), ("prev", 700), ("home", 600), ("svc", 500),
    ("hvy", 400), ("bkup", 300), ("prcl", 250), ("prcm", 225), ("prcp", 200), ("vis", 100),
    ("fg", 0), ("fore", 0), ("psvc", -700), ("pers", -800), ("sys", -900), ("ntv", -1000),
  ]

  /// The rank that a text begins with, such as `cch+45 SVC`, `cch+ 5 CEM` or `fore   TOP`; nil:
  /// none, or one that no process has.
  static func rank(_ text: Span<UInt8>) -> Int64? {
    var position = 0
    while position < text.count, text[position] >= 0x61, text[position] <= 0x7A { position += 1 }
    let word = text.extracting(0..<position)
    let step = steps.first { $0.word.utf8.count == word.count && word.has($0.word, at: 0) }
    guard var rank = step?.rank else { return nil }
    text.skipSpaces(&position)
    if text.take("+", &position) {
      text.skipSpaces(&position)
      guard let above = text.number(&position), above <= range.upperBound else { return nil }
      rank += above
    } else if position == word.count, position < text.count {
      // A longer word that only begins like one of these.
      return nil
    }
    return range.contains(rank) ? rank : nil
  }

  /// What a rank of the scale up to Android 6 is in today's; nil: it isn't on that scale.
  ///
  /// Below 0 and from 1 to 8 each number is a step; cached processes have 9 to 15.
  static func rank(ofOldAdj adj: Int64) -> Int64? {
    switch adj {
    case -17: -1000
    case -16: -900
    case -12: -800
    case -11: -700
    case 0...9: adj * 100
    case 10...15: cached + adj - 9
    default: nil
    }
  }
}
