import Foundation
import JettisonTestSupport
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

  @Test("Purges are counted as reports count them: an end at the high-water mark is a kill")
  func highWater() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # user: hw
      # apps:
      #   a: {footprint: {launch: 60MB}, edits: none, limit: {soft: 50MB}}
      #   b: {footprint: {launch: 60MB}, edits: none}
      #   g: {footprint: {launch: 100MB}, edits: none}
      time_ns,app,event,value,id,detail
      0,a,launch,,,
      10000000000,b,launch,,,
      20000000000,g,launch,,,
      40000000000,g,footprint,210000000,,
      60000000000,g,footprint,320000000,,
      90000000000,,end,,,reason=complete

      """, to: "water.csv")
    let summary = try program.run("replay water.csv -q")
    #expect(summary.output.contains(#/\npurges +1 /#))
    let purge = try program.run("explain water.csv --purge 1 -q")
    #expect(purge.output.contains("; 1 purge in the whole run\n"))
    #expect(purge.output.hasPrefix("Decision 2 at 1 min"))
    let beyond = try program.run("explain water.csv --purge 2 -q")
    #expect(beyond.status == 64)
    #expect(beyond.error.contains("the run has 1 purge in 2 decisions"))
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

    Modifiers: The app used last is spared (+recent=1).

                                                    decided
    rank  app                state           score  by       footprint     frees  ended
    ----  -----------------  ---------  ----------  -------  ---------  --------  -----
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

  /// Killed in front at 10 s, the notes are opened again when their cold launch has taken its second.
  @Test("An app that is killed in front is opened again, in the simulation alone")
  func killInFront() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # user: writer
      # apps:
      #   notes: {footprint: {launch: 60MB}, launch: {cold: 1s}, edits: none, save: {when: [background]}}
      time_ns,app,event,value,id,detail
      0,notes,launch,,,
      5000000000,notes,edit,4000000,,work_ms=5000
      10000000000,,system-memory,520000000,,
      10200000000,notes,edit,5,,work_ms=100
      10900000000,,system-memory,100000000,,
      20000000000,,home,,,
      30000000000,,end,,,reason=complete

      """, to: "writer.csv")
    let result = try program.run("explain writer.csv --loss 1 --what-if off -q")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("notes was opened again 1 s later, at 11 s"))
    #expect(!result.output.contains("purged"))
  }

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

  @Test("Modifiers in force are printed, and a decision without a candidate names the spared apps")
  func modifiers() throws {
    let program = try Program()
    try program.write(Self.story, to: "story.csv")
    let result = try program.run([
      "explain", "story.csv", "--policy", "lru+protect=com.*+unit=app", "--at", "60s",
      "--footprints", "declared", "-q",
    ])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("There was no candidate: nothing could be ended.\n"))
    #expect(
      result.output.contains("com.example.maps   suspended  76.3 MiB  protected by +protect\n"))
    let some = try program.run(
      "explain story.csv --policy lru+protect=*.maps+until=15% -q", columns: 120)
    #expect(
      some.output.contains(
        "Modifiers: Never go: *.maps (+protect). Purging goes on until 15 % of RAM are available"))
  }

  @Test("check and compare report what can never act")
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
      "story.csv: policy 'mru+recent=9': +recent=9 spares all 5 apps: no app can be purged",
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

  /// The decision in which everybody may go, and not the one in front alone.
  private static let offers = ["linux-oom": 1, "earlyoom": 1, "android-lmkd": 2]
  /// Where the policy leaves it to the engine that the app in front goes last.
  private static let frontLast = [
    ("aosp-rank", "linux-oom"), ("chimera-like", "linux-oom"), ("jetsam-fifo", "linux-oom"),
    ("jetsam-largest", "earlyoom"), ("lru", "earlyoom"), ("aosp-rank", "android-lmkd"),
    ("chimera-like", "android-lmkd"), ("jetsam-fifo", "android-lmkd"),
    ("jetsam-largest", "android-lmkd"), ("size", "android-lmkd"),
  ]
  /// Where it has a place for that app.
  private static let placesFront = [
    ("android", "linux-oom"), ("linux-oom", "linux-oom"), ("earlyoom", "earlyoom"),
    ("android", "android-lmkd"), ("linux-oom", "android-lmkd"),
  ]

  @Test(
    "That the app in front goes last is said where the engine sees to it, and nowhere else",
    arguments: frontLast.map { ($0, true) } + placesFront.map { ($0, false) })
  func front(_ choice: (policy: String, pressure: String), _ isSaid: Bool) throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # apps:
      #   front: {footprint: {launch: 200MB}, edits: none}
      #   other: {footprint: {launch: 100MB}, edits: none}
      time_ns,app,event,value,id,detail
      0,front,launch,,,
      10000000000,other,launch,,,
      20000000000,front,launch,,,
      30000000000,,system-memory,500000000,,
      90000000000,,end,,,

      """, to: "a.csv")
    let result = try program.run(
      "explain a.csv --policy \(choice.policy) --pressure \(choice.pressure) --what-if off "
        + "--decision \(Self.offers[choice.pressure] ?? 0) -q")
    try #require(result.status == 0, "\(result.error)")
    for candidate in ["front  active", "other  suspended"] {
      try #require(result.output.contains(" \(candidate) "), "\(result.output)")
    }
    try #require(!result.output.contains("in front\n"), "\(result.output)")
    // Words may stand on any line.
    let text = result.output.replacing("\n", with: " ")
    #expect(
      text.contains(
        "The app in front goes last, whatever its score: the pressure model offers every app, and "
          + "under it '\(choice.policy)' does not weigh who is in front.") == isSaid,
      "\(result.output)")
  }

  @Test("Where the platform takes band by band, nothing is said about the app in front")
  func bands() throws {
    let program = try Program()
    try program.write(Self.story, to: "story.csv")
    for policy in ["lru", "aosp-rank", "jetsam-fifo"] {
      let line = "explain story.csv --device iphone-6s --memory 650MiB --policy \(policy) -q"
      let list = try program.run("\(line) --list")
      try #require(list.output.contains("com.example.game"), "\(list.output)\(list.error)")
      let all = try (1...3).map { try program.run("\(line) --what-if off --decision \($0)").output }
      #expect(!all.contains { $0.contains("The app in front goes last") })
    }
  }

  @Test("All decisions in a list, and those that ended an app")
  func lists() throws {
    let program = try Program()
    try program.write(Self.story, to: "story.csv")
    let line = "explain story.csv --policy gdsf+recent=1 --pressure thresholds -q"
    #expect(
      try program.run("\(line) --list").output == """
        Decisions and other ends by the system: story under gdsf+recent=1 on iphone-4
        decision       time rule       ended                              lost noticed
        -------- ---------- ---------- ---------------------------------- ---- -------
               1      1 min thresholds com.example.notes                   4 s     4 s
               2 1 min 31 s thresholds com.example.chat, com.example.maps    –       –
        'jettison explain TRACE --decision N' shows one with every candidate.

        """)
    #expect(
      try program.run("\(line) --app com.example.maps").output == """
        story under gdsf+recent=1 on iphone-4: ends of com.example.maps
        decision       time rule       ended                              lost noticed
        -------- ---------- ---------- ---------------------------------- ---- -------
               2 1 min 31 s thresholds com.example.chat, com.example.maps    –       –
        'jettison explain TRACE --decision N' shows one with every candidate.
        In 1 more decision it could have gone, and stayed.

        """)
    let loss = try program.run("\(line) --loss 1").output
    #expect(
      loss == """
        Loss 1 of 1 at 1 min: com.example.notes lost 4 s of work (2 KiB)
        It was purged while suspended in decision 1. The user missed it 30 s later, at
        1 min 30 s. Why it was not saved: nothing, or not all, was saved before it was
        suspended or left (no-save).


        """ + (try program.run("\(line) --decision 1").output))
  }

  @Test("A loss of a position alone is printed in a word")
  func positions() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # apps:
      #   book: {category: notes, footprint: {launch: 60MB}, edits: none, save: none}
      #   game: {category: large-game, footprint: {launch: 300MB}, edits: none, save: none}
      time_ns,app,event,value,id,detail
      0,book,launch,,,
      1000000000,book,edit,0,,kind=position
      2000000000,game,launch,,,
      60000000000,book,launch,,,
      80000000000,,end,,,reason=complete

      """, to: "a.csv")
    let list = try program.run("explain a.csv --list -q").output
    let rows = list.split(separator: "\n").filter { $0.contains(" book ") }
    #expect(rows.count == 1 && rows.allSatisfy { $0.contains("position  position") }, "\(list)")
  }

  @Test("Ends without a decision are in the lists, and their losses have a story")
  func undecided() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # apps:
      #   slow: {category: notes, footprint: {launch: 20MB}, save: {when: [background], fixed: 9s}}
      #   hard: {category: browser, footprint: {launch: 60MB}, limit: 80MB}
      time_ns,app,event,value,id,detail
      0,slow,launch,,,
      1000000000,slow,edit,100,,work_ms=2000
      2000000000,hard,launch,,,
      31000000000,hard,edit,44,,work_ms=9000
      32000000000,hard,footprint,90000000,,
      33000000000,hard,launch,,,
      33500000000,,home,,,
      38000000000,slow,launch,,,
      80000000000,,end,,,reason=complete

      """, to: "a.csv")
    #expect(
      try program.run("explain a.csv --list -q").output == """
        Decisions and other ends by the system: a under lru on iphone-4
        decision  time  rule      ended  lost  noticed
        --------  ----  --------  -----  ----  -------
               –   7 s  watchdog  slow    2 s      2 s
               –  32 s  limit     hard    9 s      9 s
               –  33 s  limit     hard      –        –

        """)
    #expect(
      try program.run("explain a.csv --app slow -q").output == """
        a under lru on iphone-4: ends of slow
        decision  time  rule      ended  lost  noticed
        --------  ----  --------  -----  ----  -------
               –   7 s  watchdog  slow    2 s      2 s

        """)
    #expect(
      try program.run("explain a.csv --loss 2 -q").output == """
        Loss 2 of 2 at 7 s: slow lost 2 s of work (100 B)
        It was ended because its handler took too long. The user missed it 31 s later,
        at 38 s. Why it was not saved: its save was still running when the handler's
        time was over (handler-timeout).

        """)
  }

  @Test("explain lists the same losses as replay in the same order")
  func sameLosses() throws {
    let program = try Program()
    try program.run("generate --users 1 --days 3 --seed 4 --device iphone-3gs -o users -q")
    let line = "users/user-000.csv --memory 190MiB --footprints declared --seeds 1 -q"
    let replay = try program.run("replay \(line) --csv out --detail events")
    let table = replay.output.split(separator: "\n").drop { $0 != "Worst losses" }.dropFirst()
    let rows = table.compactMap { $0.firstMatch(of: /^ +(\d+)  .* (\d+)$/)?.output }
    let listed = rows.compactMap { row in Int(row.1).flatMap { n in Int(row.2).map { (n, $0) } } }
    try #require(listed.count > 3, "\(replay.output)")
    for (number, decision) in listed {
      let told = try program.run("explain \(line) --loss \(number) --what-if off").output
      #expect(told.hasPrefix("Loss \(number) of "))
      #expect(told.contains("\nDecision \(decision) at "), "\(told.prefix(300))")
    }
    // The list of all decisions adds up to what the summary says.
    let events = try program.text("out/events.csv").split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let place = try #require(events[0].firstIndex(of: "noticed"))
    let noticed = events.count { $0[8] == "loss" && $0[place] == "yes" }
    let shown = try program.run("explain \(line) --list").output.split(separator: "\n")
      .count { $0.contains(/\d+ (ms|s|min|h|B|KiB|MiB)$/) }
    #expect(shown == noticed)
  }
}
