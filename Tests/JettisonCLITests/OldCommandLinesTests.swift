import Testing

/// Whoever has a command line in a script goes on using it.
@Suite("Command lines of old documentation")
struct OldCommandLinesTests {
  /// The lines that README and articles showed before the command became a thin one over a library.
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
    explain traces/draft-lost-at-purge.csv
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

  @Test("They are understood", arguments: lines.split(separator: "\n").map(String.init))
  func understood(_ line: String) throws {
    let program = try Program()
    let run = try program.run(words(of: line))
    // The files that they name are not there; misuse is what the command does not understand.
    #expect(run.status != 64, "\(run.error)")
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
