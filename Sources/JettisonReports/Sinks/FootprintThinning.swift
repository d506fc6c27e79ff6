package import JettisonCore

/// Thins footprints to the last value of each app in each sample period, in order of time, and
/// available memory and the level to their last in it.
///
/// Memory is bounded by the number of apps.
package struct FootprintThinning {
  private let samplePeriodNanoseconds: Int64
  /// The newest footprint of each app in the current period.
  private var pending: [FootprintRecord?]
  /// Apps with one.
  private var pendingApps: [AppIndex] = []
  /// When the pending footprint of each app came, as a count of records.
  private var pendingSequence: [Int]
  private var sequence = 0
  /// What was let through of each app last.
  private var last: [FootprintRecord?]
  /// Available memory and level as they are.
  private var memory: MemoryRecord?
  /// What was let through of them last, with a footprint or alone.
  private var lastMemory: MemoryRecord?
  private var period: Int64 = 0

  /// - Parameters:
  ///   - appCount: How many apps there are.
  ///   - samplePeriodNanoseconds: At most one footprint per app in this time; 0 or less: all.
  package init(appCount: Int, samplePeriodNanoseconds: Int64) {
    self.samplePeriodNanoseconds = samplePeriodNanoseconds
    pending = Array(repeating: nil, count: appCount)
    pendingSequence = Array(repeating: 0, count: appCount)
    last = Array(repeating: nil, count: appCount)
  }

  /// Takes the next footprint, and lets through those of earlier periods that say something new.
  package mutating func take(_ footprint: FootprintRecord, _ write: (MemoryRow) -> Void) {
    let position = footprint.app.position
    advance(to: footprint.timeNanoseconds, write)
    note(footprint.memory)
    guard samplePeriodNanoseconds > 0, position < pending.count else {
      pass(footprint, write)
      return passMemory(write)
    }
    sequence += 1
    if pending[position] == nil { pendingApps.append(footprint.app) }
    pending[position] = footprint
    pendingSequence[position] = sequence
  }

  /// Takes available memory and the level where they changed without a footprint.
  package mutating func take(_ memory: MemoryRecord, _ write: (MemoryRow) -> Void) {
    advance(to: memory.timeNanoseconds, write)
    note(memory)
    if samplePeriodNanoseconds <= 0 { passMemory(write) }
  }

  /// Lets through what is held back from before the period of a time.
  package mutating func advance(to nanoseconds: Int64, _ write: (MemoryRow) -> Void) {
    guard samplePeriodNanoseconds > 0 else { return }
    let period = nanoseconds / samplePeriodNanoseconds
    if period != self.period { flush(write) }
    self.period = period
  }

  /// Lets through what is still held back.
  package mutating func flush(_ write: (MemoryRow) -> Void) {
    pendingApps.sort { pendingSequence[$0.position] < pendingSequence[$1.position] }
    for app in pendingApps {
      if let footprint = pending[app.position] { pass(footprint, write) }
      pending[app.position] = nil
    }
    pendingApps.removeAll(keepingCapacity: true)
    passMemory(write)
  }

  /// Lets the next footprint of an app through whatever it says, because another process has it.
  package mutating func forget(_ app: AppIndex) {
    if app.position < last.count { last[app.position] = nil }
  }

  private mutating func pass(_ footprint: FootprintRecord, _ write: (MemoryRow) -> Void) {
    let position = footprint.app.position
    if position < last.count {
      if let last = last[position], footprint.saysNothingNew(after: last) { return }
      last[position] = footprint
    }
    lastMemory = footprint.memory
    write(.footprint(footprint))
  }

  /// Keeps since when available memory and level are what they are.
  private mutating func note(_ memory: MemoryRecord) {
    if let known = self.memory, known.saysTheSame(as: memory) { return }
    self.memory = memory
  }

  /// Lets available memory and level through unless a footprint has told them.
  private mutating func passMemory(_ write: (MemoryRow) -> Void) {
    guard let memory else { return }
    if let lastMemory, lastMemory.saysTheSame(as: memory) { return }
    lastMemory = memory
    write(.memory(memory))
  }
}

extension FootprintRecord {
  /// Whether the app's figures and its state are the same as in an earlier row.
  fileprivate func saysNothingNew(after last: FootprintRecord) -> Bool {
    state == last.state && footprintBytes == last.footprintBytes
      && requestedBytes == last.requestedBytes && activeBytes == last.activeBytes
      && dirtyBytes == last.dirtyBytes
  }
}
