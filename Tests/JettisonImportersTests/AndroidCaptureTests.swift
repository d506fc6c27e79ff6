import Foundation
import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

/// Real captures of Android; the counts are those that grep and awk find in the files.
@Suite("Captures of Android")
struct AndroidCaptureTests {
  static let logcatPath = "android/logcat_wsa.log"
  static let reportPath = "android/bugreport_sailfish_android10.zip"

  private func counts(_ trace: Trace) -> [EventKind: Int] {
    var counts: [EventKind: Int] = [:]
    for kind in EventKind.allCases {
      let count = trace.index.kindCounts[Int(kind.rawValue)]
      if count > 0 { counts[kind] = count }
    }
    return counts
  }

  @Test(
    "Every event of a boot that says something is a row",
    .enabled(if: Captures.has(AndroidCaptureTests.logcatPath)))
  func boot() throws {
    let path = "\(Captures.folder ?? "")/\(Self.logcatPath)"
    var options = ImportOptions()
    options.year = 2021
    let trace = try TraceLoader.load(path, formats: .all, options: options)
    // grep -c ' am_proc_start: ' and so on; one start is for the top activity, which resumes.
    #expect(
      counts(trace) == [
        .boot: 1, .backgroundLaunch: 6, .launch: 1, .observedExit: 2, .observedWarning: 2,
        .screen: 1, .end: 1,
      ])
    #expect(trace.header.start == "2021-12-13T10:32:25+00:00")
    #expect(summary(trace).contains("8.7 com.android.settings launch"))
    // Both twins of each start and end, the event and the text, were there.
    #expect(issues(trace).isEmpty)
  }

  @Test(
    "A report gives the processes of its log, its listings and its usage statistics",
    .enabled(if: Captures.has(AndroidCaptureTests.reportPath)))
  func report() throws {
    let trace = try loadPiped(["unzip", "-p", "\(Captures.folder ?? "")/\(Self.reportPath)"])
    let counts = counts(trace)
    // Two resumes of the usage statistics come before the log of events, one is in both.
    #expect(counts[.launch] == 3)
    // Four kills and one end without a reason; one start.
    #expect(counts[.observedExit] == 5)
    #expect(counts[.backgroundLaunch] == 1)
    // Distinct process ids of the log, of 130 rows of procrank and of 129 of meminfo.
    #expect(trace.apps.count == 135)
    #expect(trace.header.start == "2020-01-08T15:29:44+01:00")
    let rows = summary(trace)
    // The kernel's cache and what is free; the kernel, what is lost and zram (in kB of meminfo).
    #expect(rows.contains("102.47 observed-available \((781_584 + 1_811_480) * 1024)"))
    #expect(rows.contains("102.47 system-memory \((172_548 + 132_968 + 4) * 1024)"))
    #expect(rows.contains("39 observed-available \(2_637_240 * 1024)"))
    #expect(rows.contains("29.622 com.android.launcher3 footprint 61531136"))
    #expect(
      rows.filter { $0.contains("observed-exit") } == [
        "13.891 com.android.contacts observed-exit cause=other;band=985",
        "29.573 com.android.dialer observed-exit cause=other;band=985",
        "29.575 com.android.deskclock observed-exit cause=other;band=985",
        "32.761 com.android.dynsystem observed-exit cause=other;band=985",
        "41.948 com.qualcomm.ltebc_vzw observed-exit band=0",
      ])
    // grep -n '^\*\*\*' without those inside of logs.
    #expect(
      issues(trace).prefix(1) == [
        "info 4 a section of the report could not be made @6202,100676,117754,120817"
      ])
    #expect(trace.issues.count(atLeast: .error) == 0)
    // Groups of meminfo: 100 native, one system, six persistent, one persistent service.
    #expect(rows.count { $0.contains(" pin 1 ") } == 108)
  }
}
