package import JettisonModel

/// Where a figure of an app comes from.
package enum Provenance: String, Sendable {
  /// The capture measured it.
  case observed
  /// The capture's writer worked it out from something measured.
  case derived
  /// A catalog says so.
  case catalog
  /// A built-in category's invented figure, or a rule of thumb.
  case imputed
  /// There is none: the app does not do this.
  case absent
}

/// An app of a trace on one device: its profile and where the figures come from.
package struct ResolvedApp: Sendable {
  /// Which source counts for the app.
  package enum Origin: String, Sendable {
    /// A catalog entry without a category.
    case catalog
    /// A catalog entry that names a category.
    case category
    /// No catalog knows the app; it counts as `utility`, without modelled edits.
    case unknown
  }

  /// A figure, or a group of figures, of a profile.
  package enum Field: String, CaseIterable, Sendable {
    case footprint
    case growth
    case suspended
    case releasable
    case coldLaunch = "cold-launch"
    case warmLaunch = "warm-launch"
    case hotLaunch = "hot-launch"
    case saves
    case edits
    case warnings
    case limit
  }

  /// The app's name.
  package let name: String
  /// The profile in force.
  package let profile: AppProfile
  /// Which source counts.
  package let origin: Origin
  /// The category in force; `utility` where none is named.
  package let category: Category
  /// When it saves by itself: what its entry says, or its category.
  package let saveWhen: CatalogEntry.SaveWhen
  /// Where each field comes from.
  package let provenance: [Field: Provenance]
  /// The group that the catalog puts the app into.
  package let group: String?
  /// The control group that the catalog puts the app into.
  package let controlGroup: String?

  /// Whether any figure is invented.
  package var isImputed: Bool { provenance.values.contains(.imputed) }
}

extension Catalog {
  /// Modelled edits go on and on; an app that saves after each of them takes one second for one.
  private static let modelledEditNanoseconds: Int64 = 1_000_000_000

  /// The issue of an app that no catalog knows.
  package static let unknownAppIssue =
    "app in no catalog: counts as utility, without modelled edits"

  /// The profile of an app on a device, before a trace has its say.
  package func resolve(
    _ name: String, on device: Device
  ) -> (profile: AppProfile, origin: ResolvedApp.Origin) {
    guard let entry = self[name] else {
      var profile = Category.utility.profile(on: device)
      profile.modelsEdits = false
      return (profile, .unknown)
    }
    return (entry.profile(on: device), entry.category == nil ? .catalog : .category)
  }

  /// Every app of a trace on a device, by ``AppIndex``; apps that no catalog knows are counted.
  ///
  /// What the trace measures wins: edits are modelled only where it has none of the app, growth
  /// and the ceiling only where it has no memory row; observed latencies replace the catalog's.
  /// Which triggers the trace's own saves switch off is the engine's to say: the class of a loss
  /// goes by the catalog as written.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - device: The device.
  ///   - modelsSaves: Whether apps save as the catalog says also where the trace has saves of them.
  ///   - issues: Where apps that no catalog knows are counted.
  package func resolve(
    _ trace: Trace, on device: Device, modelsSaves: Bool = false, issues: inout ImportIssues
  ) -> [ResolvedApp] {
    let derived = Self.appsWithDerivedFootprints(trace)
    return trace.apps.indices.map { position in
      let app = resolve(trace, position, derived[position], device, modelsSaves: modelsSaves)
      if app.origin == .unknown { issues.add(.info, Self.unknownAppIssue) }
      return app
    }
  }

  /// One app of a trace on a device that saves as the catalog says, whatever the trace has.
  ///
  /// - Complexity: O(1), where ``resolve(_:on:modelsSaves:issues:)`` reads every app.
  package func profileSavingAsWritten(
    _ trace: Trace, _ app: AppIndex, on device: Device
  ) -> AppProfile {
    resolve(trace, app.position, false, device, modelsSaves: true).profile
  }

