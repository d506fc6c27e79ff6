import JettisonCore
import JettisonReports
import JettisonSupport

/// What a day is drawn with, beyond the day itself.
struct SkylineScene {
  /// Names of the apps, by ``AppIndex``.
  let names: SkylineNames
  let marks: CaptureMarks
  /// RAM in bytes, or the capacity in apps.
  let memoryBytes: Int64
  /// What the system takes until the trace tells something.
  let reserveBytes: Int64
  /// Whether sizes are numbers of apps.
  let countsApps: Bool
  /// Lines of available memory at which something begins, the lowest first.
  let thresholds: [SkylineThreshold]
  /// Seconds from midnight to the start of the trace; nil: not known, or one day holds everything.
  let startSecondsOfDay: Int64?
  /// The greatest work that one end lost, in nanoseconds: areas are drawn beside it.
  let greatestLossNanoseconds: Int64
  /// Begins the ids of decisions, so that those of several runs differ.
  let prefix: String

  /// A size in words.
  func size(_ bytes: Int64) -> String {
    countsApps ? Prose.counted(Int(bytes), "app") : HumanText.size(bytes: bytes)
  }

  /// A time in words: of day where that is known, and since the start of the trace.
  func moment(_ time: Int64) -> String {
    let since = HumanText.duration(nanoseconds: time)
    guard let startSecondsOfDay else { return since }
    return "\(SkylineClock.text(startSecondsOfDay + time / 1_000_000_000)) (\(since))"
  }
}

extension SkylineStack.Shade {
  /// Class of its colour.
  var style: StaticString {
    switch self {
    case .front: "shade-front"
    case .background: "shade-background"
    case .suspended: "shade-suspended"
    }
  }
}

/// A line of available memory at which something begins.
struct SkylineThreshold: Equatable {
  let name: String
  let bytes: Int64
}

/// Times of day.
enum SkylineClock {
  /// `07:05` for seconds since some midnight.
  static func text(_ seconds: Int64) -> String {
    let minutes = seconds / 60 % 1440
    func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(padded(minutes / 60)):\(padded(minutes % 60))"
  }
}

/// Draws one day as SVG: the stack of footprints with the lines of memory, and below it lanes.
///
/// Positions are tenths of a unit; at full width a unit is about a pixel.
struct SkylineDrawing {
  static let width = 11_200
  static let left = 1_560
  static let right = 10_960
  private static let stackTop = 240
  private static let stackBottom = 2_640
  static let laneHeight = 190
  /// Lanes of apps that are drawn at most.
  static let shownLanes = 60

  let day: SkylineDay
  let scene: SkylineScene
  let stack: SkylineStack
  private let topBytes: Int64
  private let unitsPerNanosecond: Double
  private let halvesPerByte: Double
  let locks: [Range<Int64>]
  let kills: [CaptureMarks.Kill]
  let lanes: [SkylineLane]
  /// Apps that ran and have no lane, for want of room.
  let hiddenLanes: Int
  var out = MarkupWriter()
  /// Where names stand already.
  var taken: [(x: Range<Int>, y: Range<Int>)] = []

  init(_ day: SkylineDay, _ scene: SkylineScene) {
    self.day = day
    self.scene = scene
    stack = SkylineStack(
      day, scene.marks, reserveBytes: scene.reserveBytes, appCount: scene.names.count)
    topBytes = max(1, max(scene.memoryBytes, stack.highestBytes))
    unitsPerNanosecond =
      Double(Self.right - Self.left)
      / Double(max(1, day.frame.upperBound - day.frame.lowerBound))
    halvesPerByte = Double((Self.stackBottom - Self.stackTop) / 5) / Double(topBytes)
    locks = scene.marks.locks.filter { $0.overlaps(day.range) }.map { $0.clamped(to: day.range) }
    kills = scene.marks.kills.filter { day.range.contains($0.time) }
    let all = SkylineLane.all(of: day, appCount: scene.names.count)
    lanes = Array(all.prefix(Self.shownLanes))
    hiddenLanes = all.count - lanes.count
  }

  // MARK: Places

  func x(_ time: Int64) -> Int {
    Self.left + Int(Double(time - day.frame.lowerBound) * unitsPerNanosecond + 0.5)
  }

  /// The same, to so many tenths.
  private func x(_ time: Int64, to step: Int) -> Int { (x(time) + step / 2) / step * step }

