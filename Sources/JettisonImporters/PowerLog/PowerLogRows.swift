internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// The rows of a power log that say something of apps or memory, and what is needed to read them.
///
/// Memory is in proportion to these rows, which are a small part of the file: tables are read one
/// by one, and the story is told across them.
struct PowerLogRows {
  /// All rows, in the order of time.
  private(set) var records: [PowerLogRecord] = []
  /// Names of apps, by the position that records give.
  private(set) var names: [String] = []
  /// Positions of names that are apps, of which only one process runs at a time.
  private(set) var apps: Set<Int32> = []
  /// Ends of processes with their reasons, by number and in the order of time.
  private(set) var exits: [Int64: [(nanoseconds: Int64, exit: CaptureExit)]] = [:]
  /// Seconds from the log's clock to the wall clock, from a time on.
  private(set) var offsets: [(nanoseconds: Int64, seconds: Double)] = []
  /// Seconds from UTC to the device's zone, from a time on.
  private(set) var zones: [(nanoseconds: Int64, seconds: Double)] = []
  /// When the device started, where the log says so.
  private(set) var boots: [Int64] = []
  /// When the log's own process started.
  private(set) var logStarts: [Int64] = []
  /// The board and the build of the system.
  private(set) var device: String?
  /// The first of these words, and the second.
  private(set) var model: String?
  private(set) var build: String?

  private var numbers: [String: Int32] = [:]
  private var wakes: [Int64: CaptureFact.Wake] = [:]

  /// Times of a log are within these years, so that nothing overflows on the way.
  private static let seconds = 0.0..<7.2e9

  /// Reads all tables.
  init(_ database: SQLiteDatabase, _ issues: inout ImportIssues) throws(TraceError) {
    try readClocks(database, &issues)
    try readStarts(database, &issues)
    try readApps(database, &issues)
    try readStates(database, &issues)
    try readMemory(database, &issues)
    try readProcesses(database, &issues)
    try readExits(database, &issues)
    try readPages(database, &issues)
    try readScreen(database, &issues)
    sort()
  }

  private mutating func sort() {
    records = records.indices.sorted {
      (records[$0].nanoseconds, records[$0].rank, $0)
        < (records[$1].nanoseconds, records[$1].rank, $1)
    }.map { records[$0] }
    for pid in exits.keys { exits[pid]?.sort { $0.nanoseconds < $1.nanoseconds } }
    offsets.sort { $0.nanoseconds < $1.nanoseconds }
    zones.sort { $0.nanoseconds < $1.nanoseconds }
    boots.sort()
    logStarts.sort()
  }

  /// When the log begins: the first row that is not merely the state from which it goes on.
  ///
  /// A table of states keeps one row from before the rest was thrown away. It may be days older.
  var begin: Int64? {
    records.first { !$0.isFirstState }?.nanoseconds ?? records.first?.nanoseconds
  }
}

// MARK: - Tables

extension PowerLogRows {
  private typealias Body =
    (borrowing SQLiteRow, Int64, Int, inout ImportIssues) throws(TraceError) -> Void

  /// Hands out the rows of a table whose column 1 is a time.
  private func eachTimedRow(
    _ database: SQLiteDatabase, _ table: PowerLogTable, _ columns: [String],
    _ issues: inout ImportIssues,
    _ body: (borrowing SQLiteRow, Int64, Int, inout ImportIssues) -> Void
  ) throws(TraceError) {
    try database.forEachRow(
      of: table.rawValue, ["timestamp"] + columns, without: table.purpose, issues: &issues
    ) { (row, number, issues) in
      guard let time = row.number(1).flatMap(Self.nanoseconds) else {
        issues.add(
          .error, "a timestamp in \(table.rawValue) is missing or not a number", line: number)
        return
      }
      body(row, time, number, &issues)
    }
  }

  private static func nanoseconds(_ time: Double) -> Int64? {
    guard Self.seconds.contains(time) else { return nil }
    // A product of both at once would round to a quarter of a microsecond.
    let whole = time.rounded(.down)
    return Int64(whole) * 1_000_000_000 + Int64(((time - whole) * 1e9).rounded())
  }

  private static func damage(_ table: PowerLogTable) -> String {
    "a column in \(table.rawValue) is not of its type"
  }

