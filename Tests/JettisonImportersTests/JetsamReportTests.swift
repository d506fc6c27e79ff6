import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Reports are written by hand in the layouts of iOS 18, 8 and 5, with invented names.
@Suite("Jetsam reports")
struct JetsamReportTests {
  /// 16 KiB pages: 2000 pages are 32,768,000 bytes.
  ///
  /// Counted pages: active 4000 + inactive 3000 + speculative 100 + wired 1000 + compressor 500 =
  /// 8600, less 1500 file-backed ones = 7100. The processes take 2000 + 1500 + 300 + 100 + 900 =
  /// 4800, of which 1000 compressed ones are 500 pages in the compressor (1000 × 500 / 1000): 4300.
  /// The rest is the system's: 2800 pages.
  static let json = #"""
    {"bug_type":"298","timestamp":"2024-05-06 10:00:07.00 +0200","os_version":"iPhone OS 18.5"}
    {
      "product" : "iPhone14,2",
      "date" : "2024-05-06 10:00:07.63 +0200",
      "timeDelta" : 7,
      "memoryStatus" : {
        "compressorSize" : 500,
        "uncompressed" : 1000,
        "pageSize" : 16384,
        "memoryPages" : {
          "active" : 4000, "inactive" : 3000, "speculative" : 100, "wired" : 1000,
          "free" : 200, "fileBacked" : 1500, "purgeable" : 10
        }
      },
      "processes" : [
        {"name" : "com.example.notes", "pid" : 10, "states" : ["frontmost", "active"],
         "priority" : 100, "rpages" : 2000, "lifetimeMax" : 1900},
        {"name" : "com.example.game", "pid" : 11, "states" : ["suspended"], "priority" : 0,
         "rpages" : 1500, "reason" : "vm-pageshortage", "killDelta" : 24000000,
         "freeze_skip_reason:" : "none", "physicalPages" : {"internal" : [500, 1000]}},
        {"name" : "syncd", "states" : ["daemon", "idle"], "priority" : 0, "rpages" : 300,
         "reason" : "idle-exit", "killDelta" : 13596},
        {"name" : "syncd", "states" : ["daemon"], "priority" : 40, "rpages" : 100},
        {"name" : "kernel_task", "states" : [], "priority" : 999, "rpages" : 900}
      ]
    }

