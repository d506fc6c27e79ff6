/// Writes the packets of one writer of a trace, in Perfetto's own numbers.
///
/// Packets may come in any order of time. Texts that come again and again are written once, by
/// ``addNames(events:arguments:texts:)``, and named by their numbers.
package struct PacketWriter {
  /// What a track shows in one instant or from one to another.
  package enum EventType: Int, Sendable {
    case begin = 1
    case end = 2
    case instant = 3
  }

  /// What a counter counts.
  package enum Unit: Int, Sendable {
    case count = 2
    case bytes = 3
  }

  /// Where a track belongs.
  package struct Track {
    package let id: UInt64
    package let name: String
    /// The track that it lies below; nil: none.
    package let parent: UInt64?
    /// Its place among those below the same one.
    package let rank: Int
    /// What it counts; nil: it has slices.
    package let unit: Unit?

    package init(
      id: UInt64, name: String, parent: UInt64? = nil, rank: Int = 0, unit: Unit? = nil
    ) {
      self.id = id
      self.name = name
      self.parent = parent
      self.rank = rank
      self.unit = unit
    }
  }

  /// Ftrace events that come together in one packet, in bytes.
  private static let bundleBytes = 4096
  /// The numbers of the texts of this writer hold from here on.
  private static let clearsState = 1
  /// The packet names texts by their numbers.
  private static let needsState = 2

  private let sequence: UInt32
  private let machine: UInt32
  private var packets = ProtoWriter()
  private var bundle = ProtoWriter()

  /// - Parameters:
  ///   - sequence: What tells this writer from all others of the trace.
  ///   - machine: The machine that its packets are of; 0: the one that recorded the trace.
  package init(sequence: UInt32, machine: UInt32) {
    self.sequence = sequence
    self.machine = machine
  }

  /// Bytes that were written and not taken.
  package var byteCount: Int { packets.bytes.count }

  /// Gives away the packets that are complete.
  package mutating func take<Failure: Error>(
    _ body: (borrowing [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    defer { packets.removeAll() }
    try body(packets.bytes)
  }

  /// Completes the packet at hand.
  package mutating func flush() {
    guard !bundle.bytes.isEmpty else { return }
    let bundle = bundle
    self.bundle.removeAll()
    add { $0.add(1, encoded: bundle) }
  }

  private mutating func add(
    at nanoseconds: Int64? = nil, _ body: (inout ProtoWriter) -> Void
  ) {
    packets.add(1) { packet in
      if let nanoseconds { packet.add(8, nanoseconds) }
      packet.add(10, sequence)
      if machine > 0 { packet.add(98, machine) }
      body(&packet)
    }
  }
}

// MARK: - The device

extension PacketWriter {
  /// What all clocks said at one instant, by their numbers.
  package mutating func addClocks(_ clocks: [(clock: UInt32, nanoseconds: Int64)]) {
    add { packet in
      packet.add(6) { snapshot in
        for (clock, nanoseconds) in clocks {
          snapshot.add(1) {
            $0.add(1, clock)
            $0.add(2, nanoseconds)
          }
        }
      }
    }
  }

  /// Processes that are there already, with their names.
  package mutating func addProcesses(
    _ processes: [(pid: Int32, name: String)], at nanoseconds: Int64
  ) {
    add(at: nanoseconds) { packet in
      packet.add(2) { tree in
        for process in processes {
          tree.add(1) {
            $0.add(1, process.pid)
            $0.add(3, text: process.name)
          }
        }
      }
    }
  }

  /// A poll of one process: anonymous memory in kibibytes, and `oom_score_adj`.
  package mutating func addStats(
    of pid: Int32, anonymousKb: Int64, oomScoreAdj: Int, at nanoseconds: Int64
  ) {
    add(at: nanoseconds) { packet in
      packet.add(9) { stats in
        stats.add(1) {
          $0.add(1, pid)
          $0.add(4, anonymousKb)
          $0.add(10, oomScoreAdj)
        }
      }
    }
  }

  /// A poll of the system's memory, in kibibytes.
  package mutating func addMemory(totalKb: Int64, availableKb: Int64, at nanoseconds: Int64) {
    add(at: nanoseconds) { packet in
      packet.add(7) { stats in
        for (key, value) in [(1, totalKb), (3, availableKb)] {
          stats.add(1) {
            $0.add(1, key)
            $0.add(2, value)
          }
        }
      }
    }
  }
}

// MARK: - Events of the kernel

extension PacketWriter {
  /// A line that a process writes into the kernel's trace.
  package mutating func addPrint(_ line: String, by pid: Int32, at nanoseconds: Int64) {
    addKernelEvent(3, by: pid, at: nanoseconds) { $0.add(2, text: line) }
  }

  /// A process begins.
  package mutating func addStart(
    of pid: Int32, named name: String, by parent: Int32, at nanoseconds: Int64
  ) {
    addKernelEvent(235, by: parent, at: nanoseconds) {
      $0.add(1, pid)
      $0.add(2, text: name)
      // No flag of clone(2): it is a process, not a thread.
      $0.add(3, 0)
    }
  }

  /// A process ends, and the kernel lets go of it.
  package mutating func addExit(of pid: Int32, named name: String, at nanoseconds: Int64) {
    addKernelEvent(238, by: pid, at: nanoseconds) {
      $0.add(1, text: name)
      $0.add(2, pid)
      $0.add(3, pid)
    }
    addKernelEvent(240, by: pid, at: nanoseconds) {
      $0.add(1, text: name)
      $0.add(2, pid)
    }
  }

  /// A counter of a process's memory: of files 0, anonymous 1; in bytes.
  package mutating func addMemory(
    of pid: Int32, member: Int, bytes: Int64, at nanoseconds: Int64
  ) {
    addKernelEvent(313, by: pid, at: nanoseconds) {
      $0.add(1, member)
      $0.add(2, bytes)
      $0.add(3, 1)
      $0.add(4, pid)
    }
  }

  /// A process has another `oom_score_adj`.
  package mutating func addScore(_ oomScoreAdj: Int, of pid: Int32, at nanoseconds: Int64) {
    addKernelEvent(326, by: pid, at: nanoseconds) {
      $0.add(2, oomScoreAdj)
      $0.add(3, pid)
    }
  }

  private mutating func addKernelEvent(
    _ number: Int, by pid: Int32, at nanoseconds: Int64, _ body: (inout ProtoWriter) -> Void
  ) {
    // Processor 0: what happens at one instant then keeps its order.
    if bundle.bytes.isEmpty { bundle.add(1, 0) }
    bundle.add(2) { event in
      event.add(1, nanoseconds)
      event.add(2, pid)
      event.add(number, body)
    }
    if bundle.bytes.count >= Self.bundleBytes { flush() }
  }
}

// MARK: - Tracks

extension PacketWriter {
  /// Numbers texts from 1 on, in their order; to be written before anything names them.
  package mutating func addNames(events: [String], arguments: [String], texts: [String]) {
    add { packet in
      packet.add(13, Self.clearsState)
      packet.add(12) { interned in
        for (field, names) in [(2, events), (3, arguments), (29, texts)] {
          for (place, name) in names.enumerated() {
            interned.add(field) {
              $0.add(1, place + 1)
              $0.add(2, text: name)
            }
          }
        }
      }
    }
  }

  /// Describes a track.
  package mutating func addTrack(_ track: Track) {
    add { packet in
      packet.add(13, Self.needsState)
      packet.add(60) { descriptor in
        descriptor.add(1, track.id)
        descriptor.add(2, text: track.name)
        if let parent = track.parent { descriptor.add(5, parent) }
        if let unit = track.unit { descriptor.add(8) { $0.add(3, unit.rawValue) } }
        // The tracks below it are in the order of their ranks.
        descriptor.add(11, 3)
        descriptor.add(12, track.rank)
      }
    }
  }

  /// Something on a track, by the number of its name; `arguments` writes what there is to say of it.
  package mutating func addEvent(
    _ type: EventType, _ name: Int? = nil, on track: UInt64, at nanoseconds: Int64,
    _ arguments: (inout EventArguments) -> Void = { _ in }
  ) {
    add(at: nanoseconds) { packet in
      packet.add(13, Self.needsState)
      packet.add(11) { event in
        event.add(9, type.rawValue)
        if let name { event.add(10, name) }
        event.add(11, track)
        event.addArguments(4, arguments)
      }
    }
  }

  /// A value of a counter.
  package mutating func addValue(_ value: Int64, of track: UInt64, at nanoseconds: Int64) {
    add(at: nanoseconds) { packet in
      packet.add(13, Self.needsState)
      packet.add(11) { event in
        event.add(9, 4)
        event.add(11, track)
        event.add(30, value)
      }
    }
  }
}

/// Arguments of an event, by the numbers of their names, or entries of one of them.
package struct EventArguments {
  fileprivate var message = ProtoWriter()
  /// The field that holds one: annotations of an event, or entries of an annotation.
  fileprivate let field: Int

  package mutating func add(_ name: Int, _ value: Int64) {
    message.add(field) {
      $0.add(1, name)
      $0.add(4, value)
    }
  }

  package mutating func add(_ name: Int, double value: Double) {
    message.add(field) {
      $0.add(1, name)
      $0.add(5, double: value)
    }
  }

  /// A text by its number.
  package mutating func add(_ name: Int, text: Int) {
    message.add(field) {
      $0.add(1, name)
      $0.add(17, text)
    }
  }

  /// A list of as many entries, each with arguments of its own.
  package mutating func add(
    _ name: Int, count: Int, _ entry: (Int, inout EventArguments) -> Void
  ) {
    message.add(field) { list in
      list.add(1, name)
      for place in 0..<count {
        list.add(12) { item in
          item.addArguments(11) { entry(place, &$0) }
        }
      }
    }
  }

  /// Where an arrow begins that ends at an event of the same number.
  package mutating func add(flow: UInt64) { message.add(47, fixed: flow) }

  /// Where such an arrow ends.
  package mutating func add(endOfFlow flow: UInt64) { message.add(48, fixed: flow) }
}

extension ProtoWriter {
  /// Goes on with arguments, each in a field of that number.
  fileprivate mutating func addArguments(_ field: Int, _ body: (inout EventArguments) -> Void) {
    var arguments = EventArguments(field: field)
    // What was written moves there and back, and is never copied.
    swap(&self, &arguments.message)
    body(&arguments)
    swap(&self, &arguments.message)
  }
}
