/// A page that answers one question: what every page has, whatever it shows.
///
/// Another page is a function that makes one of these from results, and a sink that writes it with a
/// ``PageFile``:
///
/// ```swift
/// var page = Page(title: "replay of a.csv", question: "What did the user lose, and when?")
/// page.answer = "Three drafts, 4 min of work in all."
/// page.facts = RepeatFacts(command: command, runs: runs)
/// page.sections.append(
///   PageSection(id: "skyline", heading: "Skyline", body: figure, data: .object([…])))
/// page.files = [DataFile(RunTables.summary, rows)]
/// try file.write(page)
/// ```
///
/// A section has everything as markup, so that it is read without a script, and the same figures as
/// data, from which the script tells more: `JSON.parse` of the element `data` has them under
/// `sections` and the id of the section.
package struct Page: Sendable {
  /// What the window is called.
  package var title: String
  /// What the reader wants to know.
  package var question: String
  /// What the results say, in a sentence.
  package var answer = ""
  /// What should be known before the answer is believed, each a sentence.
  package var notes: [String] = []
  /// All that is needed to make the page again.
  package var facts = RepeatFacts()
  /// What is shown, in order.
  package var sections: [PageSection] = []
  /// What can be downloaded.
  package var files: [DataFile] = []

  /// A page without an answer yet.
  package init(title: String, question: String) {
    self.title = title
    self.question = question
  }
}

/// A part of a page under a heading of its own.
package struct PageSection: Sendable {
  /// Letters and hyphens: where links lead, and where the script finds the data.
  package var id: String
  package var heading: String
  /// What links to it say; nil: the heading.
  package var link: String?
  /// How it is read, each a paragraph.
  package var lead: [String]
  package var body: Markup
  /// Every figure that the body shows; nil: it shows none.
  package var data: PageData?

  /// Makes a section from its parts.
  package init(
    id: String, heading: String, link: String? = nil, lead: [String] = [], body: Markup,
    data: PageData? = nil
  ) {
    self.id = id
    self.heading = heading
    self.link = link
    self.lead = lead
    self.body = body
    self.data = data
  }
}
