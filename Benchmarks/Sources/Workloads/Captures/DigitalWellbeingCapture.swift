/// A Digital Wellbeing database, made row by row.
enum DigitalWellbeingCapture {
  /// Each app is resumed, paused and stopped.
  static func rows(_ count: Int) -> String {
    var sql = """
      CREATE TABLE packages (_id INTEGER PRIMARY KEY, package_name TEXT);
      CREATE TABLE events (_id INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL,
        type INTEGER NOT NULL, package_id INTEGER NOT NULL, instance_id INTEGER,
        task_root_package_id INTEGER);

      """
    for number in 0..<30 {
      sql += "INSERT INTO packages VALUES (\(number + 1), 'com.example.app\(number)');\n"
    }
    var apps = AppDraw(seed: 19)
    let types = [1, 2, 23]
    for number in 0..<count {
      if number % 3 == 0 { apps.draw() }
      let time = 1_600_000_000_000 + number * 4000
      sql += "INSERT INTO events(timestamp, type, package_id, instance_id) VALUES "
      sql += "(\(time), \(types[number % 3]), \(apps.number + 1), 1);\n"
    }
    return sql
  }
}
