internal import JettisonModel
internal import JettisonSupport

extension TraceHeader {
  /// Says when a log began whose times are local, and where its rows come from.
  ///
  /// - Parameters:
  ///   - seconds: Of the local clock, since 1970.
  ///   - zone: Seconds that the clock was ahead of UTC; nil: not known.
  ///   - source: What kind of log it is.
  mutating func setLocalStart(_ seconds: Int64, zone: Int64?, source: String) {
    let offset = CivilTime.text(ofOffset: zone ?? 0)
    start = CivilTime.iso8601(seconds: seconds, offset: offset)
    self.source =
      "\(source); times are local, without a zone, and \(zone == nil ? "written" : "read") as "
      + offset
  }
}
