import JettisonCore
import JettisonTestSupport
import Testing

/// Saves after every edit, saves of the catalog in the place of captured ones, and what is written.
///
/// RAM is 100 MiB; `a` weighs 30, and `big` weighs 65, so that launching `big` purges `a` as soon as
/// it is suspended. A save takes 1 s per 1000 B.
struct EditSaveTests {
  func saving(
    _ triggers: AppProfile.SaveTriggers, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> Scenario {
    Scenario().app("big", MiB: 65).app("a", MiB: 30) {
      $0.saveTriggers = triggers
      $0.saveFixedNanoseconds = 0
      $0.saveBytesPerSecond = 1000
      change(&$0)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `every edit starts a save of what is unsaved then`(engine: NamedEngine) throws {
    let replayed = try saving(.edit).replay(
      """
      0s,a,launch
      1s,a,edit,1000
      2.5s,a,edit,500
      2.75s,a,edit,250
      9s,big,launch
      """, on: engine)
    #expect(
      replayed.story(.save, .loss) == [
        "2s a save edit complete 1000 B 1s", "3s a save edit complete 500 B 0.5s",
        "3.5s a save edit complete 250 B 0.75s",
      ])
    // The third began before the second had ended, and so writes its 500 bytes again.
    #expect(replayed.totals("a").writtenBytes == 1000 + 500 + 750)
    #expect(replayed.totals("a").saves == 3)
  }

  @Test(arguments: enginesUnderTest)
  func `an edit right before the suspension is frozen with its save`(engine: NamedEngine) throws {
    let replayed = try saving(.edit).replay(
      """
      0s,a,launch
      1s,a,edit,2000,,work_ms=4000
      2s,big,launch
      9s,a,launch
      """, on: engine)
    // It needs 2 s from 1 s on, and ends at the instant of the suspension: ends of saves come first.
    #expect(replayed.story(.save, .loss) == ["3s a save edit complete 2000 B 2s"])
    let late = try saving(.edit).replay(
      """
      0s,a,launch
      1.5s,a,edit,2000,,work_ms=4000
      2s,big,launch
      9s,a,launch
      """, on: engine)
    #expect(
      late.story(.save, .loss) == [
        "3s a save edit interrupted 0 B 1.5s", "3s a loss frozen-save 2000 B 4s yes",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `what a server has is saved too, and what is saved already is not`(
    engine: NamedEngine
  ) throws {
    let replayed = try saving(.edit).replay(
      """
      0s,a,launch
      1s,a,edit,100,,synced=1
      2s,a,edit,0,,kind=position
      3s,a,edit,0
      9s,,end
      """, on: engine)
    #expect(
      replayed.story(.save) == [
        "1s a save edit complete 0 B 0s", "2s a save edit complete 0 B 0s",
      ])
    #expect(replayed.totals("a").writtenBytes == 0)
  }

  static let recorded = """
    0s,a,launch
    1s,a,edit,1000
    2s,a,save,1000,,trigger=user;duration_ms=100
    3s,a,edit,500
    5s,,home
    5s,a,save,500,,trigger=background;duration_ms=100
    7s,big,launch
    9s,a,save,1,,trigger=warning
    20s,a,launch
    """

  @Test(arguments: enginesUnderTest)
  func `captured saves count unless saves are modelled`(engine: NamedEngine) throws {
    let captured = try saving(.edit).replay(Self.recorded, on: engine)
    #expect(
      captured.story(.save, .loss) == [
        "2.1s a save user complete 1000 B 0.1s", "5.1s a save background complete 500 B 0.1s",
      ])
    #expect(captured.totals("a").writtenBytes == 1500)
    #expect(captured.totals("a").skippedEvents == 1)
    let modelled = try saving(.edit) { $0.modelsSaves = true }.replay(Self.recorded, on: engine)
    #expect(
      modelled.story(.save, .loss) == [
        "2s a save edit complete 1000 B 1s", "3.5s a save edit complete 500 B 0.5s",
      ])
    #expect(modelled.totals("a").skippedEvents == 0)
    let never = try saving([]) { $0.modelsSaves = true }.replay(Self.recorded, on: engine)
    #expect(never.story(.save) == [])
    #expect(never.story(.loss) == ["7s a loss no-save 1500 B 0s yes"])
  }

  @Test(arguments: enginesUnderTest)
  func `modelled saves replay as if the capture had none`(engine: NamedEngine) throws {
    let without = Self.recorded.split(separator: "\n").filter { !$0.contains(",save,") }
      .joined(separator: "\n")
    for triggers: AppProfile.SaveTriggers in [
      [], .background, [.resign, .terminate], .edit, [.background, .edit],
    ] {
      let change: (inout AppProfile) -> Void = {
        $0.modelsSaves = true
        $0.saveTimerNanoseconds = seconds(2)
      }
      let modelled = try saving(triggers, change).replay(Self.recorded, on: engine)
      let plain = try saving(triggers, change).replay(without, on: engine)
      #expect(modelled.story == plain.story)
      #expect(modelled.totals("a") == plain.totals("a"))
    }
  }

  @Test(arguments: enginesUnderTest)
  func `a partial save writes its share, and one that is cut off had set out to write`(
    engine: NamedEngine
  ) throws {
    let replayed = try saving(.background) { $0.saveSharePPM = 250_000 }.replay(
      """
      0s,a,launch
      1s,a,edit,4000
      2s,,home
      9s,,end
      """, on: engine)
    #expect(replayed.story(.save) == ["3s a save background partial 1000 B 1s"])
    #expect(replayed.totals("a").writtenBytes == 1000)
    let cut = try saving(.background).replay(
      "0s,a,launch\n1s,a,edit,9000\n2s,,home\n20s,,end", on: engine)
    #expect(cut.story(.save, .watchdog).count == 2)
    #expect(cut.totals("a").savesInterruptedWindow == 1)
    #expect(cut.totals("a").writtenBytes == 9000)
  }
}
