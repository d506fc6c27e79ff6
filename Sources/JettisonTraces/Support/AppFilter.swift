internal import JettisonModel

/// Which apps an import keeps: those whose name matches any of some globs, or all.
public struct AppFilter: Sendable, Equatable {
  private let globs: [NameGlob]

  /// Makes a filter of the globs of `--apps`; none keeps all apps.
  public init(_ globs: [String]) {
    self.globs = globs.map(NameGlob.init)
  }

  /// Whether an app is kept.
  ///
  /// Complexity: O(globs × length of glob × length of name).
  public func keeps(_ name: String) -> Bool {
    globs.isEmpty || globs.contains { $0.matches(name) }
  }
}
