import Benchmark
import Workloads

/// Replays of decoded traces. One iteration is one replay of 200,000 events.
let benchmarks: @Sendable () -> Void = {
  let size = 200_000
  for replay in ReplayCase.all {
    Benchmark(
      replay.name,
      configuration: .init(
        metrics: [.wallClock, .throughput, .peakMemoryResident], maxDuration: .seconds(3))
    ) { benchmark in
      let trace = try replay.trace(size: size)
      let run = try replay.replay(trace)
      print("\(replay.name): hash \(String(try run().hash, radix: 16))")
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { blackHole(try run()) }
      benchmark.stopMeasurement()
    }
  }
}
