/// How bad an issue is.
public enum IssueSeverity: UInt8, Comparable, Sendable {
  /// Worth knowing; nothing is wrong with the input.
  case info
  /// Something in the input is wrong and was skipped.
  case error
  /// Part of the input is gone.
  case dataLoss

  /// The word in messages.
  public var name: String {
    switch self {
    case .info: "info"
    case .error: "error"
    case .dataLoss: "data-loss"
    }
  }

  /// Whether one severity is less bad than another.
  public static func < (lhs: IssueSeverity, rhs: IssueSeverity) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

/// One kind of issue, counted, with the first places where it was met.
public struct Issue: Sendable, Equatable {
  /// How bad it is.
  public let severity: IssueSeverity
  /// What it is, as a short sentence without a place; issues are counted by it.
  public let text: String
  /// How often it was met.
  public internal(set) var count: Int
  /// Line numbers (from 1) of the first few, where the input has lines.
  public internal(set) var lines: [Int]
}

/// A file of an input that is a folder.
public struct IssuePart: Sendable, Equatable {
  /// Name of the file in its folder.
  public let name: String
  /// Number of its first line among the lines of all files, from 1.
  public let firstLine: Int

  /// Names a file and its first line.
  package init(name: String, firstLine: Int) {
    self.name = name
    self.firstLine = firstLine
  }
}

/// Issues met while reading one input, counted by kind: nothing is dropped without a count.
public struct ImportIssues: Sendable, Equatable {
  /// Places kept per kind.
  public static let keptPlaces = 5

  /// The kinds met, in order of first appearance.
  public private(set) var all: [Issue] = []

  /// The files of an input that is a folder, in order; empty for a single file.
  ///
  /// Lines of issues are numbered through all files: see ``place(ofLine:)``.
  public package(set) var parts: [IssuePart] = []

  /// Whether lines of issues are those of another file: of the text or the capture that a binary
  /// trace, whose rows have none, was made of.
  public package(set) var areLinesOfSource = false

  /// No issues.
  public init() {}

  /// Where a line of an issue is.
  ///
  /// The file is nil if the input was not a folder.
  ///
  /// - Complexity: O(files).
  public func place(ofLine line: Int) -> (file: String?, line: Int) {
    guard let part = parts.last(where: { $0.firstLine <= line }) else { return (nil, line) }
    return (part.name, line - part.firstLine + 1)
  }

  /// What went wrong first: where nothing came of an input, most likely why.
  package var firstError: Issue? { all.first { $0.severity >= .error } }

  /// Counts one more issue.
  ///
  /// Complexity: O(kinds), and kinds are few.
  ///
  /// - Parameters:
  ///   - severity: How bad it is.
  ///   - text: What is wrong, in a sentence for people.
  ///   - line: Where, from 1; numbers below, as rows of a damaged database may have, are no place.
  public mutating func add(_ severity: IssueSeverity, _ text: String, line: Int? = nil) {
    let line = line.flatMap { $0 > 0 ? $0 : nil }
    guard let position = all.firstIndex(where: { $0.severity == severity && $0.text == text })
    else {
      let places = line.map { [$0] } ?? []
      all.append(Issue(severity: severity, text: text, count: 1, lines: places))
      return
    }
    all[position].count = Self.sum(all[position].count, 1)
    if let line, all[position].lines.count < Self.keptPlaces { all[position].lines.append(line) }
  }

  /// Counts several issues of one kind at once, with the places that are known.
  ///
  /// Complexity: O(kinds), and kinds are few.
  ///
  /// - Parameters:
  ///   - severity: How bad they are.
  ///   - text: What is wrong, in a sentence for people.
  ///   - count: How many there are; below 1 there is nothing to count.
  ///   - lines: Where the first of them are, from 1; numbers below are no place.
  public mutating func add(_ severity: IssueSeverity, _ text: String, count: Int, lines: [Int]) {
    guard count > 0 else { return }
    let lines = lines.filter { $0 > 0 }
    guard let position = all.firstIndex(where: { $0.severity == severity && $0.text == text })
    else {
      all.append(
        Issue(
          severity: severity, text: text, count: count,
          lines: Array(lines.prefix(Self.keptPlaces))))
      return
    }
    all[position].count = Self.sum(all[position].count, count)
    all[position].lines += lines.prefix(Self.keptPlaces - all[position].lines.count)
  }

  /// Number of issues, repeated ones included; `Int.max` for more than that.
  public var count: Int { all.reduce(0) { Self.sum($0, $1.count) } }

  /// Number of issues of at least a severity; `Int.max` for more than that.
  public func count(atLeast severity: IssueSeverity) -> Int {
    all.reduce(0) { $1.severity >= severity ? Self.sum($0, $1.count) : $0 }
  }

  /// The sum of two counts, as far as it fits.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    Int(clamping: Int64(a).addingSaturated(Int64(b)))
  }
}
