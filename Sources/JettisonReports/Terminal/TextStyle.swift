internal import JettisonSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How text for people is laid out.
package struct TextStyle: Sendable {
  /// The five ways to set words apart.
  package enum Emphasis: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// Columns of the terminal; nil: as wide as it gets.
  package var width: Int?
  /// Whether escape codes may be used.
  package var isColoured: Bool

  /// Plain text without a limit, unless told otherwise.
  package init(width: Int? = nil, isColoured: Bool = false) {
    self.width = width
    self.isColoured = isColoured
  }

  /// Text set apart, if this style can.
  package func emphasised(_ text: String, _ emphasis: Emphasis?) -> String {
    guard isColoured, let emphasis, !text.isEmpty else { return text }
    return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
  }

  /// A heading, with the end of its line.
  package func heading(_ text: String) -> String {
    let text = Self.clean(text)
    let lines = Prose.wrap(text, width: width ?? .max)
    return lines.map { emphasised($0, .bold) + "\n" }.joined()
  }

  /// Text without characters that would move the cursor or end a line: names come from captures.
  package static func clean(_ text: String) -> String {
    PrintableText.clean(text)
  }

  /// Columns that text takes in a terminal: two for East Asian wide characters and emoji.
  package static func displayWidth(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: isWide) ? 2 : 1) }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Width where there is no terminal that has one.
  package static let usualWidth = 80

  /// The narrowest and the widest that `COLUMNS` may ask for.
  private static let sensibleWidths = 20...1000

  /// How wide text may be: what the variable `COLUMNS` says, else the terminal behind a descriptor,
  /// else ``usualWidth``.
  package static func width(descriptor: Int32, columns: String?) -> Int {
    let asked = columns.flatMap { Int($0) }.flatMap { sensibleWidths.contains($0) ? $0 : nil }
    return asked ?? terminalWidth(descriptor: descriptor) ?? usualWidth
  }

  /// Width of the terminal behind a descriptor; nil if there is none.
  package static func terminalWidth(descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
