/// The devices that people name on the command line.
///
/// One row a device: RAM and the footprint at which a test app dies, as measured by people
/// (``Device/source``), and the era of its killer. Reserve and limit follow from these by the
/// rules of <doc:TheModel#Devices>. Adding a device is one row.
public enum DeviceTable {
  /// All devices, oldest first.
  public static let all: [Device] = rows.map(\.device) + [idealCache]

  /// The device of a name.
  ///
  /// - Throws: ``ConfigurationError/unknown(what:name:known:)`` if there is none.
  public static func device(named name: String) throws(ConfigurationError) -> Device {
    guard let device = all.first(where: { $0.name == name }) else {
      throw .unknown(what: "device", name: name, known: all.map(\.name))
    }
    return device
  }

  /// A device that is not in the table, of which a capture gives the era and perhaps the memory.
  ///
  /// What depends on the era is as in the table's devices of that era. The reserve is the share of
  /// RAM that the table assumes where nothing was measured. There is no limit per app, because none
  /// is known. Without RAM it has that of ``usualDevice(of:)``.
  public static func unlisted(era: Era, ramBytes: Int64?) -> Device {
    let usual = usualDevice(of: era)
    var device = usual
    device.limitBytes = nil
    guard let ramBytes else { return device }
    device.ramBytes = ramBytes
    device.tableRAMBytes = ramBytes
    let ramMiB = ramBytes / mebibyte
    device.reserveBytes = ramMiB * reservePercent(ofMiB: ramMiB) / 100 * mebibyte
    return device
  }

  /// The device of the table that serves where nothing but the era is known.
  public static func usualDevice(of era: Era) -> Device {
    guard var device = all.first(where: { $0.name == era.usualDevice }) else {
      preconditionFailure("'\(era.usualDevice)' is a row of the table")
    }
    // One machine serves for all killers of Linux.
    device.era = era
    return device
  }

  /// The share of RAM that the system takes, by the size of the device rounded to GiB.
  fileprivate static func reservePercent(ofMiB ramMiB: Int64) -> Int64 {
    switch (ramMiB + 512) / 1024 {
    case ...1: 27
    case 2...3: 24
    case 4...5: 18
    default: 14
    }
  }

  package static let mebibyte: Int64 = 1 << 20

  /// A measured row: megabytes are MiB.
  fileprivate struct Row {
    let name: String
    let ramMiB: Int64
    /// Footprint at which a test app dies; nil: the reserve is given.
    let diesAtMiB: Int64?
    let era: Era?
    let source: String
    var reserveMiB: Int64?
    var multitasks = true
    /// API level that the device shipped with; nil: it runs no Android.
    var apiLevel: Int?

    init(
      _ name: String, ram: Int64, dies: Int64?, era: Era?, reserve: Int64? = nil,
      multitasks: Bool = true, api: Int? = nil, _ source: String
    ) {
      self.name = name
      self.ramMiB = ram
      self.diesAtMiB = dies
      self.era = era
      self.reserveMiB = reserve
      self.multitasks = multitasks
      self.apiLevel = api
      self.source = source
    }
  }

  /// Compression since iOS 7.
  ///
  /// Two public jetsam reports give the ratio, 2.70 (iOS 11.4.1) and 2.66 (iOS 14.2), and that 77 %
  /// and 82 % of all anonymous pages were compressed. Those include the app in front, so of
  /// suspended apps it was more: 90 % is assumed.
  fileprivate static let compression = Device.Compression(ratio: 2.7, suspendedShare: 0.9)

  private static let list =
    "community list 'ios app maximum memory budget' (Stack Overflow 5887248)"

