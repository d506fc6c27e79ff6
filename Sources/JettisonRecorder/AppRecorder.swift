internal import CProcessFootprint
internal import Synchronization

/// Records what one app does, as a trace that Jettison replays.
///
/// On iOS and macOS `AppRecorder.start()` opens a file and listens to the life cycle by itself. What
/// only the app knows, it says: when the user produced something worth keeping, and when it saved.
///
/// ```swift
/// let recorder = AppRecorder.start()
/// recorder?.edit(bytes: 2048, work: .seconds(4))
/// let save = recorder?.beginSave(trigger: .background)
/// // … write the draft …
/// save?.end()
/// ```
///
/// The file is trace format 1, and legal after every row: rows are appended one by one, each by one
/// call of the system, so that nothing is lost when the process dies. A later life of the process
/// goes on in the same file. A file has no `end` row while it may grow; readers say so.
///
/// All functions may be called from any thread. Each takes a lock and writes one row: some
/// microseconds.
public final class AppRecorder: Sendable {
  /// Why the system started or woke the app in the background.
  public enum WakeReason: String, CaseIterable, Sendable {
    case push, location, fetch, voip
  }

  /// What comes between the user and an app in front.
  public enum Interruption: String, CaseIterable, Sendable {
    case call, sms, alert, lock
  }

  struct Edit {
    var bytes: Int64
    var work: Duration
    var scene: String?
    var isPosition: Bool
    var isSynced: Bool
  }

  private let state: SharedRecording
  private let sampler: Mutex<Task<Void, Never>?>
  private let interval: Duration
  /// Whether it is a lock that makes the app leave, as far as the platform shows it.
  private let seesLock: @Sendable () -> Bool

  /// Begins or goes on with a recording, without listening to anything.
  ///
  /// A file that earlier lives of the process wrote is gone on with; what is not a recording of
  /// this app is never touched. One recorder serves one file: a second one is refused as long as
  /// the first is there, and what has a ``RecordedSave`` keeps its recorder. Throws
  /// ``RecorderError``.
  ///
  /// - Parameters:
  ///   - path: The file, in a folder that exists. No other process may write to it.
  ///   - settings: What the recording is told of its app.
  /// - Complexity: O(1): the beginning and the end of a file are read.
  public convenience init(path: String, settings: RecorderSettings) throws(RecorderError) {
    try self.init(path: path, settings: settings, seesLock: { false })
  }

  convenience init(
    path: String, settings: RecorderSettings, seesLock: @escaping @Sendable () -> Bool
  ) throws(RecorderError) {
    let footprint = jettison_process_footprint()
    let headroom = jettison_process_headroom()
    let limit = footprint >= 0 && headroom > 0 ? footprint + headroom : nil
    try self.init(
      path: path, settings: settings, clock: .system, limitBytes: limit, seesLock: seesLock)
  }

  init(
    path: String, settings: RecorderSettings, clock: RecorderClock, limitBytes: Int64? = nil,
    seesLock: @escaping @Sendable () -> Bool = { false }
  ) throws(RecorderError) {
    var settings = settings
    settings.sampleInterval = min(max(.zero, settings.sampleInterval), .seconds(86_400))
    self.seesLock = seesLock
    state = SharedRecording(
      try RecordingState(path: path, settings: settings, clock: clock, limitBytes: limitBytes))
    sampler = Mutex(nil)
    interval = settings.sampleInterval
  }

  deinit {
    sampler.withLock { $0?.cancel() }
    state.withLock { $0.release() }
  }

  /// Rows that could not be written so far: the disk is full, the file has reached its limit, or the
  /// trace has too many kinds of changes.
  public var lostRows: Int64 { state.withLock { $0.lostRows } }
}

// MARK: - Life cycle

extension AppRecorder {
  /// The user brings the app to the front; nothing if it is there.
  public func launch() { state.withLock { $0.launch() } }

  /// The system starts or wakes the app in the background.
  public func backgroundLaunch(_ reason: WakeReason? = nil) {
    state.withLock { $0.backgroundLaunch(reason) }
  }

  /// The user leaves the app; nothing if it is not in front.
  public func home() { state.withLock { $0.home() } }

  /// The user locks the screen with the app in front; nothing if it is not in front.
  ///
  /// From iOS 5 on the app enters the background then, and is back in front after ``unlock()``.
  public func lock() { state.withLock { $0.lock() } }

  /// The user unlocks the screen and is back in the app; nothing if no lock was recorded.
  public func unlock() { state.withLock { $0.unlock() } }

