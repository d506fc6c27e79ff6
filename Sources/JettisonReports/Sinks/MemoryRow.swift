package import JettisonCore

/// One row of `footprints.csv`: an app and what it leaves available, or the latter alone where no app
/// changed.
package enum MemoryRow: Sendable, Equatable {
  case footprint(FootprintRecord)
  case memory(MemoryRecord)

  /// The app's figures; nil: no app changed.
  package var footprint: FootprintRecord? {
    switch self {
    case .footprint(let footprint): footprint
    case .memory: nil
    }
  }

  /// The device's figures.
  package var memory: MemoryRecord {
    switch self {
    case .footprint(let footprint): footprint.memory
    case .memory(let memory): memory
    }
  }
}
