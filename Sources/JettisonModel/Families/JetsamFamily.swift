/// Priority bands of iOS from 6 on.
enum JetsamFamily: PressureFamily {
  static var parameters: [ModelParameter] { JetsamParameters.parameters }
  static var inputs: PressureInputs { .page }
  static var catalogRank: CatalogRank? { .band }
  static func platformPolicy(of model: PressureModelKind) -> String { "jetsam-fifo" }
  static var policesBackground: Bool { true }
}
