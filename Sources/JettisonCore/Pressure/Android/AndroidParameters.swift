/// Parameters of `android-lmk` and `android-lmkd`.
public struct AndroidParameters: Sendable, Equatable {
  /// Every default.
  public init() {}

  static let parameters: [ModelParameter] = []
}
