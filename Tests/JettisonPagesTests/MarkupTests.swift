import Foundation
import JettisonReports
import JettisonTestSupport
import Testing

@testable import JettisonPages

@Suite("Texts of captures never become markup")
struct MarkupTests {
  static let hostile = [
    "<script>alert(1)</script>", "</script><script>", "\"><img src=x onerror=alert(1)>",
    "' onmouseover='x", "&lt;b&gt;", "{{data}} {{{data}}}", "\u{202E}gpj.exe", "\u{2028}\u{2029}",
    "]]>", "<!--", "\u{0}\u{1B}[31m", "א ב ג", "👩‍👩‍👧", String(repeating: "a", count: 10_000),
    String(repeating: "\u{301}", count: 10_000), "",
  ]

  @Test("Text and attributes are escaped", arguments: hostile)
  func escaping(text: String) {
    let markup = Markup("p", ["title": text, "lang": nil], text: text).source
    // Byte by byte: accents of a text would cling to the signs around it.
    let bytes = Self.latin(markup)
    let inner = bytes.dropFirst("<p title=\"".count).dropLast("</p>".count)
    let parts = inner.split(separator: "\">", maxSplits: 1, omittingEmptySubsequences: false)
    #expect(parts.count == 2)
    for part in parts {
      #expect(!part.contains("<"))
      let plain = part.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
      #expect(String(plain) == Self.latin(text))
    }
    #expect(parts.first?.contains("\"") == false)
  }

  /// A character for each byte.
  private static func latin(_ text: String) -> String {
    String(String.UnicodeScalarView(text.utf8.map { UnicodeScalar($0) }))
  }

  @Test("Names lose what does something else than being read, and their middle", arguments: hostile)
  func names(text: String) {
    let name = PageText.name(text)
    #expect(name.count <= PageText.longestName)
    #expect(!name.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
    #expect(!name.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(name.unicodeScalars.count <= 1000)
    if text.count == 10_000 { #expect(name.contains("…")) }
  }

  @Test("JSON in a page reads back, and nothing in it ends its script", arguments: hostile)
  func json(text: String) throws {
    let data = PageData.object([
      (text, .array([.text(text), .real(0.1), .count(-3), .flag(true), .real(nil)]))
    ])
    let source = data.scriptText
    #expect(!source.contains("<"))
    #expect(!source.unicodeScalars.contains { $0.value == 0x2028 || $0.value == 0x2029 })
    let read = try JSONSerialization.jsonObject(with: Data(source.utf8)) as? [String: [Any]]
    let values = try #require(read?[text])
    #expect(values[0] as? String == text)
    #expect(values[1] as? Double == 0.1)
    #expect(values[2] as? Int == -3)
    #expect(values[4] is NSNull)
  }

  @Test("Hashes agree with the standard, whatever the length")
  func hashes() {
    func hex(_ text: String) -> String {
      SHA256.hash(Array(text.utf8)).map {
        let digits = String($0, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }
    // FIPS 180-2, appendix B, and the empty text.
    #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      hex(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    for count in 50...70 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(Base64.text(bytes) == Data(bytes).base64EncodedString())
    }
  }
}
