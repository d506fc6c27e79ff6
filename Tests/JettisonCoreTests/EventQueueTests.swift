import JettisonTestSupport
import Testing

@testable import JettisonCore

struct EventQueueTests {
  @Test func `timers come in the order of time, rank and setting, however many are set`() {
    for seed: UInt64 in 1...300 {
      var random = SplitMix64(seed: seed)
      var queue = EventQueue()
      var waiting: [(time: Int64, rank: UInt8, number: Int)] = []
      var now: Int64 = 0
      var poll = -1
      let share = Int.random(in: 3...7, using: &random)
      for number in 0..<600 {
        // Sometimes more are set than are due, sometimes fewer.
        if Int.random(in: 0..<10, using: &random) < share || waiting.isEmpty {
          let kinds = TimerKind.allCases.filter { $0 != .pressurePoll }
          let kind = kinds.randomElement(using: &random) ?? .growth
          let time = now + Int64.random(in: 0...50, using: &random)
          if Int.random(in: 0..<4, using: &random) == 0 {
            waiting.removeAll { $0.number == poll }
            poll = number
            queue.setPoll(at: time)
            waiting.append((time, TimerKind.pressurePoll.rank, number))
          } else {
            queue.schedule(kind, at: time, subject: UInt32(number), token: 0)
            waiting.append((time, kind.rank, number))
          }
        } else {
          let first = waiting.min { ($0.time, $0.rank, $0.number) < ($1.time, $1.rank, $1.number) }
          let timer = queue.popNext()
          #expect(timer.timeNanoseconds == first?.time, "seed \(seed)")
          #expect(
            (timer.kind == .pressurePoll ? poll : Int(timer.subject)) == first?.number,
            "seed \(seed)")
          now = timer.timeNanoseconds
          waiting.removeAll { $0.number == first?.number }
        }
        #expect(queue.nextTime == waiting.map(\.time).min() ?? .max, "seed \(seed)")
      }
    }
  }

  @Test func `a poll set anew replaces the one before`() {
    var queue = EventQueue()
    queue.schedule(.growth, at: 20, subject: 1, token: 0)
    queue.setPoll(at: 10)
    queue.setPoll(at: 30)
    #expect(queue.popNext().kind == .growth)
    #expect(queue.nextTime == 30)
    #expect(queue.popNext().kind == .pressurePoll)
    #expect(queue.nextTime == .max)
  }
}
