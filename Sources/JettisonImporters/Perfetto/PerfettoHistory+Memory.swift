internal import JettisonModel
internal import JettisonTraces

extension PerfettoHistory {
  mutating func takePart(_ record: PerfettoRecord) throws(TraceError) {
    let pid = record.pid
    lives[pid]?.memory.set(record)
    guard record.flag & PerfettoRecord.lastPart != 0, let life = lives[pid] else { return }
    var bytes = life.memory.bytes
    var isDerived = false
    if record.flag & PerfettoRecord.proportionalPart == 0, let zygote = zygote(of: life) {
      bytes = life.memory.bytes(without: memory(of: zygote))
      isDerived = true
    }
    try add(.footprint(bytes: bytes, isDerived: isDerived), at: record.nanoseconds, pid)
    hasFootprints = true
    guard filter.keeps(life.name ?? "process \(pid)") else { return }
    footprints &+= bytes - life.counted
    lives[pid]?.counted = bytes
  }

  /// The living zygote that a process was forked from; nil: it was not.
  private func zygote(of life: Life) -> Int32? {
    guard let parent = life.parent else { return nil }
    // Nothing may have been told of it yet.
    let zygote = lives[parent] ?? newLife(parent, at: .min)
    guard zygote.endedAt == nil, let name = zygote.name, AndroidProcessName.isZygote(name) else {
      return nil
    }
    return parent
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
