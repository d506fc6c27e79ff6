/// A save that has begun: see ``AppRecorder/beginSave(trigger:isAtomic:)``.
public struct RecordedSave: Sendable {
  /// What made the app save.
  public enum Trigger: String, CaseIterable, Sendable {
    /// The app is about to become inactive, which is `interrupt` if nothing else said so yet.
    case resign
    /// The user left the app, which is `home` or a lock if nothing else said so yet.
    case background
    /// An autosave.
    case timer
    /// A memory warning.
    case warning
    /// A background task is about to expire.
    case expiration
    /// The user asked for it.
    case user
  }

  let recorder: AppRecorder
  let number: Int64?

  /// Says that the save has ended; a second call does nothing.
  ///
  /// Do not end a save that failed: a save without an end kept nothing.
  ///
  /// - Parameter isComplete: Whether all state that was unsaved at its start is durable now; else
  ///   part of it.
  public func end(isComplete: Bool = true) {
    guard let number else { return }
    recorder.endSave(number, isComplete: isComplete)
  }
}