    """#

  private static func size(_ pages: Int64) -> Int64 { pages * 16384 }

  @Test("A report is one moment: who ran, how large, in which state, and who was killed when")
  func readsJSON() throws {
    let trace = try load(Self.json, file: "event.ips")
    #expect(
      summary(trace) == [
        "0 com.example.notes present 32768000 state=front",
        "0 com.example.game present 24576000 state=suspended",
        "0 syncd present 4915200 state=suspended",
        "0 syncd:2 present 1638400 state=background",
        "0 kernel_task present 14745600 state=suspended",
        "0 syncd:2 background-mode 1 mode=service",
        "0 kernel_task pin 1 reason=user",
        "0 observed-available \(Self.size(1700))",
        "0 system-memory \(Self.size(2800))",
        "0.0005665 syncd observed-exit cause=idle-exit;band=0",
        "1 com.example.game observed-exit cause=page-shortage;band=0",
        "7 end reason=complete",
      ])
    #expect(trace.header.device == "iphone-13-pro")
    // The snapshot is seven seconds older than the report.
    #expect(trace.header.start == "2024-05-06T10:00:00+02:00")
    #expect(trace.header.source?.contains("iPhone OS 18.5, iPhone14,2") == true)
    #expect(
      trace.header.appsYAML == """
        com.example.game: {category: casual-game}
        com.example.notes: {category: notes}
        kernel_task: {kind: system}
        syncd: {kind: daemon}
        "syncd:2": {kind: daemon, band: 40}
        """)
    #expect(issues(trace) == [])
    try checkRoundTrip(trace)
  }

  @Test("--apps leaves processes out, and their memory becomes the system's")
  func filters() throws {
    var options = ImportOptions()
    options.apps = ["com.example.*"]
    options.device = "iphone-15-pro"
    let trace = try load(Self.json, options: options)
    #expect(trace.apps == ["com.example.game", "com.example.notes"])
    #expect(trace.header.device == "iphone-15-pro")
    // 1300 pages more: those of both syncd and of kernel_task.
    #expect(summary(trace).contains("0 system-memory \(Self.size(4100))"))
  }

  @Test("The order of keys and the line before the report do not matter")
  func otherOrders() throws {
    let end = try #require(Self.json.range(of: "\n"))
    let memory = try #require(Self.json.range(of: #"  "memoryStatus""#))
    let processes = try #require(Self.json.range(of: #"  "processes""#))
    let closing = try #require(Self.json.range(of: "  ]\n}", options: .backwards))
    let head = Self.json[end.upperBound..<memory.lowerBound]
    let status = Self.json[memory.lowerBound..<processes.lowerBound]
    let list = Self.json[processes.lowerBound..<closing.lowerBound]
    let text = head + list + "],\n" + status.dropLast(6) + "}}"
    let trace = try load(String(text))
    #expect(summary(trace) == summary(try load(Self.json)))
  }

  @Test("A report that is cut off gives every whole process before the cut, and says where it is")
  func cutJSON() throws {
    let cut = try #require(Self.json.range(of: #""rpages" : 300"#))
    let trace = try load(String(Self.json[..<cut.upperBound]))
    #expect(trace.apps == ["com.example.game", "com.example.notes"])
    #expect(
      issues(trace) == ["data-loss 1 the report is cut off: what followed is lost @21"])
    let broken = Self.json.replacingOccurrences(of: #""rpages" : 300"#, with: #""rpages" = 300"#)
    let damaged = try load(broken)
    #expect(damaged.apps == trace.apps)
    #expect(
      issues(damaged) == ["data-loss 1 the report is damaged: what follows is lost @21"])
  }

  @Test("Odd values are counted with their lines and stop nothing")
  func oddValues() throws {
    let trace = try load(
      #"""
      {"memoryStatus": {"pageSize": 8, "memoryPages": {"free": 10, "purgeable": 2}},
      "processes": [
      {"name": "a", "rpages": 9223372036854775807, "states": ["frontmost"]},
      {"name": "b", "rpages": 5, "states": ["frontmost", {"x": [1]}], "reason": "sunspots"},
      {"name": "", "rpages": 5}, 7, [1, [2]],
      {"name": "c\u00e9\ud83d\ude00\n,", "rpages": 6, "reason": "highwater", "killDelta": -1},
      {"rpages": [1], "name": "d", "x": {"y": {"z": null}}}
      ], "more": [true, {"deep": false}]}
      """#)
    #expect(
      summary(trace) == [
        "0 a present state=front", "0 b present 20480 state=background",
        "0 b footprint 20480 derived=1",
        "0 cé😀\n, present 24576 state=suspended",
        "0 cé😀\n, footprint 24576 derived=1",
        "0 b background-mode 1 mode=service",
        "0 b observed-exit cause=other", "0 cé😀\n, observed-exit cause=high-water",
        "0 observed-available 49152", "0 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "error 1 a process without a name @5",
        "error 2 an entry is not a process @5,5",
        "info 1 the size of a page is unknown: 4096 bytes are assumed",
        "error 2 a process without a footprint @3,7",
        "info 1 a second app in front counts as background @4",
        "info 1 an unknown reason for a kill: 'other' @4",
        "error 1 a kill that is more than a day from the snapshot @6",
        "info 1 file-backed pages are not counted: more memory may be available",
      ])
    try checkRoundTrip(trace)
  }

  @Test("Values that are nested deeper than any report end the reading")
  func deepNesting() throws {
    let deep = String(repeating: "[", count: 100_000)
    let text = #"{"processes": [{"name": "a", "rpages": 1}], "memoryStatus": {}, "x": "# + deep
    let trace = try load(text, as: .jetsamReport)
    #expect(trace.apps == ["a"])
    #expect(issues(trace).contains { $0.contains("nested too deep") })
  }

  @Test("The layout of iOS 8: CPU time first, reason in brackets, states in parentheses")
  func readsRows() throws {
    let uuid = "0123456789abcdef0123456789abcdef"
    let trace = try load(
      """
      Hardware Model:      iPhone7,2
      OS Version:          iPhone OS 8.4.1 (12H321)
      Date:                2015-09-01 12:00:03 -0700
      Time since snapshot: 3210 ms

      Free pages:                              1000
      Active pages:                            5000
      Inactive pages:                          2000
      Purgeable pages:                         30
      Wired pages:                             4000
      File-backed pages:                       2500
      Compressor Size:                         100
      Largest process:   Sketch Pad

