/// On which lines of a text file the events of a trace stand.
///
/// Kept as stretches of events on consecutive lines: one, unless lines between them hold no event.
public struct EventLines: Sendable, Equatable {
  /// Stretches kept: a file with more of them has events whose lines are not known.
  package static let limit = 1024

  private struct Stretch: Equatable {
    let event: Int
    let line: Int
  }

  private var stretches: [Stretch] = []
  /// Position of the first event whose line is not known.
  private var end = 0
  /// Once a line is not known, neither are those after it.
  private var isFull = false

  /// No lines: what was read has none.
  public init() {}

  /// Notes the line of the next event, from 1; a number below is a line that is not known.
  package mutating func append(_ line: Int) {
    guard !isFull else { return }
    guard line > 0 else {
      isFull = true
      return
    }
    if let last = stretches.last, line - last.line == end - last.event {
      end += 1
    } else if stretches.count < Self.limit {
      stretches.append(Stretch(event: end, line: line))
      end += 1
    } else {
      isFull = true
    }
  }

  /// The line of the event at a position in the trace, from 1; nil: not known.
  ///
  /// - Complexity: O(stretches).
  public func line(ofEvent position: Int) -> Int? {
    guard position < end, let stretch = stretches.last(where: { $0.event <= position }) else {
      return nil
    }
    return stretch.line + (position - stretch.event)
  }
}