  private func resolve(
    _ trace: Trace, _ position: Int, _ isDerived: Bool, _ device: Device, modelsSaves: Bool
  ) -> ResolvedApp {
    let name = trace.apps[position]
    let facts = trace.index.facts[position]
    var (profile, origin) = resolve(name, on: device)
    let saveWhen = CatalogEntry.SaveWhen(
      triggers: profile.saveTriggers, timerNanoseconds: profile.saveTimerNanoseconds)
    var provenance = writtenProvenance(name, profile)
    if !facts.isDisjoint(with: .memory) {
      profile.growthBytesPerMinute = 0
      profile.backgroundCeilingBytes = -1
      profile.suspendedCeilingBytes = -1
      provenance[.footprint] = isDerived ? .derived : .observed
      provenance[.growth] = .absent
      provenance[.suspended] = .absent
    }
    if facts.contains(.edits) {
      profile.modelsEdits = false
      provenance[.edits] = .observed
    }
    profile.modelsSaves = modelsSaves
    if facts.contains(.saves), !modelsSaves {
      provenance[.saves] = .observed
    }
    if profile.modelsEdits, profile.saveTriggers.contains(.edit) {
      let period = profile.saveTimerNanoseconds
      profile.saveTimerNanoseconds =
        period > 0 ? min(period, Self.modelledEditNanoseconds) : Self.modelledEditNanoseconds
    }
    let latencies = LaunchKind.allCases.map {
      trace.index.observedLatencies[position * LaunchKind.allCases.count + Int($0.rawValue)]
    }
    let fields: [(ResolvedApp.Field, WritableKeyPath<AppProfile, Int64>)] = [
      (.coldLaunch, \.coldLaunchNanoseconds), (.warmLaunch, \.warmLaunchNanoseconds),
      (.hotLaunch, \.hotLaunchNanoseconds),
    ]
    for ((field, path), latency) in zip(fields, latencies) where latency >= 0 {
      profile[keyPath: path] = latency
      provenance[field] = .observed
    }
    return ResolvedApp(
      name: name, profile: profile, origin: origin,
      category: self[name]?.category ?? .utility, saveWhen: saveWhen, provenance: provenance,
      group: self[name]?.group, controlGroup: self[name]?.controlGroup)
  }

  /// Where the fields come from as far as the catalog goes.
  private func writtenProvenance(
    _ name: String, _ profile: AppProfile
  ) -> [ResolvedApp.Field: Provenance] {
    let entry = self[name]
    func source(_ isWritten: Bool) -> Provenance { isWritten ? .catalog : .imputed }
    let hasFootprint = entry?.footprint != nil
    let launch = entry?.launch
    var provenance: [ResolvedApp.Field: Provenance] = [
      .footprint: source(hasFootprint), .growth: source(hasFootprint),
      .suspended: source(hasFootprint), .releasable: source(hasFootprint),
      .coldLaunch: source(launch?.coldNanoseconds != nil),
      .warmLaunch: source(launch?.warmNanoseconds != nil),
      .hotLaunch: source(launch?.hotNanoseconds != nil),
      .saves: source(entry?.save?.when != nil), .edits: source(entry?.edits != nil),
      .warnings: source(entry?.warning != nil),
      .limit: entry?.limits != nil ? .catalog : .absent,
    ]
    if !profile.modelsEdits { provenance[.edits] = .absent }
    return provenance
  }

  /// Which apps have at least one footprint that was worked out, not measured.
  private static func appsWithDerivedFootprints(_ trace: Trace) -> [Bool] {
    var isDerived = Array(repeating: false, count: trace.apps.count)
    guard trace.details.contains(where: \.isDerived) else { return isDerived }
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count where events[position].kind == .footprint {
        if trace.details[Int(events[position].detail)].isDerived {
          isDerived[events[position].app.position] = true
        }
      }
    }
    return isDerived
  }
}
