// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let jettison: [Target.Dependency] = [
  .product(name: "JettisonCore", package: "jettison"),
  .product(name: "JettisonPolicies", package: "jettison"),
  .product(name: "JettisonTraces", package: "jettison"),
  .product(name: "JettisonImporters", package: "jettison"),
]

let package = Package(
  name: "jettison-benchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "jettison", path: "../"),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    // The sources of the target of that name one folder up.
    .target(name: "Workloads", dependencies: jettison, swiftSettings: settings),
    .executableTarget(
      name: "ReplayBenchmarks",
      dependencies: [
        "Workloads", .product(name: "Benchmark", package: "benchmark"),
        .product(name: "JettisonCore", package: "jettison"),
      ],
      path: "Benchmarks/ReplayBenchmarks", swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "ImportBenchmarks",
      dependencies: [
        "Workloads", .product(name: "Benchmark", package: "benchmark"),
        .product(name: "JettisonCore", package: "jettison"),
      ],
      path: "Benchmarks/ImportBenchmarks", swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