  private static let rows: [Row] = [
    Row(
      "iphone-3g", ram: 128, dies: nil, era: nil, reserve: 70, multitasks: false,
      "70 MB used by the system: blog of G. Cselle quoting an Apple talk, 2009"),
    Row(
      "iphone-3gs", ram: 256, dies: 127, era: .ios4,
      "RAM from press lists; limit as ipad-1 (an analogy, not measured)"),
    Row("ipad-1", ram: 256, dies: 127, era: .ios4, list),
    Row("ipod-touch-4g", ram: 256, dies: 130, era: .ios4, "\(list), measured on iOS 6.1.1"),
    Row("iphone-4", ram: 512, dies: 325, era: .ios4, list),
    Row("iphone-4s", ram: 512, dies: 286, era: .ios6, list),
    Row("ipad-2", ram: 512, dies: 275, era: .ios6, list),
    Row("ipad-mini-1", ram: 512, dies: 297, era: .ios6, list),
    Row("ipod-touch-5g", ram: 512, dies: 286, era: .ios6, "\(list), measured on iOS 7.0"),
    Row("ipad-3", ram: 1024, dies: 645, era: .ios6, list),
    Row("ipad-4", ram: 1024, dies: 585, era: .ios6, "\(list), measured on iOS 8.1"),
    Row("iphone-5", ram: 1024, dies: 645, era: .ios6, list),
    Row("iphone-5s", ram: 1024, dies: 646, era: .ios7, list),
    Row("iphone-6", ram: 1024, dies: 645, era: .ios7, "\(list), measured on iOS 8.x"),
    Row("iphone-6-plus", ram: 1024, dies: 645, era: .ios7, "\(list), measured on iOS 8.x"),
    Row("ipad-mini-2", ram: 1024, dies: 696, era: .ios7, "\(list), measured on iOS 7.1"),
    Row("ipad-air", ram: 1024, dies: 697, era: .ios7, "\(list), measured on iOS 7.1"),
    Row(
      "ipad-air-2", ram: 2048, dies: 1383, era: .ios12,
      "\(list), measured on iOS 10.2.1 (1195 MB on iOS 8.x)"),
    Row("iphone-6s", ram: 2048, dies: 1396, era: .ios12, "\(list), measured on iOS 9 and 10"),
    Row("iphone-6s-plus", ram: 2048, dies: 1392, era: .ios12, "\(list), measured on iOS 9 and 10"),
    Row("iphone-se", ram: 2048, dies: 1395, era: .ios12, "\(list), measured on iOS 9 and 10"),
    Row("iphone-7", ram: 2048, dies: 1395, era: .ios12, "\(list), measured on iOS 10.2"),
    Row("iphone-7-plus", ram: 3072, dies: 2040, era: .ios12, "\(list), measured on iOS 10.2.1"),
    Row("ipad-pro-9.7", ram: 1971, dies: 1395, era: .ios12, "\(list), measured on iOS 10.0.2"),
    Row("iphone-8", ram: 1990, dies: 1364, era: .ios12, "\(list), measured on iOS 12.1"),
    Row("iphone-x", ram: 2785, dies: 1392, era: .ios12, "\(list), measured on iOS 11.2.1"),
    Row(
      "ipad-pro-12.9-2015", ram: 3999, dies: 3058, era: .ios12, "\(list), measured on iOS 11.2.1"),
    Row("ipad-pro-10.5", ram: 4000, dies: 3057, era: .ios12, "\(list), measured on iOS 11 beta"),
    Row(
      "ipad-pro-12.9-2017", ram: 3974, dies: 3057, era: .ios12,
      "\(list), measured on iOS 11 beta"),
    Row("iphone-xr", ram: 2813, dies: 1792, era: .ios14, "\(list), measured on iOS 12.1"),
    Row("iphone-xs", ram: 3754, dies: 2040, era: .ios14, "\(list), measured on iOS 12.1"),
    Row("iphone-xs-max", ram: 3735, dies: 2039, era: .ios14, "\(list), measured on iOS 12.1"),
    Row("ipad-10.2", ram: 2998, dies: 1844, era: .ios14, "\(list), measured on iOS 13.2.3"),
    Row("iphone-11", ram: 3844, dies: 2068, era: .ios14, "\(list), measured on iOS 13"),
    Row("iphone-11-pro-max", ram: 3740, dies: 2067, era: .ios14, "\(list), measured on iOS 13"),
    Row(
      "iphone-12", ram: 4096, dies: 2098, era: .ios14,
      "RAM from press lists; limit of a 4 GB-class iPhone: airsdk/apm issue 179"),
    Row("ipad-pro-11-2018", ram: 3769, dies: 2858, era: .ios14, "\(list), measured on iOS 12.1"),
    Row(
      "ipad-pro-12.9-2018", ram: 5650, dies: 4598, era: .ios14,
      "\(list), the 1 TB model measured on iOS 12.1"),
    Row(
      "iphone-13", ram: 4096, dies: 2098, era: .ios18,
      "RAM from press lists; limit of a 4 GB-class iPhone on iOS 16: airsdk/apm issue 179; the "
        + "era is that of iOS 18, which it runs"),
    Row(
      "iphone-13-pro", ram: 6144, dies: 3100, era: .ios17,
      "about 3100 MB available at launch: a-ghorbani's PocketPal app repository, pull request 651"),
    Row(
      "iphone-15-pro", ram: 8192, dies: 3072, era: .ios18,
      "about 3 GB without entitlement: introlab/rtabmap issue 1446 (one comment)"),
    Row(
      "iphone-15-pro-max", ram: 8192, dies: 6144, era: .ios18,
      "footprint + available = 6144 MB: Apple developer forums 854762"),
    Row(
      "ipad-8gb", ram: 8192, dies: 6144, era: .ios18,
      "about 6144 MB on 26.0 to 26.3: Apple developer forums 826325 (one report)"),
    Row("ipad-pro-m1", ram: 16384, dies: 5120, era: .ios18, "5 GB without entitlement: press"),
    Row(
      "ipad-pro-2022", ram: 16384, dies: 16384, era: .ios18,
      "about 16 GB with entitlements: Apple developer forums 777370"),
    Row(
      "nokia-1", ram: 1024, dies: nil, era: .androidLMKD, reserve: 276, api: 27,
      "RAM from press lists; reserve as a 1 GB iPhone (27 % of RAM, assumed); shipped Android 8.1"),
    Row(
      "pixel-6", ram: 8192, dies: nil, era: .androidLMKD, reserve: 1146, api: 31,
      "RAM from press lists; reserve as an 8 GB iPhone (14 % of RAM, assumed); shipped Android 12"),
    Row(
      "desktop-8g", ram: 8192, dies: nil, era: .linuxOOM, reserve: 1146,
      "a round figure; reserve as an 8 GB phone (14 % of RAM, assumed)"),
  ]

