import JettisonRecorder

/// Says when there is something to lose, and when it is safe.
struct DraftEditor {
  let recorder: AppRecorder?

  func userTyped(characters: Int, for time: Duration) {
    recorder?.edit(bytes: Int64(characters), work: time, scene: "draft")
  }

  func save(write: () throws -> Void) rethrows {
    let save = recorder?.beginSave(trigger: .background, isAtomic: true)
    try write()
    save?.end()
  }
}
