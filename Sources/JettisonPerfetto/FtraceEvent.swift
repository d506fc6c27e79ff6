/// An event of the kernel.
package struct FtraceEvent: ProtoMessage {
  /// What happened, as far as anybody reads it.
  package enum Event: Sendable {
    case `print`(PrintFtraceEvent)
    case lowmemoryKill(LowmemoryKillFtraceEvent)
    case taskNewtask(TaskNewtaskFtraceEvent)
    case taskRename(TaskRenameFtraceEvent)
    case schedProcessExit(SchedProcessExitFtraceEvent)
    case schedProcessFree(SchedProcessFreeFtraceEvent)
    case rssStat(RssStatFtraceEvent)
    case oomScoreAdjUpdate(OomScoreAdjUpdateFtraceEvent)
    case markVictim(MarkVictimFtraceEvent)
    case rssStatThrottled(RssStatThrottledFtraceEvent)
  }

  /// In nanoseconds on the clock of its bundle.
  package var timestamp: UInt64 = 0
  /// The thread that ran.
  package var pid: UInt32 = 0
  package var event: Event?

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 1: field.read(into: &timestamp)
    case 2: field.read(into: &pid)
    case 3: try read(field, from: bytes, as: Event.print)
    case 35: try read(field, from: bytes, as: Event.lowmemoryKill)
    case 235: try read(field, from: bytes, as: Event.taskNewtask)
    case 236: try read(field, from: bytes, as: Event.taskRename)
    case 238: try read(field, from: bytes, as: Event.schedProcessExit)
    case 240: try read(field, from: bytes, as: Event.schedProcessFree)
    case 313: try read(field, from: bytes, as: Event.rssStat)
    case 326: try read(field, from: bytes, as: Event.oomScoreAdjUpdate)
    case 334: try read(field, from: bytes, as: Event.markVictim)
    case 359: try read(field, from: bytes, as: Event.rssStatThrottled)
    default: break
    }
  }

  private mutating func read<Message: ProtoMessage>(
    _ field: ProtoField, from bytes: Span<UInt8>, as event: (Message) -> Event
  ) throws(ProtoDamage) {
    var message: Message?
    try field.read(into: &message, from: bytes)
    if let message { self.event = event(message) }
  }
}

package struct PrintFtraceEvent: ProtoMessage {
  package var buf = ""

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    if field.number == 2 { try field.read(into: &buf, from: bytes) }
  }
}

package struct LowmemoryKillFtraceEvent: ProtoMessage {
  package var pid: Int32 = 0

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
    if field.number == 2 { field.read(into: &pid) }
  }
}

package struct TaskNewtaskFtraceEvent: ProtoMessage {
  package var pid: Int32 = 0
  package var comm = ""
  package var cloneFlags: UInt64 = 0
  package var oomScoreAdj: Int32?

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 1: field.read(into: &pid)
    case 2: try field.read(into: &comm, from: bytes)
    case 3: field.read(into: &cloneFlags)
    case 4: field.read(into: &oomScoreAdj)
    default: break
    }
  }
}

package struct TaskRenameFtraceEvent: ProtoMessage {
  package var pid: Int32 = 0
  package var newcomm = ""

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 1: field.read(into: &pid)
    case 3: try field.read(into: &newcomm, from: bytes)
    default: break
    }
  }
}

package struct SchedProcessExitFtraceEvent: ProtoMessage {
  package var comm = ""
  package var pid: Int32 = 0
  package var tgid: Int32?

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 1: try field.read(into: &comm, from: bytes)
    case 2: field.read(into: &pid)
    case 3: field.read(into: &tgid)
    default: break
    }
  }
}

package struct SchedProcessFreeFtraceEvent: ProtoMessage {
  package var comm = ""
  package var pid: Int32 = 0

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 1: try field.read(into: &comm, from: bytes)
    case 2: field.read(into: &pid)
    default: break
    }
  }
}

package struct RssStatFtraceEvent: ProtoMessage {
  package var member: Int32 = 0
  package var size: Int64 = 0
  package var curr: UInt32?
  package var mmID: UInt32 = 0

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
    switch field.number {
    case 1: field.read(into: &member)
    case 2: field.read(into: &size)
    case 3: field.read(into: &curr)
    case 4: field.read(into: &mmID)
    default: break
    }
  }
}

package struct RssStatThrottledFtraceEvent: ProtoMessage {
  package var curr: UInt32?
  package var member: Int32 = 0
  package var mmID: UInt32 = 0
  package var size: Int64 = 0

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
    switch field.number {
    case 1: field.read(into: &curr)
    case 2: field.read(into: &member)
    case 3: field.read(into: &mmID)
    case 4: field.read(into: &size)
    default: break
    }
  }
}

package struct OomScoreAdjUpdateFtraceEvent: ProtoMessage {
  package var oomScoreAdj: Int32 = 0
  package var pid: Int32 = 0

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
    switch field.number {
    case 2: field.read(into: &oomScoreAdj)
    case 3: field.read(into: &pid)
    default: break
    }
  }
}

package struct MarkVictimFtraceEvent: ProtoMessage {
  package var pid: Int32 = 0

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
    if field.number == 1 { field.read(into: &pid) }
  }
}
