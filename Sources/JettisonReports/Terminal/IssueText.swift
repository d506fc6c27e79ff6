package import JettisonCore

/// Issues of an input as text.
package enum IssueText {
  /// One line about all issues of an input.
  package static func summary(_ issues: ImportIssues, path: String) -> String {
    let counts = [IssueSeverity.info, .error, .dataLoss].compactMap { severity -> String? in
      let count = issues.all.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
      return count == 0 ? nil : "\(count) \(severity.name)"
    }
    return "\(path): \(Prose.counted(issues.count, "issue")): "
      + "\(counts.joined(separator: ", ")) ('jettison check \(path)' lists them)"
  }

  /// One line per kind of issue, with its first places.
  package static func lines(_ issues: ImportIssues, path: String) -> [String] {
    issues.all.map { issue in
      issues.areLinesOfSource
        ? "\(path): \(issue.severity.name): \(issue.text)\(sourceLines(of: issue))"
        : line(issue, of: issues, path: path)
    }
  }

  private static func line(_ issue: Issue, of issues: ImportIssues, path: String) -> String {
    let places = issue.lines.map { line in
      let place = issues.place(ofLine: line)
      return (file: place.file.map { "\(path)/\($0)" } ?? path, line: place.line)
    }
    let first = places.first.map { "\($0.file):\($0.line)" } ?? path
    var text = "\(first): \(issue.severity.name): \(issue.text)"
    if issue.count > 1 {
      let others = places.dropFirst().map {
        $0.file == places[0].file ? "\($0.line)" : "\($0.line) of \($0.file)"
      }
      let more = issue.count > issue.lines.count && !others.isEmpty ? ", …" : ""
      text += " (\(issue.count) times"
      text += others.isEmpty ? ")" : "; also in lines \(others.joined(separator: ", "))\(more))"
    }
    return text
  }

  /// How often an issue of a binary trace was met, and where in the file that this one was made of.
  private static func sourceLines(of issue: Issue) -> String {
    var parts = issue.count > 1 ? ["\(issue.count) times"] : []
    if !issue.lines.isEmpty {
      let lines = issue.lines.map { "\($0)" }.joined(separator: ", ")
      let more = issue.count > issue.lines.count ? ", …" : ""
      parts.append("line\(issue.count == 1 ? "" : "s") \(lines)\(more) of its source")
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
  }
}
