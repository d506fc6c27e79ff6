/// Moments of 2021 as captures write them.
enum CalendarText {
  /// Days before each month.
  private static let months = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

  /// Month and day, such as `06-14`.
  static func day(seconds: Int) -> String {
    let day = seconds / 86_400 % 365
    let month = months.lastIndex { $0 <= day } ?? 0
    return "\(two(month + 1))-\(two(day - months[month] + 1))"
  }

  /// Time of day, such as `20:00:05`.
  static func time(seconds: Int) -> String {
    let second = seconds % 86_400
    return "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
  }

  /// Such as `2021-06-14 20:00:05`.
  static func moment(seconds: Int) -> String {
    "2021-\(day(seconds: seconds)) \(time(seconds: seconds))"
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