  private mutating func intern(_ name: String) -> Int32 {
    if let number = numbers[name] { return number }
    let number = Int32(clamping: names.count)
    numbers[name] = number
    names.append(name)
    return number
  }

  private mutating func add(
    _ kind: PowerLogRecord.Kind, _ time: Int64, _ table: PowerLogTable, _ line: Int,
    name: String? = nil, isFirstState: Bool = false
  ) {
    let position = name.map { intern($0) } ?? -1
    records.append(
      PowerLogRecord(
        nanoseconds: time, name: position, table: table, line: line, kind: kind,
        isFirstState: isFirstState))
  }

  private mutating func readClocks(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try eachTimedRow(database, .offsets, ["system"], &issues) { (row, time, line, issues) in
      guard let seconds = row.number(2), seconds.magnitude < 1e9 else {
        issues.add(.error, Self.damage(.offsets), line: line)
        return
      }
      offsets.append((time, seconds))
    }
    try eachTimedRow(database, .zones, ["SecondsFromGMT"], &issues) { (row, time, line, issues) in
      guard let seconds = row.integer(2), (-86_400...86_400).contains(seconds) else {
        issues.add(.error, Self.damage(.zones), line: line)
        return
      }
      zones.append((time, Double(seconds)))
    }
  }

  private mutating func readStarts(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try eachTimedRow(
      database, .configurations, ["DeviceBootTime", "Device", "Build"], &issues
    ) { (row, _, line, issues) in
      if let boot = row.number(2).flatMap(Self.nanoseconds) {
        boots.append(boot)
      } else if !row.isNull(2) {
        issues.add(.error, Self.damage(.configurations), line: line)
      }
      let words = [row.text(3), row.text(4)].compactMap { $0.map(Self.plain) }
      if device == nil, !words.joined().isEmpty {
        device = words.joined(separator: " ")
        model = row.text(3).map(Self.plain)
        build = row.text(4).map(Self.plain)
      }
    }
    try eachTimedRow(database, .logStarts, [], &issues) { (_, time, _, _) in
      logStarts.append(time)
    }
  }

