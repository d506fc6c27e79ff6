/// What is open with an app beyond its being in memory, a bit each.
///
/// Most apps have no loose ends most of the time. Then leaving the front, coming back and ending
/// are a few assignments (``Simulation/leaveStraight(_:)``); what has loose ends takes the verbs that
/// know every case. A debug build finds out anew after every event whether the bits are right.
struct LooseEnds: OptionSet, BitwiseCopyable {
  let rawValue: UInt16

  // For the whole run.

  /// The trace has rows that measure its memory.
  static let measured = LooseEnds(rawValue: 1 << 0)
  /// It is no app, and never suspended.
  static let keptRunning = LooseEnds(rawValue: 1 << 1)
  /// It saves from time to time.
  static let autosaves = LooseEnds(rawValue: 1 << 2)
  /// Its saves come from the trace.
  static let capturedSaves = LooseEnds(rawValue: 1 << 3)

  // As they come and go.

  /// Its use in front produces modelled edits.
  static let dirtyUse = LooseEnds(rawValue: 1 << 4)
  /// Something that the user made is not durable.
  static let unsaved = LooseEnds(rawValue: 1 << 5)
  /// Saves are in flight.
  static let saves = LooseEnds(rawValue: 1 << 6)
  static let tasks = LooseEnds(rawValue: 1 << 7)
  static let modes = LooseEnds(rawValue: 1 << 8)
  static let resources = LooseEnds(rawValue: 1 << 9)
  /// The trace has told another `oom_score_adj` than the catalog.
  static let adj = LooseEnds(rawValue: 1 << 10)

  /// Those that an app has for the whole run.
  static func lasting(
    _ profile: AppProfile, _ facts: TraceIndex.AppFacts
  ) -> LooseEnds {
    var ends = LooseEnds()
    if facts.hasMemory { ends.insert(.measured) }
    if profile.processKind != .app { ends.insert(.keptRunning) }
    if profile.saveTimerNanoseconds > 0 { ends.insert(.autosaves) }
    if facts.contains(.saves), !profile.modelsSaves { ends.insert(.capturedSaves) }
    return ends
  }
}
