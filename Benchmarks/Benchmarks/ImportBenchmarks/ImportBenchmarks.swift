import Benchmark
import JettisonCore
import Workloads

/// Decoding: one iteration is one input of 100,000 rows.
let benchmarks: @Sendable () -> Void = {
  let size = 100_000
  for importCase in ImportCase.all {
    Benchmark(
      importCase.name,
      configuration: .init(
        metrics: [.wallClock, .throughput, .peakMemoryResident], maxDuration: .seconds(3))
    ) { (benchmark: Benchmark, input: ImportInput) in
      do {
        for _ in benchmark.scaledIterations { blackHole(try input.run()) }
      } catch {
        benchmark.error("\(error)")
      }
    } setup: {
      let input = try importCase.input(size: size)
      let hash = String(try input.run().contentHash, radix: 16)
      print("\(importCase.name): \(input.count) bytes, hash \(hash)")
      return input
    }
  }
}
