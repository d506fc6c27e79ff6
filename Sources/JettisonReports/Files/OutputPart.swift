internal import JettisonSupport
internal import Synchronization

/// How many bytes finished parts may hold in memory together, until their turn comes.
///
/// One slow run holds up the parts of all that follow it.
final class PartMemory: Sendable {
  private let free: Atomic<Int>

  init(bytes: Int = 32 << 20) {
    free = Atomic(bytes)
  }

  /// Takes so many bytes, if they are free; whether they were.
  fileprivate func take(_ count: Int) -> Bool {
    var rest = free.load(ordering: .relaxed)
    while rest >= count {
      let (isTaken, found) = free.compareExchange(
        expected: rest, desired: rest - count, ordering: .relaxed)
      if isTaken { return true }
      rest = found
    }
    return false
  }

  fileprivate func give(_ count: Int) { free.add(count, ordering: .relaxed) }
}

/// What one run adds to a file that several share: in memory while that is small, or else in a hidden
/// file beside the shared one.
final class OutputPart: Sendable {
  /// Where it lies.
  enum Place {
    case memory([UInt8], of: PartMemory)
    case file(HiddenFile)
    /// Nowhere any more.
    case gone
  }

  private let held: Mutex<Place>

  /// Keeps bytes in memory; nil: there is no more room.
  init?(_ bytes: [UInt8], in memory: PartMemory) {
    guard memory.take(bytes.count) else { return nil }
    held = Mutex(.memory(bytes, of: memory))
  }

  /// Keeps a file, which goes at the latest when the part does.
  init(_ file: HiddenFile) {
    held = Mutex(.file(file))
  }

  deinit { discard() }

  /// Where it lies now.
  var place: Place { held.withLock { $0 } }

  /// Removes it, once: a thread that made the part may hold on to it until the process ends.
  func discard() {
    let place = held.withLock { held in
      defer { held = .gone }
      return held
    }
    switch place {
    case .memory(let bytes, let memory): memory.give(bytes.count)
    case .file(let file): file.remove()
    case .gone: break
    }
  }
}
