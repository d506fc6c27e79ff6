import Foundation
import JettisonCore
import JettisonPerfetto
import PerfettoMessages
import SwiftProtobuf
import Testing

@testable import JettisonReports

@Suite("Perfetto traces: the file, and what it may lie beside")
struct PerfettoSinkTests {
  /// 2010-11-01T09:00:00Z in nanoseconds since 1970: when the sample run starts.
  private static let start: Int64 = 1_288_602_000_000_000_000

  /// A capture that begins so long after the sample run, on a device that has run for 1000 s then.
  private static func capture(
    after nanoseconds: Int64 = 0, hasDate: Bool = true
  ) throws -> [UInt8] {
    var writer = PacketWriter(sequence: 1, machine: 0)
    let boot: Int64 = 1_000_000_000_000
    var clocks: [(clock: UInt32, nanoseconds: Int64)] = [(6, boot)]
    if hasDate { clocks.append((1, start + nanoseconds)) }
    writer.addClocks(clocks)
    writer.addProcesses([(1, "init")], at: boot)
    writer.addMemory(totalKb: 2048, availableKb: 1024, at: boot + 30_000_000_000)
    var bytes: [UInt8] = []
    writer.take { bytes = copy $0 }
    return bytes
  }

  /// Writes a run in which an app is opened, left and purged.
  private static func write(_ sink: any ReportSink, run: StartedRun? = nil) throws {
    let run = try run ?? Sample.run()
    let listener = try #require(try sink.listeners?.listener(to: run))
    let notes = AppIndex(1)
    func state(_ before: AppState, _ after: AppState, _ seconds: Int64) {
      var event = EventRecord(.state, app: notes, at: seconds * 1_000_000_000)
      event.stateBefore = before
      event.stateAfter = after
      listener.recorder.record(event)
      listener.recorder.record(
        FootprintRecord(
          timeNanoseconds: event.timeNanoseconds, app: notes, state: after,
          footprintBytes: after == .notRunning ? 0 : 60_000_001, requestedBytes: 0, activeBytes: -1,
          dirtyBytes: -1, availableBytes: after == .notRunning ? 300 : -70, level: .normal))
    }
    state(.notRunning, .active, 1)
    state(.active, .suspended, 5)
    var purge = EventRecord(.purge, app: notes, at: 9_000_000_000)
    purge.cause = .limit
    purge.bytes = 60_000_001
    listener.recorder.record(purge)
    state(.suspended, .notRunning, 9)
    try sink.add(try listener.finish())
    try sink.finish(runs: [], comparisons: [])
    try sink.publish()
  }

  private static func read(_ path: String) throws -> PerfettoTrace {
    try PerfettoTrace(serializedBytes: [UInt8](Data(contentsOf: URL(filePath: path))))
  }

