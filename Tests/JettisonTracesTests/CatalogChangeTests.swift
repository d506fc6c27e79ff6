import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonTraces

@Suite("Single keys of a catalog entry can be changed")
struct CatalogChangeTests {
  private func changed(_ yaml: String, _ key: String, _ text: String) throws -> Catalog {
    let change = try #require(try CatalogChange(key: key, text: text))
    return try Catalog(yaml: yaml, file: "c.yaml").applying([change])
  }

  @Test("The name of the app is what stands before the key, dots and all")
  func names() throws {
    #expect(
      try CatalogChange(key: "com.example.notes.save.when", text: "none")?.app
        == "com.example.notes")
    #expect(try CatalogChange(key: "a.category", text: "notes")?.app == "a")
    #expect(try CatalogChange(key: "a.b.save", text: "none")?.app == "a.b")
    // An app may be called like a key: the longest key counts.
    #expect(try CatalogChange(key: "save.when", text: "none") == nil)
    #expect(try CatalogChange(key: "a.launch.launch.cold", text: "1s")?.app == "a.launch")
    for key in ["", "save", ".save", "thresholds.purge", "a.save.wen", "a.saves"] {
      #expect(try CatalogChange(key: key, text: "none") == nil, "\(key)")
    }
  }

  @Test("One key changes and all others stay")
  func oneKey() throws {
    let yaml = "a: {category: notes, save: {when: [terminate], rate: 1MB/s}, limit: 9MB}"
    let catalog = try changed(yaml, "a.save.when", "[background, timer 30s]")
    let device = try DeviceTable.device(named: "iphone-4")
    let before = try Catalog(yaml: yaml, file: "c.yaml").resolve("a", on: device).profile
    var expected = before
    expected.saveTriggers = .background
    expected.saveTimerNanoseconds = 30_000_000_000
    #expect(catalog.resolve("a", on: device).profile == expected)
    #expect(
      catalog["a"]?.canonicalText
        == "{category: notes, save: {when: [background, \"timer 30s\"], rate: 1MB/s}, limit: 9MB}")
  }

  @Test("The result is what a catalog written by hand would be, its hash included")
  func equalsWritten() throws {
    for (before, key, text, after) in [
      ("b: {}", "a.save.when", "background", "b: {}\na: {save: {when: background}}"),
      ("a:", "a.category", "notes", "a: {category: notes}"),
      ("a: {save: none}", "a.save.rate", "1MB/s", "a: {save: {when: none, rate: 1MB/s}}"),
      ("a: {save: none}", "a.save.when", "resign", "a: {save: {when: resign}}"),
      ("a: {edits: none}", "a.edits.work", "0.5", "a: {edits: {work: 0.5}}"),
      ("a: {limit: 5MB}", "a.limit.soft", "2MB", "a: {limit: {active: 5MB, soft: 2MB}}"),
      ("a: {limit: 5MB}", "a.limit", "6MB", "a: {limit: 6MB}"),
      (
        "a: {task: {save: yes}}", "a.task.expiration", "ignores",
        "a: {task: {save: yes, expiration: ignores}}"
      ),
    ] {
      let written = try Catalog(yaml: after, file: "c.yaml")
      let catalog = try changed(before, key, text)
      #expect(catalog.canonicalYAML == written.canonicalYAML)
      #expect(catalog.contentHash == written.contentHash)
    }
  }

  @Test("A value that the key cannot have says what it can")
  func badValues() {
    for (key, text, what) in [
      ("a.save.when", "later", "unknown trigger 'later'"),
      ("a.save.when", "[background, background]", "'background' is there twice"),
      ("a.save.when", "timer 0s", "'0s' is not a timer's period"),
      ("a.save.when", "[background", "a flow sequence"),
      ("a.save.thread", "disk", "'disk' does not fit 'thread'"),
      ("a.save.share", "120%", "'120%' does not fit 'share'"),
      ("a.category", "note", "unknown category 'note'"),
      ("a.save", "background", "the 'save' is not a mapping"),
      ("a.limit", "", "'' does not fit 'limit'"),
    ] {
      let error = #expect(throws: TraceError.self, "\(key)=\(text)") {
        try CatalogChange(key: key, text: text)
      }
      #expect(error?.what.contains(what) == true, "\(error?.what ?? "")")
    }
  }

  @Test("Every key of an entry can be changed, and the entry then reads back")
  func everyKey() throws {
    let values = [
      "category": "notes", "footprint.launch": "1MB", "footprint.growth": "1MB/min",
      "footprint.background": "1MB", "footprint.suspended": "1MB", "footprint.releasable": "10%",
      "launch.cold": "1s", "launch.warm": "1s", "launch.hot": "1s", "save.when": "edit",
      "save.rate": "1MB/s", "save.fixed": "1ms", "save.atomic": "false", "save.thread": "queue",
      "save.share": "1", "edits.probability": "1", "edits.work": "1", "edits.bytes": "1/s",
      "warning.responds": "1", "warning.releases": "1", "warning.delay": "1s",
      "limit.active": "1MB", "limit.inactive": "1MB", "limit.soft": "1MB", "band": "50",
      "compressed": "1", "adj": "5", "uid": "0", "kind": "daemon", "relaunch": "low",
      "preference": "avoid", "group": "g",
      "cgroup": "g", "task.expiration": "ends", "task.save": "yes",
      "multitasking": "no", "footprint": "{launch: 1MB}", "launch": "{cold: 1s}", "save": "none",
      "edits": "none", "warning": "{responds: 1}", "limit": "1MB", "task": "{save: no}",
    ]
    #expect(Set(values.keys) == Set(CatalogChange.paths))
    for path in CatalogChange.paths {
      let catalog = try changed("a: {category: maps}", "a.\(path)", try #require(values[path]))
      let again = try Catalog(yaml: try #require(catalog.canonicalYAML), file: "c.yaml")
      #expect(again.contentHash == catalog.contentHash, "\(path)")
      #expect(
        again.contentHash != (try Catalog(yaml: "a: {category: maps}", file: "c").contentHash))
    }
  }

  @Test("Catalogs share the entries of the apps that all of them name")
  func sharing() throws {
    let one = try Catalog(yaml: "a: {category: notes}\nb: {}", file: "1")
    let two = try Catalog(yaml: "c: {}\na: {category: maps}", file: "2")
    #expect(one.sharing(appsOf: [one, two]).canonicalYAML == "a: {category: notes}")
    #expect(two.sharing(appsOf: [one, two]).canonicalYAML == "a: {category: maps}")
    #expect(one.sharing(appsOf: [one, Catalog()]).count == 0)
  }

  @Test("An app that saves after every edit saves every second where edits are modelled")
  func modelledEdits() throws {
    let device = try DeviceTable.device(named: "iphone-4")
    let catalog = try Catalog(
      yaml: "a: {category: notes, save: {when: [edit, \"timer 30s\"]}}", file: "c.yaml")
    let quick = try Catalog(
      yaml: "a: {category: notes, save: {when: [edit, \"timer 250ms\"]}}", file: "c.yaml")
    let modelled = try TraceText().row(0, "a", "launch").end(9).trace()
    let recorded = try TraceText().row(0, "a", "launch").row(1, "a", "edit", value: 1).end(9)
      .trace()
    var issues = ImportIssues()
    func timer(_ catalog: Catalog, _ trace: Trace) -> Int64 {
      catalog.resolve(trace, on: device, issues: &issues)[0].profile.saveTimerNanoseconds
    }
    #expect(timer(catalog, modelled) == 1_000_000_000)
    #expect(timer(catalog, recorded) == 30_000_000_000)
    #expect(timer(quick, modelled) == 250_000_000)
  }

  @Test("With saves modelled, those of the trace are no source any more")
  func modelledSaves() throws {
    let trace = try TraceText().row(0, "a", "launch").row(1, "a", "save", value: 1).end(9).trace()
    let device = try DeviceTable.device(named: "iphone-4")
    var issues = ImportIssues()
    for isModelled in [false, true] {
      let app = Catalog().resolve(trace, on: device, modelsSaves: isModelled, issues: &issues)[0]
      #expect(app.profile.modelsSaves == isModelled)
      #expect(app.provenance[.saves] == (isModelled ? .imputed : .observed))
      let alone = Catalog().profileSavingAsWritten(trace, AppIndex(0), on: device)
      #expect((alone == app.profile) == isModelled)
    }
  }
}
