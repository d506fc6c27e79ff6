import Foundation
import Testing

/// What a page holds for its script; numbers are read exactly.
enum JSON: Decodable, CustomStringConvertible {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  subscript(_ key: String) -> JSON {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }

  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var count: Int? { number.map { Int($0) } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var isTrue: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var list: [JSON] { if case .list(let list) = self { list } else { [] } }
  var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }
  var description: String { text ?? number.map { "\($0)" } ?? "\(members)" }
}

/// A page as a reader of its source sees it.
struct PageSource {
  let text: String
  let data: JSON

  init(_ text: String) throws {
    self.text = text
    let start = try #require(
      text.range(of: #"<script type="application/json" id="data">"#)?.upperBound)
    let rest = text[start...]
    let end = try #require(rest.range(of: "</script>")?.lowerBound)
    data = try JSONDecoder().decode(JSON.self, from: Data(rest[..<end].utf8))
  }

  func section(_ id: String) -> JSON { data["sections"][id] }

  /// The markup of a section.
  func markup(_ id: String) throws -> Substring {
    let start = try #require(text.range(of: "<section id=\"\(id)\"")?.lowerBound)
    let end = try #require(text[start...].range(of: "</section>")?.lowerBound)
    return text[start..<end]
  }

  /// The points at which marks of a section stand, as their attributes have them.
  func marks(_ id: String) throws -> Set<[Double]> {
    Set(
      try markup(id).matches(of: /data-x="([^"]*)" data-y="([^"]*)"/).map {
        [Double($0.output.1) ?? .nan, Double($0.output.2) ?? .nan]
      })
  }

  /// `0.5*3 2` as four cells.
  private static func spread(_ figures: String) -> [String] {
    figures.split(separator: " ", omittingEmptySubsequences: false).flatMap { part in
      let words = part.split(separator: "*", omittingEmptySubsequences: false)
      return Array(repeating: String(words[0]), count: words.count > 1 ? Int(words[1]) ?? 0 : 1)
    }
  }

  /// The file of a name as the script puts it together.
  func file(_ name: String) -> String {
    let file = data["files"][name]
    if let text = file["text"].text { return text }
    let columns = file["columns"].list
    let texts = columns.map { column in
      if let figures = column["figures"].text { return Self.spread(figures) }
      let words = column["words"].list.compactMap(\.text)
      var texts: [String] = []
      for cell in column["cells"].list {
        if let text = cell.text {
          texts.append(text)
        } else if let number = cell.count {
          let repeated = { Array(repeating: texts[texts.count - 1], count: -number - 1) }
          texts += number >= 0 ? [words[number]] : repeated()
        }
      }
      return texts
    }
    var lines = [columns.map { $0["name"].text ?? "" }.joined(separator: ",")]
    for row in 0..<(file["rows"].count ?? 0) {
      lines.append(texts.map { $0[row] }.joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
