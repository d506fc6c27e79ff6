/// What iOS writes, made row by row.
enum AppleCaptures {
  /// A jetsam report of so many processes, one in eight of them killed.
  static func jetsamReport(lines: Int) -> [UInt8] {
    var generator = Generator(seed: 17)
    var text = Array(
      #"""
      {"bug_type":"298","timestamp":"2024-05-06 10:00:07.00 +0200","os_version":"iPhone OS 18.5"}
      {
        "product" : "iPhone14,2",
        "date" : "2024-05-06 10:00:07.63 +0200",
        "timeDelta" : 7,
        "memoryStatus" : {
          "pageSize" : 16384,
          "memoryPages" : {"active" : 100000, "inactive" : 90000, "wired" : 30000, "free" : 2000}
        },
        "processes" : [

      """#.utf8)
    for number in 0..<lines {
      if number > 0 { text += ",\n".utf8 }
      text += "    {\"name\" : \"com.example.app\(number)\", \"pid\" : \(100 + number),".utf8
      text += " \"states\" : [\"suspended\"], \"priority\" : \(number % 4 * 10),".utf8
      text += " \"rpages\" : \(generator.next(below: 50)), \"lifetimeMax\" : 1900".utf8
      if number % 8 == 0 {
        text += ", \"reason\" : \"vm-pageshortage\", \"killDelta\" : \(13_596 + number)".utf8
      }
      text += "}".utf8
    }
    return text + "\n  ]\n}\n".utf8
  }

  /// A power log: apps come to the front, are suspended and measured, and some processes exit.
  static func powerLog(lines: Int) -> String {
    var sql = """
      CREATE TABLE PLStorageOperator_EventForward_TimeOffset
        (ID INTEGER PRIMARY KEY, timestamp REAL, system REAL);
      INSERT INTO PLStorageOperator_EventForward_TimeOffset VALUES (1, 1600000000, 0);
      CREATE TABLE PLApplicationAgent_EventForward_Application
        (ID INTEGER PRIMARY KEY, timestamp REAL, Identifier TEXT, pid INTEGER, State INTEGER);
      CREATE TABLE PLApplicationAgent_EventBackward_ApplicationMemory
        (ID INTEGER PRIMARY KEY, timestamp REAL, AppBundleId TEXT, SuspendedMemory INTEGER,
         PeakMemory INTEGER);
      CREATE TABLE PLProcessMonitorAgent_EventPoint_ProcessExit
        (ID INTEGER PRIMARY KEY, timestamp REAL, PID INTEGER, ReasonNamespace INTEGER,
         ReasonCode INTEGER, JetsamPriority INTEGER);

      """
    var apps = AppDraw(seed: 18)
    for number in 0..<lines / 4 {
      apps.draw()
      let time = 1_600_000_000 + number * 20
      let pid = 100 + apps.number + number / 200 * 30
      let states = "INSERT INTO PLApplicationAgent_EventForward_Application VALUES"
      sql += "\(states) (\(number * 2 + 1), \(time), '\(apps.name)', \(pid), 8);\n"
      sql += "\(states) (\(number * 2 + 2), \(time + 12), '\(apps.name)', \(pid), 2);\n"
      sql += "INSERT INTO PLApplicationAgent_EventBackward_ApplicationMemory VALUES "
      sql += "(\(number + 1), \(time + 13), '\(apps.name)', 20971520, 31457280);\n"
      if number % 5 == 4 {
        sql += "INSERT INTO PLProcessMonitorAgent_EventPoint_ProcessExit VALUES "
        sql += "(\(number + 1), \(time + 15), \(pid), 1, 7, 0);\n"
      }
    }
    return sql
  }
}
