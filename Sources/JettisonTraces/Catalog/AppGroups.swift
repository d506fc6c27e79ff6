package import JettisonModel

extension RunConfiguration {
  /// Fills in which apps end together: those of one `group` in the catalog, else the processes of one
  /// app, whose names differ only after a colon.
  package mutating func setGroups(of apps: [ResolvedApp]) {
    groups = KillUnits.numbers(
      of: apps.map { app in
        app.group.map { "group \($0)" } ?? "app \(KillUnits.app(ofProcess: app.name))"
      })
    controlGroups = apps.map { $0.controlGroup ?? "user.slice/app-\($0.name)" }
  }
}
