public import JettisonModel

/// Whose life a synthetic trace tells: people with a phone of 2010, or with one of today.
public enum SyntheticPopulation: String, CaseIterable, Sendable {
  /// Few apps, calls and text messages that interrupt, apps that know nothing of the background.
  case in2010 = "2010"
  /// Many apps and daemons, pushes and fetches that wake apps at any hour.
  case today

  /// Who had the device: people of 2010 if it has less than 1 GiB of RAM.
  public init(having device: Device) {
    self = device.tableRAMBytes < 1 << 30 ? .in2010 : .today
  }

  /// The first moment of every trace: a Monday.
  var start: String {
    switch self {
    case .in2010: "2010-09-06T00:00:00+00:00"
    case .today: "2024-11-04T00:00:00+00:00"
    }
  }

  /// What a user's name begins with; populations can be compared in one go.
  var namePrefix: String {
    switch self {
    case .in2010: "user"
    case .today: "today"
    }
  }

  /// About how often a person launches an app, per day.
  public var launchesPerDay: Double {
    rate(.sessions) * (1 + SyntheticProfile.Recipe.furtherEpisodes) * 1.2
  }

  /// How large apps are here, of what the built-in categories say: 256 MiB, or all of the 3 GiB
  /// that the figures of the categories stand for.
  var footprintScale: Double {
    switch self {
    case .in2010: 1.0 / 12
    case .today: 1
    }
  }

  /// The device that the population's footprints suit.
  var referenceDevice: Device {
    Device(
      name: rawValue, ramBytes: Int64(Double(3 << 30) * footprintScale), reserveBytes: 0,
      source: "the scale of a population")
  }

  /// A figure of ``SyntheticRates``.
  func rate(_ name: SyntheticRates.Name) -> Double {
    let entry = SyntheticRates.all[name.rawValue]
    return self == .in2010 ? entry.in2010 : entry.today
  }
}
