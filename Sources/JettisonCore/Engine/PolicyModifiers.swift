/// Whom an order ends together: `+unit`.
public enum KillUnit: String, CaseIterable, BitwiseCopyable, Sendable {
  /// The victim alone.
  case process
  /// All processes of the app: names that are equal up to a colon.
  case app
  /// The apps of one `group` of the catalog; an app without one counts with its processes.
  case group
}

/// What is written after a policy's name to change how any order is used: `lru+saved+recent=2`.
///
/// A policy says who goes before whom. Modifiers say who may go at all (``protected``,
/// ``recentCount``, ``intervalNanoseconds``), who goes before all others (``isSavedFirst``), and
/// how many go (``isMinimal``, ``untilPercent``, ``unit``). They may stand in any order.
public struct PolicyModifiers: Sendable, Equatable {
  /// `+saved`: apps with nothing unsaved go before all others.
  public var isSavedFirst = false
  /// `+protect=APP`: names, or globs with `*` and `?`, of apps that never go.
  public var protected: [String] = []
  /// `+recent=N`: how many of the apps used last are spared, the one in front not counted.
  public var recentCount = 0
  /// `+interval=4h`: an app that a decision ended less than this ago is spared, in nanoseconds; 0:
  /// none is.
  public var intervalNanoseconds: Int64 = 0
  /// `+minimal`: victims that turn out not to be needed stay.
  public var isMinimal = false
  /// `+until=15%`: once begun, purging goes on until so many percent of RAM are available; nil: the
  /// model alone says when to stop.
  public var untilPercent: Double?
  /// `+unit=process|app|group`: who goes together.
  public var unit = KillUnit.process

  /// No modifier: the policy as it is.
  public init() {}

  /// Whether victims are chosen as a set, before the first of them ends.
  var choosesSets: Bool { isMinimal || untilPercent != nil || unit != .process }

  /// Whether any of them says who may go, or how much is needed, and not who goes first.
  package var decidesEligibility: Bool {
    !protected.isEmpty || recentCount > 0 || intervalNanoseconds > 0 || untilPercent != nil
  }

  /// Whether none is in force.
  public var isEmpty: Bool { self == PolicyModifiers() }
}

// MARK: - Apps

extension PolicyModifiers {
  /// Whether `+protect` names an app.
  ///
  /// Complexity: O(globs × length of glob × length of name).
  public func protects(_ name: String) -> Bool {
    protected.contains { NameGlob($0).matches(name) }
  }

  /// Numbers by ``AppIndex``: apps of one number go together; nil: every app for itself.
  func units(of names: [String], _ configuration: RunConfiguration) -> [UInt32]? {
    switch unit {
    case .process: return nil
    case .group:
      return configuration.groups.count == names.count ? configuration.groups : nil
    case .app: return KillUnits.numbers(of: names.map(KillUnits.app))
    }
  }
}
