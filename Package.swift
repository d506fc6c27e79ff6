// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let settings = features + [.strictMemorySafety(), .treatAllWarnings(as: .error)]

// What tests invent, read and replay thousands of times is optimised in debug builds, too. Assertions,
// preconditions and what is under `#if DEBUG` stay. From tools version 6.2 on, packages with such flags
// may be used by version like any other. To step through the core in a debugger: JETTISON_UNOPTIMIZED=1.
let isOptimized = Context.environment["JETTISON_UNOPTIMIZED"] == nil
let replaying: [SwiftSetting] =
  settings
  + (isOptimized
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : [])

let package = Package(
  name: "jettison",
  platforms: [.macOS(.v26), .iOS(.v18)],
  products: [
    .library(name: "JettisonCore", targets: ["JettisonCore"]),
    .library(name: "JettisonPolicies", targets: ["JettisonPolicies"]),
    .library(name: "JettisonTraces", targets: ["JettisonTraces"]),
    .library(name: "JettisonImporters", targets: ["JettisonImporters"]),
    .library(name: "JettisonReports", targets: ["JettisonReports"]),
    .library(name: "JettisonExperiments", targets: ["JettisonExperiments"]),
    .library(name: "JettisonPages", targets: ["JettisonPages"]),
    .library(name: "JettisonSynthetic", targets: ["JettisonSynthetic"]),
    .library(name: "JettisonRecording", targets: ["JettisonRecording"]),
    .library(name: "JettisonRecorder", targets: ["JettisonRecorder"]),
    .executable(name: "jettison", targets: ["JettisonCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  // A target names every module that it sees, also one that another shows, as JettisonCore does with
  // JettisonModel: SwiftPM compiles a target anew only after a change of a module that it names.
  targets: [
    // Libraries of the system and what only C can reach.
    .systemLibrary(
      name: "CSystemJemalloc", pkgConfig: "jemalloc",
      providers: [.apt(["libjemalloc-dev"]), .brew(["jemalloc"])]),
    .target(name: "CJemalloc", dependencies: ["CSystemJemalloc"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CProcesses"),
    .target(name: "CSupport"),
    .target(name: "CProcessFootprint"),
    // What is loaded before a program on Linux: nothing links to it. As a target it is compiled
    // wherever the package is; elsewhere it is empty.
    .target(name: "CRecorder"),

    // What everything else speaks of: traces, apps, devices and their parameters. Apart, so that
    // readers and engine compile side by side.
    .target(name: "JettisonModel", swiftSettings: replaying),
    .target(
      name: "JettisonCore",
      dependencies: [
        "JettisonModel", "CJemalloc",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: replaying),
    // The policies, in families. Nobody but their registry sees them: a change of one compiles them
    // anew and nothing else. SwiftPM compiles what is ready from Z to A: with this name they come
    // before importers and pages, which nobody waits for so long.
    .target(
      name: "JettisonShippedPolicies", dependencies: ["JettisonModel", "JettisonCore"],
      swiftSettings: replaying),
    // Policies by name, and those that are made of files.
    .target(
      name: "JettisonPolicies",
      dependencies: ["JettisonModel", "JettisonCore", "JettisonShippedPolicies"],
      swiftSettings: replaying),
    // What reading and writing share, below everything that does either.
    .target(
      name: "JettisonSupport",
      dependencies: ["CSupport", .product(name: "Yams", package: "Yams")],
      swiftSettings: settings),
    // The messages of Perfetto traces, read and written.
    .target(name: "JettisonPerfetto", swiftSettings: settings),
    // The trace format alone: who replays traces compiles neither Perfetto's messages nor SQLite.
    .target(
      name: "JettisonTraces",
      dependencies: ["JettisonModel", "JettisonSupport"], swiftSettings: replaying),
    .target(
      name: "JettisonImporters",
      dependencies: [
        "JettisonModel", "JettisonPerfetto", "JettisonSupport", "JettisonTraces", "CSQLite",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    // `jettison record`.
    .target(
      name: "JettisonRecording",
      dependencies: [
        "JettisonModel", "JettisonImporters", "JettisonSupport", "JettisonTraces", "CProcesses",
      ],
      swiftSettings: settings),
    // `jettison generate`.
    .target(
      name: "JettisonSynthetic",
      dependencies: ["JettisonModel", "JettisonSupport", "JettisonTraces"],
      swiftSettings: replaying),
    .target(
      name: "JettisonReports",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPerfetto", "JettisonSupport",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "JettisonExperiments",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonSupport", "JettisonTraces",
        "JettisonReports",
      ],
      swiftSettings: settings),
    // Results as pages for a browser; what they are made of is compiled in. It does not see how
    // results come about, so that both compile side by side.
    .target(
      name: "JettisonPages",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonSupport", "JettisonReports",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Resources")], swiftSettings: settings),
    .executableTarget(
      name: "JettisonCLI",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonSupport", "JettisonTraces",
        "JettisonImporters", "JettisonRecording", "JettisonSynthetic", "JettisonReports",
        "JettisonExperiments", "JettisonPages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // What apps link to record themselves: no other Swift module of ours comes with it.
    .target(
      name: "JettisonRecorder", dependencies: ["CProcessFootprint"], swiftSettings: settings),

    // What benchmarks replay and read, and a program that does one of them once, for tools that count:
    // it is built of the modules that the command is built of. The benchmarks against the clock are
    // a package of their own, since what they depend on takes long to compile.
    .target(
      name: "Workloads",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonTraces", "JettisonImporters",
      ],
      path: "Benchmarks/Sources/Workloads", swiftSettings: settings),
    .executableTarget(
      name: "count",
      dependencies: [
        "Workloads", "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonTraces",
        "JettisonImporters", "CJemalloc",
      ],
      path: "Benchmarks/Sources/count", swiftSettings: settings),

    .target(
      name: "JettisonTestSupport",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonSupport", "JettisonTraces",
      ],
      path: "Tests/JettisonTestSupport", swiftSettings: replaying),
    // Perfetto's messages as protoc and SwiftProtobuf have them, which tests write and compare with;
    // apart because generated code takes long to compile, and does not mark what is unsafe in it. No
    // product needs them.
    .target(
      name: "PerfettoMessages",
      dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
      path: "Tests/PerfettoMessages", exclude: ["Schema"], swiftSettings: features),
    .testTarget(
      name: "JettisonCoreTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonShippedPolicies",
        "JettisonTraces", "JettisonSynthetic", "JettisonTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonPoliciesTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonShippedPolicies",
        "JettisonTraces", "JettisonSynthetic", "JettisonTestSupport",
      ],
      swiftSettings: settings),
    // The core's killers, and what other people's tests say of them: apart, so that both halves
    // compile side by side.
    .testTarget(
      name: "JettisonKillersTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonShippedPolicies",
        "JettisonTraces", "JettisonImporters", "JettisonTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonSupportTests", dependencies: ["JettisonSupport", "JettisonTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonTracesTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonSupport", "JettisonTraces", "JettisonTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonImportersTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonSupport", "JettisonTraces", "JettisonImporters",
        "JettisonPerfetto", "JettisonSynthetic", "JettisonTestSupport", "PerfettoMessages",
        "CSQLite",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonRecordingTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonTraces", "JettisonRecording",
        "JettisonTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonSyntheticTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonTraces", "JettisonSynthetic",
        "JettisonTestSupport",
      ],
      swiftSettings: settings),
    // A process that a test can kill.
    .executableTarget(
      name: "RecordedProcess", dependencies: ["JettisonRecorder"],
      path: "Tests/RecordedProcess", swiftSettings: settings),
    .testTarget(
      name: "JettisonRecorderTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonTraces", "JettisonRecorder",
        "JettisonTestSupport", "RecordedProcess",
      ],
      swiftSettings: settings),
    // Runs side by side, for the thread sanitizer.
    .executableTarget(
      name: "SideBySide",
      dependencies: ["JettisonModel", "JettisonCore", "JettisonReports", "JettisonExperiments"],
      path: "Tests/SideBySide", swiftSettings: settings),
    .testTarget(
      name: "JettisonReportsTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonSupport", "JettisonPerfetto",
        "JettisonReports", "JettisonTestSupport", "PerfettoMessages",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonPagesTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonReports", "JettisonExperiments", "JettisonPages",
        "JettisonTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonExperimentsTests",
      dependencies: [
        "JettisonModel", "JettisonCore", "JettisonPolicies", "JettisonSupport", "JettisonTraces",
        "JettisonImporters", "JettisonReports", "JettisonExperiments", "JettisonPages",
        "JettisonTestSupport", "PerfettoMessages",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "JettisonCLITests",
      dependencies: ["JettisonModel", "JettisonCore", "JettisonTestSupport", "JettisonCLI"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
