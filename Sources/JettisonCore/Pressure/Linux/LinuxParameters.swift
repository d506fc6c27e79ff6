/// Parameters of `linux-oom`, `oomd`, `systemd-oomd` and `earlyoom`.
public struct LinuxParameters: Sendable, Equatable {
  /// Every default.
  public init() {}

  static let parameters: [ModelParameter] = []
}
