internal import Synchronization

/// The recording that a recorder and its sampler share.
///
/// The sampler has this, not the recorder: else a recorder that the app lets go in the middle of a
/// look would live on until its end, and its file would be in use for the next one.
final class SharedRecording: Sendable {
  private let state: Mutex<RecordingState>

  init(_ state: consuming RecordingState) {
    self.state = Mutex(state)
  }

  func withLock<Result: Sendable>(_ body: (inout RecordingState) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}
