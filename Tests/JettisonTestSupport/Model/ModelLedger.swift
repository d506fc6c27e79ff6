import JettisonCore

/// What one app's user produced and what of it is durable, as a list of what happened.
///
/// Nothing is counted as it goes: every question folds the whole list.
struct ModelLedger {
  /// Cumulative amounts at one moment.
  struct Figures {
    var bytes: Int64 = 0
    var work: Int64 = 0
    var syncedBytes: Int64 = 0
    var syncedWork: Int64 = 0
    var positions: Int64 = 0
    /// Of ``bytes``, what the newest durable snapshot holds; the same for the others.
    var durableBytes: Int64 = 0
    var durableWork: Int64 = 0
    var durableSyncedBytes: Int64 = 0
    var durableSyncedWork: Int64 = 0
    var durablePositions: Int64 = 0
    /// Time of the newest local edit.
    var newestEdit: Int64?
    /// Time of the newest local edit in the durable snapshot.
    var newestDurableEdit: Int64?
    /// Nanoseconds of dirty active use in all lives of the app.
    var dirtyNanoseconds: Int64 = 0

    var unsavedBytes: Int64 { bytes - durableBytes }
    var unsavedWork: Int64 { work - durableWork }
    var hasUnsavedLocal: Bool { unsavedBytes > 0 || unsavedWork > 0 }
    var hasUnsavedSynced: Bool {
      syncedBytes > durableSyncedBytes || syncedWork > durableSyncedWork
    }
    var hasUnsavedPosition: Bool { positions > durablePositions }
    /// Whether a new process has something to read.
    var hasSnapshot: Bool {
      durableBytes > 0 || durableWork > 0 || durableSyncedBytes > 0 || durableSyncedWork > 0
        || durablePositions > 0
    }
    var hasUnsaved: Bool { hasUnsavedLocal || hasUnsavedSynced || hasUnsavedPosition }
  }

  /// One thing that happened.
  enum Entry {
    case edit(at: Int64, bytes: Int64, work: Int64)
    case syncedEdit(bytes: Int64, work: Int64)
    case positionEdit
    /// Active use in an episode that was drawn dirty.
    case dirtyUse(from: Int64, to: Int64)
    /// A save completed; its targets were fixed at its start.
    case saved(ModelSave)
    /// A save that was not atomic was cut short.
    case torn
    /// The process ended: what was not durable is gone.
    case ended
    /// The user quit the app: where it was is forgotten.
    case positionDropped
    /// The app was replaced: its snapshot is gone too.
    case replaced
    /// The snapshot could not be read.
    case unreadable(bytes: Int64, work: Int64)
  }

  let profile: AppProfile
  private(set) var entries: [Entry] = []
  /// Since when the app is in dirty active use, if it is.
  private var dirtySince: Int64?

  init(profile: AppProfile) {
    self.profile = profile
  }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
  }

  mutating func beginDirtyUse(at now: Int64) {
    dirtySince = now
  }

  mutating func endDirtyUse(at now: Int64) {
    guard let since = dirtySince else { return }
    entries.append(.dirtyUse(from: since, to: now))
    dirtySince = nil
  }

  func figures(at now: Int64) -> Figures {
    var figures = Figures()
    for entry in entries { apply(entry, to: &figures) }
    if let dirtySince { apply(.dirtyUse(from: dirtySince, to: now), to: &figures) }
    // A save that was under way when a restore failed cannot keep what no longer exists.
    figures.durableBytes = min(figures.durableBytes, figures.bytes)
    figures.durableWork = min(figures.durableWork, figures.work)
    return figures
  }

  private func apply(_ entry: Entry, to figures: inout Figures) {
    switch entry {
    case .edit(let time, let bytes, let work):
      figures.bytes += bytes
      figures.work += work
      figures.newestEdit = time
    case .syncedEdit(let bytes, let work):
      figures.syncedBytes += bytes
      figures.syncedWork += work
    case .positionEdit:
      figures.positions += 1
    case .dirtyUse(let start, let end):
      use(from: start, to: end, &figures)
    case .saved(let save):
      let gains =
        save.targetBytes > figures.durableBytes || save.targetWork > figures.durableWork
      figures.durableBytes = max(figures.durableBytes, save.targetBytes)
      figures.durableWork = max(figures.durableWork, save.targetWork)
      figures.durableSyncedBytes = max(figures.durableSyncedBytes, save.targetSyncedBytes)
      figures.durableSyncedWork = max(figures.durableSyncedWork, save.targetSyncedWork)
      figures.durablePositions = max(figures.durablePositions, save.targetPositions)
      if gains { figures.newestDurableEdit = save.newestEdit }
    case .torn:
      figures.durableBytes = 0
      figures.durableWork = 0
      figures.newestDurableEdit = nil
    case .ended:
      forget(&figures)
    case .positionDropped:
      figures.positions = 0
      figures.durablePositions = 0
    case .replaced:
      figures.durableBytes = 0
      figures.durableWork = 0
      figures.durableSyncedBytes = 0
      figures.durableSyncedWork = 0
      figures.durablePositions = 0
      figures.newestDurableEdit = nil
      forget(&figures)
    case .unreadable(let bytes, let work):
      figures.bytes = max(0, figures.bytes - bytes)
      figures.durableBytes = max(0, figures.durableBytes - bytes)
      figures.work = max(0, figures.work - work)
      figures.durableWork = max(0, figures.durableWork - work)
      if figures.durableBytes == 0, figures.durableWork == 0 { figures.newestDurableEdit = nil }
    }
  }

  /// Modelled edits come from the sum of dirty use, so that it does not matter when one asks.
  private func use(from start: Int64, to end: Int64, _ figures: inout Figures) {
    let before = modelled(figures.dirtyNanoseconds)
    figures.dirtyNanoseconds += end - start
    let after = modelled(figures.dirtyNanoseconds)
    figures.bytes += after.bytes - before.bytes
    figures.work += after.work - before.work
    if end > start { figures.newestEdit = end }
  }

  private func modelled(_ nanoseconds: Int64) -> (bytes: Int64, work: Int64) {
    let bytes = Int128(nanoseconds) * Int128(profile.editBytesPerSecond) / 1_000_000_000
    return (
      Int64(clamping: bytes), ModelArithmetic.share(nanoseconds, profile.editWorkPPM)
    )
  }

  private func forget(_ figures: inout Figures) {
    figures.bytes = figures.durableBytes
    figures.work = figures.durableWork
    figures.syncedBytes = figures.durableSyncedBytes
    figures.syncedWork = figures.durableSyncedWork
    figures.positions = figures.durablePositions
    figures.newestEdit = figures.newestDurableEdit
  }
}