  /// Declared sizes, no reserve, no delays, no warnings: the cache of the literature.
  private static let idealCache: Device = {
    var device = Device(
      name: "ideal-cache", ramBytes: 1 << 30, reserveBytes: 0,
      source: "the textbook cache; each run sets its size")
    device.isIdealCache = true
    device.suspensionDelayNanoseconds = 0
    return device
  }()
}

extension DeviceTable.Row {
  fileprivate var device: Device {
    let mebibyte = DeviceTable.mebibyte
    var device = Device(
      name: name, ramBytes: ramMiB * mebibyte, reserveBytes: reserveMiB(of: self) * mebibyte,
      source: source)
    device.multitasks = multitasks
    device.era = era
    device.apiLevel = apiLevel
    guard let era else { return device }
    device.lock = era.lock
    device.budgets.taskNanoseconds = era.taskBudgetNanoseconds
    if era.hasPerAppLimits, let diesAtMiB { device.limitBytes = diesAtMiB * mebibyte }
    // 64-bit iPhones and iPads map memory in pages of 16 KiB.
    if era.hasPerAppLimits {
      device.pageBytes = 16384
      device.compression = DeviceTable.compression
    }
    return device
  }

  /// RAM − death − 5 % of RAM where the whole device ran out, else a share of RAM by size; rounded
  /// down to whole MiB.
  private func reserveMiB(of row: DeviceTable.Row) -> Int64 {
    if let reserve = row.reserveMiB { return reserve }
    if let era = row.era, era.hasPerAppLimits {
      return row.ramMiB * DeviceTable.reservePercent(ofMiB: row.ramMiB) / 100
    }
    // Hundredths, so that the 5 % are exact before rounding down.
    return (row.ramMiB * 95 - (row.diesAtMiB ?? 0) * 100) / 100
  }
}
