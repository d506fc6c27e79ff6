/// Parameters of `ios-6` to `ios-18`.
public struct JetsamParameters: Sendable, Equatable {
  /// Every default.
  public init() {}

  static let parameters: [ModelParameter] = []
}
