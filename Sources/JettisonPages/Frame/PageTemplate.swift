import JettisonReports
import Mustache

/// The frame that all pages stand in: template, style sheet and script, which are files of their own
/// in `Resources` and part of the program.
enum PageTemplate {
  private static let style = text(PackageResources.style_css)
  private static let script = text(PackageResources.script_js)
  private static let template = parsed(text(PackageResources.page_mustache))

  /// What a browser may do with a page.
  ///
  /// It may show the style sheet and run the script that are in it, known by their hashes, and
  /// nothing else: nothing is fetched or sent.
  static let contentPolicy =
    "default-src 'none'; style-src '\(hash(of: style))'; script-src '\(hash(of: script))'; "
    + "img-src data:; base-uri 'none'; form-action 'none'"

  /// A page as it is written.
  static func text(of page: Page) -> String {
    let data = PageData.object([
      (
        "sections",
        .object(page.sections.compactMap { section in section.data.map { (section.id, $0) } })
      ),
      ("files", .object(page.files.compactMap { file in file.data.map { (file.name, $0) } })),
    ])
    return template.render(
      [
        "contentPolicy": contentPolicy, "style": style, "script": script,
        "title": page.title, "question": page.question, "answer": page.answer,
        "notes": page.notes, "facts": facts(page.facts),
        "sections": page.sections.map { section -> [String: Any] in
          [
            "id": section.id, "heading": section.heading,
            "link": section.link ?? section.heading, "lead": section.lead,
            "body": section.body,
          ]
        },
        "hasFiles": !page.files.isEmpty,
        "files": page.files.map { file -> [String: Any] in
          ["name": file.name, "meaning": file.meaning, "isHere": file.data != nil]
        },
        "data": data.scriptText,
      ] as [String: Any])
  }

  private static func facts(_ facts: RepeatFacts) -> [String: Any] {
    [
      "command": facts.command,
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

  private static func parsed(_ text: String) -> MustacheTemplate {
    do {
      return try MustacheTemplate(string: text)
    } catch {
      preconditionFailure("the template is part of the program: \(error)")
    }
  }
}
