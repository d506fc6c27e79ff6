import Foundation
import PerfettoMessages
import SwiftProtobuf

/// A Perfetto trace of runs as SwiftProtobuf reads it, its numbers replaced by what they stand for.
struct ShownTrace {
  /// An argument.
  indirect enum Value: Equatable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case list([[String: Value]])
  }

  /// An instant or a slice.
  struct Event {
    let name: String
    let track: UInt64
    let start: Int64
    var end: Int64
    let arguments: [String: Value]
    let flows: [UInt64]
    let endsOfFlows: [UInt64]

    subscript(_ name: String) -> Int64? {
      if case .integer(let value)? = arguments[name] { value } else { nil }
    }

    func text(_ name: String) -> String {
      if case .text(let value)? = arguments[name] { value } else { "" }
    }
  }

  /// A process of one run.
  struct Process {
    let name: String
    /// Nil: it was there already.
    var start: Int64?
    var end: Int64?
    var sizes: [(nanoseconds: Int64, bytes: Int64)] = []
    var scores: [(nanoseconds: Int64, score: Int32)] = []
  }

  let packets: [PerfettoTracePacket]
  private(set) var tracks: [UInt64: PerfettoTrackDescriptor] = [:]
  private(set) var slices: [Event] = []
  private(set) var instants: [Event] = []
  private(set) var counters: [UInt64: [(nanoseconds: Int64, value: Int64)]] = [:]
  private(set) var processes: [Int32: Process] = [:]
  private(set) var prints: [(nanoseconds: Int64, line: String)] = []

  init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    packets = try PerfettoTrace(serializedBytes: bytes).packet
    var words: [UInt32: Words] = [:]
    for packet in packets {
      let sequence = packet.trustedPacketSequenceID
      if packet.hasInternedData { words[sequence] = Words(packet.internedData) }
      if packet.trackDescriptor.hasUuid {
        tracks[packet.trackDescriptor.uuid] = packet.trackDescriptor
      }
      take(packet)
      if packet.trackEvent.hasTrackUuid, let words = words[sequence] {
        take(packet.trackEvent, Int64(packet.timestamp), words)
      }
    }
  }

  private struct Words {
    private var events: [UInt64: String] = [:]
    private var arguments: [UInt64: String] = [:]
    private var texts: [UInt64: String] = [:]

    init(_ data: PerfettoInternedData) {
      for name in data.eventNames { events[name.iid] = name.name }
      for name in data.debugAnnotationNames { arguments[name.iid] = name.name }
      for text in data.debugAnnotationStringValues {
        texts[text.iid] = String(decoding: text.str, as: UTF8.self)
      }
    }

    func event(_ number: UInt64) -> String { events[number] ?? "?" }

    func values(_ annotations: [PerfettoDebugAnnotation]) -> [String: Value] {
      var values: [String: Value] = [:]
      for annotation in annotations {
        values[arguments[annotation.nameIid] ?? "?"] =
          switch annotation.value {
          case .intValue(let value): .integer(value)
          case .doubleValue(let value): .real(value)
          case .stringValueIid(let number): .text(texts[number] ?? "?")
          case nil: .list(annotation.arrayValues.map { self.values($0.dictEntries) })
          }
      }
      return values
    }
  }

  private mutating func take(
    _ event: PerfettoTrackEvent, _ time: Int64, _ words: Words
  ) {
    let shown = Event(
      name: words.event(event.nameIid), track: event.trackUuid, start: time, end: time,
      arguments: words.values(event.debugAnnotations), flows: event.flowIds,
      endsOfFlows: event.terminatingFlowIds)
    switch event.type {
    case .sliceBegin: slices.append(shown)
    case .sliceEnd:
      if let place = slices.lastIndex(where: { $0.track == event.trackUuid }) {
        slices[place].end = time
      }
    case .instant: instants.append(shown)
    default: counters[event.trackUuid, default: []].append((time, event.counterValue))
    }
  }

  private mutating func take(_ packet: PerfettoTracePacket) {
    for process in packet.processTree.processes {
      processes[process.pid] = Process(name: process.cmdline[0])
    }
    for event in packet.ftraceEvents.event {
      let time = Int64(event.timestamp)
      let thread = Int32(event.pid)
      switch event.event {
      case .taskNewtask(let task):
        precondition(processes[task.pid] == nil, "no number is given twice")
        processes[task.pid] = Process(name: task.comm, start: time)
      case .schedProcessExit(let exit): processes[exit.pid]?.end = time
      case .rssStat(let size) where size.member == 1:
        processes[thread]?.sizes.append((time, size.size))
      case .oomScoreAdjUpdate(let update):
        processes[update.pid]?.scores.append((time, update.oomScoreAdj))
      case .print(let print): prints.append((time, String(print.buf.dropLast())))
      default: break
      }
    }
  }

  /// The name of a track and of those above it, the lowest first.
  func path(of track: UInt64) -> [String] {
    guard let descriptor = tracks[track] else { return [] }
    return [descriptor.name]
      + (descriptor.hasParentUuid ? path(of: descriptor.parentUuid) : [])
  }
}

/// A report of a run as rows by column.
struct ReportRows {
  let rows: [[String: String]]

  init(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    rows = lines.dropFirst().map { fields in
      precondition(fields.count == lines[0].count, "no field of these traces is quoted")
      return Dictionary(uniqueKeysWithValues: zip(lines[0], fields))
    }
  }
}

extension [String: String] {
  func number(_ column: String) -> Int64? { self[column].flatMap { Int64($0) } }

  /// Seconds as whole nanoseconds.
  func nanoseconds(_ column: String) -> Int64? {
    self[column].flatMap { Double($0) }.map { Int64(($0 * 1e9).rounded()) }
  }
}
