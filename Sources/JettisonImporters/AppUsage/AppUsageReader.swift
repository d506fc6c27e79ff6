internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns a screen-time log (name, date, time, duration; newest first) into a trace.
///
/// The log is held in memory, one small record per row, because it runs backwards. Times are
/// local, without a zone: the hour that a clock repeats in autumn is read once, in order of the
/// clock, and the trace's `start` says `+00:00` unless a zone is given.
struct AppUsageReader {
  /// A row whose date is not understood yet.
  private struct RawRow {
    let label: UInt32
    let date: UInt32
    let timeOfDay: Int32
    let durationSeconds: Int32
    let line: UInt32
  }

  private var line = DelimitedLine()
  private var delimiter: UInt8?
  private var rows: [RawRow] = []
  private var labels: [String] = []
  private var meanings: [AppUsageLabels.Meaning] = []
  /// Labels as they are written, and the number of each in ``labels``.
  private var labelTable = ByteTable()
  private var labelNumbers: [UInt32] = []
  private var numberOfLabel: [String: UInt32] = [:]
  private var dates: [AppUsageDates.Written] = []
  /// Dates as they are written, and the number of each in ``dates``.
  private var dateTable = ByteTable()
  private var dateNumbers: [UInt32] = []
  private var numberOfDate: [AppUsageDates.Written: UInt32] = [:]
  private let forcedOrder: ImportOptions.DateOrder?
  private let filter: AppFilter

  /// Longer rows are damage: nothing is shown for more than a month.
  private static let longestSeconds: Int64 = 31 * 86_400
  private static let second: Int64 = 1_000_000_000

  /// Begins an empty log.
  ///
  /// - Parameters:
  ///   - dateOrder: The order of dates; nil: found from the data.
  ///   - filter: Which apps to keep; the others count as leaving the app in front.
  init(dateOrder: ImportOptions.DateOrder? = nil, filter: AppFilter = AppFilter([])) {
    forcedOrder = dateOrder
    self.filter = filter
  }

  /// Takes one line, counted from 1.
  mutating func take(_ text: Span<UInt8>, number: Int, issues: inout ImportIssues) {
    guard split(text) else {
      issues.add(.error, "a quoted field does not end on its line", line: number)
      return
    }
    if line.count == 1, line.isBlank(0) { return }
    guard line.count >= 4, hasDigits(1), hasDigits(2) else {
      // The header is no issue; headings and sums around the rows are worth a count.
      if line.count >= 4, rows.isEmpty, !line.isBlank(3) { return }
      issues.add(.info, "a heading or sum is not a row", line: number)
      return
    }
    guard let date = internDate() else {
      issues.add(.error, "the date is not three numbers such as 12/5/19", line: number)
      return
    }
    guard let time = line.withTrimmed(2, AppUsageDates.timeOfDay) else {
      issues.add(.error, "the time is not a time of day such as 00:43:05", line: number)
      return
    }
    let duration = line.withTrimmed(3) { AppUsageDates.duration($0) }
    guard let duration, duration <= Self.longestSeconds else {
      issues.add(.error, "the duration is not hours:minutes:seconds", line: number)
      return
    }
    guard (1...TraceLimits.nameBytes).contains(line.withTrimmed(0) { $0.count }) else {
      issues.add(.error, "the row names nothing", line: number)
      return
    }
    rows.append(
      RawRow(
        label: internLabel(), date: date, timeOfDay: Int32(time),
        durationSeconds: Int32(duration), line: UInt32(clamping: number)))
  }

  /// Whether a line is a row of a log, by its shape alone.
  static func isRow(_ text: Span<UInt8>) -> Bool {
    var reader = AppUsageReader()
    var issues = ImportIssues()
    reader.take(text, number: 1, issues: &issues)
    return !reader.rows.isEmpty
  }

