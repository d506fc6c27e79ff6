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

    mutating func take(
      _ time: Int64, _ order: Int, _ availableBytes: Int64, _ touched: [AppIndex],
      _ bytes: [Int64]
    ) {
      (self.time, self.order, self.availableBytes) = (time, order, availableBytes)
      holdings.removeAll(keepingCapacity: true)
      for app in touched {
        holdings.append(SkylineDay.Holding(app: app, bytes: bytes[app.position]))
      }
    }
  }

  private var bytes: [Int64]
  private var isTouched: [Bool]
  private var touched: [AppIndex] = []
  private var drawn: [Int64]
  private var low = Candidate()
  private var high = Candidate()
  private var last = Candidate()
  private var count = 0

  /// - Parameters:
  ///   - appCount: Apps of the trace.
  ///   - holdings: Who holds something already.
  init(appCount: Int, _ holdings: [SkylineDay.Holding] = []) {
    bytes = Array(repeating: 0, count: appCount)
    for holding in holdings { bytes[holding.app.position] = holding.bytes }
    drawn = bytes
    isTouched = Array(repeating: false, count: appCount)
  }

  /// Apps of the trace.
  var appCount: Int { bytes.count }

  /// Who holds something, once what is open has been closed.
  var holdings: [SkylineDay.Holding] {
    drawn.indices.filter { drawn[$0] != 0 }
      .map { SkylineDay.Holding(app: AppIndex($0), bytes: drawn[$0]) }
  }

  /// Takes what an app holds from now on.
  mutating func hold(_ holding: SkylineDay.Holding) {
    let position = holding.app.position
    bytes[position] = holding.bytes
    guard !isTouched[position] else { return }
    isTouched[position] = true
    touched.append(holding.app)
  }

  /// Takes memory as it is now for a moment of the open bin.
  mutating func look(at time: Int64, availableBytes: Int64) {
    count += 1
    if count == 1 || availableBytes < low.availableBytes {
      low.take(time, count, availableBytes, touched, bytes)
    }
    if count == 1 || availableBytes > high.availableBytes {
      high.take(time, count, availableBytes, touched, bytes)
    }
    (last.time, last.availableBytes) = (time, availableBytes)
  }

  /// Closes the open bin and adds what stays of it to a day.
  mutating func close(into day: inout SkylineDay) {
    guard count > 0 else { return }
    last.take(last.time, count, last.availableBytes, touched, bytes)
    for app in touched { isTouched[app.position] = false }
    touched.removeAll(keepingCapacity: true)
    let isFalling = low.order > high.order
    draw(isFalling ? high : low, into: &day)
    if low.order != high.order { draw(isFalling ? low : high, into: &day) }
    if last.order != max(low.order, high.order) { draw(last, into: &day) }
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
