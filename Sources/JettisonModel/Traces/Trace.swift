/// What the header of a trace says.
public struct TraceHeader: Sendable, Equatable {
  /// Device of the capture, by its name in the device table; nil when not said.
  public var device: String?
  /// The device as YAML, where the capture describes it with the keys of a device file: the mapping
  /// on one line; nil where ``device`` names it, or nothing is said.
  public var deviceYAML: String?
  /// Who was recorded; the file's name when the header does not say.
  ///
  /// A trace is written without a user if this is empty: then the name of the file that it is read
  /// from counts.
  public var user: String
  /// Start of the capture as quoted ISO 8601 with an offset; nil when not said.
  public var start: String?
  /// Where the trace comes from, in free words.
  public var source: String?
  /// What was done to protect the person recorded, in free words.
  public var privacy: String?
  /// Side file of the app catalog, relative to the trace.
  public var catalog: String?
  /// The `apps:` block as YAML (the mapping from app to entry, without the key), or nil.
  public var appsYAML: String? { didSet { appsAsRead = AppsAsRead() } }
  /// What its reader made of the block, so that nobody has to read it again.
  package var appsAsRead = AppsAsRead()

  /// What an `apps:` block was read as; no more than its text says, so that it is equal to any other.
  package struct AppsAsRead: Sendable, Equatable {
    /// The reader's own form; nil: unknown.
    package var form: (any Sendable)?

    /// Takes the reader's own form.
    package init(_ form: (any Sendable)? = nil) { self.form = form }

    package static func == (a: AppsAsRead, b: AppsAsRead) -> Bool { true }
  }

  /// Makes a header that says only who was recorded.
  public init(user: String) {
    self.user = user
  }

  /// Wall-clock time at the start in seconds since midnight, as written in ``start``; nil when not
  /// said, or not as `…T11:00` or `…T11:00:00`.
  ///
  /// - Complexity: O(length of ``start``).
  public var startSecondsOfDay: Int64? {
    guard let start, let mark = start.utf8.firstIndex(of: UInt8(ascii: "T")) else { return nil }
    var seconds: Int64 = 0
    let parts = start[start.utf8.index(after: mark)...].utf8.split(
      separator: UInt8(ascii: ":"), maxSplits: 2)
    guard parts.count >= 2 else { return nil }
    for (part, limit) in zip(parts, [Int64(24), 60, 60]) {
      guard let number = Self.twoDigits(part), number < limit else { return nil }
      seconds = seconds * 60 + number
    }
    return parts.count == 2 ? seconds * 60 : seconds
  }

  /// The number that a text begins with, which must have two digits.
  private static func twoDigits(_ text: Substring.UTF8View) -> Int64? {
    let digits = text.prefix(2).map { Int64($0) - 48 }
    guard digits.count == 2, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    return digits[0] * 10 + digits[1]
  }
}

/// Where the captured ids of a trace's blocks and tasks live: an array, or a mapped file.
public protocol IDStorage: Sendable {
  /// Number of ids.
  var count: Int { get }

  /// Lends the ids. They must not be kept beyond the call.
  func withIDs<Failure: Error>(_ body: (Span<Int64>) throws(Failure) -> Void) throws(Failure)
}

/// Captured ids held in memory.
public struct ArrayIDStorage: IDStorage {
  private let ids: [Int64]

  /// Keeps `ids`, in trace order.
  public init(_ ids: [Int64]) {
    self.ids = ids
  }

  /// Number of ids.
  public var count: Int { ids.count }

  /// Lends the ids, which are in memory already.
  public func withIDs<Failure: Error>(
    _ body: (Span<Int64>) throws(Failure) -> Void
  ) throws(Failure) {
    try body(ids.span)
  }
}

/// A decoded and validated trace: immutable, shared by every run over it.
///
/// Decoding checks everything that the engine relies on: time never decreases, indices are in
/// range, blocks and tasks begin and end in order.
public struct Trace: Sendable {
  /// Name by which reports know the trace: its file name without extensions.
  public private(set) var name: String
  /// What the header says.
  public let header: TraceHeader
  /// Decoded names of the apps, ascending by bytes; ``AppIndex`` is a position in it.
  public let apps: [String]
  /// Distinct details; position 0 is the empty one.
  public let details: [EventDetail]
  /// The text of each detail, in the same order, for writers.
  public let detailTexts: [String]
  /// The events in order.
  public let events: any EventStorage
  /// One more than the largest slot of a block.
  public let blockSlotCount: Int
  /// One more than the largest slot of a task.
  public let taskSlotCount: Int
  /// Captured ids of blocks and tasks, in order of their `alloc` and `task-begin` rows.
  ///
  /// Writers need them to give a block its captured id back. Empty when the ids of blocks and
  /// tasks are the ordinals of those rows, counted together from 1.
  public let capturedIDs: any IDStorage
  /// What reading the trace came across.
  public let issues: ImportIssues
  /// Lines of the events, where they were read from text of this format.
  public let lines: EventLines
  /// What the events tell together.
  public let index: TraceIndex
  private let hashes: Lazily<Hashes>

  /// Hash of everything a replay depends on: header, apps, details and events.
  ///
  /// Equal for the text and the binary form of one trace. The first to ask waits for a pass over
  /// the events.
  public var contentHash: UInt64 { hashes.value.content }

  /// Key of the draws in its replays: a hash of its rows and of what its header says of apps.
  ///
  /// Who was recorded, on what, and how the file is called have no part in it: under another name
  /// a trace is the same trace. The first to ask waits for a pass over the events.
  public var drawKey: UInt64 { hashes.value.draws }

