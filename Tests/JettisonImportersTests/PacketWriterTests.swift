import PerfettoMessages
import SwiftProtobuf
import Testing

@testable import JettisonPerfetto

@Suite("Writing Perfetto's packets")
struct PacketWriterTests {
  private func trace(
    machine: UInt32 = 0, _ body: (inout PacketWriter) -> Void
  ) throws -> PerfettoTrace {
    var writer = PacketWriter(sequence: 7, machine: machine)
    body(&writer)
    writer.flush()
    var bytes: [UInt8] = []
    writer.take { bytes = copy $0 }
    #expect(writer.byteCount == 0)
    return try PerfettoTrace(serializedBytes: bytes)
  }

  @Test("Numbers and texts of every length are written as SwiftProtobuf writes them")
  func fields() throws {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var draws = SplitMix(state: seed)
    for _ in 0..<2000 {
      var event = PerfettoFtraceEvent()
      event.timestamp = draws.next() >> (draws.next() % 64)
      event.pid = UInt32(truncatingIfNeeded: draws.next() >> (draws.next() % 64))
      var rename = PerfettoTaskRenameFtraceEvent()
      rename.pid = Int32(truncatingIfNeeded: draws.next())
      rename.newcomm = String(
        repeating: ["a", "ß", "\u{0}", "語"][Int(draws.next() % 4)], count: Int(draws.next() % 300))
      event.event = .taskRename(rename)
      var writer = ProtoWriter()
      writer.add(1, event.timestamp)
      writer.add(2, event.pid)
      writer.add(236) {
        $0.add(1, rename.pid)
        $0.add(3, text: rename.newcomm)
      }
      #expect(writer.bytes == (try event.serializedBytes() as [UInt8]), "seed \(seed)")
    }
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test("Packets name their writer, and their machine if it is another")
  func envelopes() throws {
    let own = try trace { $0.addMemory(totalKb: 4, availableKb: 2, at: 5) }
    #expect(own.packet.map(\.trustedPacketSequenceID) == [7])
    #expect(own.packet.map(\.hasMachineID) == [false])
    #expect(own.packet[0].timestamp == 5)
    #expect(own.packet[0].sysStats.meminfo.map(\.key) == [.meminfoMemTotal, .meminfoMemAvailable])
    #expect(own.packet[0].sysStats.meminfo.map(\.value) == [4, 2])
    let other = try trace(machine: 3) { $0.addMemory(totalKb: 4, availableKb: 2, at: 0) }
    #expect(other.packet[0].machineID == 3)
    #expect(other.packet[0].hasTimestamp, "0 is a time, too")
  }

  @Test("The device, its processes and their memory")
  func device() throws {
    let trace = try trace {
      $0.addClocks([(6, 10), (1, 1_600_000_000)])
      $0.addProcesses([(4_194_305, "a"), (5, "")], at: 10)
      $0.addStats(of: 5, anonymousKb: 12, oomScoreAdj: -900, at: 11)
    }
    #expect(trace.packet[0].clockSnapshot.clocks.map(\.clockID) == [6, 1])
    #expect(trace.packet[0].clockSnapshot.clocks.map(\.timestamp) == [10, 1_600_000_000])
    #expect(trace.packet[1].processTree.processes.map(\.pid) == [4_194_305, 5])
    #expect(trace.packet[1].processTree.processes.map(\.cmdline) == [["a"], [""]])
    #expect(trace.packet[2].processStats.processes.map(\.rssAnonKb) == [12])
    #expect(trace.packet[2].processStats.processes.map(\.oomScoreAdj) == [-900])
  }

  @Test("Events of the kernel come in bundles and keep their order")
  func kernelEvents() throws {
    let trace = try trace {
      $0.addStart(of: 9, named: "app", by: 1, at: 100)
      $0.addMemory(of: 9, member: 1, bytes: 4097, at: 101)
      $0.addScore(-5, of: 9, at: 102)
      $0.addPrint("B|9|x\n", by: 9, at: 103)
      $0.addExit(of: 9, named: "app", at: 104)
      for _ in 0..<400 { $0.addScore(900, of: 9, at: 105) }
    }
    let events = trace.packet.flatMap(\.ftraceEvents.event)
    #expect(trace.packet.count > 1)
    #expect(
      events.map(\.timestamp) == [100, 101, 102, 103, 104, 104] + Array(repeating: 105, count: 400))
    #expect(events[0].pid == 1)
    #expect(events[0].taskNewtask.pid == 9)
    #expect(events[0].taskNewtask.comm == "app")
    #expect(events[1].pid == 9)
    #expect(events[1].rssStat.size == 4097)
    #expect(events[1].rssStat.member == 1)
    #expect(events[1].rssStat.curr == 1)
    #expect(events[2].oomScoreAdjUpdate.oomScoreAdj == -5)
    #expect(events[2].oomScoreAdjUpdate.pid == 9)
    #expect(events[3].print.buf == "B|9|x\n")
    #expect(events[4].schedProcessExit.tgid == 9)
    #expect(events[5].schedProcessFree.pid == 9)
  }

