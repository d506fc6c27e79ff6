package import JettisonModel
internal import JettisonSupport

/// Removes what identifies the recorded person, and keeps what a replay depends on.
///
/// Apps become `app-001`, `app-002`, … by the rank of their first appearance, with their catalog
/// entries; groups, control groups, scenes and every other word that a capture chose freely get a
/// number of their kind (``Pseudonyms``). The source and the name of a side catalog are dropped, and
/// so are a device that the device table does not have, and the user, for whom a pseudonym made of
/// what is left stands in. The start moves to a fixed Monday at the same time of day, without its
/// zone. Times between events, sizes and the order of everything stay, so what remains can still be
/// recognised by someone who knows the person's habits; the header says so.
/// Draws and the last tie-break depend on names: under a seed they come out differently.
package enum Anonymizer {
  /// The Monday on which every anonymized trace begins.
  static let monday = "2024-01-01"

  /// What the `privacy` header of an anonymized trace says.
  package static let privacy =
    "apps numbered by order of first appearance, other names numbered too, user dropped, start "
    + "moved to a fixed Monday; patterns of use remain"

  /// The same trace without names.
  ///
  /// Complexity: O(events).
  ///
  /// - Parameter file: The input as the user named it, for errors in its `apps:` block.
  package static func anonymize(_ trace: Trace, file: String) throws(TraceError) -> Trace {
    let ranks = ranksByAppearance(trace)
    let width = max(3, String(trace.apps.count).count)
    let names = (0..<trace.apps.count).map { rank in
      let number = String(rank + 1)
      return "app-" + String(repeating: "0", count: width - number.count) + number
    }
    var header = trace.header
    if let device = header.device, !DeviceTable.all.contains(where: { $0.name == device }) {
      header.device = nil
    }
    var pseudonyms = Pseudonyms()
    header.deviceYAML = try withoutName(header.deviceYAML, &pseudonyms, file: file)
    header.user = ""
    header.source = nil
    header.catalog = nil
    header.privacy = privacy
    header.start = header.start.map(moved)
    var issues = trace.issues.withoutQuotes
    if trace.header.catalog != nil {
      issues.add(.info, "the side catalog names apps: its reference was dropped")
    }
    if let yaml = header.appsYAML {
      header.appsYAML = try renamed(
        yaml, trace.apps, ranks, names, &pseudonyms, file: file)
    }
    let detailTexts = trace.detailTexts.map { pseudonyms.detail($0) }
    var events: [TraceEvent] = []
    events.reserveCapacity(trace.events.count)
    trace.events.forEachWindow { (span, _) in
      for position in 0..<span.count {
        var event = span[position]
        if event.app != .none { event.app = AppIndex(ranks[event.app.position]) }
        events.append(event)
      }
    }
    func build(_ header: TraceHeader) -> Trace {
      Trace(
        name: trace.name, header: header, apps: names, details: trace.details,
        detailTexts: detailTexts, events: ArrayEventStorage(events),
        blockSlotCount: trace.blockSlotCount, taskSlotCount: trace.taskSlotCount,
        capturedIDs: trace.capturedIDs, issues: issues)
    }
    // Users must stay apart in a comparison: the pseudonym comes from what is left of the trace.
    let digits = String(build(header).contentHash >> 32, radix: 16)
    header.user = "user-" + String(repeating: "0", count: 8 - digits.count) + digits
    return build(header)
  }

  /// The `apps:` block under the new names; entries of apps that do not occur are dropped.
  private static func renamed(
    _ yaml: String, _ apps: [String], _ ranks: [Int], _ names: [String],
    _ pseudonyms: inout Pseudonyms, file: String
  ) throws(TraceError) -> String? {
    guard let entries = try BoundedYAML.load(yaml, file: file)?.mapping else { return nil }
    var newNames: [String: String] = [:]
    for (app, rank) in zip(apps, ranks) { newNames[app] = names[rank] }
    var lines: [(name: String, line: String)] = []
    for entry in entries {
      guard let name = newNames[entry.key] else { continue }
      let value = pseudonyms.catalogEntry(entry.value)
      lines.append((name, "\(YAMLNode.quoted(name)): \(value.canonicalText)"))
    }
    guard !lines.isEmpty else { return nil }
    return lines.sorted { $0.name < $1.name }.map(\.line).joined(separator: "\n")
  }

  /// Rank of each app by its first event; apps without events come last, in their order.
  private static func ranksByAppearance(_ trace: Trace) -> [Int] {
    var ranks = [Int](repeating: -1, count: trace.apps.count)
    var next = 0
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count where next < ranks.count {
        let app = events[position].app
        guard app != .none, ranks[app.position] < 0 else { continue }
        ranks[app.position] = next
        next += 1
      }
    }
    for app in ranks.indices where ranks[app] < 0 {
      ranks[app] = next
      next += 1
    }
    return ranks
  }

  /// `2024-01-01` with the time of day of an ISO 8601 moment.
  static func moved(_ start: String) -> String {
    let bytes = Array(start.utf8)
    let time = CivilTime.moment(bytes.span).map { $0.localNanoseconds / 1_000_000_000 % 86_400 }
    let clock = CivilTime.iso8601(seconds: time ?? 0).dropFirst(monday.count)
    return monday + clock
  }
}

extension Anonymizer {
  /// A described device without what names it or its owner chose: its name, its model, and paths;
  /// control groups get the stand-ins that those of apps have.
  private static func withoutName(
    _ yaml: String?, _ pseudonyms: inout Pseudonyms, file: String
  ) throws(TraceError) -> String? {
    guard let yaml, let entries = try BoundedYAML.load(yaml, file: "\(file) (device)")?.mapping
    else { return nil }
    let kept = entries.filter { !["name", "model", "oomd"].contains($0.key) }
    guard !kept.isEmpty else { return nil }
    let lines = kept.map { entry in
      let value =
        entry.key == "systemd-oomd" ? pseudonyms.killerUnits(entry.value) : entry.value
      return "\(YAMLNode.quoted(entry.key)): \(value.canonicalText)"
    }
    return "{\(lines.joined(separator: ", "))}"
  }
}
