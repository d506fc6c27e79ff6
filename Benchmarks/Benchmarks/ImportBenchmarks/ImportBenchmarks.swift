import Benchmark
import Workloads

/// Decoding. One iteration is one input of 100,000 rows.
let benchmarks: @Sendable () -> Void = {
  let size = 100_000
  for importCase in ImportCase.all {
    Benchmark(
      importCase.name,
      configuration: .init(
        metrics: [.wallClock, .throughput, .peakMemoryResident], maxDuration: .seconds(3))
    ) { benchmark in
      let input = try importCase.input(size: size)
      print(
        "\(importCase.name): \(input.count) bytes, hash \(String(try input.run().contentHash, radix: 16))"
      )
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { blackHole(try input.run()) }
      benchmark.stopMeasurement()
    }
  }
}
