import Foundation
import JettisonCore
import JettisonTraces
import Testing

@Suite("Perfetto capture")
struct PerfettoCaptureTests {
  @Test("x", .enabled(if: Captures.has("perfetto/cpu_sampling.pftrace")))
  func x() throws {
    let clock = ContinuousClock()
    let start = clock.now
    let trace = try TraceLoader.load("\(Captures.folder ?? "")/perfetto/cpu_sampling.pftrace")
    print(clock.now - start)
    print(trace.apps.count, trace.events.count)
    for line in issues(trace) { print(line) }
    print(trace.header)
    let lines = summary(trace)
    try lines.joined(separator: "\n").write(toFile: "/tmp/pf/out.txt", atomically: true, encoding: .utf8)
  }
}
