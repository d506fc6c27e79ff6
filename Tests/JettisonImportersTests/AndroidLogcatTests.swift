import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Reads lines as a log of 2021 in the zone of Kyiv in summer.
private func log(_ lines: String, year: Int? = 2021, apiLevel: Int? = nil) throws -> Trace {
  var options = ImportOptions()
  options.year = year
  options.zoneOffsetSeconds = 10_800
  options.apiLevel = apiLevel
  return try load(lines + "\n", as: .androidLogcat, options: options)
}

private let clockGoesBack =
  "the clock goes back: lines are put in the order of their times, in which those before and after "
  + "it may be mixed"

@Suite("Logs of Android")
struct AndroidLogcatTests {
  static let afternoon = """
    --------- beginning of events
    06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,next-top-activity,{com.example.notes/com.example.notes.Main}]
    06-14 12:00:00.050  1000  1021 I am_proc_bound: [0,300,com.example.notes]
    06-14 12:00:00.060  1000  1021 I wm_set_resumed_activity: [0,com.example.notes/.Main,minimalResumeActivityLocked]
    06-14 12:00:00.800   300   300 I wm_on_resume_called: [6001,com.example.notes.Main,RESUME_ACTIVITY,3]
    06-14 12:00:00.900  1000  1020 I wm_activity_launch_time: [0,6001,com.example.notes/.Main,850]
    06-14 12:00:05.000  1000  1022 I am_pss  : [300,10050,com.example.notes,62914560,41943040,1048576,94371840,0,2,5]
    --------- beginning of system
    06-14 12:00:10.000  1000  1030 I ActivityManager: Start proc 310:com.example.mail:sync/u0a51 for broadcast {com.example.mail/.Receiver}
    --------- switch to events
    06-14 12:00:10.001  1000  1030 I am_proc_start: [0,310,10051,com.example.mail:sync,broadcast,{com.example.mail/.Receiver}]
    06-14 12:00:12.000   300   300 I wm_on_paused_called: [6001,com.example.notes.Main,performPause,1]
    06-14 12:00:12.030   300   300 I wm_on_resume_called: [6002,com.example.notes.Editor,RESUME_ACTIVITY,2]
    06-14 12:00:12.500   300   300 I wm_on_stop_called: [6001,com.example.notes.Main,STOP_ACTIVITY_ITEM,2]
    06-14 12:00:20.000   300   300 I wm_on_paused_called: [6002,com.example.notes.Editor,performPause,1]
    06-14 12:00:20.040  1000  1020 I am_proc_start: [0,320,10052,com.example.game,next-top-activity,{com.example.game/com.unity3d.player.Activity}]
    06-14 12:00:20.500   300   300 I wm_on_stop_called: [6002,com.example.notes.Editor,STOP_ACTIVITY_ITEM,2]
    06-14 12:00:22.000   320   320 I wm_on_resume_called: [7001,com.unity3d.player.Activity,RESUME_ACTIVITY,9]
    06-14 12:00:30.000  1000  1020 I am_freeze: [310,com.example.mail:sync]
    06-14 12:00:40.000  1000  1020 I am_mem_factor: [3,1]
    06-14 12:00:41.000  1000  1020 I am_meminfo: [350937088,41086976,492830720,427937792,291887104]
    06-14 12:00:42.000   700   700 I killinfo: [310,10051,905,201,35700,1,66560,365400,23976,1736,15984,5532,1610324,0,305968,248344,112700,233168,69700,210004,45792,70084,0,0,11936,0,4,0,0,42864,710680,4,4,12.100000,9.490000,25.700001,14.940000,13.480000]
    06-14 12:00:42.001   700   700 I lowmemorykiller: Kill 'com.example.mail:sync' (310), uid 10051, oom_score_adj 905 to free 35700kB rss, 42864kB swap; reason: device is not responding
    06-14 12:00:42.040  1000  1044 I am_proc_died: [0,310,com.example.mail:sync,905,19]
    06-14 12:00:42.041  1000  1044 I ActivityManager: Process com.example.mail:sync (pid 310) has died: cch+5 CEM
    06-14 12:00:42.042  1000  1044 I am_low_memory: 14
    06-14 12:00:50.000  1000  1020 I am_kill : [0,300,com.example.notes,900,empty for 1801s, no activity]
    06-14 12:00:50.030  1000  1020 I am_proc_died: [0,300,com.example.notes,900,19]
    06-14 12:01:00.000  1000  1020 I screen_toggled: 0
    06-14 12:01:00.200   320   320 I wm_on_paused_called: [7001,com.unity3d.player.Activity,performPause,1]
    06-14 12:02:00.000  1000  1020 I screen_toggled: 1
    06-14 12:02:00.100   320   320 I wm_on_resume_called: [7001,com.unity3d.player.Activity,RESUME_ACTIVITY,1]
    """

