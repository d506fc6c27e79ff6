internal import JettisonCore

extension PerfettoHistory {
  mutating func takePart(_ record: PerfettoRecord) throws(TraceError) {
    let pid = record.pid
    var life = lives[pid] ?? Life()
    switch record.kind {
    case .anonymous: life.anonymous = record.value
    case .shared: life.shared = record.value
    default: life.swapped = record.value
    }
    lives[pid] = life
    guard record.flag & PerfettoRecord.lastPart != 0 else { return }
    var bytes = life.bytes
    var isDerived = false
    if record.flag & PerfettoRecord.proportionalPart == 0, let zygote = zygote(of: life) {
      bytes = max(0, bytes - zygote.bytes)
      isDerived = true
    }
    try add(.footprint(bytes: bytes, isDerived: isDerived), at: record.nanoseconds, pid)
    hasFootprints = true
    guard filter.keeps(life.name ?? "process \(pid)") else { return }
    footprints &+= bytes - life.counted
    lives[pid]?.counted = bytes
  }

  /// The living zygote that a process was forked from; nil: it was not.
  func zygote(of life: Life) -> Life? {
    guard let parent = life.parent, let zygote = lives[parent], zygote.endedAt == nil,
      let name = zygote.name, name.hasSuffix("zygote") || name.hasSuffix("zygote64")
    else { return nil }
    return zygote
  }

  mutating func addUsed(_ bytes: Int64, at time: Int64) throws(TraceError) {
    if !hasFootprints {
      // The poll of the processes may follow; without one all is the system's.
      if firstUsed == nil { firstUsed = (time, bytes) }
      if capture.evidence.contains(.samples) { return }
    }
    try addSystemMemory(bytes, at: time)
  }

  mutating func flushUsed() throws(TraceError) {
    guard hasFootprints, let used = firstUsed else { return }
    firstUsed = nil
    try addSystemMemory(used.bytes, at: used.nanoseconds)
  }

  private mutating func addSystemMemory(_ used: Int64, at time: Int64) throws(TraceError) {
    if used < footprints {
      timeline.issues.add(
        .info,
        "the footprints of the apps (swap counts) exceed the memory in use: "
          + "the system's part is written as 0")
    }
    try timeline.add(.systemMemory(bytes: max(0, used &- footprints)), at: time + epochOffset)
  }
}
