public import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// What a capture tells of the device that it was taken on; what it does not tell stays empty.
public struct CaptureDevice: Sendable, Equatable {
  /// Smaller and larger memories than any phone or computer ever had are damage.
  private static let ram: ClosedRange<Int64> = 1 << 20...TraceLimits.bytes
  private static let apiLevels = 1...999

  /// What its maker calls it.
  public var model: String?
  /// Memory that the system counts, in bytes.
  public var ramBytes: Int64?
  /// Size of a memory page in bytes.
  public var pageBytes: Int64?
  /// The generation of its killer.
  public var era: Era?
  /// API level of its Android.
  public var apiLevel: Int?

  /// Nothing is known.
  public init() {}

  /// Nothing is known but that it runs Android: no other phone lets an app log what is in front.
  static var anyAndroid: CaptureDevice {
    var device = CaptureDevice()
    device.era = .androidLMKD
    return device
  }

  /// Its facts as a flow mapping with the keys of a device file; nil: neither its memory nor its
  /// era is known, and no replay can be made on it.
  public var yaml: String? {
    var facts: [String] = []
    let ram = ramBytes.flatMap { Self.ram.contains($0) ? $0 : nil }
    guard ram != nil || era != nil else { return nil }
    if let model, !model.isEmpty { facts.append("model: \(YAMLNode.quoted(model))") }
    if let ram { facts.append("ram: \(ram)") }
    if let pageBytes, [4096, 16384, 65536].contains(pageBytes) {
      facts.append("page: \(pageBytes)")
    }
    if let era { facts.append("era: \(era.rawValue)") }
    if let apiLevel, Self.apiLevels.contains(apiLevel) { facts.append("api-level: \(apiLevel)") }
    return "{\(facts.joined(separator: ", "))}"
  }

  /// The era of a version of iOS, by the number before its first dot; nil: none.
  ///
  /// - Parameter system: Name and version of the system, such as `iPhone OS 14.2 (18B92)`.
  static func era(ofAppleSystem system: String) -> Era? {
    let version = system.split(separator: " ").first { $0.first?.isNumber == true }
    return version?.split(separator: ".").first.flatMap { Int($0) }.flatMap(era(ofApple:))
  }

  /// The era of a build of iOS such as `19A404`: since iOS 4, builds begin with the version and 4.
  static func era(ofAppleBuild build: String) -> Era? {
    let digits = build.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), digits.count < build.count, number >= 8 else { return nil }
    // iOS 26 came after iOS 18.
    return era(ofApple: number >= 23 ? number + 3 : number - 4)
  }

  private static func era(ofApple version: Int) -> Era? {
    switch version {
    case 4: .ios4
    // From iOS 5 on a lock takes the app in front to the background.
    case 5, 6: .ios6
    case 7...11: .ios7
    case 12, 13: .ios12
    case 14...16: .ios14
    case 17: .ios17
    case 18, 26...99: .ios18
    default: nil
    }
  }

  /// The model in a fingerprint of Android's builds, `brand/product/device:10/…`; nil: none.
  static func model(ofFingerprint fingerprint: String) -> String? {
    let parts = fingerprint.prefix { $0 != ":" }.split(separator: "/")
    return parts.count == 3 ? String(parts[2].prefix(64)) : nil
  }

  /// The API level in a fingerprint of Android's builds, `brand/product/device:10/…`; nil: none
  /// that is certain.
  static func apiLevel(ofFingerprint fingerprint: String) -> Int? {
    let parts = fingerprint.split(separator: ":")
    guard parts.count > 1, let release = parts[1].split(separator: "/").first,
      let major = release.split(separator: ".").first.flatMap({ Int($0) }), major >= 5
    else { return nil }
    return apiLevel(ofRelease: String(release))
  }

  /// The API level of a version of Android, as fingerprints write it; nil if it isn't one.
  static func apiLevel(ofRelease release: String) -> Int? {
    let parts = release.split(separator: ".").map { Int($0) ?? -1 }
    guard let major = parts.first, major > 0, major < 100 else { return nil }
    let minor = parts.count > 1 ? parts[1] : 0
    return switch major {
    case ..<5: 19
    case 5: 21 + min(minor, 1)
    case 6: 23
    case 7: 24 + min(minor, 1)
    case 8: 26 + min(minor, 1)
    case 9, 10, 11: major + 19
    // 12L had a level of its own.
    case 12: 31
    default: major + 20
    }
  }
}