      Processes
                Name    UUID     CPU Time   rpages  purgeable  recent_max  lifetime_max
             syncd <\(uuid)>      0.062    108     0     -    586   50  [highwater] (daemon) (idle)
        Sketch Pad <\(uuid)>     10.500   5000    12   +21   6000  200  (frontmost) (resume)
              Mail <\(uuid)>      1.272    900     0     -   2971   50  [vm-pageshortage] (suspended)

      **End**
      """ + "\n")
    #expect(
      summary(trace) == [
        "0 syncd present 442368 state=suspended",
        "0 syncd footprint 442368 derived=1",
        "0 Sketch Pad present 20480000 state=front",
        "0 Sketch Pad footprint 20480000 derived=1",
        "0 Mail present 3686400 state=suspended",
        "0 Mail footprint 3686400 derived=1",
        "0 syncd observed-exit cause=high-water",
        "0 Mail observed-exit cause=page-shortage",
        "0 observed-available \(3500 * 4096)",
        // 5000 + 2000 + 4000 + 100 - 2500 - 6008 pages.
        "0 system-memory \(2592 * 4096)", "3 end reason=complete",
      ])
    #expect(trace.header.device == "iphone-6")
    #expect(trace.header.start == "2015-09-01T12:00:00-07:00")
    #expect(
      issues(trace) == ["info 1 the size of a page is unknown: 4096 bytes are assumed"])
  }

  @Test("A zone that is given is that of a date without one, and a byte-order mark is dropped")
  func zoneAndMark() throws {
    var options = ImportOptions()
    options.zoneOffsetSeconds = 3600
    let text = Self.oldest.replacing(" -0700", with: "")
    #expect(try load(text, options: options).header.start == "2011-10-27T18:59:12+01:00")
    #expect(try load(text).header.start == "2011-10-27T18:59:12+00:00")
    let json = Self.json.replacing(" +0200", with: "")
    #expect(try load(json, options: options).header.start == "2024-05-06T10:00:00+01:00")
    #expect(try load(Self.json, options: options).header.start == "2024-05-06T10:00:00+02:00")
    let marked = try load("\u{FEFF}" + Self.json)
    #expect(try summary(marked) == summary(load(Self.json)))
    #expect(issues(marked).isEmpty)
  }

  @Test("A name that the catalog could not hold is cut, and loses nothing else")
  func controls() throws {
    let written = String(repeating: #"\u0001"#, count: 400)
    let trace = try load(Self.json.replacing("syncd", with: written))
    let short = String(repeating: "\u{1}", count: 170)
    #expect(trace.apps.contains(short))
    #expect(trace.apps.contains("com.example.game"))
    try checkRoundTrip(trace)
  }

  static let oldest = """
    Hardware Model:      iPhone4,1
    OS Version:          iPhone OS 5.0 (9A334)
    Date:                2011-10-27 18:59:12 -0700
    Time since snapshot: 375 ms

    Free pages:        988
    Wired pages:       29503
    Purgeable pages:   12
    Largest process:   Chess

    Processes
             Name                 UUID                    Count resident pages
           timed <00112233445566778899aabbccddeeff>     266
           Chess <10112233445566778899aabbccddeeff>    7763 (active)
            Mail <20112233445566778899aabbccddeeff>    2119 (jettisoned)

    **End**