  @Test("A run is a process with its memory, its rank and its kill, and tracks of it")
  func smallRun() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/out.pftrace"
    try Self.write(try PerfettoReportSink(path: path))
    #expect(scratch.names == ["out.pftrace"])
    let trace = try Self.read(path)
    let events = trace.packet.flatMap(\.ftraceEvents.event)
    let start = try #require(events.first { $0.taskNewtask.pid > 0 })
    let pid = start.taskNewtask.pid
    #expect(start.timestamp == 1_000_000_000)
    #expect(start.taskNewtask.comm == "com.example.notes")
    let sizes = events.filter { $0.rssStat.member == 1 }
    #expect(sizes.map(\.rssStat.size) == [60_000_001, 60_000_001])
    #expect(sizes.allSatisfy { $0.pid == UInt32(pid) })
    #expect(
      events.filter { $0.oomScoreAdjUpdate.pid == pid }.map(\.oomScoreAdjUpdate.oomScoreAdj)
        == [0, 900])
    let prints = events.map(\.print.buf).filter { !$0.isEmpty }
    #expect(prints.count { $0.hasPrefix("B|\(pid)|activityResume") } == 1)
    #expect(prints.count { $0.hasPrefix("B|\(pid)|activityPause") } == 1)
    #expect(prints.last?.hasSuffix("|lowmemorykiller|lmk,\(pid),-1,900,0\n") == true)
    #expect(events.last?.schedProcessFree.pid == pid)
    let snapshot = try #require(trace.packet.first { !$0.clockSnapshot.clocks.isEmpty })
    #expect(snapshot.clockSnapshot.clocks.map(\.timestamp) == [0, UInt64(Self.start)])
    #expect(trace.packet.allSatisfy { !$0.hasMachineID })
    // Negative available memory is none to the kernel, and itself on its own track.
    let available = trace.packet.flatMap(\.sysStats.meminfo).filter {
      $0.key == .meminfoMemAvailable
    }
    #expect(available.map(\.value) == [0])
    let values = trace.packet.map(\.trackEvent).filter { $0.type == .counter }.map(\.counterValue)
    #expect(values.contains(-70) && values.contains(300))
    let names = trace.packet.map(\.trackDescriptor.name)
    for name in [
      "Jettison: example, lru, iphone-4 with 512 MiB, seed 1", "com.example.notes", "RAM",
      "thresholds.purge",
    ] {
      #expect(names.count { $0 == name } == 1, "\(name)")
    }
    let ids = trace.packet.map(\.trackDescriptor.uuid).filter { $0 > 0 }
    #expect(Set(ids).count == ids.count)
  }

  @Test(
    "Beside a capture, its bytes come first and the run is on its clock, on a machine of its own")
  func beside() throws {
    let scratch = try Scratch()
    let (path, capture) = ("\(scratch.path)/out.pftrace", "\(scratch.path)/capture.pftrace")
    let bytes = try Self.capture(after: 3_000_000_000)
    try Data(bytes).write(to: URL(filePath: capture))
    try Self.write(try PerfettoReportSink(path: path, beside: capture))
    let written = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(written.starts(with: bytes))
    #expect([UInt8](try Data(contentsOf: URL(filePath: capture))) == bytes)
    let own = try PerfettoTrace(serializedBytes: Array(written[bytes.count...]))
    #expect(own.packet.allSatisfy { $0.machineID == 1 })
    let start = try #require(
      own.packet.flatMap(\.ftraceEvents.event).first { $0.taskNewtask.pid > 0 })
    // The run starts 3 s before the capture, in which 1000 s have passed since boot.
    #expect(start.timestamp == 998_000_000_000)
    let tree = try PerfettoTrace(serializedBytes: bytes).packet.flatMap(\.processTree.processes)
    #expect(
      Set(tree.map(\.pid)).isDisjoint(with: own.packet.flatMap(\.processTree.processes).map(\.pid)))
  }

  /// What cannot stand beside a run, and what the sentence says.
  private static func unusable() throws -> [(name: String, bytes: [UInt8], sentence: String)] {
    let good = try capture()
    return [
      ("empty", [], "is not a Perfetto trace"),
      ("text", Array("time_ns,app,event\n".utf8), "is not a Perfetto trace"),
      ("zipped", [0x1F, 0x8B, 8, 0] + good, "is compressed (unpack it with gunzip)"),
      (
        "cut", Array(good.dropLast(3)),
        "its last packet is cut short, and nothing can be put behind it (keep the whole ones with "
          + "'head -c "
      ),
      ("no date", try capture(hasDate: false), "no snapshot of its clocks tells the date"),
      ("later", try capture(after: 86_400_000_000_000), "is of another time than the capture"),
      ("sooner", try capture(after: -86_400_000_000_000), "is of another time than the capture"),
    ]
  }

  @Test(
    "A file that isn't a capture, or is of another time, is refused in a sentence")
  func unusableCaptures() throws {
    for (name, bytes, sentence) in try Self.unusable() {
      let scratch = try Scratch()
      let (path, capture) = ("\(scratch.path)/out.pftrace", "\(scratch.path)/capture.pftrace")
      try Data(bytes).write(to: URL(filePath: capture))
      do {
        try Self.write(try PerfettoReportSink(path: path, beside: capture))
        Issue.record("\(name) was taken")
      } catch let error as ReportError {
        #expect(error.description.contains(sentence), "\(name): \(error)")
        #expect(error.exitStatus == 65)
      }
      #expect(scratch.names == ["capture.pftrace"], "\(name)")
    }
  }

  @Test("The remedy for a capture that is cut short helps")
  func cutCapture() throws {
    let scratch = try Scratch()
    let capture = "\(scratch.path)/capture.pftrace"
    try Data(try Self.capture().dropLast(3)).write(to: URL(filePath: capture))
    let error = #expect(throws: ReportError.self) {
      try PerfettoReportSink(path: "\(scratch.path)/out.pftrace", beside: capture)
    }
    let tail = try #require(error?.description.split(separator: "head -c ").last)
    let count = try #require(Int(tail.prefix { $0.isNumber }))
    let bytes = try Data(contentsOf: URL(filePath: capture))
    try bytes.prefix(count).write(to: URL(filePath: capture))
    try Self.write(try PerfettoReportSink(path: "\(scratch.path)/out.pftrace", beside: capture))
  }

  @Test("A run that does not say when it was lies beside nothing")
  func noStart() throws {
    let scratch = try Scratch()
    let capture = "\(scratch.path)/capture.pftrace"
    try Data(try Self.capture()).write(to: URL(filePath: capture))
    let run = try Sample.run(start: nil)
    let error = #expect(throws: ReportError.self) {
      try Self.write(
        try PerfettoReportSink(path: "\(scratch.path)/out.pftrace", beside: capture), run: run)
    }
    #expect(error?.description.contains("does not say when it starts") == true)
  }

  @Test("Places that cannot be written or read have a status")
  func places() throws {
    let scratch = try Scratch()
    let none = #expect(throws: ReportError.self) {
      try PerfettoReportSink(path: "\(scratch.path)/none/out.pftrace")
    }
    #expect(none?.exitStatus == 73)
    let missing = #expect(throws: ReportError.self) {
      try PerfettoReportSink(path: "\(scratch.path)/out.pftrace", beside: "\(scratch.path)/none")
    }
    #expect(missing?.exitStatus == 66)
    #expect(throws: ReportError.self) {
      try PerfettoReportSink(path: "\(scratch.path)/out.pftrace", beside: scratch.path)
    }
    #expect(scratch.names == [])
    let most = #expect(throws: ReportError.self) {
      _ = try PerfettoReportSink(path: "\(scratch.path)/out.pftrace").listeners?.listener(
        to: try Sample.run(100_000))
    }
    #expect(most?.exitStatus == 64)
  }

  @Test("Nothing appears before the end, and nothing is left of what was given up")
  func rollback() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/out.pftrace"
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    do {
      let sink = try PerfettoReportSink(path: path)
      let listener = try Sample.listener(of: sink)
      let part = try listener.finish()
      // The trace under its hidden name: a small part is in memory.
      #expect(scratch.names.count == 2)
      try sink.add(part)
      part.discard()
      #expect(try scratch.text("out.pftrace") == "old")
    }
    #expect(scratch.names == ["out.pftrace"])
    #expect(try scratch.text("out.pftrace") == "old")
  }

  @Test("Names full of marks, of other scripts and without end stay what they are")
  func hostileNames() throws {
    let scratch = try Scratch()
    let names = [
      "a|b\n", "<script>alert('1')</script>", "\u{202E}gnp.exe",
      String(repeating: "x", count: 10_000),
      "S|1|launchingActivity#7|0", "com.example:remote",
    ]
    for name in names {
      let path = "\(scratch.path)/out.pftrace"
      let run = try Sample.run(trace: name, apps: [name])
      let sink = try PerfettoReportSink(path: path)
      let listener = try #require(try sink.listeners?.listener(to: run))
      for (kind, cause) in [(RecordedKind.state, RecordedCause.t1), (.launch, .cold)] {
        var event = EventRecord(kind, app: AppIndex(0), at: 1)
        event.stateAfter = kind == .state ? .active : nil
        event.cause = cause
        event.nanoseconds = 5
        listener.recorder.record(event)
      }
      try sink.add(try listener.finish())
      try sink.finish(runs: [], comparisons: [])
      try sink.publish()
      let trace = try Self.read(path)
      let events = trace.packet.flatMap(\.ftraceEvents.event)
      #expect(events.map(\.taskNewtask.comm).contains(name))
      #expect(trace.packet.map(\.trackDescriptor.name).contains(name))
      // A line holds the name whole, or there is none.
      let isWritable = name.allSatisfy { $0 != "|" && $0 != ":" && $0 != "\n" }
      let lines = events.map(\.print.buf).filter { $0.contains("completed-cold") }
      #expect(lines.count == (isWritable ? 1 : 0))
      #expect(lines.allSatisfy { $0.hasSuffix(":completed-cold:\(name)\n") })
    }
  }
}