  /// To half a pixel: what moves less is not seen to move.
  func y(_ bytes: Int64) -> Int {
    let halves = Double(bytes) * halvesPerByte
    return Self.stackBottom - 5 * Int(halves + (halves < 0 ? -0.5 : 0.5))
  }

  var levelTop: Int { Self.stackBottom + 280 }
  var lockTop: Int { levelTop + 260 }
  var killTop: Int { lockTop + (locks.isEmpty ? 0 : Self.laneHeight) }
  var lanesTop: Int { killTop + (kills.isEmpty ? 0 : Self.laneHeight + 40) }
  private var bottom: Int { lanesTop + lanes.count * Self.laneHeight + 60 }

  // MARK: The whole

  /// The picture.
  ///
  /// - Parameter title: What it shows, for who cannot see it.
  mutating func drawn(title: String) -> MarkupWriter {
    out = MarkupWriter()
    out.markup("<svg class=\"skyline\" role=\"group\"")
    out.markup(" viewBox=\"0 0 ")
    out.tenths(Self.width)
    out.markup(" ")
    out.tenths(bottom + 220)
    out.markup("\"")
    out.attribute("aria-label", title)
    out.attribute("data-day", Int64(day.number))
    out.markup(">")
    drawAxis()
    drawSystem()
    drawBands()
    drawUse()
    drawLines()
    drawLevel()
    drawLocks()
    drawKills()
    drawLanes()
    drawEnds()
    out.markup("</svg>")
    return out
  }

  private mutating func drawAxis() {
    for tick in SkylineTicks.of(day.frame, scene.startSecondsOfDay) {
      let x = x(tick.time)
      out.markup("<path class=\"grid\" d=\"M")
      out.tenths(x)
      out.markup(" ")
      out.tenths(Self.stackTop)
      out.markup("V")
      out.tenths(bottom)
      out.markup("\"/>")
      // The last one stays within the picture.
      let isLast = x + SkylineNames.width(tick.text) / 2 > Self.width
      for height in [Self.stackBottom + 160, bottom + 160] {
        out.label(tick.text, x: x, y: height, isLast ? "axis" : "tick")
      }
    }
  }

  // MARK: Memory

  private mutating func drawSystem() {
    out.markup("<path class=\"system\" data-tip=\"\" d=\"")
    drawSteps(from: Self.stackBottom, stack.system.map { ($0.time, y($0.bytes)) })
    out.command("V")
    out.tenths(Self.stackBottom)
    out.markup("Z\"><title>")
    out.text("System: \(scene.size(stack.system.last?.bytes ?? 0))")
    out.markup("</title></path>")
  }

  private mutating func drawBands() {
    for (position, runs) in stack.runs.enumerated() where !runs.isEmpty {
      out.markup("<g class=\"band-app\" data-tip=\"\"")
      out.attribute("data-app", Int64(position))
      out.markup("><title>")
      out.text(scene.names.shown(AppIndex(position)))
      out.markup("</title>")
      for shade in SkylineStack.Shade.allCases { drawBand(runs, shade) }
      nameBand(runs, AppIndex(position))
      out.markup("</g>")
    }
  }

  /// The parts of an app's band of one shade, as a path of closed areas.
  private mutating func drawBand(_ runs: [SkylineStack.Run], _ shade: SkylineStack.Shade) {
    guard runs.contains(where: { $0.shade == shade }) else { return }
    out.markup("<path class=\"")
    out.markup(shade.style)
    out.markup("\" d=\"")
    var first = 0
    while first < runs.count {
      guard runs[first].shade == shade else {
        first += 1
        continue
      }
      var last = first
      while last + 1 < runs.count, runs[last + 1].shade == shade,
        runs[last + 1].start == runs[last].end
      {
        last += 1
      }
      drawArea(runs[first...last])
      first = last + 1
    }
    out.markup("\"/>")
  }

  /// Along the upper edges, and back along the lower ones; steps are relative to save room.
  private mutating func drawArea(_ runs: ArraySlice<SkylineStack.Run>) {
    let columns = columns(of: runs)
    guard let first = columns.first, let last = columns.last else { return }
    var y = first.top
    out.command("M")
    out.tenths(first.x.lowerBound)
    out.markup(" ")
    out.tenths(y)
    func go(to next: Int, _ out: inout MarkupWriter) {
      guard next != y else { return }
      out.command("v")
      out.tenths(next - y)
      y = next
    }
    func go(along width: Int, _ out: inout MarkupWriter) {
      out.command("h")
      out.tenths(width)
    }
    var width = 0
    for column in columns {
      if column.top != y {
        go(along: width, &out)
        go(to: column.top, &out)
        width = 0
      }
      width += column.x.count
    }
    go(along: width, &out)
    go(to: last.bottom, &out)
    width = 0
    for column in columns.reversed() {
      if column.bottom != y {
        go(along: -width, &out)
        go(to: column.bottom, &out)
        width = 0
      }
      width += column.x.count
    }
    go(along: -width, &out)
    out.command("Z")
  }