    """

  @Test("The layout of iOS 5: resident pages, the active app, the jettisoned ones")
  func readsOldest() throws {
    let trace = try load(Self.oldest)
    #expect(
      summary(trace) == [
        "0 timed present 1089536 state=suspended",
        "0 timed footprint 1089536 derived=1",
        "0 Chess present 31797248 state=front",
        "0 Chess footprint 31797248 derived=1",
        "0 Mail present 8679424 state=suspended",
        "0 Mail footprint 8679424 derived=1",
        "0 Mail observed-exit cause=memory-pressure", "0 observed-available 4096000",
        "0 end reason=complete",
      ])
    #expect(trace.header.device == "iphone-4s")
    let cut = try #require(Self.oldest.range(of: "2119"))
    let damaged = try load(String(Self.oldest[..<cut.lowerBound]) + "21")
    #expect(damaged.apps == ["Chess", "timed"])
    #expect(
      issues(damaged).first == "data-loss 1 the report has no end: what followed is lost @15")
  }

  @Test("Reports are recognised by content, and by no other format", arguments: [json, oldest])
  func detection(fixture: String) {
    let bytes = Array(fixture.utf8)
    #expect(TraceFormats.all.list.filter { $0.sniff(bytes.span) }.map(\.name) == ["jetsam-report"])
  }

  @Test("Bytes of every kind are read or refused", arguments: [json, oldest])
  func damage(fixture: String) throws {
    try checkDamage(fixture, as: .jetsamReport, mutations: 300)
  }

  @Test("Every product is a device of the table, and no product is two")
  func products() throws {
    for (name, _) in AppleProduct.devices { _ = try DeviceTable.device(named: name) }
    let products = AppleProduct.devices.flatMap(\.products)
    #expect(Set(products).count == products.count)
    #expect(AppleProduct.device(of: "iPhone8,2") == "iphone-6s-plus")
    #expect(AppleProduct.device(of: "iPhone14,5") == "iphone-13")
    #expect(AppleProduct.device(of: "iPhone99,1") == nil)
  }

  @Test("Every reason has a word of the trace format")
  func causes() {
    let reasons = [
      "jettisoned", "highwater", "vnode-limit", "vm-pageshortage", "proc-thrashing",
      "fc-thrashing", "per-process-limit", "disk-space-shortage", "idle-exit",
      "zone-map-exhaustion", "vm-compressor-thrashing", "vm-compressor-space-shortage",
      "low-swap", "sustained-memory-pressure", "vm-pageout-starvation", "long-idle-exit",
    ]
    for reason in reasons {
      let cause = JetsamReport.cause(of: reason)
      #expect(cause.map(DetailParser.exitCauses.contains) == true, "\(reason)")
    }
  }
}

/// Counted in the files by `grep -c '<[0-9a-f]*>'`, `grep -c jettisoned` and `grep -c rpages`.
@Suite("Real jetsam reports", .enabled(if: Captures.has("ios")))
struct RealJetsamReportTests {
  private func read(_ name: String) throws -> Trace {
    try TraceLoader.load("\(Captures.folder ?? "")/ios/\(name)", formats: .all)
  }

  @Test("iOS 18.5, cut after two processes")
  func iOS18() throws {
    let trace = try read("jetsam_ios18.5.ips.truncated")
    let present: [String] = [
      "0 OTACrashCopier present \(127 * 16384) state=suspended",
      "0 peakpowermanagerd present \(99 * 16384) state=suspended",
    ]
    #expect(summary(trace).filter { $0.contains("present") } == present)
    // iPhone14,7 is not in the device table.
    #expect(trace.header.device == nil)
    #expect(trace.header.source?.contains("iPhone14,7") == true)
    #expect(trace.header.start == "2025-05-28T01:35:40-05:00")
    let available: Int64 = (3870 + 113_751) * 16384
    #expect(summary(trace).contains("0 observed-available \(available)"))
    #expect(
      issues(trace) == ["data-loss 1 the report is cut off: what followed is lost @91"])
  }

  @Test("iOS 9.3.2, cut after one process, without bands")
  func iOS9() throws {
    let trace = try read("jetsam_ios9.3.2.ips.truncated")
    #expect(trace.apps == ["softwareupdated"])
    #expect(trace.header.device == "iphone-6s-plus")
    #expect(trace.header.start == "2016-06-17T11:51:02-07:00")
    #expect(issues(trace).count == 1)
  }

  @Test("iOS 8.4.1: eight rows without a header, all killed")
  func iOS8() throws {
    let trace = try read("jetsam_ios8.4.1_rows.txt")
    #expect(trace.apps.count == 8)
    #expect(summary(trace).count { $0.contains("observed-exit cause=page-shortage") } == 8)
    #expect(summary(trace).contains("0 MobileMail present \(975 * 4096) state=background"))
  }

  @Test("iOS 5.0: eleven processes, four of them jettisoned, one in front")
  func iOS5() throws {
    let trace = try read("lowmemory_ios5.0.txt")
    #expect(trace.apps.count == 11)
    #expect(summary(trace).count { $0.contains("observed-exit cause=memory-pressure") } == 4)
    #expect(summary(trace).contains("0 Mobiletag present \(7763 * 4096) state=front"))
    #expect(trace.header.device == "iphone-4s")
    #expect(issues(trace).contains { $0.hasPrefix("data-loss 1 the report has no end") })
  }
}