  /// The app left the front, by a lock or otherwise.
  func leave() {
    let isLocked = seesLock()
    state.withLock { $0.leave(isLocked: isLocked) }
  }

  /// Something about the device changed.
  ///
  /// A recording has at most 53 kinds of changes: rows of others are not written, and count as
  /// ``lostRows``. Keep to the same kinds in all lives of the app.
  ///
  /// - Parameters:
  ///   - kind: What: `orientation`, `locale`, `time`, `battery`, `display`, `accessory`, or a word
  ///     of your own. Without a kind there is no row.
  ///   - value: What it is now, such as `portrait`, `connected` or `disconnected`.
  public func deviceChange(_ kind: String, to value: String? = nil) {
    state.withLock { $0.deviceChange(kind, to: value) }
  }

  /// Something comes between the user and the app in front.
  public func interrupt(by cause: Interruption? = nil) { state.withLock { $0.interrupt(cause) } }

  /// The user is back in the app after an interruption.
  public func endInterrupt() { state.withLock { $0.endInterrupt() } }

  /// The user ends the app; nothing is recorded after it.
  public func quit() { state.withLock { $0.end("quit") } }

  /// The app ends by itself; nothing is recorded after it.
  public func exit() { state.withLock { $0.end("exit") } }
}

// MARK: - Memory

extension AppRecorder {
  /// The system warns the app of low memory.
  ///
  /// - Parameter level: 0 normal, 1 warning, 2 critical. Less counts as 0, more as 2.
  public func memoryWarning(level: Int = 1) { state.withLock { $0.warn(level: Int64(level)) } }

  /// The app's footprint in bytes, measured by the app; more than 1 TiB counts as that, and less
  /// than zero is not written.
  public func footprint(bytes: Int64) { state.withLock { $0.footprint(bytes) } }

  /// Looks at the footprint now, and writes it if it has changed.
  public func sampleFootprint() {
    let bytes = jettison_process_footprint()
    if bytes >= 0 { state.withLock { $0.sample(bytes) } }
  }

  /// Looks at the footprint as the recorder's own sampler does, which shows that the process runs.
  func poll() { Self.poll(state) }

  private static func poll(_ state: SharedRecording) {
    let bytes = jettison_process_footprint()
    state.withLock { $0.poll(bytes) }
  }

  /// Looks at the footprint again and again, by ``RecorderSettings/sampleInterval``, until the
  /// recorder is gone.
  public func startSampling() {
    let interval = interval
    guard interval > .zero else { return }
    sampler.withLock { task in
      guard task == nil else { return }
      task = Task.detached(priority: .utility) { [state] in
        while !Task.isCancelled {
          Self.poll(state)
          // Only cancellation ends the sleep early.
          try? await Task.sleep(for: interval, tolerance: interval / 2)
        }
      }
    }
  }
}

// MARK: - User state

extension AppRecorder {
  /// The user produced state that is lost if the app ends before it saves.
  ///
  /// A row holds at most 1 TiB and 366 days, the rows of one life 2 EiB and 73 years: what is beyond
  /// is not written. Less than zero counts as zero.
  ///
  /// - Parameters:
  ///   - bytes: Size of what was produced.
  ///   - work: Time that the user spent on it.
  ///   - scene: Which of several documents or windows it belongs to. Its name is in the trace.
  ///   - isPosition: Whether it is a place (scroll, page, level) rather than data.
  ///   - isSynced: Whether it is safe on a server already.
  public func edit(
    bytes: Int64, work: Duration, scene: String? = nil, isPosition: Bool = false,
    isSynced: Bool = false
  ) {
    let edit = Edit(
      bytes: bytes, work: work, scene: scene, isPosition: isPosition, isSynced: isSynced)
    state.withLock { $0.edit(edit) }
  }

  /// The app begins to save what is unsaved now.
  ///
  /// Its row says that the save never ends, until ``RecordedSave/end(isComplete:)`` says otherwise.
  ///
  /// - Parameters:
  ///   - trigger: What makes the app save.
  ///   - isAtomic: Whether the state saved before survives if this save is cut short; nil: not
  ///     said.
  public func beginSave(
    trigger: RecordedSave.Trigger, isAtomic: Bool? = nil
  ) -> RecordedSave {
    let isLocked = trigger == .background && seesLock()
    let number = state.withLock {
      $0.beginSave(trigger, isAtomic: isAtomic, isLocked: isLocked)
    }
    return RecordedSave(recorder: self, number: number)
  }

  func endSave(_ number: Int64, isComplete: Bool) {
    state.withLock { $0.endSave(number, isComplete: isComplete) }
  }
}
