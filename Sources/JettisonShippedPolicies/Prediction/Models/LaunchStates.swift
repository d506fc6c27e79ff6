/// Apps numbered in the order of their first launch, up to a limit.
struct LaunchStates: Sendable {
  /// Apps beyond these many have no state: the inverse of a chain would cost too much.
  static let limit = 128

  private var numbers: [Int]
  /// Number of apps that have a state.
  private(set) var count = 0

  init(appCount: Int) {
    numbers = Array(repeating: -1, count: appCount)
  }

  /// The state of an app, from 0; -1: it has none.
  subscript(app: AppIndex) -> Int { numbers[app.position] }

  /// An app was launched; the result is whether it has a state only now.
  @discardableResult
  mutating func add(_ app: AppIndex) -> Bool {
    guard numbers[app.position] < 0, count < Self.limit else { return false }
    numbers[app.position] = count
    count += 1
    return true
  }
}
