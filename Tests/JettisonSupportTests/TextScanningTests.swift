import JettisonSupport
import Testing

/// What works on eight bytes at a time, against what looks at each of them.
@Suite("Scanning text")
struct TextScanningTests {
  /// Repeatable draws: Knuth's linear congruential generator of MMIX.
  private struct Draw {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }

    mutating func text(of alphabet: String, upTo length: Int) -> [UInt8] {
      let bytes = Array(alphabet.utf8)
      return (0..<below(length + 1)).map { _ in bytes[below(bytes.count)] }
    }
  }

  @Test("Numbers match their digits, wherever they stand", arguments: 0..<40)
  func numbers(seed: UInt64) {
    var draw = Draw(state: seed)
    for _ in 0..<200 {
      var text = draw.text(of: "0123456789", upTo: 22)
      let digits = text.count
      text += draw.text(of: ",-a\u{7F}é /:", upTo: 9)
      let before = draw.text(of: "7,x", upTo: 9)
      let all = before + text
      var position = before.count
      let number = all.span.number(&position)
      let expected = digits > 18 ? nil : Int64(String(decoding: text[..<digits], as: UTF8.self))
      #expect(number == expected, "seed \(seed): \(all)")
      if number != nil { #expect(position == before.count + digits, "seed \(seed): \(all)") }
    }
  }

  @Test("Whole numbers and groups match their digits", arguments: 0..<40)
  func wholeNumbers(seed: UInt64) {
    var draw = Draw(state: seed)
    for _ in 0..<200 {
      // Of few different ones, so that numbers next to the largest are common.
      let digits = draw.text(of: draw.below(2) == 0 ? "9" : "0123456789", upTo: 22)
      let before = draw.text(of: "7,x", upTo: 9)
      let all = before + digits + draw.text(of: ",-a é", upTo: 9)
      var position = before.count
      let written = String(decoding: digits, as: UTF8.self)
      #expect(all.span.wholeNumber(&position) == Int64(written), "seed \(seed): \(all)")
      let length = 1 + draw.below(8)
      position = before.count
      let group = all.span.digits(length, &position)
      let expected = digits.count < length ? nil : Int64(written.prefix(length))
      #expect(group == expected, "seed \(seed): \(length) of \(all)")
      #expect(position == before.count + (group == nil ? 0 : length))
    }
  }

  @Test("Hexadecimal numbers match their digits in lower case", arguments: 0..<40)
  func hexadecimalNumbers(seed: UInt64) {
    var draw = Draw(state: seed)
    for _ in 0..<200 {
      let digits = draw.text(of: "0123456789abcdef", upTo: 20)
      let before = draw.text(of: "7,x", upTo: 9)
      // What comes before and after the digits and the letters, and what no ASCII is.
      let all = before + digits + draw.text(of: "/:`gAF \u{7F}é", upTo: 9)
      var position = before.count
      let number = all.span.hexadecimal(&position)
      let expected =
        digits.count > 16 ? nil : UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
      #expect(number == expected, "seed \(seed): \(all)")
      if number != nil { #expect(position == before.count + digits.count, "seed \(seed): \(all)") }
    }
  }

  @Test("Words of the source are found as any others are", arguments: 0..<40)
  func sourceWords(seed: UInt64) {
    var draw = Draw(state: seed)
    let words: [StaticString] = ["", "a", "ab", "ab,", "é", "baba,aba"]
    for _ in 0..<200 {
      let text = draw.text(of: "ab,é", upTo: 40)
      let start = draw.below(text.count + 1)
      for word in words {
        let other = word.description
        #expect(text.span.has(word, at: start) == text.span.has(other, at: start))
        #expect(text.span.find(word, from: start) == text.span.find(other, from: start))
      }
    }
  }

  @Test("Every byte and every word is found where it stands first", arguments: 0..<40)
  func places(seed: UInt64) {
    var draw = Draw(state: seed)
    for _ in 0..<200 {
      let text = draw.text(of: "ab,\n\u{0}\u{1}é", upTo: 40)
      let start = draw.below(text.count + 1)
      for byte: UInt8 in [0, 1, 0x0A, 0x2C, 0x61, 0x80, 0xC3] {
        let found = text.span.firstIndex(of: byte, from: start)
        #expect(found == text[start...].firstIndex(of: byte), "seed \(seed): \(byte) in \(text)")
      }
      #expect(text.span.lineEnd(from: start) == text[start...].firstIndex(of: 0x0A))
      let word = String(decoding: draw.text(of: "ab,", upTo: 3), as: UTF8.self)
      let places = (start...text.count).filter { text[$0...].starts(with: word.utf8) }
      #expect(text.span.has(word, at: start) == (places.first == start), "seed \(seed)")
      if !word.isEmpty { #expect(text.span.find(word, from: start) == places.first) }
    }
  }

  @Test("A table of words knows those it was given, by all of their bytes", arguments: 0..<20)
  func words(seed: UInt64) {
    struct Key: Hashable {
      let word: [UInt8]
      let tag: UInt8
    }
    var draw = Draw(state: seed)
    var table = ByteTable()
    var numbers: [Key: UInt32] = [:]
    for _ in 0..<600 {
      // Of few letters, so that words of the same ends and length are common.
      let key = Key(word: draw.text(of: "ab", upTo: 30), tag: UInt8(draw.below(2)))
      #expect(table.find(key.word.span, tag: key.tag) == numbers[key], "seed \(seed): \(key)")
      if numbers[key] == nil {
        let number = table.insert(key.word.span, tag: key.tag)
        #expect(number == numbers.count)
        numbers[key] = number
      }
    }
    for (key, number) in numbers {
      #expect(table.find(key.word.span, tag: key.tag) == number, "seed \(seed): \(key)")
      #expect(Array(table[number]) == key.word)
      #expect(table.tag(of: number) == key.tag)
    }
  }

  @Test("Lines of tables fall into the fields that RFC 4180 says", arguments: 0..<40)
  func fields(seed: UInt64) {
    var draw = Draw(state: seed)
    var line = DelimitedLine()
    for _ in 0..<300 {
      let text = draw.text(of: "a1;\"\"; ", upTo: 24)
      let expected = Self.slowFields(text, by: 0x3B)
      let isSplit = line.split(text.span, by: 0x3B)
      #expect(isSplit == (expected != nil), "seed \(seed): \(text)")
      guard isSplit, let expected else { continue }
      #expect((0..<line.count).map { Array(line[$0]) } == expected, "seed \(seed): \(text)")
      for (position, field) in expected.enumerated() {
        let isNumber = !field.isEmpty && field.count <= 18 && field.allSatisfy { $0 == 0x31 }
        #expect((line.number(position) != nil) == isNumber, "seed \(seed): \(text)")
        let blanks: Set<UInt8> = [0x20, 0x09]
        let inside = field.drop { blanks.contains($0) }
        let trimmed = inside.reversed().drop { blanks.contains($0) }.reversed()
        #expect(
          line.withTrimmed(position) { Array(span: $0) } == Array(trimmed), "seed \(seed): \(text)")
      }
    }
  }

  /// Fields of a line, one byte after the other; nil if a quoted one does not end or goes on.
  private static func slowFields(_ line: [UInt8], by delimiter: UInt8) -> [[UInt8]]? {
    var fields: [[UInt8]] = []
    var rest = line[...]
    while true {
      var field: [UInt8] = []
      if rest.first == 0x22 {
        rest = rest.dropFirst()
        while true {
          guard let byte = rest.popFirst() else { return nil }
          if byte == 0x22 {
            guard rest.first == 0x22 else { break }
            rest = rest.dropFirst()
          }
          field.append(byte)
        }
        guard rest.isEmpty || rest.first == delimiter else { return nil }
      } else {
        while let byte = rest.first, byte != delimiter {
          field.append(byte)
          rest = rest.dropFirst()
        }
      }
      fields.append(field)
      if rest.popFirst() == nil { return fields }
    }
  }

  @Test("Chunks of any size give the same lines", arguments: 0..<20)
  func lines(seed: UInt64) {
    var draw = Draw(state: seed)
    for _ in 0..<50 {
      let text = draw.text(of: "ab\n\r\n", upTo: 60)
      var expected = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
        Array($0.last == 0x0D ? $0.dropLast() : $0)
      }
      // After the last line end there is no line, and a carriage return alone is an empty one.
      if text.isEmpty || text.last == 0x0A { expected.removeLast() }
      var splitter = LineSplitter()
      var lines: [[UInt8]] = []
      var start = 0
      while start < text.count {
        let end = min(text.count, start + 1 + draw.below(9))
        splitter.feed(text.span.extracting(start..<end)) { line, _ in
          lines.append(Array(span: line))
        }
        start = end
      }
      splitter.finish { line, _ in lines.append(Array(span: line)) }
      #expect(lines == expected, "seed \(seed): \(text)")
    }
  }
}
