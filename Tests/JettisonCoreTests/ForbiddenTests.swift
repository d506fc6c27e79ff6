import JettisonCore
import JettisonTestSupport
import Testing

/// What iOS forbids in the background: see *Forbidden in the background* in "The model".
struct ForbiddenTests {
  let phone = Scenario(ramMiB: 10_000).app("a", MiB: 30).app("b")

  @Test(arguments: enginesUnderTest)
  func `drawing in the background ends the app, drawing in front does not`(
    engine: NamedEngine
  ) throws {
    let replayed = try phone.replay(
      """
      0s,a,launch
      1s,a,gpu-work
      2s,,interrupt
      3s,a,gpu-work
      4s,,interrupt-end
      5s,a,edit,100,,work_ms=2000
      6s,,home
      6.5s,a,gpu-work
      9s,a,launch
      10s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .message, .kill, .loss, .restore).dropFirst(12) == [
        "6.5s a kill gpuInBackground", "6.5s a loss killed-running 100 B 2s yes",
        "6.5s a not-running T14", "9s a inactive T1", "9s a restore none 0 B 0s",
        "9s a didFinishLaunching", "9s a active T1", "9s a didBecomeActive",
      ])
    let totals = replayed.totals("a")
    #expect(totals.gpuKills == 1)
    #expect(totals.backgroundKills == 0)
    #expect(totals.killLossEvents == 1)
    #expect(totals.killLostWorkNanoseconds == seconds(2))
    #expect(replayed.outcome.events.first { $0.kind == .kill }?.bytes == 30 << 20)
  }

  @Test(arguments: enginesUnderTest)
  func `a suspended app is woken by its drawing and ended for it`(engine: NamedEngine) throws {
    let replayed = try phone.replay(
      """
      0s,a,launch
      2s,,home
      5s,,device-change,,,kind=locale;to=de
      9s,a,gpu-work
      12s,a,gpu-work
      20s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .message, .kill).dropFirst(9) == [
        "9s a background T12", "9s a kill gpuInBackground", "9s a not-running T14",
      ])
    // What changed meanwhile is told in between.
    let told = replayed.outcome.events.filter { $0.change != nil }
    #expect(told.map(\.message) == [.localeChange])
    #expect(replayed.totals("a").impliedWakes == 1)
    #expect(replayed.totals("a").skippedEvents == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `an app that holds a shared resource is ended instead of suspended`(
    engine: NamedEngine
  ) throws {
    let replayed = try phone.app("a") {
      $0.saveTriggers = .background
      $0.saveThread = .queue
      $0.saveFixedNanoseconds = 3_000_000_000
    }.replay(
      """
      0s,a,launch
      1s,a,shared-resource,1,,resource=contacts
      1s,a,shared-resource,1,,resource=contacts
      2s,a,edit,100
      3s,,home
      9s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .kill, .save, .loss).dropFirst(4) == [
        "4s a kill sharedResource", "4s a save background interrupted 0 B 1s",
        "4s a loss killed-running 100 B 0s censored", "4s a not-running T14",
      ])
    let totals = replayed.totals("a")
    #expect(totals.sharedResourceKills == 1)
    #expect(totals.savesInterruptedPurge == 1)
    // It was not suspended: nothing was looked at there.
    #expect(totals.dirtyBytesAtLeave == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `each resource is held once and must be given back`(engine: NamedEngine) throws {
    let one = try phone.replay(
      """
      0s,a,launch
      1s,a,shared-resource,1,,resource=contacts
      1s,a,shared-resource,1,,resource=contacts
      2s,,home
      2.5s,a,shared-resource,0,,resource=contacts
      9s,,end
      """, on: engine)
    #expect(one.story(.state).last == "3s a suspended T7")
    let two = try phone.replay(
      """
      0s,a,launch
      1s,a,shared-resource,1,,resource=contacts
      1s,a,shared-resource,1,,resource=file-lock
      2s,,home
      2.5s,a,shared-resource,0,,resource=contacts
      9s,,end
      """, on: engine)
    #expect(two.story(.kill) == ["3s a kill sharedResource"])
    // The delay ends before the row at its very instant.
    let late = try phone.replay(
      "0s,a,launch\n1s,a,shared-resource,1\n2s,,home\n3s,a,shared-resource,0\n9s,,end", on: engine)
    #expect(late.story(.kill) == ["3s a kill sharedResource"])
    #expect(late.totals("a").skippedEvents == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a task puts the suspension off, and what a wake takes counts too`(
    engine: NamedEngine
  ) throws {
    let replayed = try phone.replay(
      """
      0s,a,launch
      1s,a,shared-resource,1
      1s,a,task-begin,,1
      2s,,home
      8s,a,shared-resource,0
      9s,a,task-end,,1
      20s,a,shared-resource,1
      30s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .kill).dropFirst(4) == [
        "10s a suspended T7", "20s a background T12", "21s a kill sharedResource",
        "21s a not-running T14",
      ])
    #expect(replayed.totals("a").impliedWakes == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `an end and an observed exit give everything back`(engine: NamedEngine) throws {
    for row in ["2s,a,observed-exit,,,cause=low-memory", "2s,a,crash"] {
      let replayed = try phone.replay(
        "0s,a,launch\n1s,a,shared-resource,1\n\(row)\n3s,a,launch\n4s,,home\n9s,,end", on: engine)
      #expect(replayed.story(.kill) == [])
      #expect(replayed.story(.state).last == "5s a suspended T7")
    }
  }

  @Test(arguments: enginesUnderTest)
  func `other systems and the cache forbid nothing, but the rows wake`(
    engine: NamedEngine
  ) throws {
    let rows = """
      0s,a,launch
      1s,a,shared-resource,1
      2s,,home
      9s,a,gpu-work
      20s,,end
      """
    for era in [Era.androidLMKD, .linuxOOM] {
      let replayed = try phone.with { $0.configuration.device.era = era }.replay(rows, on: engine)
      #expect(
        replayed.story(.state, .kill).dropFirst(4) == [
          "3s a suspended T7", "9s a background T12", "10s a suspended T7",
        ])
    }
    let cache = try phone.with { $0.configuration.pressure = .idealCache }.replay(rows, on: engine)
    #expect(cache.story(.kill) == [])
  }
}
