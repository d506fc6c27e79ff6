/// What a recording is told about its app, and how it goes about recording.
public struct RecorderSettings: Sendable {
  /// Kinds of apps, by the categories of the app catalog.
  public enum Category: String, CaseIterable, Sendable {
    case messaging, social
    case shortVideo = "short-video"
    case browser, maps, photo, notes, shopping
    case casualGame = "casual-game"
    case largeGame = "large-game"
    case music, utility
  }

  /// What ended the life of the process before this one, as far as the app knows.
  public enum LastEnd: Sendable {
    /// Unknown: the system's purge, a crash, the user.
    case unknown
    /// A crash, as the app's crash reporter says.
    case crash
    /// The app was replaced by another version.
    case update
  }

  /// Name of the app in the trace: its bundle identifier.
  ///
  /// A file is gone on with under the same name only. Of a long name, the first 255 bytes of UTF-8
  /// count; of ``device``, ``user`` and ``source``, about the first 1000 characters.
  public var app: String
  /// What kind of app it is, for what the trace does not say; nil: the trace says nothing.
  public var category: Category?
  /// Device by its name in Jettison's device table (`jettison devices`); nil: the trace says
  /// nothing.
  public var device: String?
  /// The person recorded: the unit of comparisons; nil: the name of the file.
  ///
  /// The default file has the same name on every phone: without names of their own, all testers
  /// count as one person. A file keeps the name that it began with.
  public var user: String?
  /// Hardware, system and version of the app, in free words.
  public var source: String?
  /// What ended the life of the process before this one.
  public var lastEnd = LastEnd.unknown
  /// Size in bytes beyond which the file does not grow; 64 MiB is months of a busy app.
  ///
  /// A header is always written; with zero or less, no row is.
  public var fileLimitBytes: Int64 = 64 << 20
  /// How far a footprint must be from the one written last, in bytes, to be written; with zero or
  /// less, every look writes one.
  public var footprintStepBytes: Int64 = 64 << 10
  /// Time between two polls of the footprint, at most one day; zero: none but those that the app
  /// asks for.
  ///
  /// Less than zero counts as zero, more than a day as a day.
  public var sampleInterval = Duration.seconds(1)

  /// Settings for an app.
  public init(app: String) {
    self.app = app
  }
}
