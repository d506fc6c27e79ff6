// What the packets of a trace carry, under Perfetto's own names and only as far as it is read. The
// numbers come from protos/perfetto in github.com/google/perfetto.

/// What holds for the packets of a writer that follow.
package struct TracePacketDefaults: ProtoMessage {
  package var timestampClockID: UInt32?

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
    if field.number == 58 { field.read(into: &timestampClockID) }
  }
}

/// What all clocks said at one instant.
package struct ClockSnapshot: ProtoMessage {
  package struct Clock: ProtoMessage {
    package var clockID: UInt32 = 0
    package var timestamp: UInt64 = 0

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
      switch field.number {
      case 1: field.read(into: &clockID)
      case 2: field.read(into: &timestamp)
      default: break
      }
    }
  }

  package var clocks: [Clock] = []

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    if field.number == 1 { try field.read(into: &clocks, from: bytes) }
  }
}

/// The device.
package struct SystemInfo: ProtoMessage {
  package var androidBuildFingerprint = ""
  package var androidSdkVersion: UInt64 = 0
  /// In bytes.
  package var pageSize: UInt32?
  package var timezoneOffMins: Int32?

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 2: try field.read(into: &androidBuildFingerprint, from: bytes)
    case 5: field.read(into: &androidSdkVersion)
    case 6: field.read(into: &pageSize)
    case 7: field.read(into: &timezoneOffMins)
    default: break
    }
  }
}

/// Names and parents of processes, and threads that are not the first of theirs.
package struct ProcessTree: ProtoMessage {
  package struct Process: ProtoMessage {
    package var pid: Int32 = 0
    package var ppid: Int32 = 0
    package var cmdline: [String] = []

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
      switch field.number {
      case 1: field.read(into: &pid)
      case 2: field.read(into: &ppid)
      case 3: try field.read(into: &cmdline, from: bytes)
      default: break
      }
    }
  }

  package struct Thread: ProtoMessage {
    package var tid: Int32 = 0
    package var tgid: Int32 = 0

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
      switch field.number {
      case 1: field.read(into: &tid)
      case 3: field.read(into: &tgid)
      default: break
      }
    }
  }

  package var processes: [Process] = []
  package var threads: [Thread] = []

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 1: try field.read(into: &processes, from: bytes)
    case 2: try field.read(into: &threads, from: bytes)
    default: break
    }
  }
}

/// A poll of `/proc/<pid>/status` and `/proc/<pid>/smaps_rollup`, in kibibytes.
///
/// Only what changed is written.
package struct ProcessStats: ProtoMessage {
  package struct Process: ProtoMessage {
    package var pid: Int32 = 0
    package var rssAnonKb: UInt64?
    package var rssShmemKb: UInt64?
    package var vmSwapKb: UInt64?
    package var oomScoreAdj: Int64?
    package var smrPssAnonKb: UInt64?
    package var smrPssShmemKb: UInt64?
    package var smrSwapPssKb: UInt64?

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
      switch field.number {
      case 1: field.read(into: &pid)
      case 4: field.read(into: &rssAnonKb)
      case 6: field.read(into: &rssShmemKb)
      case 7: field.read(into: &vmSwapKb)
      case 10: field.read(into: &oomScoreAdj)
      case 18: field.read(into: &smrPssAnonKb)
      case 20: field.read(into: &smrPssShmemKb)
      case 23: field.read(into: &smrSwapPssKb)
      default: break
      }
    }
  }

  package var processes: [Process] = []

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    if field.number == 1 { try field.read(into: &processes, from: bytes) }
  }
}

/// A poll of `/proc/meminfo`, in kibibytes, and of `/proc/pressure`.
package struct SysStats: ProtoMessage {
  package enum MeminfoCounters: Int32, Sendable {
    case unspecified = 0
    case memTotal = 1
    case memFree = 2
    case memAvailable = 3
  }

  package struct MeminfoValue: ProtoMessage {
    package var key = MeminfoCounters.unspecified
    package var value: UInt64 = 0

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
      switch field.number {
      case 1: field.read(into: &key)
      case 2: field.read(into: &value)
      default: break
      }
    }
  }

  /// Nothing is read of it but that it is there.
  package struct PsiSample: ProtoMessage {
    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {}
  }

  package var meminfo: [MeminfoValue] = []
  package var psi: [PsiSample] = []

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    switch field.number {
    case 1: try field.read(into: &meminfo, from: bytes)
    case 14: try field.read(into: &psi, from: bytes)
    default: break
    }
  }
}

/// What became of the recording itself.
package struct TraceStats: ProtoMessage {
  package struct BufferStats: ProtoMessage {
    package var chunksOverwritten: UInt64 = 0
    package var chunksDiscarded: UInt64 = 0
    package var traceWriterPacketLoss: UInt64 = 0

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
      switch field.number {
      case 3: field.read(into: &chunksOverwritten)
      case 18: field.read(into: &chunksDiscarded)
      case 19: field.read(into: &traceWriterPacketLoss)
      default: break
      }
    }
  }

  package var bufferStats: [BufferStats] = []

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    if field.number == 1 { try field.read(into: &bufferStats, from: bytes) }
  }
}

/// A step of the way of a frame to the screen.
package struct FrameTimelineEvent: ProtoMessage {
  package struct ActualSurfaceFrameStart: ProtoMessage {
    package var pid: Int32 = 0

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
      if field.number == 4 { field.read(into: &pid) }
    }
  }

  package var actualSurfaceFrameStart: ActualSurfaceFrameStart?

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    if field.number == 4 { try field.read(into: &actualSurfaceFrameStart, from: bytes) }
  }
}
