import JettisonCore
import Testing

@testable import JettisonSynthetic
@testable import JettisonTraces

@Suite("A day of a synthetic user looks like a day")
struct SyntheticDayTests {
  /// The rows of some users over three weeks, as their lives tell them.
  private struct Lives {
    var rows: [[SyntheticRow]] = []
    var rhythms: [SyntheticRhythm] = []
    let days = 21

    init(_ population: SyntheticPopulation, users: Int = 12) {
      for user in 0..<users {
        let streams = SyntheticStreams(seed: 4, user: "user-\(user)")
        var life = SyntheticLife(
          population, streams: streams, cast: SyntheticCast(ownApps: []))
        rhythms.append(life.rhythm)
        rows.append((0..<days).flatMap { life.next(day: $0) })
      }
    }

    /// Rows of one kind per user-day.
    func rate(_ kind: EventKind, where matches: (SyntheticRow) -> Bool = { _ in true }) -> Double {
      let number = rows.joined().count { $0.kind == kind && matches($0) }
      return Double(number) / Double(rows.count * days)
    }
  }

  private static let lives = SyntheticPopulation.allCases.map { Lives($0) }

  private func lives(_ population: SyntheticPopulation) -> Lives {
    Self.lives[population == .in2010 ? 0 : 1]
  }

  @Test("Everything happens that can happen", arguments: SyntheticPopulation.allCases)
  func everything(population: SyntheticPopulation) {
    let rows = lives(population).rows.joined()
    let kinds = Set(rows.map(\.kind))
    var expected: Set<EventKind> = [
      .launch, .backgroundLaunch, .home, .interrupt, .interruptEnd, .screen, .taskBegin, .taskEnd,
      .backgroundMode, .pin, .quit, .crash, .update, .deviceChange, .boot, .edit, .restoreFailed,
      .gpuWork, .sharedResource,
    ]
    expected.formUnion(population == .in2010 ? [.exit] : [.present, .footprint])
    #expect(kinds == expected)
    let details = Set(rows.compactMap(\.detail))
    var known = [
      "by=call", "by=alert", "by=call;outcome=accepted", "by=call;outcome=dismissed",
      "by=alert;outcome=accepted", "reason=location", "reason=voip", "mode=audio",
      "mode=location", "reason=navigation", "kind=position", "kind=time",
      "kind=battery;to=charging", "kind=battery;to=unplugged", "kind=orientation;to=landscape",
      "kind=orientation;to=portrait", "kind=accessory;to=connected",
      "kind=accessory;to=disconnected", "resource=contacts", "resource=file-lock",
    ]
    known += population == .in2010 ? ["by=sms"] : ["reason=push", "reason=fetch"]
    for detail in known { #expect(details.contains(detail), "\(detail)") }
  }

  @Test("Rows come in order and fit each other", arguments: SyntheticPopulation.allCases)
  func order(population: SyntheticPopulation) {
    for rows in lives(population).rows {
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.timeNanoseconds <= $1.timeNanoseconds })
      var isOn = false
      var front: Int?
      var open: Set<Int64> = []
      for row in rows {
        switch row.kind {
        case .screen:
          #expect(isOn != (row.value == 1))
          isOn = row.value == 1
        case .launch:
          #expect(isOn, "an app comes to the front of a phone in use")
          front = row.app
        case .home:
          #expect(front != nil)
          front = nil
        case .interrupt: #expect(front != nil && isOn)
        case .interruptEnd where row.detail?.hasSuffix("accepted") == true: front = nil
        case .edit: #expect(front == row.app)
        case .crash, .exit, .quit: if front == row.app { front = nil }
        case .update: #expect(front != row.app)
        case .taskBegin: #expect(open.insert(row.id ?? 0).inserted)
        case .taskEnd: #expect(open.remove(row.id ?? 0) != nil)
        case .boot:
          front = nil
          isOn = false
        default: break
        }
      }
    }
  }

  @Test("At night the phone lies locked on the charger", arguments: SyntheticPopulation.allCases)
  func night(population: SyntheticPopulation) {
    let lives = lives(population)
    var wakes = 0
    for (rows, rhythm) in zip(lives.rows, lives.rhythms) {
      wakes += rows.count {
        $0.kind == .screen && $0.value == 1 && rhythm.isAsleep($0.timeNanoseconds)
      }
      for day in 0..<lives.days {
        let night = rhythm.bedtime(day)...rhythm.wakeTime(day) + 1_800_000_000_000
        let charges = rows.filter {
          night.contains($0.timeNanoseconds) && $0.detail?.hasPrefix("kind=battery") == true
        }
        #expect(charges.contains { $0.detail == "kind=battery;to=charging" })
        #expect(charges.last?.detail == "kind=battery;to=unplugged")
      }
    }
    // A session that began before bedtime may go on; then an app of it may be reopened. No session
    // begins.
    #expect(wakes == 0)
  }

  @Test("Music plays on the way, navigation is for the weekend")
  func outings() {
    for lives in Self.lives {
      var played: Int64 = 0
      var drives = [0, 0]
      for rows in lives.rows {
        var since: Int64?
        for row in rows {
          if row.detail == "mode=audio" {
            if row.value == 1 { since = row.timeNanoseconds }
            if row.value == 0, let start = since { played += row.timeNanoseconds - start }
          }
          if row.kind == .pin, row.value == 1 {
            let day = Int(row.timeNanoseconds / SyntheticRhythm.dayNanoseconds)
            drives[SyntheticRhythm.isWeekend(day) ? 1 : 0] += 1
          }
        }
      }
      // 68 % listen for 45 minutes a day: 31 minutes on average, with 12 users of two kinds a
      // standard error of 6.
      let minutes = Double(played) / 60e9 / Double(lives.rows.count * lives.days)
      #expect(abs(minutes - 31) < 18)
      // Weekend days have five times the drives of workdays, two of them have twice those of five.
      #expect(drives[1] > drives[0])
    }
  }

  @Test("Rates agree with the table")
  func rates() {
    let old = lives(.in2010)
    let new = lives(.today)
    // Standard errors are below 4 % of each rate: 252 user-days.
    #expect(abs(new.rate(.backgroundLaunch) { $0.detail == "reason=push" } / 16 - 1) < 0.1)
    #expect(old.rate(.backgroundLaunch) { $0.detail == "reason=push" } == 0)
    #expect(abs(new.rate(.backgroundLaunch) { $0.detail == "reason=location" } / 3 - 1) < 0.2)
    #expect(abs(old.rate(.backgroundLaunch) { $0.detail == "reason=location" } / 1.5 - 1) < 0.3)
    #expect(old.rate(.interrupt) { $0.detail == "by=sms" } > 0)
    #expect(new.rate(.interrupt) { $0.detail == "by=sms" } == 0)
    // 11.6 crashes per 1000 launches, of which some strike an app that has been left already.
    let crashes = old.rate(.crash) / old.rate(.launch) * 1000
    #expect(crashes > 7 && crashes < 13)
    #expect(new.rate(.crash) < old.rate(.crash) / 5)
    #expect(abs(new.rate(.update) - 10.0 / 7) < 0.4)
  }
}
