import JettisonModel

/// Reading positions and what is written between reading.
///
/// Only apps of ``SyntheticApps/hasPosition`` have rows; the edits of all others are modelled.
extension SyntheticLife {
  mutating func tellEdits(_ app: Int, from start: Int64, _ random: inout SplitMix64) {
    let isMoved = random.uniform() < population.rate(.positions)
    let isWriting = random.uniform() < population.rate(.drafts)
    let isSent = random.uniform() < population.rate(.syncedDrafts)
    let moment = random.uniform(0.5, 1)
    let span = Double(clock - start) / 1e9
    guard SyntheticApps.hasPosition.contains(app), span >= 2 else { return }
    if isMoved {
      tell(
        .edit, at: start + Self.milliseconds(span * moment), app: app, value: 0,
        detail: "kind=position")
    }
    guard isWriting else { return }
    // Four tenths of the episode, five minutes at most; three bytes a second.
    let seconds = min(span * 0.4, 300).rounded()
    tell(
      .edit, at: start + Self.milliseconds(span * 0.9), app: app, value: Int64(seconds * 3),
      detail: "work_ms=\(Int64(seconds) * 1000)" + (isSent ? ";synced=1" : ""))
  }
}
