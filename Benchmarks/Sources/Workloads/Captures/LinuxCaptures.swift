/// Logs and samples of Linux, made line by line.
enum LinuxCaptures {
  private static let tasks = 50

  /// Reports of the kernel's OOM killer, each with fifty tasks of which it kills one.
  static func kernelOOM(lines: Int) -> [UInt8] {
    var generator = Generator(seed: 14)
    var text: [UInt8] = []
    for report in 0...lines / tasks {
      let stamp = "[  \(report * 60 + 100).000001]"
      let victim = report % tasks
      text += "\(stamp) app\(victim) invoked oom-killer: gfp_mask=0x140dca, order=1\n".utf8
      text += "\(stamp) Mem-Info:\n\(stamp) Free swap  = 0kB\n\(stamp) Total swap = 800kB\n".utf8
      text += "\(stamp) 524288 pages RAM\n\(stamp) 8192 pages reserved\n".utf8
      text += "\(stamp) Tasks state (memory values in pages):\n".utf8
      text += "\(stamp) [  pid  ]   uid  tgid total_vm      rss pgtables_bytes".utf8
      text += " swapents oom_score_adj name\n".utf8
      for task in 0..<tasks {
        let pid = 1000 + task + (task <= victim ? report / tasks * tasks : 0)
        let pages = 2000 + generator.next(below: 8000)
        text += "\(stamp) [  \(pid)]  1000  \(pid)    99999    \(pages)".utf8
        text += "     8192       98             0 app\(task)\n".utf8
      }
      let pid = 1000 + victim + report / tasks * tasks
      text += "\(stamp) Out of memory: Killed process \(pid) (app\(victim))".utf8
      text += " total-vm:39996kB, UID:1000 oom_score_adj:0\n".utf8
    }
    return text
  }

  /// The journal of earlyoom: memory every minute, and now and then a kill.
  static func killerJournal(lines: Int) -> [UInt8] {
    var generator = Generator(seed: 15)
    var text = Array(
      """
      Jan 01 00:00:00 box earlyoom[812]: earlyoom v1.9
      Jan 01 00:00:00 box earlyoom[812]: mem total: 4000 MiB, user mem total: 3960 MiB, swap total: 1000 MiB
      Jan 01 00:00:00 box earlyoom[812]: sending SIGTERM when mem <= 10.00% and swap <= 10.00%,
      Jan 01 00:00:00 box earlyoom[812]:         SIGKILL when mem <=  5.00% and swap <=  5.00%

      """.utf8)
    for number in 1...lines {
      let day = CalendarText.two(1 + number / 8640 % 28)
      let month = number / 8640 / 28 == 0 ? "Jan" : "Feb"
      let time = CalendarText.time(seconds: number * 10)
      let stamp = "\(month) \(day) \(time) box earlyoom[812]:"
      if number % 25 == 0 {
        text += "\(stamp) sending SIGTERM to process \(900 + number) uid 1000".utf8
        text +=
          " \"app\(number % 30)\": oom_score 883, oom_score_adj 300, VmRSS \(50 + number % 400) MiB\n"
          .utf8
      } else {
        let available = 400 + generator.next(below: 3000)
        text += "\(stamp) mem avail:  \(available) of  3960 MiB".utf8
        text += " (\(available * 100 / 3960).00%), swap free:  900 of 1000 MiB (90.00%)\n".utf8
      }
    }
    return text
  }

  /// Samples of `/proc/meminfo` and `ps`, each with fifty processes.
  static func processSamples(lines: Int) -> [UInt8] {
    var generator = Generator(seed: 16)
    var text: [UInt8] = []
    for sample in 0...lines / tasks {
      text += "times: \(1_577_872_800 + sample * 10)\n".utf8
      text += "MemTotal:        4048576 kB\nMemAvailable:    \(1_500_000 + sample % 5000) kB\n".utf8
      text += "ps-result:\nUSER       PID  PPID     VSZ    RSS S NAME\n".utf8
      for task in 0..<tasks {
        // Each process is followed by another of its app every hundred samples.
        let pid = 100 + task + (sample + task) / 100 * tasks
        let resident = 20_000 + task * 100 + (generator.next(below: 4) == 0 ? sample % 700 : 0)
        text += "u0_a\(task)     \(pid)     1  900000  \(resident) S com.example.app\(task)\n".utf8
      }
    }
    return text
  }
}
