/// Tells the screen and the notifications of a log in an unknown language by the shape of its labels.
///
/// Whatever the language, the screen's rows are two names with remarks in parentheses that both
/// share (`Screen on (unlocked)`, `Screen on (locked)`, `Screen off (locked)`), and a notification is
/// a name with that of an app in parentheses (`Notification posted (Mail)`) and no duration. Which
/// of the two names is "off", and which remark "locked", follows from how long they lasted: a phone
/// is dark and locked most of the time. Without exactly one such pair nothing is concluded, and the
/// rows stay apps, as those of a start or shutdown do in any case.
struct AppUsageShapes {
  /// A label with a remark.
  private struct Remarked {
    let number: Int
    let base: String
    let remark: String
  }

  private let labels: [String]
  /// How long the rows of each label lasted together, in seconds.
  private let seconds: [Int64]
  private let remarked: [Remarked]

  /// Sorts the labels of a log that belong to no known language.
  ///
  /// - Parameters:
  ///   - labels: All labels of the log.
  ///   - seconds: For each label, the sum of the durations of its rows.
  init(_ labels: [String], seconds: [Int64]) {
    self.labels = labels.map(AppUsageLabels.normalised)
    self.seconds = seconds
    remarked = self.labels.enumerated().compactMap { number, label in
      let (base, remark) = AppUsageLabels.parts(label)
      return base.isEmpty || remark.isEmpty
        ? nil : Remarked(number: number, base: base, remark: remark)
    }
  }

  /// What labels stand for, by their number: those of which the shape says it.
  ///
  /// Complexity: O(labels × length).
  var meanings: [Int: AppUsageLabels.Meaning] {
    var meanings: [Int: AppUsageLabels.Meaning] = [:]
    let notifications = notificationBases
    for label in remarked where notifications.contains(label.base) {
      meanings[label.number] = .notification
    }
    guard let screen = screen(besides: notifications) else { return meanings }
    for label in remarked {
      if label.base == screen.on {
        meanings[label.number] = label.remark == screen.locked ? .screenOnLocked : .screenOn
      } else if label.base == screen.off {
        meanings[label.number] = .screenOff
      }
    }
    for (number, label) in labels.enumerated() {
      if label == screen.off { meanings[number] = .screenOff }
      if label == screen.on { meanings[number] = .screenOn }
    }
    return meanings
  }

  /// Names that never last and name an app of the log in parentheses.
  private var notificationBases: Set<String> {
    let known = Set(labels)
    var bases: Set<String> = []
    for label in remarked where known.contains(label.remark) { bases.insert(label.base) }
    for label in remarked where seconds[label.number] > 0 { bases.remove(label.base) }
    return bases
  }

  private func screen(
    besides notifications: Set<String>
  ) -> (on: String, off: String, locked: String)? {
    var remarks: [String: [String: Int64]] = [:]
    for label in remarked where !notifications.contains(label.base) {
      remarks[label.base, default: [:]][label.remark, default: 0] += seconds[label.number]
    }
    let bases = remarks.keys.sorted()
    var pairs: [(String, String)] = []
    for (position, first) in bases.enumerated().prefix(Self.mostBases) {
      for second in bases.dropFirst(position + 1).prefix(Self.mostBases) {
        let both = Set((remarks[first] ?? [:]).keys).union((remarks[second] ?? [:]).keys)
        let isShared = (remarks[first] ?? [:]).keys.contains { remarks[second]?[$0] != nil }
        if isShared, both.count == 2 { pairs.append((first, second)) }
      }
    }
    guard pairs.count == 1, let (first, second) = pairs.first else { return nil }
    let isFirstOff = total(first) > total(second)
    let (on, off) = isFirstOff ? (second, first) : (first, second)
    // By name where two last alike, so that nothing depends on the order of a table.
    let locked = (remarks[off] ?? [:]).max { ($0.value, $1.key) < ($1.value, $0.key) }
    return locked.map { (on, off, $0.key) }
  }

  /// More names with remarks are no log of a person.
  private static let mostBases = 1_000

  private func total(_ base: String) -> Int64 {
    var sum: Int64 = 0
    for (number, label) in labels.enumerated() where label == base || label.hasPrefix("\(base) (") {
      sum += seconds[number]
    }
    return sum
  }
}
