import JettisonCore

/// A trace that holds nothing but launches, as Zipf's law has it, half a minute apart.
struct LaunchWorkload {
  /// Number of apps.
  let apps: Int
  /// How many apps of average size fit the memory.
  let residents: Int

  /// Sizes from 30 to 300 MB, evenly on a logarithmic scale and shuffled among the apps.
  private func sizes() -> [Int64] {
    var generator = Generator(seed: 1)
    var sizes = (0..<apps).map { app -> Int64 in
      var size = 30_000_000.0
      // Ten steps in all; powers by multiplication are the same on every platform.
      let steps = 1000 * app / max(1, apps - 1)
      for _ in 0..<steps { size *= 1.002_305_238 }
      return Int64(size)
    }
    for app in stride(from: apps - 1, to: 0, by: -1) {
      sizes.swapAt(app, generator.next(below: app + 1))
    }
    return sizes
  }

  func trace(launches: Int) -> Trace {
    var generator = Generator(seed: 2)
    let zipf = Zipf(count: apps)
    var events: [TraceEvent] = []
    events.reserveCapacity(launches + 1)
    for launch in 0..<launches {
      let app = AppIndex(zipf.draw(&generator))
      events.append(
        TraceEvent(timeNanoseconds: Int64(launch) * 30_000_000_000, kind: .launch, app: app))
    }
    events.append(
      TraceEvent(timeNanoseconds: Int64(launches) * 30_000_000_000, kind: .end))
    return Self.trace(named: "launches", appCount: apps, events)
  }

  /// The textbook cache, in which `residents` apps of average size have room.
  func configuration() throws -> RunConfiguration {
    let sizes = sizes()
    var device = try DeviceTable.device(named: "ideal-cache")
    device.ramBytes = max(
      sizes.reduce(0, +) / Int64(apps) * Int64(residents), sizes.max() ?? 0)
    let profiles = sizes.map { size -> AppProfile in
      var profile = AppProfile()
      profile.launchFootprintBytes = size
      profile.coldLaunchNanoseconds = 900_000_000
      profile.warmLaunchNanoseconds = 360_000_000
      profile.hotLaunchNanoseconds = 110_000_000
      return profile
    }
    var configuration = RunConfiguration(
      device: device, pressure: .idealCache, profiles: profiles)
    configuration.footprints = .declared
    return configuration
  }

  /// A trace of apps named `com.example.app000` and so on, without details and ids.
  static func trace(
    named name: String, appCount: Int, _ events: [TraceEvent], blockSlotCount: Int = 0
  ) -> Trace {
    let apps = (0..<appCount).map { app in
      let digits = String(app)
      return "com.example.app" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }
    return Trace(
      name: name, header: TraceHeader(user: name), apps: apps, details: [EventDetail()],
      detailTexts: [""], events: ArrayEventStorage(events), blockSlotCount: blockSlotCount,
      taskSlotCount: 0, capturedIDs: [], issues: ImportIssues())
  }
}
