import JettisonReports
import Mustache

/// The frame that all pages stand in: templates, style sheet and script, which are files of their own
/// in `Resources` and part of the program.
///
/// What sections show, and the data, are bytes by the million: they are put between the parts of the
/// frame as they are.
enum PageTemplate {
  private static let style = text(PackageResources.style_css)
  private static let script = text(PackageResources.script_js)
  private static let top = parsed(PackageResources.top_mustache)
  private static let section = parsed(PackageResources.section_mustache)
  private static let bottom = parsed(PackageResources.bottom_mustache)

  /// What a browser may do with a page.
  ///
  /// It may show the style sheet and run the script that are in it, known by their hashes, and
  /// nothing else: nothing is fetched or sent.
  static let contentPolicy =
    "default-src 'none'; style-src '\(hash(of: style))'; script-src '\(hash(of: script))'; "
    + "img-src data:; base-uri 'none'; form-action 'none'"

  /// A page as it is written.
  static func text(of page: Page) -> String { String(decoding: bytes(of: page), as: UTF8.self) }

  /// The same as bytes.
  static func bytes(of page: Page) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(page.sections.reduce(1 << 18) { $0 + $1.body.bytes.count })
    bytes.append(contentsOf: top.render(Self.top(of: page)).utf8)
    for section in page.sections {
      bytes.append(contentsOf: Self.section.render(head(of: section)).utf8)
      bytes.append(contentsOf: section.body.bytes)
      bytes.append(contentsOf: "\n</section>\n".utf8)
    }
    bytes.append(contentsOf: bottom.render(Self.bottom(of: page)).utf8)
    bytes.append(contentsOf: "<script type=\"application/json\" id=\"data\">".utf8)
    data(of: page).append(to: &bytes)
    bytes.append(contentsOf: "</script>\n<script>\(script)</script>\n</body>\n</html>\n".utf8)
    return bytes
  }

  private static func data(of page: Page) -> PageData {
    .object([
      (
        "sections",
        .object(page.sections.compactMap { section in section.data.map { (section.id, $0) } })
      ),
      ("files", .object(page.files.compactMap { file in file.data.map { (file.name, $0) } })),
    ])
  }

  private static func top(of page: Page) -> [String: Any] {
    [
      "contentPolicy": contentPolicy, "style": style,
      "title": page.title, "question": page.question, "answer": page.answer,
      "notes": page.notes, "sections": page.sections.map { head(of: $0) },
      "hasFiles": !page.files.isEmpty,
    ]
  }

  private static func head(of section: PageSection) -> [String: Any] {
    [
      "id": section.id, "heading": section.heading,
      "link": section.link ?? section.heading, "lead": section.lead,
    ]
  }

  private static func bottom(of page: Page) -> [String: Any] {
    [
      "facts": facts(page.facts), "hasFiles": !page.files.isEmpty,
      "files": page.files.map { file -> [String: Any] in
        ["name": file.name, "meaning": file.meaning, "isHere": file.data != nil]
      },
    ]
  }

  private static func facts(_ facts: RepeatFacts) -> [String: Any] {
    [
      "command": facts.command, "hasCommand": !facts.command.isEmpty,
      "rows": facts.rows.map { ["term": $0.term, "value": $0.value] },
      "traces": facts.traces.map { ["cells": $0.map { PageText.name($0) }] },
      "omitted": facts.omittedTraces > 0 ? "and \(facts.omittedTraces) more in runs.csv" : "",
      "hasOmitted": facts.omittedTraces > 0,
    ]
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func hash(of text: String) -> String {
    "sha256-\(Base64.text(SHA256.hash(Array(text.utf8))))"
  }

  private static func parsed(_ bytes: [UInt8]) -> MustacheTemplate {
    do {
      return try MustacheTemplate(string: text(bytes))
    } catch {
      preconditionFailure("the template is part of the program: \(error)")
    }
  }
}
