import JettisonTestSupport
import Testing

/// Whoever has a command line in a script goes on using it.
@Suite("Command lines of old documentation")
struct OldCommandLinesTests {
  /// The lines that README and articles showed before the command became a thin one over a library,
  /// recordings into a place where none can be.
  private static let lines = #"""
    check com.example.notes.csv
    check traces/*.csv
    compare bugreport.csv --device nokia-1 --policies all
    compare lsapp.tsv
    compare phone.csv --device nokia-1 --policies all
    compare powerlog.csv --device iphone-xr --memory 1400MiB --policies all
    compare traces
    compare traces --memory 512MiB,1GiB --csv reports --detail events,decisions
    compare traces --policies "lru,program:command=./order.py,program:command=python3 b.py -v"
    compare traces --policies all --device iphone-6s
    compare traces --policies lru,drafts-last.yaml,drafts-last.yaml+saved
    compare traces --policies lru,drafts-last.yaml,lru+saved+recent=2
    compare traces/captured/desktop.csv --memory 512MiB
    compare wellbeing.csv --device nokia-1 --catalog apps.yaml --policies lru,gdsf
    compare wellbeing.csv --device nokia-1 --policies all
    convert trace.jtrace trace.csv
    devices iphone-4
    --generate-completion-script bash
    explain traces/draft-lost-at-purge.csv
    formats
    generate --output users --users 1 --days 1
    explain traces/draft-lost-at-purge.csv --policy drafts-last.yaml
    import - --app editor -o editor.csv
    import - --app systemui -o systemui.csv
    import - --user me -o bugreport.csv
    import - -o editor.csv
    import - -o phone.csv
    import --app sort sort.alloc -o sort.csv
    import --merge com.example.notes.csv CurrentPowerlog.PLSQL -o days.csv
    import --merge traces/captured/desktop.csv sqlite3=traces/captured/allocations-sqlite3.csv --user desk -o desk.csv
    import --merge usage.csv editor=editor-allocations.txt mail=mail-allocations.txt -o day.csv
    import CurrentPowerlog.PLSQL -o powerlog.csv
    import JetsamEvent.ips -o jetsam.csv
    import log.csv --columns time=when:ms,app=package -o log-trace.csv
    import log.csv --columns time=when:ms,app=package,event=kind -o trace.csv
    import logcat.txt --year 2026 -o logcat.csv
    import lsapp.tsv --user 17 -o user-17.csv
    import lsapp.tsv -o users
    import samples -o samples.csv
    import trace.pftrace -o perfetto.csv
    import usage.csv -o launches.csv
    import usagestats.txt -o usagestats.csv
    import wellbeing.sqlite -o wellbeing.csv
    inspect desk.csv
    inspect phone.csv
    inspect powerlog.csv --device iphone-xr
    inspect wellbeing.csv
    policies drafts-last.yaml
    policies gdsf
    record -o /proc/desk.csv --name firefox --name 'gimp*' --duration 30m
    record -o /proc/edit.csv -- vim notes.txt
    record -o /proc/service.csv --cgroup /sys/fs/cgroup/user.slice
    replay com.example.notes.csv --device iphone-12
    replay traces/draft-lost-at-purge.csv
    validate bugreport.csv --device nokia-1 --causes memory,other -q --policies lru,android,size,random
    validate capture.csv
    validate capture.csv --csv out --fail-if 'recall<0.5'
    validate capture.csv --policies lru,size,random
    validate phone.csv --device nokia-1 --causes memory,other
    validate story.csv --pressure thresholds --footprints declared -q
    validate story.csv --pressure thresholds --footprints declared -q --policies lru,mru,size,random
    """#

  /// Traces, by the names that the lines give them.
  ///
  /// Captures of other formats are not there.
  private static let traces =
    """
    traces/draft-lost-at-purge.csv traces/captured/desktop.csv desk.csv phone.csv bugreport.csv \
    powerlog.csv wellbeing.csv com.example.notes.csv capture.csv story.csv trace.jtrace usage.csv
    """.split(separator: " ").map(String.init)

  /// An app is purged with work unsaved, and the capture saw it end, too.
  private static let trace = TraceText().header("device: iphone-4")
    .header(
      "apps: {notes: {category: notes, footprint: {launch: 60MB}, save: none}, "
        + "game: {category: large-game, footprint: {launch: 180MB}, edits: none}}"
    )
    .row(0, "notes", "launch").row(4, "notes", "edit", value: 2048, detail: "work_ms=4000")
    .row(9, "game", "launch").row(20, "game", "footprint", value: 300_000_000)
    .row(21, "notes", "observed-exit", detail: "cause=low-memory")
    .row(60, "notes", "launch").end(70)

  private static let files = [
    "drafts-last.yaml": "name: drafts-last\norder:\n  - unsaved_work > 0\n  - idle_time desc\n",
    "apps.yaml": "notes: {category: notes}\n",
    "log.csv": "when,package,kind\n0,notes,launch\n5000,game,launch\n",
    "traces/captured/allocations-sqlite3.csv":
      TraceText().row(0, "sqlite3", "launch").row(1, "sqlite3", "alloc", value: 64, id: 1).end(2)
      .text,
    "lsapp.tsv": """
    user_id\tsession_id\ttimestamp\tapp_name\tevent_type
    17\t1\t2018-01-16 06:01:05\tMaps\tOpened
    17\t1\t2018-01-16 06:05:05\tMaps\tClosed
    18\t2\t2018-01-16 07:01:05\tMail\tOpened
    18\t2\t2018-01-16 07:05:05\tMail\tClosed

    """,
  ]

  @Test(
    "Each is understood: it isn't misuse, and runs where its files exist",
    arguments: lines.split(separator: "\n").map(String.init))
  func understood(_ line: String) throws {
    let program = try Program()
    for name in Self.traces { try program.write(Self.trace.text, to: name) }
    for (name, text) in Self.files { try program.write(text, to: name) }
    let run = try program.run(words(of: line.replacing("*", with: "draft-lost-at-purge")))
    #expect(Self.statuses(of: line).contains(run.status), "\(run.status): \(run.error)")
  }

  /// How a line may end: done, where its files are there.
  ///
  /// It never is misuse, which is what the command does not understand.
  private static func statuses(of line: String) -> Set<Int32> {
    // The programs of these policies are not there.
    if line.contains("program:command") { return [1] }
    // Nothing can be written there: what is recorded is understood, and nothing is started.
    if line.hasPrefix("record") { return [66, 73] }
    let captures =
      "PLSQL .ips .txt .pftrace .sqlite .alloc samples".split(separator: " ").map(String.init)
    if line.hasPrefix("import -") || captures.contains(where: line.contains) { return [0, 65, 66] }
    return [0]
  }

  /// The words of a line, of which some stand in quotes.
  private func words(of line: String) -> [String] {
    var words = [""]
    var quote: Character?
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == " " {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
