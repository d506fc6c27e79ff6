import JettisonCore
import JettisonSupport

/// Who holds which part of memory when, one above the other: the app in front at the bottom, then
/// what runs in the background, then suspended apps in the policy's order, so that the first to go is
/// on top.
///
/// The policy says its order when it decides: between decisions the next one counts, for it shows who
/// was to go. Apps that it does not name lie below those, the newest lowest.
struct SkylineStack {
  /// What a band is drawn as.
  enum Shade: UInt8, CaseIterable {
    case front, background, suspended

    init?(_ state: AppState) {
      switch state {
      case .active, .inactive: self = .front
      case .background: self = .background
      case .suspended: self = .suspended
      case .notRunning: return nil
      }
    }
  }

  /// An app's part of memory while nothing changes it.
  struct Run: Equatable {
    var start: Int64
    var end: Int64
    let lowBytes: Int64
    let highBytes: Int64
    let shade: Shade
  }

  /// Where an app lay when it ended.
  struct Place: Equatable {
    let lowBytes: Int64
    let highBytes: Int64
  }

  /// Bands of each app that was in memory, in order of time.
  private(set) var runs: [[Run]]
  /// Memory of the system, in order of time.
  private(set) var system: [CaptureMarks.System] = []
  /// Where each end of the day took its app from, by position among the ends.
  private(set) var places: [Place]
  /// The top of the highest stack that lasted.
  private(set) var highestBytes: Int64 = 0

  private var bytes: [Int64]
  private var states: [AppState]
  private var since: [Int64]
  private var ranks: [Int]
  private var order: [AppIndex] = []
  private var isSorted = false
  private var systemBytes: Int64
  private let end: Int64

  /// Lays out a day.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - marks: What the trace tells of the system's memory.
  ///   - reserveBytes: What the system takes until the trace tells something.
  ///   - appCount: Apps of the trace.
  init(_ day: SkylineDay, _ marks: CaptureMarks, reserveBytes: Int64, appCount: Int) {
    runs = Array(repeating: [], count: appCount)
    places = Array(repeating: Place(lowBytes: 0, highBytes: 0), count: day.ends.count)
    bytes = Array(repeating: 0, count: appCount)
    states = Array(repeating: .notRunning, count: appCount)
    since = Array(repeating: 0, count: appCount)
    ranks = Array(repeating: -1, count: appCount)
    end = day.range.upperBound
    systemBytes = reserveBytes
    for system in marks.systems where system.time <= day.range.lowerBound {
      systemBytes = system.bytes
    }
    system = [CaptureMarks.System(time: day.range.lowerBound, bytes: systemBytes)]
    for holding in day.firstHoldings { bytes[holding.app.position] = holding.bytes }
    for change in day.firstStates { enter(change) }
    order = day.firstHoldings.map(\.app)
    lay(day, marks.systems.filter { day.range.contains($0.time) })
  }

  private mutating func lay(_ day: SkylineDay, _ systems: [CaptureMarks.System]) {
    var (moment, state, decision, ended, measured) = (0, 0, 0, 0, 0)
    var time = day.range.lowerBound
    var ranked = -1
    while true {
      while measured < systems.count, systems[measured].time <= time {
        systemBytes = systems[measured].bytes
        system.append(systems[measured])
        measured += 1
      }
      while ended < day.ends.count, day.ends[ended].time <= time {
        places[ended] = place(of: day.ends[ended].app, at: time)
        ended += 1
      }
      while moment < day.moments.count, day.moments[moment].time <= time {
        for holding in day.holdings[day.moments[moment].changes] { hold(holding) }
        moment += 1
      }
      while state < day.states.count, day.states[state].time <= time {
        enter(day.states[state])
        state += 1
      }
      while decision < day.decisions.count, day.decisions[decision].timeNanoseconds <= time {
        decision += 1
      }
      if decision != ranked, decision < day.decisions.count {
        rank(day.decisions[decision].candidates)
        ranked = decision
      }
      let next =
        [
          moment < day.moments.count ? day.moments[moment].time : end,
          state < day.states.count ? day.states[state].time : end,
          decision < day.decisions.count ? day.decisions[decision].timeNanoseconds : end,
          ended < day.ends.count ? day.ends[ended].time : end,
          measured < systems.count ? systems[measured].time : end,
        ].min() ?? end
      stack(from: time, to: min(next, end))
      guard next < end else { break }
      time = next
    }
    // What ends with the day, ends from where it lay last.
    while ended < day.ends.count {
      places[ended] = place(of: day.ends[ended].app, at: end)
      ended += 1
    }
  }

  private mutating func enter(_ change: SkylineDay.StateChange) {
    states[change.app.position] = change.state
    since[change.app.position] = change.time
    isSorted = false
  }

  private mutating func hold(_ holding: SkylineDay.Holding) {
    let position = holding.app.position
    if bytes[position] == 0 {
      order.append(holding.app)
      isSorted = false
    }
    bytes[position] = holding.bytes
    if holding.bytes == 0 { order.removeAll { $0 == holding.app } }
  }

  private mutating func rank(_ candidates: [CandidateRecord]) {
    for position in ranks.indices { ranks[position] = -1 }
    for (place, candidate) in candidates.enumerated() {
      ranks[candidate.app.position] = candidates.count - place
    }
    isSorted = false
  }

  /// Where an app lies up to a time; on top of everything if it held nothing before.
  private func place(of app: AppIndex, at time: Int64) -> Place {
    if let run = runs[app.position].last, run.end == time {
      return Place(lowBytes: run.lowBytes, highBytes: run.highBytes)
    }
    let top = systemBytes + order.reduce(0) { $0 + bytes[$1.position] }
    return Place(lowBytes: top, highBytes: top)
  }

  private mutating func stack(from start: Int64, to end: Int64) {
    guard end > start else { return }
    if !isSorted {
      let (states, ranks, since) = (states, ranks, since)
      func key(_ app: AppIndex) -> (Int, Int, Int64, UInt32) {
        let position = app.position
        let shade = Shade(states[position]) ?? .suspended
        return (
          Int(shade.rawValue), shade == .suspended ? ranks[position] : 0, -since[position],
          app.rawValue
        )
      }
      order.sort { key($0) < key($1) }
      isSorted = true
    }
    var low = systemBytes
    for app in order {
      let position = app.position
      let high = low + bytes[position]
      let shade = Shade(states[position]) ?? .suspended
      if let last = runs[position].last, last.end == start, last.lowBytes == low,
        last.highBytes == high, last.shade == shade
      {
        runs[position][runs[position].count - 1].end = end
      } else {
        runs[position].append(
          Run(start: start, end: end, lowBytes: low, highBytes: high, shade: shade))
      }
      low = high
    }
    highestBytes = max(highestBytes, low)
  }
}
