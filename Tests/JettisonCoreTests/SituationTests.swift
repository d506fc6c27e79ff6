import JettisonCore
import JettisonTestSupport
import Testing

/// How things stood when the capture began, settled as one: see *Present* in "Trace format 1".
///
/// RAM is 100 MiB, a and b weigh 60 each: together they do not fit.
struct SituationTests {
  let phone = Scenario().app("a", MiB: 60).app("b", MiB: 60)

  @Test(arguments: enginesUnderTest)
  func `rows in any order are one situation`(engine: NamedEngine) throws {
    // The small sample of b comes last, and nobody is purged before it.
    for rows in [
      "0s,a,present,,,state=suspended\n0s,b,present,,,state=suspended\n0s,b,footprint,10MiB",
      "0s,,system-memory,50MiB\n0s,a,present,20MiB,,state=suspended\n0s,,system-memory,10MiB",
      """
      0s,,system-memory,0
      0s,a,present,90MiB,,state=suspended
      0s,b,present,20MiB,,state=suspended
      0s,a,footprint,20MiB
      0s,b,shared-resource,0
      0s,a,pin,0
      """,
    ] {
      let replayed = try phone.replay(rows + "\n9s,,end", on: engine)
      #expect(replayed.decisions.isEmpty)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `another row between them ends it`(engine: NamedEngine) throws {
    let replayed = try phone.replay(
      """
      0s,a,present,,,state=suspended
      0s,b,present,,,state=suspended
      0s,,clock,60
      0s,b,footprint,10MiB
      9s,,end
      """, on: engine)
    #expect(replayed.decisions.count == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `without a present row there is no situation`(engine: NamedEngine) throws {
    let replayed = try phone.replay(
      "0s,,system-memory,120MiB\n0s,,system-memory,0\n9s,,end", on: engine)
    #expect(replayed.system.noVictimDecisions == 1)
    let both = try phone.replay(
      "0s,,system-memory,120MiB\n0s,a,present,10MiB,,state=suspended\n0s,,system-memory,0\n9s,,end",
      on: engine)
    #expect(both.system.noVictimDecisions == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a resource held from the start ends the app in the background`(
    engine: NamedEngine
  ) throws {
    let replayed = try phone.replay(
      "0s,a,present,10MiB,,state=background\n0s,a,shared-resource,1\n9s,,end", on: engine)
    #expect(replayed.story(.kill) == ["1s a kill sharedResource"])
  }
}
