import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Traces of the malloc lab")
struct MallocRepTests {
  static let fixture = """
    20000
    3
    7
    1
    a 0 512
    a 1 128
    r 0 640
    a 2 0
    f 1
    a 1 64
    f -1

    """

  @Test("Operations become events at a fixed rate, and an id may be used again")
  func readsOperations() throws {
    let trace = try load(Self.fixture, file: "short1-bal.rep")
    #expect(
      summary(trace) == [
        "0 short1-bal launch", "0.001 short1-bal alloc 512 #0", "0.002 short1-bal alloc 128 #1",
        "0.003 short1-bal realloc 640 #0", "0.004 short1-bal alloc 0 #2",
        "0.005 short1-bal free #1", "0.006 short1-bal alloc 64 #1", "0.006 end reason=complete",
      ])
    #expect(issues(trace) == ["info 1 free of null changes nothing @11"])
    var options = ImportOptions()
    options.operationsPerSecond = 2
    #expect(try load(Self.fixture, options: options).index.endNanoseconds == 3_000_000_000)
  }

  @Test("What the header does not allow is located, counted and skipped")
  func malformedLines() throws {
    let trace = try load(
      """
      20000
      2
      11
      0
      a 0 8
      a 0 16
      a 2 8
      a -2 8
      f 1
      r 1 4
      f 1
      f 1
      a 1
      a 1 9999999999999
      x
      """)
    #expect(
      issues(trace) == [
        "error 1 the id has a live block: that block is taken as freed @6",
        "error 2 the id is not below the header's number of ids @7,8",
        "error 2 the id to free has no block @9,12",
        "error 1 the id to resize has no block: taken as a new one @10",
        "error 3 an unknown line: expected 'a id bytes', 'r id bytes' or 'f id' @13,14,15",
      ])
    #expect(
      summary(trace).dropFirst() == [
        "0.001 capture alloc 8 #0", "0.002 capture free #0", "0.003 capture alloc 16 #0",
        "0.004 capture alloc 4 #1", "0.005 capture free #1", "0.005 end reason=complete",
      ])
  }

  @Test("Operations that the header counts and that are not there are lost")
  func counts() throws {
    let fewer = try load("9\n1\n3\n1\na 0 8\n")
    #expect(issues(fewer) == ["data-loss 1 fewer operations than the header says @3"])
    let more = try load("9\n1\n1\n1\na 0 8\nf 0\n")
    #expect(issues(more) == ["error 1 more operations than the header says @3"])
  }

  @Test(
    "A header without its four numbers is refused", arguments: ["", "1\n2\n3\na 0 8\n", "a 0 8\n"])
  func header(_ text: String) {
    #expect(throws: TraceError.self) { try load(text) }
    #expect(throws: TraceError.self) { try load(text, as: .mallocRep) }
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    try checkDamage(Self.fixture, as: .mallocRep)
  }
}
