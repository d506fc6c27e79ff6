import Benchmark
import JettisonCore
import Workloads

/// A replay that is ready to go.
struct Prepared {
  let run: () throws -> RunResult
}

/// Replays of decoded traces.
///
/// One iteration is one replay of 200,000 events.
let benchmarks: @Sendable () -> Void = {
  let size = 200_000
  for replay in ReplayCase.all {
    Benchmark(
      replay.name,
      configuration: .init(
        metrics: [.wallClock, .throughput, .peakMemoryResident], maxDuration: .seconds(3))
    ) { (benchmark: Benchmark, prepared: Prepared) in
      do {
        for _ in benchmark.scaledIterations { blackHole(try prepared.run()) }
      } catch {
        benchmark.error("\(error)")
      }
    } setup: {
      let run = try replay.replay(try replay.trace(size: size))
      print("\(replay.name): hash \(String(try run().hash, radix: 16))")
      return Prepared(run: run)
    }
  }
}
