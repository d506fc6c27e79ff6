import Foundation
import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

/// Real captures of Android; the counts are those that grep and awk find in the files.
@Suite("Captures of Android")
struct AndroidCaptureTests {
  @Test("explore log", .enabled(if: Captures.has("android/logcat_wsa.log")))
  func log() throws {
    let trace = try TraceLoader.load("\(Captures.folder ?? "")/android/logcat_wsa.log")
    print(trace.header.source ?? "", trace.header.start ?? "")
    print(summary(trace).joined(separator: "\n"))
    print(issues(trace).joined(separator: "\n"))
  }
  @Test(
    "explore report", .enabled(if: FileManager.default.fileExists(atPath: "/tmp/android-br.txt")))
  func report() throws {
    let trace = try TraceLoader.load("/tmp/android-br.txt")
    print(trace.header.source ?? "", trace.header.start ?? "")
    print(summary(trace).joined(separator: "\n"))
    print(issues(trace).joined(separator: "\n"))
  }
}
