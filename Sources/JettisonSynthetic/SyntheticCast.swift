internal import JettisonTraces

/// Everything that may have rows in a synthetic trace, by position: the apps to choose from, the
/// daemons, the apps of one's own.
struct SyntheticCast: Sendable {
  let ownApps: [SyntheticOwnApp]

  static let firstDaemon = SyntheticApps.all.count
  static let firstOwnApp = firstDaemon + SyntheticApps.daemons.count

  var count: Int { Self.firstOwnApp + ownApps.count }

  func name(_ app: Int) -> String {
    if app < Self.firstDaemon { return SyntheticApps.all[app].name }
    if app < Self.firstOwnApp { return SyntheticApps.daemons[app - Self.firstDaemon] }
    return ownApps[app - Self.firstOwnApp].name
  }

  /// The category of an app; of a daemon none.
  func category(_ app: Int) -> Category? {
    if app < Self.firstDaemon { return Category(rawValue: SyntheticApps.all[app].category) }
    return app < Self.firstOwnApp ? nil : ownApps[app - Self.firstOwnApp].category
  }
}
