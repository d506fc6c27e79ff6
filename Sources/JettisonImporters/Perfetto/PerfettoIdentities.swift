/// Who the processes of a capture are, as far as any packet says it.
///
/// Names and parents are told when a packet comes to it, often after the first counter of the
/// process: they hold from its first record on. A number that is given anew is another process.
struct PerfettoIdentities {
  /// One process.
  struct Identity {
    /// When it was started; the least number: before the capture.
    let since: Int64
    var name: String?
    /// Whether the name is that of the process, not of its main thread.
    var isNamedWell = false
    var parent: Int32?
    /// It is a thread of the kernel and no process.
    var isKernelThread = false
    var isOver = false
    /// The first size of each part of its memory that is told, in bytes.
    var first = PerfettoMemory()
  }

  /// A start that the log tells belongs to a fork within this time.
  static let startLag: Int64 = 10_000_000_000

  private var byPid: [Int32: [Identity]] = [:]

  /// Takes the next record in order of time.
  ///
  /// Complexity: O(1).
  mutating func take(_ record: PerfettoRecord, names: [String]) {
    let pid = record.pid
    switch record.kind {
    case .forked, .logged:
      if record.kind == .logged, let last = byPid[pid]?.last, !last.isOver,
        last.since > .min, record.nanoseconds - last.since < Self.startLag
      {
        return
      }
      byPid[pid, default: []].append(Identity(since: record.nanoseconds))
    case .commandLine, .threadName:
      guard names.indices.contains(Int(record.value)) else { return }
      let isGood = record.kind == .commandLine
      let parent = byPid[pid]?.last?.parent
      let parentName = parent.flatMap { byPid[$0]?.last?.name }
      change(pid) { identity in
        guard isGood || !identity.isNamedWell else { return }
        let name = names[Int(record.value)]
        identity.name = name
        // A fork has its parent's command line until it runs a program of its own.
        identity.isNamedWell = isGood && (identity.since == .min || parentName != name)
      }
    case .parent: change(pid) { $0.parent = Int32(clamping: record.value) }
    case .kernelThread: change(pid) { $0.isKernelThread = true }
    case .anonymous, .shared, .swapped: change(pid) { $0.first.setFirst(record) }
    case .exited where byPid[pid] != nil: change(pid) { $0.isOver = true }
    default: break
    }
  }

  private mutating func change(_ pid: Int32, _ body: (inout Identity) -> Void) {
    if byPid[pid] == nil { byPid[pid] = [Identity(since: .min)] }
    guard let last = byPid[pid]?.indices.last, byPid[pid]?[last].isOver == false else { return }
    if var identity = byPid[pid]?[last] {
      body(&identity)
      byPid[pid]?[last] = identity
    }
  }

  /// The lowest number of a process that had a name at a time; nil: no packet names one.
  ///
  /// Complexity: O(starts of all numbers).
  func pid(named name: String, at time: Int64) -> Int32? {
    byPid.keys.filter { pid in
      let identity = identity(of: pid, at: time)
      return pid > 0 && identity?.name == name && identity?.isKernelThread == false
    }.min()
  }

  /// The process that had a number at a time; nil: nothing is known of it.
  ///
  /// Complexity: O(starts of the number).
  func identity(of pid: Int32, at time: Int64) -> Identity? {
    byPid[pid]?.last { $0.since <= time }
  }
}

/// The parts of the memory of a process, in bytes; nil: not told.
struct PerfettoMemory {
  var anonymous: Int64?
  var shared: Int64?
  var swapped: Int64?

  /// What the kernel counts as its memory.
  var bytes: Int64 { (anonymous ?? 0) + (shared ?? 0) + (swapped ?? 0) }

  /// Sets the part that a record tells.
  mutating func set(_ record: PerfettoRecord) {
    switch record.kind {
    case .anonymous: anonymous = record.value
    case .shared: shared = record.value
    default: swapped = record.value
    }
  }

  fileprivate mutating func setFirst(_ record: PerfettoRecord) {
    switch record.kind {
    case .anonymous: anonymous = anonymous ?? record.value
    case .shared: shared = shared ?? record.value
    default: swapped = swapped ?? record.value
    }
  }

  /// What is left of each part without that of a process which shares it, none below zero.
  func bytes(without other: PerfettoMemory) -> Int64 {
    func rest(_ own: Int64?, _ shared: Int64?) -> Int64 { max(0, (own ?? 0) - (shared ?? 0)) }
    return rest(anonymous, other.anonymous) + rest(shared, other.shared)
      + rest(swapped, other.swapped)
  }

  /// The parts that are known, the others as a second memory has them.
  func completed(by other: PerfettoMemory) -> PerfettoMemory {
    PerfettoMemory(
      anonymous: anonymous ?? other.anonymous, shared: shared ?? other.shared,
      swapped: swapped ?? other.swapped)
  }
}
