import Foundation
import Testing

@Suite("explain takes a decision apart")
struct ExplainTests {
  /// Of five apps two may go at 60 s: the radio is pinned, the chat was used last, the game is in
  /// front.
  ///
  /// Footprints are whole pages: 60,002,304 + 80,003,072 + 30,003,200 + 40,001,536 +
  /// 150,003,712 bytes, of 512 MiB less 161.
  private static let story = """
    # jettison-trace: 1
    # device: iphone-4
    # user: story
    # apps:
    #   com.example.notes: {category: notes, footprint: {launch: 60MB}, launch: {cold: 900ms, hot: 100ms}, save: {when: []}}
    #   com.example.maps: {footprint: {launch: 80MB}, launch: {cold: 2s, hot: 200ms}}
    #   com.example.radio: {footprint: {launch: 30MB}, launch: {cold: 1s, hot: 100ms}}
    #   com.example.chat: {footprint: {launch: 40MB}, launch: {cold: 600ms, hot: 100ms}}
    #   com.example.game: {footprint: {launch: 90MB}, edits: none}
    time_ns,app,event,value,id,detail
    0,com.example.radio,launch,,,
    1000000000,com.example.radio,pin,1,,reason=user
    10000000000,com.example.notes,launch,,,
    15000000000,com.example.notes,edit,2048,,work_ms=4000
    20000000000,com.example.maps,launch,,,
    30000000000,com.example.chat,launch,,,
    40000000000,com.example.game,launch,,,
    60000000000,com.example.game,footprint,150000000,,
    90000000000,com.example.notes,launch,,,
    95000000000,,end,,,reason=complete

    """

  @Test("A whole page, worked by hand")
  func page() throws {
    let program = try Program()
    try program.write(Self.story, to: "story.csv")
    let result = try program.run(
      "explain story.csv --policy gdsf+recent=1 --policies lru,lru+saved,size+minimal,belady,mru "
        + "--pressure thresholds --footprints declared -q", columns: 88)
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(result.output == Self.page)
  }

  /// gdsf: 0.8 / 60,002,304 before 1.8 / 80,003,072.
  ///
  /// Needed: 12 % of 536,870,912 less 8,036,352.
  private static let page = """
    Decision 1 at 1 min (60000000000 ns): story under gdsf+recent=1 on iphone-4

    Trigger thresholds, level critical; 3 purges in the whole run

      RAM                              536870912 B   512 MiB   100 % of RAM
      - system (the device's reserve)  168820736 B   161 MiB  31.4 % of RAM
      - apps                           360013824 B   343 MiB  67.1 % of RAM
      = available                        8036352 B   7.7 MiB   1.5 % of RAM
      may stop at                       64424510 B  61.4 MiB    12 % of RAM
      needed                            56388158 B  53.8 MiB  10.5 % of RAM

    Pressure model thresholds: purging begins below 10 % (53687091.2 B) and goes on until
    12 % (64424509.44 B); level warning is below 15 % (80530636.8 B), critical below 5 %
    (26843545.6 B); a level ends 15 % above where it begins.

    The lowest score goes first. Score: H = L + f * c / s. L is the global age when the app
    was last launched, f its launches since its last purge, c its relaunch cost (cold less
    hot latency, seconds) or 1, s its footprint in bytes now. At a purge L rises to the H of
    the purged app. On ideal-cache a cold launch reads L after the purges that it causes, as
    in the paper; libCacheSim's GDSF inserts first, may evict the newcomer at once, and is
    no policy for apps.

    Modifiers: The app used last is spared (+recent).

                                                    decided
    rank  app                state           score  by       footprint     frees  purged
    ----  -----------------  ---------  ----------  -------  ---------  --------  ------
       1  com.example.notes  suspended  1.33328e-8  score     57.2 MiB  57.2 MiB  yes
       2  com.example.maps   suspended  2.24991e-8  score     76.3 MiB  76.3 MiB  no
    Then available: 8036352 + 60002304 = 68038656 B, 12.7 % of RAM; enough to stop at
    64424510 B.

    What is known of the candidates, by rank
                suspended  in memory            relaunch  unsaved           warned
    rank  idle        for        for  launches     costs     work  unsaved  before
    ----  ----  ---------  ---------  --------  --------  -------  -------  ------
       1  40 s       39 s       50 s         1    800 ms      4 s    2 KiB   never
       2  30 s       29 s       40 s         1     1.8 s      0 s      0 B   never

    What the score is made of
    rank  L  f    c         s       score
    ----  -  -  ---  --------  ----------
       1  0  1  0.8  60002304  1.33328e-8
       2  0  1  1.8  80003072  2.24991e-8

    Who could not go
      com.example.chat   suspended  38.1 MiB  used recently
      com.example.game   active      143 MiB  in front
      com.example.radio  suspended  28.6 MiB  pinned in the trace

    What it cost
      com.example.notes lost 4 s of work (2 KiB): no-save; noticed: yes
      com.example.notes was opened again 30 s later, at 1 min 30 s

    What if: the same moment under other policies, by the ranks above
                                            work  unsaved  relaunches
    policy         order  purges     frees  lost     lost        cost
    -------------  -----  ------  --------  ----  -------  ----------
    gdsf+recent=1  1 2    1       57.2 MiB   4 s    2 KiB      800 ms
    lru            1 2    1       57.2 MiB   4 s    2 KiB      800 ms
    lru+saved      2 1    2       76.3 MiB   0 s      0 B       1.8 s
    size+minimal   2 1    2       76.3 MiB   0 s      0 B       1.8 s
    belady         2 1    2       76.3 MiB   0 s      0 B       1.8 s
    mru            2 1    2       76.3 MiB   0 s      0 B       1.8 s
    belady looks into the future.

    """

