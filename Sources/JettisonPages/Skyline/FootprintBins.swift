import JettisonCore

/// Thins footprints: of each bin the moments with least and most available memory stay, and the last.
///
/// Each is a moment as it was, with every app's figure at that time, so that nothing is drawn that
/// never was. Memory is bounded by the apps that changed within one bin.
struct FootprintBins {
  /// A moment that may stay.
  private struct Candidate {
    var time: Int64 = 0
    var order = 0
    var availableBytes: Int64 = 0
    var holdings: [SkylineDay.Holding] = []
  }

  private var bytes: [Int64]
  private var isTouched: [Bool]
  private var touched: [AppIndex] = []
  private var drawn: [Int64]
  private var low = Candidate()
  private var high = Candidate()
  private var last = Candidate()
  private var count = 0

  init(appCount: Int) {
    bytes = Array(repeating: 0, count: appCount)
    drawn = bytes
    isTouched = Array(repeating: false, count: appCount)
  }

  /// Who holds something, once what is open has been closed.
  var holdings: [SkylineDay.Holding] {
    drawn.indices.filter { drawn[$0] != 0 }
      .map { SkylineDay.Holding(app: AppIndex($0), bytes: drawn[$0]) }
  }

  /// Takes a figure that belongs to the open bin.
  mutating func add(_ record: FootprintRecord) {
    let app = record.app
    bytes[app.position] = record.state == .notRunning ? 0 : record.footprintBytes
    if !isTouched[app.position] {
      isTouched[app.position] = true
      touched.append(app)
    }
    count += 1
    if count == 1 || record.availableBytes < low.availableBytes { take(record, into: \.low) }
    if count == 1 || record.availableBytes > high.availableBytes { take(record, into: \.high) }
    (last.time, last.availableBytes) = (record.timeNanoseconds, record.availableBytes)
  }

  private mutating func take(
    _ record: FootprintRecord, into place: WritableKeyPath<FootprintBins, Candidate>
  ) {
    self[keyPath: place].time = record.timeNanoseconds
    self[keyPath: place].order = count
    self[keyPath: place].availableBytes = record.availableBytes
    self[keyPath: place].holdings.removeAll(keepingCapacity: true)
    for app in touched {
      self[keyPath: place].holdings.append(
        SkylineDay.Holding(app: app, bytes: bytes[app.position]))
    }
  }

  /// Closes the open bin and adds what stays of it to a day.
  mutating func close(into day: inout SkylineDay) {
    guard count > 0 else { return }
    last.order = count
    last.holdings.removeAll(keepingCapacity: true)
    for app in touched {
      last.holdings.append(SkylineDay.Holding(app: app, bytes: bytes[app.position]))
      isTouched[app.position] = false
    }
    touched.removeAll(keepingCapacity: true)
    let first = low.order <= high.order ? low : high
    let second = low.order <= high.order ? high : low
    draw(first, into: &day)
    if second.order != first.order { draw(second, into: &day) }
    if last.order != second.order { draw(last, into: &day) }
    day.thinning.footprints += max(0, count - 3)
    count = 0
  }

  private mutating func draw(_ moment: Candidate, into day: inout SkylineDay) {
    let start = day.holdings.count
    for holding in moment.holdings where drawn[holding.app.position] != holding.bytes {
      drawn[holding.app.position] = holding.bytes
      day.holdings.append(holding)
    }
    let before = day.moments.last?.availableBytes ?? day.firstAvailableBytes
    guard day.holdings.count > start || before != moment.availableBytes else { return }
    day.moments.append(
      SkylineDay.Moment(
        time: moment.time, availableBytes: moment.availableBytes,
        changes: start..<day.holdings.count))
  }
}
