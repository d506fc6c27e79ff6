import CJemalloc
import JettisonCore
import JettisonPolicies
import JettisonTraces
import Workloads

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs one case once, for tools that count, or a few times against the clock.
///
/// ```
/// count CASE SIZE            runs it once: prints events, bytes and the hash of the result
/// count CASE SIZE TIMES      runs it so often: prints the best rate per second of one core, too
/// count write CASE SIZE FILE writes the trace of a replay, or the input of an import
/// count memory CASE FILE     loads a trace, replays it and prints what the process took for each
/// count policies SIZE        what a decision costs under every policy, dearest first
/// count list                 names the cases
/// ```
func main(_ arguments: [String]) throws {
  switch arguments.first {
  case "list":
    for name in ReplayCase.all.map(\.name) + ImportCase.all.map(\.name) { print(name) }
  case "write" where arguments.count == 4:
    try writeInput(arguments[1], size: try number(arguments[2]), to: arguments[3])
  case "policies" where arguments.count == 2:
    try comparePolicies(launches: number(arguments[1]))
  case "memory" where arguments.count == 3:
    try measureMemory(try replayCase(arguments[1]), arguments[2])
  default:
    guard arguments.count == 2 || arguments.count == 3 else { throw Misuse.arguments }
    let times = arguments.count == 3 ? try number(arguments[2]) : 0
    try run(arguments[0], size: try number(arguments[1]), times: times)
  }
}

/// Runs what is measured, and nothing else: tools that count switch themselves on here.
@inline(never)
func measured<Result>(_ work: () throws -> Result) throws -> Result { try work() }

func run(_ name: String, size: Int, times: Int) throws {
  if let importCase = ImportCase.all.first(where: { $0.name == name }) {
    let input = try importCase.input(size: size)
    try run(name, unit: "bytes", count: input.count, times: times, input.run) { $0.contentHash }
  } else {
    let replay = try replayCase(name)
    let trace = try replay.trace(size: size)
    try run(name, unit: replay.unit, count: size, times: times, try replay.replay(trace)) {
      $0.hash
    }
  }
}

func run<Result>(
  _ name: String, unit: String, count: Int, times: Int, _ work: () throws -> Result,
  hash: (Result) -> UInt64
) throws {
  var best = Double.infinity
  var value: UInt64 = 0
  for _ in 0..<max(1, times) {
    let start = processorSeconds()
    let result = try measured(work)
    best = min(best, processorSeconds() - start)
    value = hash(result)
  }
  var line = "\(name) \(count) \(unit) hash \(String(value, radix: 16))"
  if times > 0 {
    let rate = (Double(count) / best / 1e4).rounded() / 100
    line += " \(rate) million \(unit)/s"
  }
  print(line)
}

/// Seconds of processor time that the process has had: other work on the machine is not in them.
func processorSeconds() -> Double {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Replays launches of 80 apps, of which about 60 are candidates whenever room is made, and again
/// with room for all.
///
/// The second replay is what following launches costs by itself; what the first costs more is
/// charged to its decisions, the purges they cause included.
func comparePolicies(launches: Int) throws {
  var rows: [(name: String, decision: Double, launch: Double)] = []
  for policy in PolicyRegistry.all where !policy.needsArguments {
    let (seconds, misses) = try cost(of: policy.name, residents: 60, launches: launches)
    let (alone, firsts) = try cost(of: policy.name, residents: 80, launches: launches)
    let decisions = Double(max(1, misses - firsts))
    rows.append(
      (policy.name, (seconds - alone) * 1e6 / decisions, alone * 1e6 / Double(launches)))
  }
  for row in rows.sorted(by: { ($1.decision, $0.name) < ($0.decision, $1.name) }) {
    print("\(row.name): \(short(row.decision)) us per decision, \(short(row.launch)) us per launch")
  }
}

/// Processor time of a replay, and its cold launches.
func cost(of policy: String, residents: Int, launches: Int) throws -> (Double, Int) {
  let replay = ReplayCase.launches(apps: 80, residents: residents, policy: policy)
  let work = try replay.replay(try replay.trace(size: launches))
  let start = processorSeconds()
  let result = try measured(work)
  let seconds = processorSeconds() - start
  return (seconds, result.apps.reduce(0) { $0 + Int($1.coldLaunches) })
}

func short(_ number: Double) -> Double { (number * 100).rounded() / 100 }

func writeInput(_ name: String, size: Int, to path: String) throws {
  if let importCase = ImportCase.all.first(where: { $0.name == name }) {
    guard try importCase.input(size: size).write(to: path) else { throw Misuse.notWritten(path) }
  } else {
    try TraceWriter.write(try replayCase(name).trace(size: size), to: path)
  }
}

func measureMemory(_ replay: ReplayCase, _ path: String) throws {
  var start = processorSeconds()
  let trace = try TraceLoader.load(path)
  print("loaded \(try status()) seconds \(processorSeconds() - start)")
  let work = try replay.replay(trace)
  start = processorSeconds()
  let result = try work()
  let seconds = processorSeconds() - start
  print("replayed \(try status()) events \(trace.events.count) seconds \(seconds)")
  print("hash \(String(result.hash, radix: 16))")
}

/// What the process takes, as the system says: `VmHWM` is its peak, `RssAnon` what is in memory
/// and in no file now, `RssFile` what is of files.
func status() throws -> String {
  guard let file = unsafe fopen("/proc/self/status", "r") else { throw Misuse.noStatus }
  defer { _ = unsafe fclose(file) }
  var buffer = [CChar](repeating: 0, count: 256)
  var words: [String] = []
  while unsafe fgets(&buffer, 256, file) != nil {
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    for key in ["VmHWM", "RssAnon", "RssFile"] where text.hasPrefix(key + ":") {
      words.append(key + " " + text.filter(\.isNumber) + " kB")
    }
  }
  return words.joined(separator: " ")
}

func replayCase(_ name: String) throws -> ReplayCase {
  guard let found = ReplayCase.all.first(where: { $0.name == name }) else {
    throw Misuse.unknownCase(name)
  }
  return found
}

func number(_ text: String) throws -> Int {
  guard let number = Int(text), number > 0 else { throw Misuse.notANumber(text) }
  return number
}

enum Misuse: Error {
  case arguments
  case unknownCase(String)
  case notANumber(String)
  case noStatus
  case notWritten(String)
}

do {
  // valgrind leaves a process 64 GiB of addresses.
  jettison_set_space_bytes(1 << 32)
  try main(Array(CommandLine.arguments.dropFirst()))
} catch {
  var line = "count: \(error)\n"
  line.withUTF8 { _ = unsafe write(2, $0.baseAddress, $0.count) }
  exit(64)
}
