internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Lists pressure models, or the settings of one.",
    discussion: """
      A pressure model says when apps go, and how many; a policy says who. --pressure NAME \
      replaces the device's model. With a name, this lists the keys that --set takes under that \
      model.
      """)

  @Argument(help: "A pressure model whose settings to list.", completion: .models)
  var name: String?

  func run() throws {
    guard let name else { return try Console.print(Self.list()) }
    try Console.print(Self.page(try PressureModelKind.named(name)))
  }

  private static func list() -> String {
    var table = TextTable([.init("model", .left), .init("what it is", .left)])
    for model in PressureModelKind.allCases {
      table.add([.init(model.rawValue), .init(model.summary)])
    }
    return table.rendered(Console.style)
  }

  /// Every setting that decides anything under a model, its own parameters with their defaults.
  private static func page(_ model: PressureModelKind) -> String {
    let configuration = RunConfiguration(
      device: Device(name: "", ramBytes: 1, reserveBytes: 0, source: ""), pressure: model,
      profiles: [])
    let defaults = Dictionary(uniqueKeysWithValues: ModelParameterText.inForce(configuration))
    var table = TextTable([
      .init("setting", .left), .init("default", .left), .init("what it decides", .left),
    ])
    for setting in Setting.all where setting.acts(in: configuration) {
      table.add([
        .init(setting.key),
        .init(defaults[setting.key] ?? (setting.scope == .device ? "device's" : "")),
        .init(setting.summary),
      ])
    }
    return Console.style.heading("\(model.rawValue): \(model.summary)") + "\n"
      + table.rendered(Console.style)
  }
}
