internal import JettisonModel
internal import JettisonSupport

/// Rows of trace format 1 as text, while a recording goes on.
///
/// A row that tells of a time before the one above it happens with that one.
struct TraceRows {
  private var bytes: [UInt8] = []
  private var lastTime: Int64 = 0

  /// Adds a row of a known event.
  mutating func add(
    _ kind: EventKind, at time: Int64, app: String? = nil, value: Int64? = nil,
    detail: String = ""
  ) {
    add(kind.name, at: time, app: app, value: value, detail: detail)
  }

  /// Adds a row; an event that begins with `x-` is for other readers.
  mutating func add(
    _ event: String, at time: Int64, app: String? = nil, value: Int64? = nil, detail: String
  ) {
    lastTime = max(lastTime, time)
    let name = app.map(PercentEncoding.encode) ?? ""
    let number = value.map(String.init) ?? ""
    bytes += "\(lastTime),\(name),\(event),\(number),,\(detail)\n".utf8
  }

  /// Hands out what was added since the last time.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}
