extension RunConfiguration {
  /// Where the rules of the model in force begin, in bytes of available memory; 0: never.
  ///
  /// Only those that follow from the configuration alone: a model that looks at stalls, at swap or at
  /// what apps hold has others beside them, or none.
  package var thresholdBytes: [(key: String, bytes: Int64)] {
    let rules = PressureRules(self)
    func share(_ name: String, _ bytes: Double) -> (key: String, bytes: Int64) {
      ("thresholds.\(name)", Int64(bytes.rounded()))
    }
    switch pressure.family {
    case .thresholds:
      return [
        share("warn", rules.warnBytes), share("until", rules.untilBytes),
        share("purge", rules.purgeBytes), share("critical", rules.criticalBytes),
      ]
    case .ios4:
      return [
        share("warn", rules.warnBytes), share("purge", rules.purgeBytes),
        share("critical", rules.criticalBytes),
      ]
    case .jetsam: return jetsamThresholdBytes
    case .android: return AndroidRules(self).thresholdBytes
    case .linux, .idealCache: return []
    }
  }
}

extension AndroidRules {
  /// The rows of the driver's table; for the daemon, where free memory is under its marks.
  fileprivate var thresholdBytes: [(key: String, bytes: Int64)] {
    // A table may be set absurdly large.
    func bytes(_ pages: Int64) -> Int64 { Int64(min(Double(pages) * Double(pageSize.bytes), 1e18)) }
    guard usesDaemon else {
      return table.rows.map {
        ("lmk.adj-\($0.adj)", bytes(memory.availablePages(filePages: $0.pages)))
      }
    }
    return [
      ("lmkd.low-mark", bytes(lowAvailablePages)), ("lmkd.min-mark", bytes(minAvailablePages)),
    ]
  }
}
