internal import JettisonCore
internal import JettisonSupport
internal import JettisonTraces

/// A command as words, the program first.
struct ProgramCommand: Sendable {
  let words: [String]

  /// Splits at blanks, then turns `%XX` into bytes: no shell has a part in it.
  init(_ text: String) throws(ConfigurationError) {
    var words: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      guard let bytes = PercentEncoding.decode(Array(word.utf8).span),
        let decoded = String(validating: bytes, as: UTF8.self), !decoded.utf8.contains(0)
      else {
        throw .invalid(
          what: "command", text: text,
          remedy: "%XX stands for a byte: %20 for a blank, %2C for a comma, %25 for a percent sign")
      }
      words.append(decoded)
    }
    guard !words.isEmpty else {
      throw .invalid(what: "command", text: text, remedy: "write a program such as ./order.py")
    }
    self.words = words
  }
}
