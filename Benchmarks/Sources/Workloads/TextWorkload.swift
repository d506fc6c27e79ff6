import JettisonCore

/// Traces as text, made row by row.
enum TextWorkload {
  private static let head =
    "# jettison-trace: 1\n# user: benchmark\ntime_ns,app,event,value,id,detail\n"

  /// The allocations of one app; blocks have addresses for ids, as captures have them.
  static func allocations(rows: Int) -> [UInt8] {
    var workload = AllocationWorkload()
    var text = Array(head.utf8)
    text.reserveCapacity(rows * 56)
    text += "0,com.example.systemui,launch,,,\n".utf8
    for number in 1...rows {
      let operation = workload.next()
      let value = operation.kind == .free ? "" : String(operation.bytes)
      append(
        Int64(number) * AllocationWorkload.nanosecondsPerOperation, "com.example.systemui",
        operation.kind.name, value, "\(3_000_000_000 + operation.slot * 16)", "", to: &text)
    }
    return text
  }

  /// A user's days: launches, edits, footprints and saves of thirty apps.
  static func usage(rows: Int) -> [UInt8] {
    var generator = Generator(seed: 4)
    let zipf = Zipf(count: 30)
    let apps = (0..<30).map { "com.example.category.app\($0)" }
    var text = Array(head.utf8)
    text.reserveCapacity(rows * 70)
    var app = apps[0]
    var time: Int64 = 0
    for row in 0..<rows {
      time += Int64(generator.next(below: 20_000_000_000))
      let choice = row == 0 ? 0 : generator.next(below: 10)
      switch choice {
      case 0, 1:
        app = apps[zipf.draw(&generator)]
        append(time, app, "launch", "", "", "", to: &text)
      case 2..<6:
        let bytes = generator.next(below: 300_000_000)
        append(time, app, "footprint", "\(bytes)", "", "", to: &text)
      case 6..<8:
        let work = generator.next(below: 40) * 250
        let bytes = generator.next(below: 5000)
        append(time, app, "edit", "\(bytes)", "", "work_ms=\(work)", to: &text)
      case 8:
        let duration = generator.next(below: 50) * 20
        let detail = "duration_ms=\(duration);trigger=user"
        append(time, app, "save", "2048", "", detail, to: &text)
      default:
        append(time, app, "observed-launch", "350000000", "", "kind=warm", to: &text)
      }
    }
    return text
  }

  private static func append(
    _ time: Int64, _ app: String, _ event: String, _ value: String, _ id: String,
    _ detail: String, to text: inout [UInt8]
  ) {
    text += "\(time),\(app),\(event),\(value),\(id),\(detail)\n".utf8
  }
}