  @Test("Every policy is asked unless told otherwise")
  func others() throws {
    let program = try Program()
    try program.write(Self.story, to: "story.csv")
    let line = "explain story.csv --footprints declared -q"
    let all = try program.run(line)
    #expect(all.status == 0)
    for policy in ["mru", "gdsf", "landlord-loss", "arc", "belady"] {
      #expect(all.output.contains("\n\(policy) "), "\(policy)")
    }
    #expect(!all.output.contains("failed"))
    #expect(all.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let none = try program.run(line + " --what-if off")
    #expect(!none.output.contains("What if"))
    #expect(all.output.hasPrefix(none.output))
  }

  @Test("Modifiers in force are told, and a decision without a candidate names who was spared")
  func modifiers() throws {
    let program = try Program()
    try program.write(Self.story, to: "story.csv")
    let result = try program.run([
      "explain", "story.csv", "--policy", "lru+protect=com.*+unit=app", "--at", "60s",
      "--footprints", "declared", "-q",
    ])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("There was no candidate: nothing could be purged.\n"))
    #expect(
      result.output.contains("com.example.maps   suspended  76.3 MiB  protected by +protect\n"))
    let some = try program.run(
      "explain story.csv --policy lru+protect=*.maps+until=15% -q", columns: 120)
    #expect(
      some.output.contains(
        "Modifiers: Never go: *.maps (+protect). Purging goes on until 15 % of RAM are available"))
  }

  @Test("What can never act is told by check and compare")
  func idle() throws {
    let program = try Program()
    try program.write(Self.story, to: "story.csv")
    let sentence =
      "no run on 'iphone-4' with 4 GiB made a decision: available memory never fell to 5 % of RAM "
      + "(least: 87.7 %, 3.5 GiB)"
    let compared = try program.run(
      "compare story.csv --memory 4GiB,512MiB --policies lru+protect=nobody,mru+recent=9 "
        + "--footprints declared")
    #expect(compared.status == 0)
    for note in [
      sentence, "policy 'lru+protect=nobody': +protect=nobody matches no app",
      "story.csv: policy 'mru+recent=9': +recent=9 spares all 5 apps: nobody can be purged",
    ] {
      #expect(compared.error.contains("jettison: note: \(note)\n"), "\(note)")
    }
    #expect(!compared.error.contains("512 MiB made"))
    let checked = try program.run("check story.csv --memory 4GiB --policies lru+unit=app+until=5%")
    #expect(checked.status == 0)
    for line in [
      "idle: \(sentence)",
      "note: policy 'lru+unit=app+until=5%': +unit=app does nothing: every app has one process",
      "note: policy 'lru+unit=app+until=5%': +until=5% does nothing: the pressure model 'ios-4' "
        + "goes on until 5 % by itself",
    ] {
      #expect(checked.output.contains("  story.csv: \(line)\n"), "\(line)")
    }
    #expect(!(try program.run("check story.csv").output.contains("idle: no run")))
  }
}