  /// Splits by the delimiter, which the first line that looks like a row decides.
  private mutating func split(_ text: Span<UInt8>) -> Bool {
    if let delimiter { return line.split(text, by: delimiter) }
    for candidate in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
      guard line.split(text, by: candidate), line.count >= 4 else { continue }
      if line.withTrimmed(1, AppUsageDates.written) != nil { delimiter = candidate }
      return true
    }
    return line.split(text, by: UInt8(ascii: ","))
  }

  private func hasDigits(_ position: Int) -> Bool {
    line.withField(position) { field in
      for position in 0..<field.count where (0x30...0x39).contains(field[position]) { return true }
      return false
    }
  }

  private mutating func internLabel() -> UInt32 {
    if let known = line.withTrimmed(0, { labelTable.find($0) }) { return labelNumbers[Int(known)] }
    let label = FittingName.fitting(line.text(0))
    // Other bytes may spell a label that is there, repaired or composed otherwise.
    let number = numberOfLabel[label] ?? UInt32(labels.count)
    if number == labels.count {
      numberOfLabel[label] = number
      labels.append(label)
      let meaning = AppUsageLabels.meaning(of: label)
      meanings.append(meaning == .app && !filter.keeps(label) ? .otherApp : meaning)
    }
    _ = line.withTrimmed(0) { labelTable.insert($0) }
    labelNumbers.append(number)
    return number
  }

  private mutating func internDate() -> UInt32? {
    if let known = line.withTrimmed(1, { dateTable.find($0) }) { return dateNumbers[Int(known)] }
    guard let date = line.withTrimmed(1, AppUsageDates.written) else { return nil }
    let number = numberOfDate[date] ?? UInt32(dates.count)
    if number == dates.count {
      numberOfDate[date] = number
      dates.append(date)
    }
    _ = line.withTrimmed(1) { dateTable.insert($0) }
    dateNumbers.append(number)
    return number
  }
}

// MARK: - From rows to events

extension AppUsageReader {
  /// What the header of the trace needs to know.
  struct Facts {
    /// Of the local clock, since 1970.
    let startSeconds: Int64
    let apps: [String]
  }

  /// Writes the events; nil if the log has no rows.
  ///
  /// A fault comes with its line.
  mutating func finish(builder: inout TraceBuilder) throws(LocatedFault) -> Facts? {
    tellByShape(&builder.issues)
    let rows = ordered(&builder.issues)
    guard let first = rows.first else { return nil }
    let (outputs, remarks, end) = AppUsageTimeline.run(rows)
    for (remark, line) in remarks { builder.issues.add(.info, remark.rawValue, line: Int(line)) }
    if !rows.contains(where: { $0.meaning == .screenOff || $0.meaning == .screenOn }) {
      builder.issues.add(.info, "no row says that the screen went on or off")
    }
    builder.reserve(rows: outputs.count + 1)
    var numbers = [UInt32?](repeating: nil, count: labels.count)
    var apps: [String] = []
    for output in outputs {
      do throws(TraceFault) {
        if let label = output.app.map(Int.init), numbers[label] == nil {
          numbers[label] = try builder.app(named: labels[label])
          apps.append(labels[label])
        }
        let app = output.app.flatMap { numbers[Int($0)] }
        try builder.append(
          output.kind, time: (output.seconds - first.startSeconds) * Self.second, app: app,
          value: output.value)
      } catch {
        throw LocatedFault(fault: error, line: Int(output.line))
      }
    }
    do throws(TraceFault) {
      let detail = try builder.detail("reason=complete", for: .end)
      let time = (end - first.startSeconds) * Self.second
      try builder.append(.end, time: time, detail: detail)
    } catch {
      throw LocatedFault(fault: error, line: Int(first.line))
    }
    return Facts(startSeconds: first.startSeconds, apps: apps)
  }

  /// Gives labels that no language knows the meaning that their shape says.
  ///
  /// Only if no row of the screen is known: then the language is not.
  private mutating func tellByShape(_ issues: inout ImportIssues) {
    let screen: [AppUsageLabels.Meaning] = [.screenOn, .screenOff, .screenOnLocked]
    guard !meanings.contains(where: screen.contains) else { return }
    var seconds = [Int64](repeating: 0, count: labels.count)
    // A row lasts a month at most, so that no sum of rows in memory overflows.
    for row in rows { seconds[Int(row.label)] += Int64(row.durationSeconds) }
    let told = AppUsageShapes(labels, seconds: seconds).meanings
    for (number, meaning) in told { meanings[number] = meaning }
    if !told.isEmpty {
      issues.add(
        .info, "labels in an unknown language are recognised by their shape", count: told.count,
        lines: []
      )
    }
  }

