internal import JettisonCore
internal import JettisonTraces

extension RunConfiguration {
  /// Fills in which apps end together: those of one `group` in the catalog, else the processes of one
  /// app, whose names differ only after a colon.
  mutating func setGroups(of apps: [ResolvedApp]) {
    var numbers: [String: UInt32] = [:]
    groups = apps.map { app in
      let name = app.group.map { "group \($0)" } ?? "app \(app.name.prefix { $0 != ":" })"
      if let number = numbers[name] { return number }
      let number = UInt32(numbers.count)
      numbers[name] = number
      return number
    }
    controlGroups = apps.map { $0.controlGroup ?? "user.slice/app-\($0.name)" }
  }
}