  /// The letters and digits of a short word.
  private static func plain(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(32).filter { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte)
      }, as: UTF8.self)
  }

  private mutating func readApps(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try database.forEachRow(
      of: PowerLogTable.apps.rawValue, ["AppBundleId"], without: PowerLogTable.apps.purpose,
      issues: &issues
    ) { (row, line, issues) in
      guard let name = row.text(1) else {
        issues.add(.error, Self.damage(.apps), line: line)
        return
      }
      apps.insert(intern(name))
    }
  }

  private mutating func readStates(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try readWakes(database, &issues)
    var isFirst = true
    try eachTimedRow(
      database, .states, ["Identifier", "pid", "State"], &issues
    ) { (row, time, line, issues) in
      guard let name = row.text(2), !name.isEmpty, let pid = row.integer(3),
        let number = row.integer(4)
      else {
        issues.add(.error, Self.damage(.states), line: line)
        return
      }
      guard let state = PowerLogRecord.State(rawValue: number) else {
        issues.add(.error, "a state of an unknown app", line: line)
        return
      }
      add(
        .state(state, pid: pid, wakes[Int64(line)] ?? .unknown), time, .states, line, name: name,
        isFirstState: isFirst)
      isFirst = false
    }
    try eachTimedRow(
      database, .prewarms, ["BundleID", "PID"], &issues
    ) { (row, time, line, issues) in
      guard let name = row.text(2), !name.isEmpty, let pid = row.integer(3) else {
        issues.add(.error, Self.damage(.prewarms), line: line)
        return
      }
      add(.prewarmed(pid: pid), time, .prewarms, line, name: name)
    }
  }

  /// Why apps run, by the row of their state: `BKSProcessAssertionReason` of the frameworks.
  private mutating func readWakes(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    let meanings: [Int64: CaptureFact.Wake] = [2: .location, 12: .voip, 10006: .fetch]
    try database.forEachRow(
      of: PowerLogTable.stateReasons.rawValue, ["FK_ID", "value"],
      without: PowerLogTable.stateReasons.purpose, issues: &issues
    ) { (row, line, issues) in
      guard let state = row.integer(1), let reason = row.integer(2) else {
        issues.add(.error, Self.damage(.stateReasons), line: line)
        return
      }
      if let wake = meanings[reason] { wakes[state] = wake }
    }
  }

  private mutating func readMemory(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try eachTimedRow(
      database, .memory, ["AppBundleId", "SuspendedMemory", "PeakMemory"], &issues
    ) { (row, time, line, issues) in
      guard let name = row.text(2), !name.isEmpty, let suspended = row.integer(3),
        row.isNull(4) || row.integer(4) != nil
      else {
        issues.add(.error, Self.damage(.memory), line: line)
        return
      }
      add(
        .memory(suspended: suspended, peak: row.integer(4) ?? 0), time, .memory, line, name: name)
    }
  }

  private mutating func readProcesses(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try eachTimedRow(
      database, .processes, ["PID", "BundleID"], &issues
    ) { (row, time, line, issues) in
      guard let pid = row.integer(2), row.isNull(3) || row.text(3) != nil else {
        issues.add(.error, Self.damage(.processes), line: line)
        return
      }
      let name = row.text(3).flatMap { $0.isEmpty ? nil : $0 }
      add(.seen(pid: pid), time, .processes, line, name: name)
    }
  }

  private mutating func readExits(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try eachTimedRow(
      database, .exits, ["PID", "ReasonNamespace", "ReasonCode", "JetsamPriority"], &issues
    ) { (row, time, line, issues) in
      guard let pid = row.integer(2), let namespace = row.integer(3), let code = row.integer(4)
      else {
        issues.add(.error, Self.damage(.exits), line: line)
        return
      }
      let exit = PowerLogRecord.exit(namespace: namespace, code: code, band: row.integer(5))
      exits[pid, default: []].append((time, exit))
      add(.exit(pid: pid, exit), time, .exits, line)
    }
    try eachTimedRow(database, .appExits, ["pid"], &issues) { (row, time, line, issues) in
      guard let pid = row.integer(2) else {
        issues.add(.error, Self.damage(.appExits), line: line)
        return
      }
      add(.exit(pid: pid, .observed(cause: "unknown", band: nil)), time, .appExits, line)
    }
  }

  private mutating func readPages(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    let counters = [
      "FreeCount", "ExternalPageCount", "InternalPageCount", "WiredCount", "CompressorPageCount",
    ]
    let levels = ["normal": Int64(0), "warn": 1, "warning": 1, "critical": 2]
    try eachTimedRow(
      database, .pages, counters + ["MemoryPressureLevel"], &issues
    ) { (row, time, line, issues) in
      var counts: [Int64] = []
      for column in 2..<(2 + Int32(counters.count)) {
        // No device has 16 TiB.
        guard let count = row.integer(column), (0..<(1 << 30)).contains(count) else {
          issues.add(.error, Self.damage(.pages), line: line)
          return
        }
        counts.append(count)
      }
      add(.pages(available: counts[0] + counts[1], all: counts.reduce(0, +)), time, .pages, line)
      if let text = row.text(7), let level = levels[text.lowercased()] {
        add(.pressure(level: level), time, .pages, line)
      }
    }
  }

  private mutating func readScreen(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    let hasBlanks = database.tables.contains(PowerLogTable.blanks.rawValue.lowercased())
    let table = hasBlanks ? PowerLogTable.blanks : .screens
    var isFirst = true
    try eachTimedRow(
      database, table, [hasBlanks ? "Blanked" : "Screen"], &issues
    ) { (row, time, line, issues) in
      guard let value = row.integer(2) else {
        issues.add(.error, Self.damage(table), line: line)
        return
      }
      // Kind 0 means no screen.
      let isOn = hasBlanks ? value == 0 : value != 0
      add(.screen(isOn: isOn), time, table, line, isFirstState: isFirst)
      isFirst = false
    }
    // What is shown follows from the states of apps, where they are known.
    guard !database.tables.contains(PowerLogTable.states.rawValue.lowercased()) else { return }
    isFirst = true
    try eachTimedRow(database, .layouts, ["bundleID"], &issues) { (row, time, line, issues) in
      guard let name = row.text(2), !name.isEmpty else {
        issues.add(.error, Self.damage(.layouts), line: line)
        return
      }
      let isApp = !name.hasPrefix("com.apple.springboard") && name != "com.apple.lock-screen"
      add(.shown(isApp: isApp), time, .layouts, line, name: name, isFirstState: isFirst)
      isFirst = false
    }
  }
}
