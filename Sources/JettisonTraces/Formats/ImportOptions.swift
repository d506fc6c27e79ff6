internal import JettisonSupport

/// How a capture of another format is to be read: the options of `jettison import`.
///
/// Each importer reads the fields it knows. A new importer may add fields with a default.
public struct ImportOptions: Sendable, Equatable {
  /// Order of day and month in dates that do not say.
  public enum DateOrder: String, CaseIterable, Sendable {
    case yearMonthDay = "ymd"
    case dayMonthYear = "dmy"
    case monthDayYear = "mdy"
  }

  /// Apps to keep, as globs over names (`--apps`); empty: all.
  public var apps: [String] = []
  /// Name of the app in captures of a single process.
  public var app: String?
  /// Operations per second of captures without times; nil: 1000, or the capture's own times.
  public var operationsPerSecond: Double?
  /// Name of the capture's column for each of ours (`--columns time=…,app=…`).
  public var columns: [String: String] = [:]
  /// Whether names are taken out of the trace (`--anonymize`): see `Anonymizer`.
  public var isAnonymized = false
  /// Which user of a capture with several; nil: the only one.
  public var user: String?
  /// Device for the header.
  public var device: String?
  /// Order of day and month.
  public var dateOrder: DateOrder?
  /// Year of the first line of a log that writes none (`--year`).
  public var year: Int?
  /// Seconds that the zone of a capture is ahead of UTC, where it does not say (`--zone`): within
  /// ``zoneOffsets``, another is refused when the capture is read.
  public var zoneOffsetSeconds: Int64?
  /// API level of the Android that a log is from (`--api-level`).
  public var apiLevel: Int?
  /// Whether any error issue is fatal.
  public var isStrict = false

  /// The defaults.
  public init() {}

  /// Years that captures may be of.
  public static var years: ClosedRange<Int> { CivilTime.years }

  /// Seconds that a zone may be ahead of UTC: less than a day, in whole minutes as `--zone` takes them.
  public static var zoneOffsets: ClosedRange<Int64> { -86_340...86_340 }

  /// Refuses what no reader could use: once for all of them.
  func check(for input: TraceInput) throws(TraceError) {
    guard let offset = zoneOffsetSeconds, !Self.zoneOffsets.contains(offset) else { return }
    let range = Self.zoneOffsets
    throw TraceError(
      .misuse, file: input.displayName,
      what: "`ImportOptions.zoneOffsetSeconds` is \(offset), which is the offset of no zone",
      remedy: "give \(range.lowerBound) to \(range.upperBound) seconds")
  }

  /// Seconds of an offset from UTC as `--zone` takes it: `+01:00`, `-0330` or `Z`; nil if it is
  /// none.
  public static func zoneOffset(_ text: String) -> Int64? {
    CivilTime.moment(Array("2000-01-01T00:00\(text)".utf8).span)?.offsetSeconds
  }

  /// A property that was set and that says how to read a capture of another format, as errors name
  /// it; nil: none.
  ///
  /// A trace of our own has nothing left to be said about it.
  package var captureProperty: String? {
    if !apps.isEmpty { return "`ImportOptions.apps`" }
    if app != nil { return "`ImportOptions.app`" }
    if operationsPerSecond != nil { return "`ImportOptions.operationsPerSecond`" }
    if user != nil { return "`ImportOptions.user`" }
    if device != nil { return "`ImportOptions.device`" }
    if year != nil { return "`ImportOptions.year`" }
    if zoneOffsetSeconds != nil { return "`ImportOptions.zoneOffsetSeconds`" }
    if apiLevel != nil { return "`ImportOptions.apiLevel`" }
    return dateOrder == nil ? nil : "`ImportOptions.dateOrder`"
  }
}