  @Test("An afternoon in the buffers of a log becomes the rows that it says")
  func afternoon() throws {
    let trace = try log(Self.afternoon)
    #expect(trace.header.start == "2021-06-14T12:00:00+03:00")
    #expect(
      summary(trace) == [
        "0 com.example.notes launch",
        "0.9 com.example.notes observed-launch 850000000 kind=cold",
        "5 com.example.notes footprint 62914560",
        "10 com.example.mail:sync background-launch",
        "20.04 com.example.game launch",
        "40 observed-warning 2",
        // Cached and free; zram, kernel and native.
        "41 observed-available 392024064",
        "41 system-memory 1212655616",
        // The resident set and what is swapped of the victim; free and file pages of the device.
        "42 com.example.mail:sync footprint 80449536 derived=1",
        "42 observed-available 422326272",
        "42 com.example.mail:sync observed-exit cause=low-memory;band=905",
        "42.042 observed-warning 2",
        "50 com.example.notes observed-exit cause=other;band=900",
        "60 screen 0",
        "120 screen 1",
        "120.1 end reason=complete",
      ])
    #expect(issues(trace).isEmpty)
  }

  @Test("An activity that pauses behind another of its app does not take the app from the front")
  func pauseBehind() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,next-top-activity,{com.example.notes/.Main}]
      06-14 12:00:00.800   300   300 I wm_on_resume_called: [6001,com.example.notes.Main,RESUME_ACTIVITY,3]
      06-14 12:00:10.000   300   300 I wm_on_resume_called: [6002,com.example.notes.Editor,RESUME_ACTIVITY,2]
      06-14 12:00:10.100   300   300 I wm_on_paused_called: [6001,com.example.notes.Main,performPause,1]
      06-14 12:00:20.000   300   300 I wm_on_paused_called: [6002,com.example.notes.Editor,performPause,1]
      06-14 12:00:30.000  1000  1020 I screen_toggled: 0
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes launch", "20 home", "30 screen 0", "30 end reason=complete",
      ])
  }

  @Test(
    "Every layout of a line says the same",
    arguments: [
      "06-14 12:00:00.500  1000  1020 I am_proc_start: ",
      "06-14 12:00:00.500  1000  1000  1020 I am_proc_start: ",
      "06-14 12:00:00.500 u0_a12  1000  1020 I am_proc_start: ",
      "06-14 12:00:00.500000  1000  1020 I am_proc_start: ",
      "06-14 12:00:00.500000000 system  1000  1020 I am_proc_start : ",
      "2021-06-14 12:00:00.500  1000  1020 I am_proc_start: ",
      "2021-06-14 12:00:00.500 +0300  1000  1020 I am_proc_start: ",
      "2021-06-14 11:00:00.500 +0200  1000  1020 I am_proc_start: ",
      "1623661200.500  1000  1020 I am_proc_start: ",
      "         1623661200.500000  1000  1020 I am_proc_start: ",
      "06-14 12:00:00.500 I/am_proc_start( 1000): ",
      "06-14 12:00:00.500 I/am_proc_start( 1000: 1000): ",
      "06-14 12:00:00.500 I am_proc_start: ",
      "06-14 12:00:00.500 I/am_proc_start(1000):",
    ])
  func layouts(_ head: String) throws {
    let trace = try log(head + "[0,300,10050,com.example.notes,service,{com.example.notes/.S}]")
    #expect(summary(trace).first == "0.5 com.example.notes background-launch")
    #expect(trace.header.start == "2021-06-14T12:00:00+03:00")
    #expect(issues(trace).isEmpty)
  }

  @Test(
    "Every event says what its fields say",
    arguments: [
      (
        "am_proc_died: [0,3968,com.example.settingsext,920,19]",
        "com.example.settingsext observed-exit band=920"
      ),
      ("am_proc_died: [0,20074,com.example.musicfx]", "com.example.musicfx observed-exit"),
      (
        "am_kill : [0,1879,com.example.proxy,999,empty #24]",
        "com.example.proxy observed-exit cause=other;band=999"
      ),
      (
        "am_kill : [0,16059,com.example.chat,910,excessive cpu 9100 during 300052 dur=1 limit=2]",
        "com.example.chat observed-exit cause=excessive-resource-use;band=910"
      ),
      (
        "am_kill : [0,16059,com.example.chat,910,depends on provider a, b and c in dying proc]",
        "com.example.chat observed-exit cause=dependency-died;band=910"
      ),
      ("am_kill : [0,5,com.example.chat,0,remove task]", "com.example.chat quit"),
      (
        "am_kill : [0,5,com.example.chat,0,stop com.example.chat due to installPackageLI]",
        "com.example.chat update"
      ),
      ("am_kill : [0,5,com.example.chat,0,crash]", "com.example.chat crash"),
      (
        "am_kill : [0,5,com.example.chat,0,stop user 10]",
        "com.example.chat observed-exit cause=user-stopped;band=0"
      ),
      (
        "am_kill : [0,5,com.example.chat,905,kill background]",
        "com.example.chat observed-exit cause=user-request;band=905"
      ),
      (
        "am_kill : [0,5,com.example.chat,100,permissions revoked]",
        "com.example.chat observed-exit cause=permission-change;band=100"
      ),
      (
        "am_kill : [0,5,com.example.chat,900,Sync transaction while in frozen state]",
        "com.example.chat observed-exit cause=freezer;band=900"
      ),
      (
        "am_kill : [0,5,com.example.chat,-10000,start timeout]",
        "com.example.chat observed-exit cause=init-failure;band=-10000"
      ),
      (
        "am_pss  : [28230,10144,com.example.mail,43467776,38531072]",
        "com.example.mail present 43467776 state=suspended"
      ),
      (
        "am_pss  : [7,10155,com.example.search:box,185773056,120262656,48736256,273444864,0,3,20]",
        "com.example.search:box present 185773056 state=background"
      ),
      (
        "am_pss  : [11797,10234,com.example.calendar,0,0,0,189673472,0,14,52]",
        "com.example.calendar present 189673472 state=suspended"
      ),
      ("am_freeze: [1879,com.example.proxy]", nil),
      (
        "am_unfreeze: [1879,com.example.proxy,3]",
        "com.example.proxy background-mode 1 mode=service"
      ),
      ("am_low_memory: 61", "observed-warning 2"),
      ("am_mem_factor: [3,1]", "observed-warning 2"),
      ("am_mem_factor: [2,1]", "observed-warning 1"),
      ("am_mem_factor: [0,1]", "observed-warning 0"),
      ("screen_toggled: 0", "screen 0"),
      ("power_screen_state: [0,3,0,0,441]", "screen 0"),
      ("power_screen_state: [1,3,0,0,441]", "screen 1"),
      ("boot_progress_start: 4380", "boot"),
      (
        "ActivityManager: Killing 1979:com.example.chat/u0a423 (adj 905): kill background",
        "com.example.chat observed-exit cause=user-request;band=905"
      ),
      (
        "ActivityManager: Process com.example.chat (pid 25414) has died: fg  TOP",
        "com.example.chat observed-exit band=0"
      ),
      (
        "ActivityManager: Process com.example.chat (pid 25414) has died: cch+45 SVC",
        "com.example.chat observed-exit band=945"
      ),
      // Up to Android 4.1: no user, and the older scale of ranks.
      (
        "am_proc_start: [300,10050,com.example.old,service,com.example.old/.S]",
        "com.example.old background-launch"
      ),
      ("am_proc_bound: [300,com.example.old]", "com.example.old background-launch"),
      ("am_proc_died: [300,com.example.old]", "com.example.old observed-exit"),
      (
        "am_kill : [300,com.example.old,15,too many background]",
        "com.example.old observed-exit cause=other;band=906"
      ),
      (
        "ActivityManager: Start proc 374:com.example.view/1037 [android.webkit.Creator] for null",
        "com.example.view background-launch"
      ),
      (
        "ActivityManager: Start proc com.example.old for service com.example.old/.S: pid=77 uid=1",
        "com.example.old background-launch"
      ),
      (
        "lowmemorykiller: Kill 'com.example.gms.persistent' (3946), uid 10144, oom_score_adj 100 "
          + "to free 266188kB rss, 0kB swap; reason: min watermark is breached even after kill",
        "com.example.gms.persistent observed-exit cause=low-memory;band=100"
      ),
      (
        "lowmemorykiller: Kill 'com.example.a' (39), uid 1, oom_score_adj 9 to free 20kB rss, "
          + "10kB anon rss, 0kB swap, 5kB gpu; reason: low watermark is breached",
        "com.example.a observed-exit cause=low-memory;band=9"
      ),
      (
        "lowmemorykiller: Kill 'com.example.a' (pid=39, uid=1, oom_score_adj=900) to free 20kB; "
          + "reason: low (thrashing=3%, max_thrashing=4%)",
        "com.example.a observed-exit cause=low-memory;band=900"
      ),
      (
        "lowmemorykiller: Killing 'com.example.a' (39), adj 906,",
        "com.example.a observed-exit cause=low-memory;band=906"
      ),
    ] as [(String, String?)])
  func events(_ message: String, _ row: String?) throws {
    let trace = try log("06-14 12:00:00.000  1000  1020 I \(message)")
    let rows = summary(trace).filter { !$0.contains(" end ") }
    guard let row else {
      #expect(rows == ["0 com.example.proxy present state=suspended"])
      return
    }
    #expect(rows.contains("0 \(row)"), "\(rows)")
    #expect(trace.issues.count(atLeast: .error) == 0)
  }

  @Test(
    "Ranks are read as the activity manager writes them",
    arguments: [
      ("cch+45 SVC", 945), ("cch+ 5 CEM", 905), ("cch", 900), ("svcb", 800), ("prev  LAST", 700),
      ("home   HOME", 600), ("svc    SVC", 500), ("hvy", 400), ("bkup", 300), ("prcl", 250),
      ("prcm", 225), ("prcp   IMPB", 200), ("vis+ 1", 101), ("fg  TOP", 0), ("fore   TOP", 0),
      ("psvc PER ", -700), ("pers   PER", -800), ("sys    PER", -900), ("ntv", -1000),
      ("cch+101", nil), ("cch+", nil), ("cache", nil), ("", nil), ("vis:", nil), ("905", nil),
      ("cch+999999999999999999999", nil),
    ] as [(String, Int64?)])
  func ranks(text: String, rank: Int64?) {
    #expect(AndroidAdj.rank(Array(text.utf8).span) == rank)
  }

  @Test("The scale of ranks up to Android 6 has its place in today's")
  func oldRanks() {
    let old: [Int64] = [-17, -16, -12, -11, 0, 1, 8, 9, 15]
    #expect(
      old.map { AndroidAdj.rank(ofOldAdj: $0) } == [
        -1000, -900, -800, -700, 0, 100, 800, 900, 906,
      ])
    #expect(AndroidAdj.rank(ofOldAdj: 16) == nil)
    #expect(AndroidAdj.rank(ofOldAdj: -5) == nil)
  }

  @Test(
    "What an app says of its activity is known in all three shapes",
    arguments: [
      "wm_on_resume_called: [62924082,com.example.notes.Main,RESUME_ACTIVITY,0]",
      "wm_on_resume_called: [267360229,com.example.notes.Main,RESUME_ACTIVITY]",
      "am_on_resume_called: [0,com.example.notes.Main,LAUNCH_ACTIVITY]",
      "wm_on_resume_called: [0,142578439,com.example.notes.Main,RESUME_ACTIVITY,2]",
    ])
  func shapes(_ message: String) throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_proc_bound: [0,300,com.example.notes]
      06-14 12:00:00.100   300   300 I \(message)
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes background-launch", "0.1 com.example.notes launch",
        "0.1 end reason=complete",
      ])
  }

  @Test("The window manager speaks for apps that say nothing, and never twice")
  func windowManager() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_set_resumed_activity: [0,com.example.notes/.Main,resume]
      06-14 12:00:00.001  1000  1020 I am_resume_activity: [0,122130381,33,com.example.notes/.Main]
      06-14 12:00:00.050  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,activity,com.example.notes/.Main]
      06-14 12:00:10.000  1000  1020 I am_pause_activity: [0,122130381,com.example.notes/.Main]
      06-14 12:00:20.000  1000  1020 I am_restart_activity: [0,9,34,com.example.mail/.Inbox]
      06-14 12:00:21.000  1000  1020 I am_pause_activity: [0,9,com.example.mail/.Inbox]
      06-14 12:00:21.300  1000  1020 I am_set_resumed_activity: [0,com.example.notes/.Main,resume]
      06-14 12:00:30.000  1000  1020 I am_proc_died: [0,300,com.example.notes,0,2]
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes launch", "10 home", "20 com.example.mail launch",
        "21.3 com.example.notes launch", "30 com.example.notes observed-exit band=0",
        "30 end reason=complete",
      ])
  }

  @Test("A log without events is read from its text")
  func textOnly() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I ActivityManager: Start proc 300:com.example.notes/u0a50 for top-activity {com.example.notes/com.example.notes.Main}
      06-14 12:00:30.000  1000  1020 I ActivityManager: Killing 300:com.example.notes/u0a50 (adj 905): cached #33
      06-14 12:00:30.040  1000  1020 I ActivityManager: Process com.example.notes (pid 300) has died: cch+5 CEM
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes background-launch",
        "30 com.example.notes observed-exit cause=other;band=905", "30.04 end reason=complete",
      ])
  }

  @Test("Where nothing better is there, an app is launched as lines for people say")
  func startsAndDisplays() throws {
    let lines = """
      06-14 12:00:00.000  1000  1020 I ActivityTaskManager: START u0 {act=android.intent.action.MAIN cmp=com.example.notes/.Main} from uid 10012
      06-14 12:00:00.850  1000  1020 I ActivityTaskManager: Displayed com.example.notes/.Main: +850ms
      06-14 12:00:20.000  1000  1020 I ActivityManager: Displayed com.example.mail/.Inbox: +1s2ms
      """
    #expect(
      try summary(log(lines)) == [
        "0 com.example.notes launch", "20 com.example.mail launch", "20 end reason=complete",
      ])
    let better = try log(
      lines
        + "\n06-14 12:00:30.000   300   300 I wm_on_resume_called: [1,com.example.chat.Main,R,0]")
    #expect(summary(better).filter { $0.contains("launch") } == ["0 com.example.chat launch"])
    let none = try log("06-14 12:00:00.000  1000  1020 I am_proc_bound: [0,300,com.example.notes]")
    let source = try #require(none.header.source)
    #expect(source.hasSuffix("nothing in it shows which app is in front: no launches"))
  }

  @Test("After a start of the device nothing runs from before")
  func boot() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_pss  : [300,1001,com.example.notes,1048576,0]
      06-14 12:00:10.000  1000  1020 I boot_progress_start: 4380
      06-14 12:00:20.000  1000  1020 I am_pss  : [300,1001,com.example.notes,1048576,0]
      06-14 12:00:21.000   300   300 I wm_on_resume_called: [1,com.example.notes.Main,RESUME,0]
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes present 1048576 state=suspended", "10 boot",
        "20 com.example.notes background-launch", "20 com.example.notes footprint 1048576",
        "21 com.example.notes launch", "21 end reason=complete",
      ])
  }

  @Test("A crash and a freeze explain the end that follows")
  func crashes() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,service,{a/.B}]
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,301,10051,com.example.mail,service,{a/.B}]
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,302,10052,com.example.chat,service,{a/.B}]
      06-14 12:00:05.000  1000  1020 I am_crash: [300,0,com.example.notes,545800773,java.lang.IllegalStateException,a, b,Main.java,12]
      06-14 12:00:05.200  1000  1020 I am_proc_died: [0,300,com.example.notes,0,2]
      06-14 12:00:06.000  1000  1020 I am_anr  : [0,301,com.example.mail,545800773,Input dispatching timed out]
      06-14 12:00:07.000  1000  1020 I am_kill : [0,301,com.example.mail,0,bg anr]
      06-14 12:00:08.000  1000  1020 I am_crash: [0,302,com.example.chat,1,Native crash,Segmentation fault,unknown,0]
      06-14 12:00:09.000  1000  1020 I am_kill : [0,302,com.example.chat,0,user request after error]
      """)
    #expect(
      summary(trace).filter { !$0.contains("background-launch") } == [
        "5.2 com.example.notes crash",
        "7 com.example.mail observed-exit cause=not-responding;band=0",
        "9 com.example.chat crash", "9 end reason=complete",
      ])
  }

  @Test("A process id that is used again is another process")
  func reusedPid() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,service,{a/.B}]
      06-14 12:00:10.000  1000  1020 I am_proc_died: [0,300,com.example.notes,900,16]
      06-14 12:00:10.200  1000  1020 I am_proc_start: [0,300,10051,com.example.mail,service,{a/.B}]
      06-14 12:00:20.000  1000  1020 I am_pss  : [300,10052,com.example.chat,1048576,1048576]
      06-14 12:00:30.000  1000  1020 I am_proc_start: [0,300,10052,com.example.chat,service,{a/.B}]
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes background-launch", "10 com.example.notes observed-exit band=900",
        "10.2 com.example.mail background-launch", "20 com.example.mail observed-exit",
        "20 com.example.chat background-launch", "20 com.example.chat footprint 1048576",
        "30 com.example.chat observed-exit", "30 com.example.chat background-launch",
        "30 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "info 2 a process id is given to another process: the end of the first is not shown @4,5",
        "info 1 a process whose start is not shown begins with what is said of it first @4",
      ])
  }

  @Test(
    "States of processes are read in the numbering of their Android",
    arguments: [
      (28, 9, true), (28, 14, false), (29, 11, true), (29, 15, false), (29, 3, true),
      (30, 10, true), (30, 14, false), (34, 4, true), (34, 16, false),
    ])
  func processStates(_ level: Int, _ state: Int, _ isRunning: Bool) throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,service,{a/.B}]
      06-14 12:00:01.000  1000  1020 I am_unfreeze: [300,com.example.notes]
      06-14 12:00:02.000  1000  1020 I am_freeze: [300,com.example.notes]
      06-14 12:00:03.000  1000  1020 I am_proc_state_changed: [10050,300,1,\(state),19,200,900,x]
      """, apiLevel: level)
    #expect(
      summary(trace).dropFirst(3).first
        == (isRunning
          ? "3 com.example.notes background-mode 1 mode=service" : "3 end reason=complete"))
  }

  @Test("A process below zero is pinned since it began")
  func pinned() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_low_memory: 3
      06-14 12:00:09.000  1000  1020 I am_pss  : [90,1001,com.example.phone,1048576,0]
      06-14 12:00:10.000  1000  1020 I am_proc_state_changed: [1001,90,1,0,0,-800,-800,x]
      """)
    #expect(
      summary(trace) == [
        "0 com.example.phone present 1048576 state=suspended",
        "0 com.example.phone pin 1 reason=user", "0 observed-warning 2", "10 end reason=complete",
      ])
  }

  @Test("An activity that pauses as the capture begins was in front")
  func frontAtTheBeginning() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_pss  : [300,1001,com.example.notes,1048576,0]
      06-14 12:00:05.000   300   300 I wm_on_paused_called: [1,com.example.notes.Main,performPause,0]
      06-14 12:00:09.000   301   301 I wm_on_resume_called: [2,com.example.mail.Inbox,RESUME,0]
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes present 1048576 state=front",
        "0 com.example.mail present state=suspended",
        "5 home", "9 com.example.mail launch", "9 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "info 1 the name of a process is guessed from the class of its activity @3"
      ])
  }

  @Test("December goes on in January, and a clock that is set late loses nothing")
  func clocks() throws {
    let year = try log(
      """
      12-31 23:59:59.000  1000  1020 I am_proc_start: [0,300,1,com.example.notes,service,{a/.B}]
      01-01 00:00:01.000  1000  1020 I am_proc_died: [0,300,com.example.notes,900,16]
      """)
    #expect(
      summary(year) == [
        "0 com.example.notes background-launch", "2 com.example.notes observed-exit band=900",
        "2 end reason=complete",
      ])
    #expect(year.header.start == "2021-12-31T23:59:59+03:00")
    let boot = try log(
      """
      01-01 00:00:03.000  1000  1020 I boot_progress_start: 3000
      01-01 00:00:13.000  1000  1020 I am_proc_start: [0,300,1,com.example.notes,service,{a/.B}]
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,301,1,com.example.mail,service,{a/.B}]
      """)
    #expect(
      summary(boot) == [
        "0 boot", "10 com.example.notes background-launch",
        "10 com.example.mail background-launch", "10 end reason=complete",
      ])
    #expect(boot.header.start == "2021-06-14T11:59:50+03:00")
    #expect(
      issues(boot) == [
        "info 1 the clock was set: what the log wrote before is moved up to that moment @3"
      ])
    let winter = try log(
      """
      12-13 10:00:00.000  1000  1020 I am_low_memory: 1
      12-13 11:30:00.000  1000  1020 I am_low_memory: 1
      01-01 00:00:03.000  1000  1020 I boot_progress_start: 3000
      12-13 12:00:00.000  1000  1020 I am_proc_start: [0,301,1,com.example.mail,service,{a/.B}]
      """)
    #expect(
      summary(winter) == [
        "0 observed-warning 2", "5400 observed-warning 2", "7200 boot",
        "7200 com.example.mail background-launch", "7200 end reason=complete",
      ])
  }

  @Test(
    "A log that is quiet for days keeps its dates, with a year, without one, at a new year",
    arguments: [
      ("2026-10-23 ", "2026-10-26 ", " +0300", 2026, 143_400),
      ("10-23 ", "10-26 ", "", 2026, 143_400),
      ("2026-10-01 ", "2026-10-26 ", "", 2026, 2_044_200), ("12-31 ", "01-03 ", "", 2026, 143_400),
      ("01-01 ", "01-04 ", "", 2026, 143_400),
    ])
  func quietDays(first: String, last: String, zone: String, year: Int, gap: Int) throws {
    let trace = try log(
      """
      \(first)17:20:00.000\(zone)  1765  1866 I am_proc_start: [0,4660,10012,com.example.notes,next-top-activity,{x}]
      \(first)17:20:01.000\(zone)  4660  4660 I wm_on_resume_called: [1,com.example.notes.Main,RESUME_ACTIVITY]
      \(first)17:50:00.000\(zone)  4660  4660 I wm_on_paused_called: [1,com.example.notes.Main,performPause]
      \(last)09:40:00.000\(zone)  1765   686 I am_kill : [0,4660,com.example.notes,905,empty for 1800s]
      \(last)09:50:00.000\(zone)  1765  1866 I am_proc_start: [0,4700,10012,com.example.mail,service,{x}]
      """, year: year)
    let date = first.count > 6 ? String(first.dropLast()) : "\(year)-\(first.dropLast())"
    #expect(trace.header.start == "\(date)T17:20:00+03:00")
    let kill = 1800 + gap + 86_400
    #expect(
      summary(trace) == [
        "0 com.example.notes launch", "1800 home",
        "\(kill) com.example.notes observed-exit cause=other;band=905",
        "\(kill + 600) com.example.mail background-launch", "\(kill + 600) end reason=complete",
      ])
    #expect(issues(trace).isEmpty)
  }

  @Test(
    "A clock that was not set is known by its year, or by a start on the first day of one",
    arguments: [
      ("1970-01-01 00:00:03.000", "2021-06-14 12:00:00.000", true),
      ("2021-01-01 00:00:03.000", "2021-06-14 12:00:00.000", false),
      ("01-01 00:00:03.000", "01-04 12:00:00.000", true),
      ("12-31 19:00:03.000", "06-14 12:00:00.000", true),
      ("03-01 00:00:03.000", "06-14 12:00:00.000", true),
      ("03-01 00:00:03.000", "03-04 12:00:00.000", false),
    ])
  func unsetClock(first: String, set: String, isMoved: Bool) throws {
    let trace = try log(
      """
      \(first)  1000  1020 I boot_progress_start: 3000
      \(set)  1000  1020 I am_proc_start: [0,301,1,com.example.mail,service,{a/.B}]
      """)
    #expect(summary(trace).contains("0 com.example.mail background-launch") == isMoved)
    #expect(issues(trace).isEmpty != isMoved)
  }

  @Test("A device that starts again before its clock is set says that once")
  func startsAgain() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_low_memory: 1
      01-01 00:00:03.000  1000  1020 I boot_progress_start: 3000
      06-14 12:01:00.000  1000  1020 I am_low_memory: 1
      """)
    #expect(
      summary(trace) == [
        "0 observed-warning 2", "60 boot", "60 observed-warning 2", "60 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "info 1 the clock was set: what the log wrote before is moved up to that moment @3"
      ])
  }

  @Test("A clock that goes back within a buffer is counted once for each time")
  func clockBack() throws {
    let trace = try log(
      """
      --------- beginning of events
      06-14 12:00:30.000  1000  1020 I am_low_memory: 1
      06-14 12:00:26.000  1000  1020 I am_low_memory: 1
      06-14 11:59:56.000  1000  1020 I am_low_memory: 1
      06-14 11:59:57.000  1000  1020 I am_low_memory: 1
      06-13 12:00:00.000  1000  1020 I am_low_memory: 1
      --------- beginning of system
      06-13 11:00:00.000  1000  1020 I am_low_memory: 1
      """)
    #expect(issues(trace) == ["info 2 \(clockGoesBack) @4,6"])
  }

  @Test("A log that was fetched twice counts its warnings and starts once")
  func repeatedLines() throws {
    let lines = """
      06-14 12:00:00.000  1000  1020 I boot_progress_start: 3000
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,1,com.example.notes,service,{a/.B}]
      06-14 12:00:01.000  1000  1020 I am_low_memory: 1
      06-14 12:00:01.000  1000  1020 I am_mem_factor: [0,3]
      06-14 12:00:02.000  1000  1020 I am_low_memory: 1

      """
    let trace = try log(lines + "--------- beginning of events\n" + lines)
    #expect(
      summary(trace) == [
        "0 boot", "0 com.example.notes background-launch", "1 observed-warning 2",
        "1 observed-warning 0", "2 observed-warning 2", "2 end reason=complete",
      ])
    #expect(issues(trace) == ["info 4 a warning or a start that the log has already @7,9,10,11"])
  }

  @Test("The line of a kill tells what was swapped out of the process")
  func swappedOut() throws {
    let kill =
      "06-14 12:00:00.000  700  700 I lowmemorykiller: Kill 'com.foo.bar' (9999), uid 10144,"
    for (rest, kilobytes) in [
      ("to free 266188kB rss, 12345kB swap; reason: low watermark", 278_533),
      ("to free 20kB rss, 10kB anon rss, 4kB swap, 5kB gpu; reason: low", 24),
      ("to free 20kB; reason: low", 20),
    ] {
      let trace = try log("\(kill) oom_score_adj 100 \(rest)")
      #expect(
        summary(trace).first == "0 com.foo.bar present \(kilobytes * 1024) state=suspended",
        "\(summary(trace))")
    }
  }

  @Test(
    "A last line that is cut off is counted and tells nothing",
    arguments: [
      "I am_proc_start: [0,4660,10012,com.exa", "I am_pss  : [300,10013,com.example.notes,5",
      "I am_kill : [0,300,com.example.notes,90", "I am_proc_sta", "I am_proc_start: ",
      "I ActivityManager: Killing 300:com.example.notes/u0a1 (adj 9",
      "I lowmemorykiller: Kill 'com.example.notes' (300), uid 10144, oom_score_adj 1",
    ])
  func cutLine(last: String) throws {
    let first =
      "06-14 12:00:00.000  1  1 I am_proc_start: [0,300,1,com.example.notes,service,{a/.B}]\n"
    let trace = try load(
      "\(first)06-14 12:00:00.000  1000  1020 \(last)", as: .androidLogcat)
    #expect(
      summary(trace) == ["0 com.example.notes background-launch", "0 end reason=complete"])
    #expect(
      issues(trace).contains("data-loss 1 the last line has no end: it is cut off @2"),
      "\(issues(trace))")
  }

  @Test(
    "A last line that lacks nothing but its end is read",
    arguments: [
      (
        "I am_proc_died: [0,300,com.example.notes,900,16]",
        "com.example.notes observed-exit band=900"
      ),
      ("I screen_toggled: 0", "screen 0"), ("I am_low_memory: 12", "observed-warning 2"),
    ])
  func openLine(last: String, row: String) throws {
    var options = ImportOptions()
    options.year = 2021
    let first =
      "06-14 12:00:00.000  1  1 I am_proc_start: [0,300,1,com.example.notes,service,{a/.B}]\n"
    let trace = try load(
      "\(first)06-14 12:00:02.000  1000  1020 \(last)", as: .androidLogcat, options: options)
    #expect(summary(trace).contains("2 \(row)"))
    #expect(issues(trace).isEmpty)
  }

  @Test("Very many processes of one name, and ends without a name, take little time")
  func manyOfOneName() throws {
    var text = ""
    for number in 0..<20_000 {
      let time = "06-14 12:0\(number / 6000 % 10):\(10 + number / 100 % 50).\(100 + number % 100)"
      text += "\(time)  1  1 I am_proc_start: [0,\(number + 1),1,com.a,service,{a/.B}]\n"
    }
    for number in 0..<20_000 {
      text += "06-14 12:30:00.000  1  1 I killinfo: [\(number + 50_000),1,900,0,35700,1]\n"
    }
    text += "06-14 12:30:00.000  1  1 I am_proc_died: [0,50000,com.b,900,16]\n"
    text += "06-14 12:40:00.000  1  1 I am_low_memory: 1\n"
    let clock = ContinuousClock()
    let began = clock.now
    let trace = try log(text)
    #expect(clock.now - began < .seconds(20))
    #expect(trace.apps.count == 20_001)
    #expect(
      summary(trace).contains { $0.hasSuffix("com.b observed-exit cause=low-memory;band=900") })
    #expect(
      trace.issues.all.contains {
        $0.count == 19_999
          && $0.text == "a process exit is ignored: no line gives the process's name"
      })
  }

  @Test("A log without a year has no date, and one since boot neither")
  func withoutDates() throws {
    let yearless = try log("06-14 12:00:00.000  10  10 I am_low_memory: 1", year: nil)
    #expect(yearless.header.start == nil)
    #expect(issues(yearless) == ["info 1 the log has no year (set `ImportOptions.year`)"])
    let monotonic = try log("   17.250  10  10 I am_low_memory: 1", year: nil)
    #expect(monotonic.header.start == nil)
    #expect(issues(monotonic).isEmpty)
    let wrong = try log(
      """
      02-29 12:00:00.000  10  10 I am_low_memory: 1
      03-01 12:00:00.000  10  10 I am_low_memory: 1
      """)
    #expect(
      issues(wrong) == [
        "error 1 there is no such date in the year of the log (`ImportOptions.year` says another) @1"
      ])
  }

  @Test("Lines of two buffers that follow each other are put in the order of time")
  func order() throws {
    let trace = try log(
      """
      --------- beginning of main
      06-14 12:00:10.000  1000  1020 I ActivityManager: Killing 300:com.example.notes/u0a50 (adj 905): cached #33
      06-14 12:00:20.000  1000  1020 I ActivityManager: Something else
      --------- beginning of events
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,service,{a/.B}]
      06-14 12:00:10.010  1000  1020 I am_kill : [0,300,com.example.notes,905,cached #33,2048]
      06-14 12:00:15.000  1000  1020 I am_proc_start: [0,301,10050,com.example.notes,service,{a/.B}]
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes background-launch",
        "10 com.example.notes observed-exit cause=other;band=905",
        "15 com.example.notes background-launch", "20 end reason=complete",
      ])
  }

  @Test("Damaged lines are counted where they are")
  func damaged() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_proc_start: [0,300,10050,com.example.notes,service,{a/.B}]
      06-14 12:00:01.000  1000  1020 I am_proc_start: [0,,10050,com.example.mail,service,{a/.B}]
      06-14 12:00:01.000  1000  1020 I am_proc_start: [0,99999999999,1,com.example.mail,service]
      06-14 12:00:01.000  1000  1020 I am_kill : [0,300,com.example.notes,9
      06-14 12:00:02.000  1000  1020 I am_pss  : [300,10050,com.example.notes,-5,0]
      06-14 12:00:02.000  1000  1020 I killinfo: [300,10050,9]
      06-14 12:00:02.000  1000  1020 I am_meminfo: [1,2,3]
      06-14 12:00:02.000  1000  1020 I lowmemorykiller: Kill something
      what a person typed
      06-14 12:00:03.000  1000  1020 I killinfo: [77,10050,900,0,35700,1]
      06-14 12:00:04.000  1000  1020 I killinfo: [78,10050,902,0,1000,1]
      06-14 12:00:04.100  1000  1020 I am_proc_died: [0,78,com.example.chat]
      """)
    #expect(
      summary(trace).contains("4 com.example.chat observed-exit cause=low-memory;band=902"))
    #expect(
      issues(trace) == [
        "error 5 the fields of an event are not those that its tag has @2,3,5,6,7",
        "error 1 a line about a process does not name it @8",
        "info 1 a line that is not part of a log @9",
        "info 1 a process exit is ignored: no line gives the process's name @10",
      ])
  }

  @Test("Names keep their commas' neighbours, quotes and scripts")
  func names() throws {
    let trace = try log(
      """
      06-14 12:00:00.000  1000  1020 I am_proc_bound: [0,300,日記 "a";b=c%]
      06-14 12:00:01.000  1000  1020 I am_kill : [0,300,日記 "a";b=c%,900,stop 日記, "a", now]
      """)
    #expect(trace.apps == ["日記 \"a\";b=c%"])
    try checkRoundTrip(trace)
  }

  @Test("Records leave a full window in the order of time, and late ones are refused")
  func window() {
    var queue = AndroidRecordQueue()
    func record(_ time: Int64) -> AndroidRecord { AndroidRecord(.boot, at: time, line: 1) }
    for time in [5, 3, 9, 3] as [Int64] {
      let isTaken = queue.add(record(time))
      #expect(isTaken)
    }
    #expect(!queue.isFull)
    queue.shift(after: 3, by: 4)
    #expect(queue.take(all: false).map(\.nanoseconds) == [3, 5])
    let isLateTaken = queue.add(record(4))
    #expect(!isLateTaken)
    let isTaken = queue.add(record(5))
    #expect(isTaken)
    #expect(queue.take(all: true).map(\.order) == [5, 4, 3])
    for _ in 0..<AndroidRecordQueue.capacity { _ = queue.add(record(10)) }
    #expect(queue.isFull)
  }

  @Test("Everything a log may hold at once stays within its types")
  func extremes() throws {
    let most = String(repeating: "9", count: 18)
    let trace = try log(
      """
      12-31 23:59:59.999999999  1  1 I am_pss  : [2147483647,1,com.a,\(most),1,1,\(most),0,20,5]
      2199-12-31 23:59:59.999999999 -2359  1  1 I am_pss  : [1,1,com.b,1,1]
      8589934591.999  1  1 I am_pss  : [2,1,com.c,1,1]
      01-01 00:00:00.0  1  1 I am_meminfo: [\(most),\(most),\(most),\(most),\(most)]
      01-01 00:00:00.0  1  1 I killinfo: [1,1,-\(most),1,\(most),1,\(most),1,1,1,1,1,1,1,1,1,\(most),\(most)]
      01-01 00:00:00.0  1  1 I am_proc_state_changed: [1,1,1,-\(most),1,\(most),1,x]
      01-01 00:00:00.0  1  1 I wm_activity_launch_time: [0,1,com.b/.M,\(most)]
      01-01 00:00:00.0  1  1 I ActivityManager: Killing \(most):com.b/1 (adj \(most)): x
      """)
    #expect(trace.issues.count(atLeast: .error) > 0)
    #expect(trace.apps.contains("com.b"))
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    var options = ImportOptions()
    options.year = 2021
    try checkDamage(
      """
      --------- beginning of events
      06-14 12:00:00.0 1 1 I am_proc_start: [0,3,9,com.a,top-activity,{com.a/.M}]
      06-14 12:00:00.8 3 3 I wm_on_resume_called: [6,com.a.M,RESUME,3]
      06-14 12:00:05.0 1 1 I am_pss  : [3,9,com.a,62914560,4,1,94371840,0,2,5]
      06-14 12:00:10.0 I/ActivityManager( 1): Start proc 5:com.b/u0a1 for broadcast {x}
      12-31 12:00:42.0 7 7 I killinfo: [5,9,905,2,357,1,66,3,2,1,1,5,1,0,3,2,1,2,6]
      01-01 12:00:42.0 7 7 I lowmemorykiller: Kill 'com.b' (5), adj 9 to free 3kB rss
      01-01 12:00:50.0 1 1 I am_kill : [0,3,com.a,900,empty, #1,99]
      01-01 12:00:51.0 1 1 I am_meminfo: [1,2,3,4,5]
      01-01 12:01:00.0 1 1 I screen_toggled: 0
      """, as: .androidLogcat, options: options, mutations: 400)
  }

  @Test("A log is recognised by its first lines, and other texts are not")
  func sniffing() throws {
    func isLog(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return TraceFormat.androidLogcat.sniff(bytes.span)
    }
    #expect(isLog(Self.afternoon))
    #expect(isLog("06-14 12:00:00.000 I/x( 1): y\n"))
    #expect(!isLog("time,app\n06-14 12:00:00.000,notes\n"))
    #expect(!isLog("2021-06-14 12:00:00,com.example.notes,launch\n"))
    #expect(!isLog("# jettison-trace: 1\n"))
    #expect(throws: TraceError.self) { try load("a\nb\n", as: .androidLogcat) }
    #expect(throws: TraceError.self) { try load("", as: .androidLogcat) }
  }
}
