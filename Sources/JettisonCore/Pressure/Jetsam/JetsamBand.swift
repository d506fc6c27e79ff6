/// Priority bands of iOS: the higher, the more important.
///
/// Numbers are those since xnu-8792 (iOS 16); before it every number was a tenth of it, and none
/// had a freezer band. Jettison uses today's numbers for every era.
public enum JetsamBand {
  /// Suspended apps once aged, idle daemons.
  public static let idle: Int16 = 0
  /// Daemons that age before they are idle.
  public static let deferred: Int16 = 10
  /// Daemons that held an importance assertion when their ageing ended.
  public static let stuck: Int16 = 15
  /// Apps that age after leaving a higher band.
  public static let opportunistic: Int16 = 20
  /// Apps that run in the background under an assertion, docked apps.
  public static let background: Int16 = 30
  /// Much background work; what is pinned as elevated while inactive.
  public static let mail: Int16 = 40
  /// Telephony of old.
  public static let phone: Int16 = 50
  /// Frozen to flash.
  public static let freezer: Int16 = 75
  /// Keeps the user interface going.
  public static let uiSupport: Int16 = 80
  /// In the foreground but not focal; seen just before a suspension.
  public static let foregroundSupport: Int16 = 90
  /// The app that the user sees.
  public static let foreground: Int16 = 100
  /// Plays audio or serves an accessory.
  public static let audio: Int16 = 120
  /// Conducts others.
  public static let conductor: Int16 = 130
  /// Driver extensions of the system.
  public static let driver: Int16 = 150
  /// SpringBoard.
  public static let home: Int16 = 160
  /// backboardd.
  public static let executive: Int16 = 170
  /// The default of system processes.
  public static let important: Int16 = 180
  /// Telephony, and what the system cannot do without.
  public static let critical: Int16 = 190
  /// The top bucket.
  public static let max: Int16 = 210

  /// Names of the bands, ascending.
  public static let names: [(name: String, number: Int16)] = [
    ("idle", idle), ("idle-deferred", deferred), ("idle-stuck", stuck),
    ("background-opportunistic", opportunistic), ("background", background), ("mail", mail),
    ("phone", phone), ("freezer", freezer), ("ui-support", uiSupport),
    ("foreground-support", foregroundSupport), ("foreground", foreground), ("audio", audio),
    ("conductor", conductor), ("driver", driver), ("home", home), ("executive", executive),
    ("important", important), ("critical", critical), ("max", max),
  ]

  /// The number of a band that is written as a name or as a number from 0 to 210; nil otherwise.
  public static func number(_ text: String) -> Int16? {
    if let band = names.first(where: { $0.name == text }) { return band.number }
    guard let number = Int16(text), (idle...max).contains(number) else { return nil }
    return number
  }

  /// The name of a band; nil for a number without one.
  public static func name(_ number: Int16) -> String? {
    names.first { $0.number == number }?.name
  }

  /// Today's number of a band as it was numbered before iOS 16, 0 to 21; nil outside of them.
  public static func rescaled(fromTenths number: Int16) -> Int16? {
    (0...21).contains(number) ? number * 10 : nil
  }
}