  /// The rows with real dates, oldest first.
  private func ordered(_ issues: inout ImportIssues) -> [AppUsageTimeline.Row] {
    guard let order = dateOrder(&issues) else { return [] }
    let days = dates.map { $0.days(order) }
    var found: [AppUsageTimeline.Row] = []
    found.reserveCapacity(rows.count)
    for row in rows {
      guard let day = days[Int(row.date)] else {
        issues.add(.error, "there is no such date", line: Int(row.line))
        continue
      }
      found.append(
        AppUsageTimeline.Row(
          meaning: meanings[Int(row.label)], app: row.label, line: row.line,
          startSeconds: day * 86_400 + Int64(row.timeOfDay),
          durationSeconds: Int64(row.durationSeconds)))
    }
    var falls = 0
    var rises = 0
    for (above, below) in zip(found, found.dropFirst()) {
      if above.startSeconds > below.startSeconds { falls += 1 }
      if above.startSeconds < below.startSeconds { rises += 1 }
    }
    if falls >= rises { found.reverse() }
    var isInOrder = true
    for (earlier, later) in zip(found, found.dropFirst())
    where later.startSeconds < earlier.startSeconds {
      issues.add(.info, "a row out of the order of time is sorted in", line: Int(later.line))
      isInOrder = false
    }
    if isInOrder { return withoutRepeats(found, &issues) }
    // By position where times are equal: the file's order decides.
    let sorted = found.indices.sorted {
      (found[$0].startSeconds, $0) < (found[$1].startSeconds, $1)
    }
    return withoutRepeats(sorted.map { found[$0] }, &issues)
  }

  /// The rows less those that stand elsewhere in the file already: exports of one phone overlap.
  ///
  /// The app itself now and then writes a row twice, one below the other: both are taken.
  private func withoutRepeats(
    _ rows: [AppUsageTimeline.Row], _ issues: inout ImportIssues
  ) -> [AppUsageTimeline.Row] {
    struct Shown: Hashable {
      let label: UInt32
      let durationSeconds: Int64
    }
    var second = Int64.min
    var shown: [Shown: UInt32] = [:]
    var kept: [AppUsageTimeline.Row] = []
    kept.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      let follows = place > 0 && rows[place - 1].startSeconds == row.startSeconds
      let isFollowed =
        place + 1 < rows.count && rows[place + 1].startSeconds == row.startSeconds
      // Most seconds have one row. Notifications and notes of one second are nothing odd.
      guard follows || isFollowed, row.meaning != .notification, row.meaning != .note else {
        kept.append(row)
        continue
      }
      if row.startSeconds != second {
        second = row.startSeconds
        shown.removeAll(keepingCapacity: true)
      }
      let text = Shown(label: row.app, durationSeconds: row.durationSeconds)
      // Most exports begin with the newest row.
      if let line = shown[text], row.line != line + 1, row.line + 1 != line {
        issues.add(
          .info, "a row that stands there already (exports that overlap) counts once",
          line: Int(row.line))
      } else {
        shown[text] = row.line
        kept.append(row)
      }
    }
    return kept
  }

  private func dateOrder(_ issues: inout ImportIssues) -> ImportOptions.DateOrder? {
    if let forcedOrder { return forcedOrder }
    guard let detection = AppUsageDates.detect(dates) else { return nil }
    if detection.isAmbiguous {
      issues.add(
        .info,
        "the order of dates is ambiguous and read as \(detection.order.rawValue) "
          + "(`ImportOptions.dateOrder` says otherwise)")
    }
    return detection.order
  }
}

/// A fault of the builder with the line of the input that caused it.
struct LocatedFault: Error {
  let fault: TraceFault
  let line: Int
}
