internal import JettisonCore
internal import JettisonReports
internal import JettisonTraces

/// Apps of every class, all of one size and half of what is free, as a trace in which nothing happens.
///
/// What makes an app perceptible or protected is told as each platform tells it: by a priority band on
/// iOS, by `oom_score_adj` on Android and Linux (``rank(of:on:)``). Where a model knows neither, such
/// apps run in the background like others. The sizes come from the device in the table: more RAM
/// holds the same apps.
enum CanarySet {
  static let traceName = "canary"
  private static let pageBytes: Int64 = 16 << 10

  /// How many apps of each class there are.
  static func count(of appClass: CanaryClass) -> Int {
    switch appClass {
    case .cached: 6
    case .background: 2
    case .perceptible, .protected, .front: 1
    }
  }

  /// The class of an app, by its name.
  static func appClass(of app: String) -> CanaryClass? {
    app.split(separator: "-").first.flatMap { CanaryClass(rawValue: String($0)) }
  }

  /// The trace for a device under a model.
  static func trace(on device: Device, _ model: PressureModelKind) throws(TraceError) -> Trace {
    let total = CanaryClass.allCases.reduce(0) { $0 + count(of: $1) }
    // Whole pages, however large those of the device are.
    let pages = (device.ramBytes - device.reserveBytes) / Int64(2 * total) / pageBytes
    let bytes = max(1, pages) * pageBytes
    var catalog: [String] = []
    var rows: [String] = []
    for appClass in CanaryClass.allCases {
      for number in 1...count(of: appClass) {
        let app = "\(appClass.rawValue)-\(number)"
        let rank = rank(of: appClass, on: model.family).map { "\($0), " } ?? ""
        catalog.append(
          "#   \(app): {\(rank)footprint: {launch: \(bytes)}, save: {when: none}, edits: none}")
        // The higher its number, the longer ago an app was used.
        let since = appClass == .front ? 60 : 3600 * number
        rows.append(
          "0,\(app),present,\(bytes),,state=\(state(of: appClass));since_ns=\(since)000000000")
      }
    }
    for appClass in [CanaryClass.background, .perceptible, .protected] {
      for number in 1...count(of: appClass) {
        rows.append("0,\(appClass.rawValue)-\(number),background-mode,1,,mode=audio")
      }
    }
    let text =
      ["# jettison-trace: 1", "# user: \(traceName)", "# apps:"] + catalog
      + ["time_ns,app,event,value,id,detail"] + rows + ["10000000000,,end,,,reason=complete", ""]
    return try TraceLoader.read(
      text: text.joined(separator: "\n").utf8.span, name: traceName)
  }

  private static func state(of appClass: CanaryClass) -> String {
    switch appClass {
    case .cached: "suspended"
    case .front: "front"
    case .background, .perceptible, .protected: "background"
    }
  }

  /// The key of a catalog that gives an app its place; nil: its state does.
  ///
  /// Android: a service, a foreground service, something visible (`ProcessList.java`). iOS: background
  /// work, audio, the home screen (`kern_memorystatus.h`). Linux doesn't rank cached apps; the
  /// browser of ChromeOS does, as Android does.
  private static func rank(
    of appClass: CanaryClass, on family: PressureModelKind.Family
  ) -> String? {
    let rank = family.facts.catalogRank
    let adj: Int?
    let band: Int16?
    switch appClass {
    case .cached: (adj, band) = (rank == .adjAlone ? 900 : nil, nil)
    case .background: (adj, band) = (500, PriorityBand.background)
    case .perceptible: (adj, band) = (200, PriorityBand.number(named: "audio"))
    case .protected: (adj, band) = (100, PriorityBand.number(named: "home"))
    case .front: (adj, band) = (0, nil)
    }
    return switch rank {
    case .adj, .adjAlone: adj.map { "adj: \($0)" }
    case .band: band.map { "band: \($0)" }
    case nil: nil
    }
  }
}