  /// Runs as they are drawn: what is narrower than half a unit is not seen, and neighbours that look
  /// alike are one.
  private func columns(
    of runs: ArraySlice<SkylineStack.Run>
  ) -> [(x: Range<Int>, top: Int, bottom: Int)] {
    var columns: [(x: Range<Int>, top: Int, bottom: Int)] = []
    guard let first = runs.first else { return columns }
    var start = x(first.start, to: 5)
    for run in runs {
      let end = x(run.end, to: 5)
      guard end > start else { continue }
      let (top, bottom) = (y(run.highBytes), y(run.lowBytes))
      if let last = columns.last, last.top == top, last.bottom == bottom {
        columns[columns.count - 1].x = last.x.lowerBound..<end
      } else {
        columns.append((start..<end, top, bottom))
      }
      start = end
    }
    return columns
  }

  /// Writes the app's name where its band is longest, if it fits.
  private mutating func nameBand(_ runs: [SkylineStack.Run], _ app: AppIndex) {
    guard let run = runs.max(by: { $0.end - $0.start < $1.end - $1.start }) else { return }
    let name = scene.names.short(app)
    let (width, height) = (x(run.end) - x(run.start), y(run.lowBytes) - y(run.highBytes))
    let room = SkylineNames.width(name)
    guard height >= 105, width >= room + 80 else { return }
    let (middle, base) = (
      (x(run.start) + x(run.end)) / 2, (y(run.lowBytes) + y(run.highBytes)) / 2 + 35
    )
    out.label(name, x: middle, y: base, run.shade == .front ? "on-front" : "on-band")
    taken.append((middle - room / 2..<middle + room / 2, base - 100..<base + 30))
  }

  /// What is in use: RAM less what is available.
  private mutating func drawUse() {
    guard let first = day.firstAvailableBytes ?? day.moments.first?.availableBytes else { return }
    out.markup("<path class=\"use\" d=\"")
    // What passes the top for an instant only is cut there.
    let steps = day.moments.map { moment in
      (moment.time, max(Self.stackTop - 60, y(scene.memoryBytes - moment.availableBytes)))
    }
    drawSteps(from: y(min(topBytes, scene.memoryBytes - first)), steps)
    out.markup("\"/>")
  }

  /// A line through all of the day that stands at one height until it goes to the next.
  mutating func drawSteps(from first: Int, _ steps: some Sequence<(Int64, Int)>) {
    out.command("M")
    out.tenths(x(day.range.lowerBound))
    out.markup(" ")
    out.tenths(first)
    var height = first
    for (time, next) in steps where next != height {
      out.command("H")
      out.tenths(x(time))
      out.command("V")
      out.tenths(next)
      height = next
    }
    out.command("H")
    out.tenths(x(day.range.upperBound))
  }

  private mutating func drawLines() {
    var lowest = Int.min
    drawLine("RAM \(scene.size(scene.memoryBytes))", scene.memoryBytes, "ram", &lowest)
    for threshold in scene.thresholds {
      drawLine(threshold.name, scene.memoryBytes - threshold.bytes, "threshold", &lowest)
    }
    out.label("0", x: Self.left - 60, y: Self.stackBottom, "axis")
  }

  /// - Parameter lowest: Where the last name stands, so that the next one stands below it.
  private mutating func drawLine(
    _ name: String, _ bytes: Int64, _ kind: StaticString, _ lowest: inout Int
  ) {
    let height = y(bytes)
    out.markup("<path class=\"")
    out.markup(kind)
    out.markup("\" d=\"M")
    out.tenths(Self.left)
    out.markup(" ")
    out.tenths(height)
    out.command("H")
    out.tenths(Self.right)
    out.markup("\"")
    out.attribute("data-bytes", bytes)
    out.markup("/>")
    lowest = max(height + 35, lowest == .min ? .min : lowest + 115)
    out.label(name, x: Self.left - 60, y: lowest, "axis")
  }
}