  /// Keeps already validated parts.
  ///
  /// - Complexity: O(events).
  package init(
    name: String, header: TraceHeader, apps: [String], details: [EventDetail],
    detailTexts: [String], events: any EventStorage, blockSlotCount: Int, taskSlotCount: Int,
    capturedIDs: any IDStorage, issues: ImportIssues, lines: EventLines = EventLines()
  ) {
    self.init(
      name: name, header: header, apps: apps, details: details, detailTexts: detailTexts,
      events: events, summary: TraceSummary(events, appCount: apps.count),
      blockSlotCount: blockSlotCount, taskSlotCount: taskSlotCount, capturedIDs: capturedIDs,
      issues: issues, lines: lines)
  }

  /// Keeps already validated parts of which a reader knows the summary.
  ///
  /// - Complexity: O(apps + details).
  package init(
    name: String, header: TraceHeader, apps: [String], details: [EventDetail],
    detailTexts: [String], events: any EventStorage, summary: TraceSummary, blockSlotCount: Int,
    taskSlotCount: Int, capturedIDs: any IDStorage, issues: ImportIssues, lines: EventLines
  ) {
    self.name = name
    self.header = header
    self.apps = apps
    self.details = details
    self.detailTexts = detailTexts
    self.events = events
    self.blockSlotCount = blockSlotCount
    self.taskSlotCount = taskSlotCount
    self.capturedIDs = capturedIDs
    self.issues = issues
    self.lines = lines
    index = TraceIndex(summary, events: events, details: details)
    hashes = Lazily { Hashes(header, apps: apps, detailTexts: detailTexts, events) }
  }

  /// The same trace under another name.
  package func named(_ name: String) -> Trace {
    var trace = self
    trace.name = name
    return trace
  }

  /// Draws of a replay with a seed, made for the first of them: their key costs a pass over the events.
  package func draws(seed: UInt64) -> Lazily<KeyedRandom> {
    Lazily { [hashes] in KeyedRandom(seed: seed, key: hashes.value.draws) }
  }

  private struct Hashes {
    let draws: UInt64
    let content: UInt64

    init(
      _ header: TraceHeader, apps: [String], detailTexts: [String], _ events: any EventStorage
    ) {
      var rows = ContentHash()
      rows.add(header.appsYAML ?? "")
      for app in apps { rows.add(app) }
      for text in detailTexts { rows.add(text) }
      rows.add(Self.hash(events))
      draws = rows.value
      var hash = ContentHash()
      hash.add(header.device ?? "")
      hash.add(header.user)
      hash.add(draws)
      content = hash.value
    }

    private static func hash(_ events: any EventStorage) -> UInt64 {
      var hash = ContentHash()
      events.forEachWindow { (window, _) in
        for position in 0..<window.count {
          let event = window[position]
          hash.add(UInt64(bitPattern: event.timeNanoseconds))
          hash.add(UInt64(bitPattern: event.value))
          hash.add(UInt64(event.app.rawValue) << 32 | UInt64(event.slot))
          hash.add(
            UInt64(event.detail) << 32 | UInt64(event.kind.rawValue) << 8
              | UInt64(event.flags.rawValue))
        }
      }
      return hash.value
    }
  }
}

extension Trace {
  /// Latest time and longest interval: 100 years in nanoseconds.
  package static let longestNanoseconds: Int64 = 100 * 365 * 86_400 * 1_000_000_000

  /// Keeps already validated parts, with captured ids in memory.
  ///
  /// Nothing is checked: parts that come from outside go through `TraceBuilder`, which checks them.
  ///
  /// - Precondition: The parts are such as `TraceBuilder` makes. Else a replay may end the process, or
  ///   in a release build read and write memory that is not its own. Above all: times are 0 to 100
  ///   years in nanoseconds and never fall; apps are in `apps`, ascending by bytes, and details in
  ///   `details`, whose first is empty and which are as many as `detailTexts`; slots lie below
  ///   `blockSlotCount` and `taskSlotCount`, and those of a live app begin before they are resized or
  ///   end; and rows have the columns that their kind needs.
  /// - Complexity: O(events).
  public init(
    name: String, header: TraceHeader, apps: [String], details: [EventDetail],
    detailTexts: [String], events: any EventStorage, blockSlotCount: Int, taskSlotCount: Int,
    capturedIDs: [Int64], issues: ImportIssues
  ) {
    self.init(
      name: name, header: header, apps: apps, details: details, detailTexts: detailTexts,
      events: events, blockSlotCount: blockSlotCount, taskSlotCount: taskSlotCount,
      capturedIDs: ArrayIDStorage(capturedIDs), issues: issues)
  }
}

/// A 64-bit hash for identifying inputs in reports; not cryptographic.
public struct ContentHash: Sendable {
  /// The hash of what was added so far.
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Starts empty.
  public init() {}

  /// Adds one word.
  public mutating func add(_ word: UInt64) {
    // Wrapping on purpose: FNV-1a over words is defined modulo 2^64.
    value = (value ^ word) &* 0x100_0000_01b3
    value ^= value >> 29
  }

  /// Adds a text and its length, so that neighbouring texts cannot run together.
  public mutating func add(_ text: String) {
    for byte in text.utf8 { add(UInt64(byte)) }
    add(UInt64(text.utf8.count) | 1 << 63)
  }
}
