import Foundation
import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Allocation dumps")
struct MemoryReplayTests {
  /// Every call there is, addresses that come back, and calls that change nothing.
  static let fixture = """
    7: malloc 0x1000 100
    7: calloc 0x2000 3 8
    8: memalign 0x3000 64 256
    7: realloc 0x4000 0x1000 150
    7: realloc 0x1000 0x0 10
    8: free 0x0
    8: free 0x2000
    7: malloc 0x2000 5
    7: realloc 0x0 0x2000 0
    8: thread_done 0x0
    7: malloc 0x0 1000000
    7: realloc 0x0 0x4000 900000
    7: malloc 0x5000 0

    """

  private static let expected = [
    "0 capture launch", "0.001 capture alloc 100 #0", "0.002 capture alloc 24 #1",
    "0.003 capture alloc 256 #2 align=64", "0.004 capture realloc 150 #0",
    "0.005 capture alloc 10 #3", "0.006 capture free #1", "0.007 capture alloc 5 #1",
    "0.008 capture free #1", "0.009 capture alloc 0 #1", "0.009 end reason=complete",
  ]

  @Test("Every call becomes its event, a block keeps its id wherever it moves")
  func readsCalls() throws {
    let trace = try load(Self.fixture)
    #expect(summary(trace) == Self.expected)
    #expect(
      issues(trace) == [
        "info 1 free of null changes nothing @6",
        "info 1 a thread that ended changes nothing @10",
        "info 2 a call that returned null changes nothing @11,12",
      ])
    #expect(trace.blockSlotCount == 4)
    #expect(trace.header.user == "capture")
  }

  @Test("Rate and name of the app can be chosen")
  func options() throws {
    var options = ImportOptions()
    options.app = "com.example.shell"
    options.operationsPerSecond = 2
    let trace = try load(Self.fixture, options: options)
    #expect(trace.apps == ["com.example.shell"])
    #expect(summary(trace)[1] == "0.5 com.example.shell alloc 100 #0")
    #expect(trace.index.endNanoseconds == 4_500_000_000)
    options.operationsPerSecond = 0
    #expect(throws: TraceError.self) { try load(Self.fixture, options: options) }
  }

  @Test("A dump with times of its own keeps them")
  func ownTimes() throws {
    let trace = try load(
      """
      1: malloc 0x10 8 5000000000 5000000100
      2: malloc 0x20 8 5500000000 5500000100
      1: free 0x10 5400000000 5400000100
      1: thread_done 0x0 6000000000
      """)
    #expect(
      summary(trace) == [
        "0 capture launch", "0 capture alloc 8 #0", "0.5 capture alloc 8 #1",
        "0.5 capture free #0", "0.5 end reason=complete",
      ])
    #expect(trace.issues.count(atLeast: .error) == 0)
  }

  @Test("Malformed lines are located, counted and skipped")
  func malformedLines() throws {
    let trace = try load(
      """
      1: malloc 0x10 8
      malloc 0x20 8
      1: mallocate 0x20 8
      1: malloc 20 8
      1: malloc 0x20 -8
      1: malloc 0x20 99999999999999999999
      1: calloc 0x20 1099511627776 1099511627776
      1: malloc 0x20 8 x
      1: free 0x99
      1: malloc 0x10 4
      1: realloc 0x30 0x77 12
      """)
    #expect(
      issues(trace) == [
        "error 1 the line does not begin with a thread number and a colon @2",
        "error 1 an unknown call: expected malloc, calloc, realloc, memalign, free or thread_done @3",
        "error 1 an address is not a hexadecimal number with 0x @4",
        "error 3 a size is not a whole number of at most 2^40 bytes @5,6,7",
        "error 1 fields follow that the call does not have @8",
        "error 1 the address to free holds no block @9",
        "error 1 the address holds a live block: that block is taken as freed @10",
        "error 1 the address to resize holds no block: taken as a new one @11",
      ])
    #expect(summary(trace).count == 6)
    var strict = ImportOptions()
    strict.isStrict = true
    #expect(throws: TraceError.self) {
      try load("1: malloc 0x10 8\n1: free 0x99\n", options: strict)
    }
  }

  @Test("An input without any call is something else")
  func stranger() throws {
    let error = try withScratchFolder { folder in
      let path = folder.appendingPathComponent("diary.txt").path
      try Data("\nDear diary,\nnothing happened.\n".utf8).write(to: URL(fileURLWithPath: path))
      return #expect(throws: TraceError.self) {
        try TraceFormat.memoryReplay.read(
          try TraceInput(path: path, formats: .all), ImportOptions())
      }
    }
    #expect(error?.description.contains(":2: is not an allocation dump") == true)
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    try checkDamage(Self.fixture, as: .memoryReplay)
  }

  @Test(
    "The recorded system process has the known peak and survivors",
    .enabled(if: Captures.has("alloc/systemui.zip")))
  func capture() throws {
    let trace = try loadPiped(["unzip", "-p", "\(Captures.folder ?? "")/alloc/systemui.zip"])
    let requested = requestedBytes(trace)
    let kinds = trace.index.kindCounts
    let memoryEvents = [EventKind.alloc, .realloc, .free].reduce(0) { $0 + kinds[Int($1.rawValue)] }
    #expect(memoryEvents == 770_279)
    #expect(requested.peak == 10_441_709)
    #expect(requested.liveBlocks == 53_645)
    #expect(trace.issues.count == 15_818 + 357)
    #expect(trace.issues.count(atLeast: .error) == 0)
    #expect(trace.apps == ["app"])
    #expect(trace.index.endNanoseconds == 770_279_000_000)
  }
}
