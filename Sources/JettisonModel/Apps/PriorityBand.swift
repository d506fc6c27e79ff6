/// Priority bands of iOS on today's scale (16 and later); a larger number is more important.
///
/// Up to iOS 15 every number was a tenth. Jettison uses today's numbers for every era. Source:
/// `memorystatus` of xnu-11417.
public enum PriorityBand {
  /// Suspended apps once aged, idle daemons.
  @inlinable public static var idle: Int16 { 0 }
  /// Daemons that age before they are idle.
  @inlinable public static var deferred: Int16 { 10 }
  /// Daemons that held an assertion when their ageing ended.
  @inlinable public static var stuck: Int16 { 15 }
  /// Apps that age after leaving a higher band.
  @inlinable public static var opportunistic: Int16 { 20 }
  /// Apps that run in the background under an assertion.
  @inlinable public static var background: Int16 { 30 }
  /// Much background work.
  @inlinable public static var mail: Int16 { 40 }
  /// Frozen to flash.
  @inlinable public static var freezer: Int16 { 75 }
  /// Keeps the user interface going.
  @inlinable public static var uiSupport: Int16 { 80 }
  /// In the foreground but not focal; where an app stands just before its suspension.
  @inlinable public static var foregroundSupport: Int16 { 90 }
  /// The app that the user sees.
  @inlinable public static var foreground: Int16 { 100 }
  /// Drivers; the highest that aggressive kills reach.
  @inlinable public static var driver: Int16 { 150 }
  /// The default of system processes.
  @inlinable public static var important: Int16 { 180 }
  /// The top.
  @inlinable public static var max: Int16 { 210 }

  private static let table: [(name: String, number: Int16)] = [
    ("idle", idle), ("ageing-1", deferred), ("ageing-1-stuck", stuck), ("ageing-2", opportunistic),
    ("background", background), ("mail", mail), ("phone", 50), ("freezer", freezer),
    ("ui-support", uiSupport), ("foreground-support", foregroundSupport),
    ("foreground", foreground), ("audio", 120), ("conductor", 130), ("driver", driver),
    ("home", 160), ("executive", 170), ("important", important), ("critical", 190), ("max", max),
  ]

  /// Names that catalogs may use.
  public static let names: [String] = table.map(\.name)

  /// The number of a name; nil if there is none.
  public static func number(named name: String) -> Int16? {
    table.first { $0.name == name }?.number
  }
}
