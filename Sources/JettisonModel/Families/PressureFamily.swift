/// What is known of a family of pressure models outside of the engine.
///
/// One type serves one family. It is a namespace, not a value; what most families have in common is
/// the default of a fact. How memory is taken back is the engine's own business.
package protocol PressureFamily {
  /// The parameters that the killers of the family read, in the order of reports.
  static var parameters: [ModelParameter] { get }

  /// Parameters that not every model of the family reads, by the start of their keys, each with the
  /// models that do.
  static var readers: [String: [PressureModelKind]] { get }

  /// What the models look at beside RAM and footprints.
  static var inputs: PressureInputs { get }

  /// The policy that orders apps as the platform itself does, as far as that is known; else `lru`.
  static func platformPolicy(of model: PressureModelKind) -> String

  /// Swap space of a device, in bytes; 0 where the models have none.
  static func swapBytes(of device: Device) -> Int64

  /// Whether devices of the family end apps that do in the background what iOS forbids there:
  /// OpenGL ES calls, and a shared resource held at suspension.
  static var policesBackground: Bool { get }

  /// How a catalog ranks an app otherwise than by what it does; nil: it cannot.
  static var catalogRank: CatalogRank? { get }

  /// Whether this is no phone but the cache of the literature: sizes are declared, nothing but apps
  /// takes memory, and a capacity may be counted in apps.
  static var isTextbook: Bool { get }
}

extension PressureFamily {
  package static var parameters: [ModelParameter] { [] }
  package static var readers: [String: [PressureModelKind]] { [:] }
  package static var inputs: PressureInputs { [] }
  package static func platformPolicy(of model: PressureModelKind) -> String { "lru" }
  package static func swapBytes(of device: Device) -> Int64 { 0 }
  package static var policesBackground: Bool { false }
  package static var catalogRank: CatalogRank? { nil }
  package static var isTextbook: Bool { false }
}

/// How a catalog ranks an app.
package enum CatalogRank: Sendable {
  /// By a priority band of iOS (`band:`).
  case band
  /// By `oom_score_adj` (`adj:`), where the platform itself ranks apps out of sight.
  case adj
  /// By `oom_score_adj` (`adj:`), where only the catalog ranks apps.
  case adjAlone
}

extension PressureModelKind.Family {
  /// What is known of the family: a new one is a line here.
  package var facts: any PressureFamily.Type {
    switch self {
    case .thresholds: ThresholdsFamily.self
    case .ios4: KillListFamily.self
    case .jetsam: JetsamFamily.self
    case .android: AndroidFamily.self
    case .linux: LinuxFamily.self
    case .idealCache: TextbookCacheFamily.self
    }
  }
}

/// What a pressure model may look at beside RAM and footprints.
package struct PressureInputs: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shares of RAM at which apps are warned and purged, and when warnings go out.
  package static let thresholds = PressureInputs(rawValue: 1 << 0)
  /// Where purging stops, and how far above its threshold a level ends.
  package static let ends = PressureInputs(rawValue: 1 << 1)
  /// How far available memory must move to be noted.
  package static let step = PressureInputs(rawValue: 1 << 2)
  /// The size of a memory page.
  package static let page = PressureInputs(rawValue: 1 << 3)
  /// The release of Android.
  package static let apiLevel = PressureInputs(rawValue: 1 << 4)
  /// Ranks that a trace tells (`adj`).
  package static let ranks = PressureInputs(rawValue: 1 << 5)
}

extension PressureModelKind {
  /// Whether the model reads something.
  package func reads(_ input: PressureInputs) -> Bool { family.facts.inputs.contains(input) }

  /// Whether this is no phone but the cache of the literature.
  package var isTextbook: Bool { family.facts.isTextbook }

  /// The policy that orders apps as the platform itself does, as far as that is known; else `lru`.
  package var platformPolicy: String { family.facts.platformPolicy(of: self) }
}

extension Device {
  /// The pressure model that serves the device unless another is chosen.
  package var ownPressureModel: PressureModelKind {
    isIdealCache ? .idealCache : era?.pressureModel ?? .thresholds
  }

  /// Whether the system ends apps that do in the background what iOS forbids there.
  package var policesBackground: Bool { ownPressureModel.family.facts.policesBackground }

  /// Swap space under the models of a family, in bytes; 0 where they have none.
  package func swapBytes(under family: PressureModelKind.Family) -> Int64 {
    family.facts.swapBytes(of: self)
  }
}

extension PressureParameters {
  /// The parameters that the killers of a family read, in the order of reports.
  public static func parameters(of family: PressureModelKind.Family) -> [ModelParameter] {
    family.facts.parameters
  }

  /// Those that the killer of a model reads.
  public static func parameters(of model: PressureModelKind) -> [ModelParameter] {
    let others = model.family.facts.readers.filter { !$0.value.contains(model) }.keys
    return parameters(of: model.family).filter { parameter in
      !others.contains { parameter.key.hasPrefix("\($0).") }
    }
  }

  /// All of them.
  public static let all = PressureModelKind.Family.allCases.flatMap { $0.facts.parameters }
}