  @Test("Tracks, counters and instants with arguments of every kind")
  func tracks() throws {
    let trace = try trace {
      $0.addNames(events: ["state", "purge"], arguments: ["bytes", "list"], texts: ["app"])
      $0.addTrack(.init(id: 1, name: "run"))
      $0.addTrack(.init(id: 2, name: "memory", parent: 1, rank: 4, unit: .bytes))
      $0.addEvent(.begin, 1, on: 1, at: 10)
      $0.addEvent(.end, on: 1, at: 20)
      $0.addValue(-3, of: 2, at: 11)
      $0.addEvent(.instant, 2, on: 1, at: 12) { arguments in
        arguments.add(1, -70)
        arguments.add(1, double: 0.25)
        arguments.add(1, text: 1)
        arguments.add(2, count: 2) { place, entry in entry.add(1, Int64(place)) }
        arguments.add(flow: .max)
        arguments.add(endOfFlow: 1)
      }
    }
    let names = trace.packet[0].internedData
    #expect(names.eventNames.map(\.name) == ["state", "purge"])
    #expect(names.eventNames.map(\.iid) == [1, 2])
    #expect(names.debugAnnotationNames.map(\.name) == ["bytes", "list"])
    #expect(
      names.debugAnnotationStringValues.map { String(decoding: $0.str, as: UTF8.self) } == ["app"])
    #expect(trace.packet.map(\.sequenceFlags) == [1, 2, 2, 2, 2, 2, 2])
    let track = trace.packet[2].trackDescriptor
    #expect(track.parentUuid == 1)
    #expect(track.siblingOrderRank == 4)
    #expect(track.counter.unit == .sizeBytes)
    #expect(!trace.packet[1].trackDescriptor.hasCounter)
    #expect(
      trace.packet[3...].map(\.trackEvent.type) == [.sliceBegin, .sliceEnd, .counter, .instant])
    #expect(trace.packet[3].trackEvent.nameIid == 1)
    #expect(trace.packet[5].trackEvent.counterValue == -3)
    let instant = trace.packet[6].trackEvent
    #expect(instant.flowIds == [.max])
    #expect(instant.terminatingFlowIds == [1])
    #expect(instant.debugAnnotations.map(\.nameIid) == [1, 1, 1, 2])
    #expect(
      instant.debugAnnotations.prefix(3).map(\.value)
        == [.intValue(-70), .doubleValue(0.25), .stringValueIid(1)])
    let entries = instant.debugAnnotations[3].arrayValues.map(\.dictEntries)
    #expect(entries.map { $0.map(\.intValue) } == [[0], [1]])
    #expect(entries[0][0].nameIid == 1)
  }
}
