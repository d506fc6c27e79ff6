/// What Android logs, made line by line.
enum AndroidCaptures {
  /// The event log: each app starts, is shown and measured, leaves the front and dies.
  static func logcat(lines: Int) -> [UInt8] {
    var text: [UInt8] = []
    var apps = AppDraw(seed: 13)
    for number in 0..<lines {
      if number % steps.count == 0 { apps.draw() }
      let pid = 1000 + number / steps.count
      let seconds = number * 2
      let time = CalendarText.time(seconds: seconds)
      text += "\(CalendarText.day(seconds: seconds)) \(time).250  1000  1020 I ".utf8
      text += "\(steps[number % steps.count](pid, apps))\n".utf8
    }
    return text
  }

  private static let steps: [@Sendable (_ pid: Int, _ app: AppDraw) -> String] = [
    { "am_proc_start: [0,\($0),\($1.user),\($1.name),next-top-activity,{\($1.name)/.Main}]" },
    { "wm_on_resume_called: [\($0),\($1.name).Main,RESUME_ACTIVITY,3]" },
    { "wm_activity_launch_time: [0,\($0),\($1.name)/.Main,850]" },
    { "am_pss  : [\($0),\($1.user),\($1.name),62914560,41943040,1048576,94371840,0,2,5]" },
    { _, _ in "am_meminfo: [350937088,41086976,492830720,427937792,291887104]" },
    { "wm_on_paused_called: [\($0),\($1.name).Main,performPause,1]" },
    { "wm_on_stop_called: [\($0),\($1.name).Main,STOP_ACTIVITY_ITEM,2]" },
    { "am_kill : [0,\($0),\($1.name),900,empty for 1801s]" },
    { "am_proc_died: [0,\($0),\($1.name),900,19]" },
  ]

  /// A bugreport: memory, a log of so many lines, a listing of processes and the last day's usage.
  static func bugreport(lines: Int) -> [UInt8] {
    let end = CalendarText.moment(seconds: lines * 2 + 60)
    var text = Array(
      """
      ========================================================
      == dumpstate: \(end)
      ========================================================

      Build: example-user 10 Q release-keys
      ------ MEMORY INFO (/proc/meminfo) ------
      MemTotal:        2000000 kB
      MemAvailable:     700000 kB
      ------ 0.001s was the duration of 'MEMORY INFO' ------
      ------ EVENT LOG (logcat -b events -v threadtime -v printable -v uid -d *:v) ------

      """.utf8)
    text += logcat(lines: lines)
    text += "------ DUMPSYS (/system/bin/dumpsys) ------\nDUMP OF SERVICE usagestats:\n".utf8
    text += UsageCaptures.usageStats(lines: lines / 4)
    text += "--------- 0.075s was the duration of dumpsys usagestats, ending at: \(end)\n".utf8
    return text
  }
}

extension AppDraw {
  /// The Unix user that Android runs the app under.
  fileprivate var user: Int { 10_050 + number }
}
