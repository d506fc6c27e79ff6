/// Logs of which app was in front, made row by row.
enum UsageCaptures {
  /// A screen-time log, newest row first.
  static func appUsage(lines: Int) -> [UInt8] {
    var generator = Generator(seed: 9)
    var text = Array("\"App name\",\"Date\",\"Time\",\"Duration\"\n".utf8)
    for number in 0..<lines {
      // A row a minute, so that the dates of 28 days are enough for any length.
      let minute = 1_439 - number % 1_440
      let day = 28 - number / 1_440 % 28
      let month = 12 - number / 40_320 % 12
      let year = 99 - number / 483_840
      let label = generator.next(below: 4) == 0 ? "Screen on (unlocked)" : "App \(number % 30)"
      text += "\"\(label)\",\"\(month)/\(day)/\(CalendarText.two(year))\",".utf8
      let time = "\(CalendarText.two(minute / 60)):\(CalendarText.two(minute % 60)):00"
      text += "\"\(time)\",\"0:00:40\"\n".utf8
    }
    return text
  }

  /// A usage log of one user: each app is opened, touched twice and closed.
  static func lsapp(lines: Int) -> [UInt8] {
    var apps = AppDraw(seed: 10)
    var text = Array("user_id\tsession_id\ttimestamp\tapp_name\tevent_type\n".utf8)
    let steps = ["Opened", "User Interaction", "User Interaction", "Closed"]
    for number in 0..<lines {
      if number % 4 == 0 { apps.draw() }
      let moment = CalendarText.moment(seconds: number * 5)
      text += "0\t\(number / 40)\t\(moment)\tApp \(apps.number)\t\(steps[number % 4])\n".utf8
    }
    return text
  }

  /// The events of `dumpsys usagestats`: each app is resumed, paused and stopped.
  static func usageStats(lines: Int) -> [UInt8] {
    var text = Array("user=0\n  Last 24 hour events (\n".utf8)
    var apps = AppDraw(seed: 11)
    let steps = ["ACTIVITY_RESUMED", "ACTIVITY_PAUSED", "ACTIVITY_STOPPED"]
    for number in 0..<lines {
      if number % 3 == 0 { apps.draw() }
      let moment = CalendarText.moment(seconds: number * 5)
      text += "    time=\"\(moment)\" type=\(steps[number % 3]) package=\(apps.name)".utf8
      text += " class=\(apps.name).Main instanceId=\(apps.number) flags=0x0\n".utf8
    }
    return text
  }

  /// A table of somebody else's, for ``tableColumns``.
  static func table(lines: Int) -> [UInt8] {
    var apps = AppDraw(seed: 12)
    var text = Array("when;package;what;size\n".utf8)
    for number in 0..<lines {
      if number % 3 == 0 { apps.draw() }
      let event = number % 3 == 0 ? "launch;" : "edit;\(number % 900)"
      text += "\(number * 1250);\(apps.name);\(event)\n".utf8
    }
    return text
  }

  /// `--columns` of ``table(lines:)``.
  static let tableColumns = [
    "time": "when:ms", "app": "package", "event": "what", "value": "size",
  ]
}

/// Draws one of thirty apps, some far more often than others.
struct AppDraw {
  private static let zipf = Zipf(count: 30)
  private var generator: Generator
  private(set) var number = 0

  init(seed: UInt64) {
    generator = Generator(seed: seed)
  }

  mutating func draw() { number = Self.zipf.draw(&generator) }

  var name: String { "com.example.app\(number)" }
}
