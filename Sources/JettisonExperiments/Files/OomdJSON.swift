internal import JettisonSupport
internal import JettisonTraces

/// A JSON value; numbers and flags are text, as oomd takes either.
indirect enum OomdJSON: Sendable {
  case object([String: OomdJSON])
  case array([OomdJSON])
  case text(String)
  case null

  /// Reads the one value of a text, whose nesting is bounded.
  static func read(_ bytes: Span<UInt8>, file: String) throws(TraceError) -> OomdJSON {
    var scanner = JSONScanner()
    do throws(JSONScanner.Damage) {
      let first = try scanner.next(bytes)
      let value = try value(first, &scanner, bytes)
      guard try scanner.next(bytes) == .end else { throw .broken }
      return value
    } catch {
      let isCut = error == .cut
      throw TraceError(
        file: file, line: scanner.line, position: scanner.column(bytes),
        what: isCut ? "is not JSON: it ends inside a value" : "is not JSON from here on",
        remedy: isCut
          ? "close the quotation marks and brackets that are open"
          : "look for a comma, a quotation mark or a bracket too many or too few")
    }
  }

  /// The value that begins with a token.
  private static func value(
    _ token: JSONScanner.Token, _ scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONScanner.Damage) -> OomdJSON {
    switch token {
    case .beginObject:
      var entries: [String: OomdJSON] = [:]
      while case .key(let key) = try scanner.next(bytes) {
        let first = try scanner.next(bytes)
        entries[JSONScanner.text(key, bytes)] = try value(first, &scanner, bytes)
      }
      return .object(entries)
    case .beginArray:
      var values: [OomdJSON] = []
      var next = try scanner.next(bytes)
      while next != .endArray {
        values.append(try value(next, &scanner, bytes))
        next = try scanner.next(bytes)
      }
      return .array(values)
    case .string(let range): return .text(JSONScanner.text(range, bytes))
    case .number(let range): return .text(try number(JSONScanner.text(range, bytes)))
    case .word(let range):
      let word = JSONScanner.text(range, bytes)
      return word == "null" ? .null : .text(word)
    case .end: throw .cut
    case .key, .endObject, .endArray: throw .broken
    }
  }

  private static func number(_ text: String) throws(JSONScanner.Damage) -> String {
    guard let number = Double(text) else { throw .broken }
    return Int64(text).map(String.init) ?? Int64(exactly: number).map(String.init) ?? "\(number)"
  }
}
