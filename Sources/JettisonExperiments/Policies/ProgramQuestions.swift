internal import Foundation
internal import JettisonCore
internal import JettisonPolicies
internal import JettisonSupport

/// What a program is asked and told, and what its answers mean: protocol version 1.
struct ProgramQuestions: Sendable {
  private let names: [String]
  /// Names as JSON texts.
  private let quoted: [String]
  private let lambda: Double
  /// For programs that draw; 53 bits, which every language reads exactly.
  private let seed: UInt64

  init(_ context: PolicyContext) {
    names = context.appNames
    quoted = context.appNames.map(Self.quoted)
    lambda = context.lambda
    seed = context.random.bits(entity: 0, episode: 0, purpose: .randomVictim) >> 11
  }

  // MARK: Questions

  /// The question for the order of some candidates.
  func line(
    asking candidates: [AppIndex], _ request: PurgeRequest, _ apps: borrowing AppTable
  ) -> [UInt8] {
    var text = "{\"version\":1,\"decision\":\(request.decision),\"seed\":\(seed)"
    text += ",\"time_ns\":\(request.timeNanoseconds),\"level\":\"\(request.level.name)\""
    text += ",\"trigger\":\(Self.quoted(request.trigger.name))"
    text += ",\"needed_bytes\":\(request.neededBytes)"
    text += ",\"available_bytes\":\(request.availableBytes)"
    text += ",\"lambda\":\(NumberText.real(lambda)),\"candidates\":["
    for (place, app) in candidates.enumerated() {
      text += "\(place == 0 ? "" : ","){\"app\":\(quoted[app.position])"
      for (variable, key) in Self.figures {
        let value = variable.value(of: app, for: request, lambda: lambda, apps: apps)
        text += ",\(key):"
        if variable.isCondition {
          text += value == 0 ? "false" : "true"
        } else {
          text += value.isFinite ? NumberText.real(value) : "null"
        }
      }
      text += "}"
    }
    return Array((text + "]}\n").utf8)
  }

  /// What a program hears of an event.
  func line(about event: EngineEvent) -> [UInt8] {
    var text = "{\"version\":1,\"event\":\"\("\(event.kind)".words())\""
    text += ",\"time_ns\":\(event.timeNanoseconds),\"app\":\(quoted[event.app.position])"
    switch event.kind {
    case .launched: text += ",\"launch\":\"\(event.launchKind.name)\""
    case .ended: text += ",\"cause\":\"\("\(event.endCause)".words())\""
    default: break
    }
    return Array((text + "}\n").utf8)
  }

  /// Figures of a candidate with their keys as JSON texts; those of the moment stand outside.
  private static let figures = CandidateVariable.allCases.compactMap { variable in
    variable.isOfMoment ? nil : (variable, "\"\(key(of: variable))\"")
  }

  /// The key of a figure: its name with its unit.
  static func key(of variable: CandidateVariable) -> String {
    var name = variable.name
    if name.hasSuffix("_time") { name = String(name.dropLast(5)) }
    if name.hasPrefix("time_") { name = String(name.dropFirst(5)) }
    switch variable.unit {
    case "bytes": return name.hasSuffix("_bytes") ? name : name + "_bytes"
    case "time": return name + "_seconds"
    default: return name
    }
  }

  /// A text in JSON, in ASCII: whatever encoding a program thinks its input has, it reads the same.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x5C:
        result += "\\"
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return result + "\""
  }

  // MARK: Answers

  private struct Answer: Decodable {
    let order: [String]?
    let error: String?
  }

  /// The order in an answer: every candidate once.
  func order(
    in answer: [UInt8], of candidates: [AppIndex], decision: Int
  ) throws(ProgramFault) -> [AppIndex] {
    let text = ProgramText.shown(answer)
    let decoded: Answer
    do {
      decoded = try JSONDecoder().decode(Answer.self, from: Data(answer))
    } catch DecodingError.dataCorrupted {
      throw .notJSON(decision: decision, text: text)
    } catch {
      throw .noOrder(decision: decision, text: text)
    }
    if let reason = decoded.error {
      throw .refused(decision: decision, reason: ProgramText.shown(Array(reason.utf8)))
    }
    guard let order = decoded.order else { throw .noOrder(decision: decision, text: text) }
    // By bytes: texts that are equal to a reader may name different apps.
    var open: [[UInt8]: AppIndex] = [:]
    for app in candidates { open[Array(names[app.position].utf8)] = app }
    let known = Set(open.keys)
    var result: [AppIndex] = []
    for name in order {
      let bytes = Array(name.utf8)
      guard let app = open.removeValue(forKey: bytes) else {
        let shown = ProgramText.shown(bytes)
        throw known.contains(bytes)
          ? .doubled(app: shown, decision: decision) : .unknown(app: shown, decision: decision)
      }
      result.append(app)
    }
    // The first in the order of the question, not of the dictionary.
    if let missing = candidates.first(where: { open[Array(names[$0.position].utf8)] != nil }) {
      throw .missing(app: names[missing.position], decision: decision)
    }
    return result
  }
}

/// Text of a program as messages show it.
enum ProgramText {
  /// At most the first 100 characters, on one line and without controls.
  static func shown(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(600), as: UTF8.self)
    var shown = ""
    for scalar in text.unicodeScalars.prefix(100) {
      shown.unicodeScalars.append(
        scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return text.unicodeScalars.count > 100 || bytes.count > 600 ? shown + "…" : shown
  }
}
