internal import JettisonModel
internal import JettisonSupport

/// The header of a merged trace.
enum MergeHeader {
  /// Device, user and catalog of the first input that says one, the start of the earliest, all
  /// apps, all sources.
  static func header(
    of inputs: [TraceMerge.Input], _ plan: MergePlan, _ options: ImportOptions
  ) throws(TraceError) -> TraceHeader {
    let headers = inputs.map(\.trace.header)
    // A user that an importer made up is the input's name.
    let user = inputs.first { $0.trace.header.user != $0.trace.name }?.trace.header.user
    var header = TraceHeader(user: options.user ?? user ?? headers.first?.user ?? "merged")
    header.device = options.device ?? headers.lazy.compactMap(\.device).first
    if header.device == nil { header.deviceYAML = try device(of: inputs) }
    header.start = plan.start
    header.privacy = joined(headers.compactMap(\.privacy))
    header.catalog = headers.lazy.compactMap(\.catalog).first
    let sources = distinct(headers.compactMap(\.source))
    header.source =
      inputs.count == 1
      ? sources.first
      : "merged: " + (joined(sources) ?? "traces that do not say where they are from")
    header.appsYAML = try apps(of: inputs, filter: AppFilter(options.apps))
    return header
  }

  /// What the inputs together describe of the device: of each key the first value, unless an input
  /// describes one of another era.
  private static func device(of inputs: [TraceMerge.Input]) throws(TraceError) -> String? {
    var era: String?
    var known: Set<String> = []
    var facts: [String] = []
    for input in inputs {
      guard let yaml = input.trace.header.deviceYAML,
        let entries = try BoundedYAML.load(yaml, file: "\(input.file) (device)")?.mapping
      else { continue }
      let own = entries.first { $0.key == "era" }?.value.scalar
      if let era, let own, era != own { continue }
      era = era ?? own
      for entry in entries where known.insert(entry.key).inserted {
        facts.append("\(YAMLNode.quoted(entry.key)): \(entry.value.canonicalText)")
      }
    }
    return facts.isEmpty ? nil : "{\(facts.joined(separator: ", "))}"
  }

  private static func joined(_ texts: [String]) -> String? {
    let texts = distinct(texts)
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  private static func distinct(_ texts: [String]) -> [String] {
    var known: Set<String> = []
    return texts.filter { known.insert($0).inserted }
  }

  /// The entries of all `apps:` blocks, of apps that are kept; the first one of an app stands.
  private static func apps(
    of inputs: [TraceMerge.Input], filter: AppFilter
  ) throws(TraceError) -> String? {
    var known: Set<String> = []
    var lines: [String] = []
    for input in inputs {
      guard let yaml = input.trace.header.appsYAML,
        let entries = try BoundedYAML.load(yaml, file: input.file)?.mapping
      else { continue }
      for entry in entries {
        let isOnlyApp = entry.key == input.trace.apps.first
        let name = isOnlyApp ? input.app ?? entry.key : entry.key
        guard filter.keeps(name), known.insert(name).inserted else { continue }
        lines.append("\(YAMLNode.quoted(name)): \(entry.value.canonicalText)")
      }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
