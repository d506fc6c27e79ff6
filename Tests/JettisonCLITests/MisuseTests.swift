import JettisonTestSupport
import Testing

/// What is wrong with a command line, and what the user is told.
struct Mistake: Sendable, CustomTestStringConvertible {
  let line: String
  let status: Int32
  let sentence: String
  var testDescription: String { line }

  init(_ line: String, _ status: Int32, _ sentence: String) {
    self.line = line
    self.status = status
    self.sentence = sentence
  }
}

@Suite("Every mistake has a status and a sentence")
struct MisuseTests {
  static let ofOptions: [Mistake] = [
    Mistake(
      "replay a.csv --policy lur", 64,
      "--policy: unknown policy 'lur' (did you mean 'lru'?); 'jettison policies' lists all "),
    Mistake(
      "compare a.csv --policies lru,gdsff", 64,
      "--policies: unknown policy 'gdsff' (did you mean 'gdsf'?)"),
    Mistake(
      "compare a.csv --policies lru,lru", 64,
      "--policies: policy 'lru' cannot be used: it is asked for twice; name it once"),
    Mistake(
      "replay a.csv --policy gdsf:price=1", 64,
      "--policy: unknown parameter of policy 'gdsf' 'price'; known: cost"),
    Mistake(
      "replay a.csv --policy lru,size", 64,
      "--policy 'lru,size': replay runs one policy (use 'jettison compare --policies lru,size')"),
    Mistake(
      "compare a.csv --baseline size --policies lru,mru", 64,
      "--baseline: unknown baseline 'size'; known: lru, mru"),
    Mistake(
      "replay a.csv --policy lru+svaed", 64,
      "--policy: unknown modifier 'svaed' (did you mean 'saved'?); known: saved, protect, recent"),
    Mistake(
      "compare a.csv --policies lru,lru+until=15", 64,
      "--policies: value of +until '15' cannot be used: write a share of RAM such as 15%"),
    Mistake(
      "compare a.csv --policies lru --baseline lru+recent", 64,
      "--baseline: modifier '+recent' cannot be used: it needs a value: write +recent=N"),
    Mistake(
      "replay a.csv --seed 18446744073709551615 --seeds 2", 64,
      "--seed: value '18446744073709551615' cannot be used: seeds are below 2^64: begin 1 below that "
        + "or lower"),
    Mistake("replay a.csv --device iphone-44", 64, "--device: unknown device 'iphone-44'"),
    Mistake(
      "replay a.csv --memory 12XB", 64,
      "--memory: value '12XB' cannot be used: write a size such as 1GiB"),
    Mistake(
      "compare a.csv --memory 512MiB..4GiB", 64,
      "--memory: value '512MiB..4GiB' cannot be used: say how many sizes: 512MiB..4GiB/9"),
    Mistake(
      "compare a.csv --memory 4GiB..512MiB/9", 64,
      "--memory: value '4GiB..512MiB/9' cannot be used: write the smaller size first"),
    Mistake(
      "compare a.csv --memory 1GiB..1GiB/3", 64,
      "--memory: value '1GiB..1GiB/3' cannot be used: write the smaller size first"),
    Mistake(
      "compare a.csv --memory 512MiB..4GiB/1", 64,
      "--memory: value '512MiB..4GiB/1' cannot be used: after the slash, write how many sizes, both "
        + "ends included: 2 to 1000"),
    Mistake(
      "compare a.csv --memory 512MiB..4GiB/", 64, "after the slash, write how many sizes"),
    Mistake(
      "compare a.csv --memory 512MiB..4GiB/9999999999999999999", 64,
      "after the slash, write how many sizes"),
    Mistake(
      "compare a.csv --memory ..4GiB/9", 64,
      "--memory: value '..4GiB/9' cannot be used: write sizes such as 512MiB..4GiB/9"),
    Mistake(
      "compare a.csv --memory 512MiB..4GiB..8GiB/9", 64,
      "cannot be used: write sizes such as 512MiB..4GiB/9"),
    Mistake(
      "compare a.csv --memory 512MiB..514MiB/9", 64,
      "--memory: value '512MiB..514MiB/9' cannot be used: between them are fewer sizes than 9; ask "
        + "for fewer"),
    Mistake(
      "compare a.csv --html -", 64,
      "--html: place '-' cannot be used: name a file: results go to the output"),
    Mistake(
      "compare a.csv --html p --junit p --fail-if purges>1", 64,
      "--html: place 'p' cannot be used: --junit names it, too; name another file"),
    Mistake(
      "compare a.csv --html out/./runs.csv --csv out", 64,
      "--html: place 'out/./runs.csv' cannot be used: --csv writes there, too; name another file"),
    Mistake("compare a.csv --html no/such/folder/p.html", 73, "p.html: cannot be created: no such"),
    Mistake("replay a.csv --memory 0", 64, "--memory: value '0' cannot be used"),
    Mistake(
      "replay a.csv --memory 100MiB", 64,
      "--memory: memory '100MiB' cannot be used: the system of 'iphone-4' alone takes "
        + "161MiB of it"),
    Mistake(
      "compare a.csv --memory 512MiB,0.5GiB", 64,
      "device 'iphone-4' with 512MiB is asked for twice"),
    Mistake(
      "replay a.csv --capacity 5", 64,
      "--capacity: value '5' cannot be used: write a number of apps such as 5apps"),
    Mistake(
      "replay a.csv --capacity 5apps --device iphone-4", 64,
      "--capacity: capacity '5apps' cannot be used: 'iphone-4' counts bytes"),
    Mistake(
      "replay a.csv --set thresholds.purg=8%", 64,
      "--set: unknown setting 'thresholds.purg' (did you mean 'thresholds.purge'?)"),
    Mistake(
      "replay a.csv --set thresholds.purge", 64,
      "--set: setting 'thresholds.purge' cannot be used: write key=value[,value]"),
    Mistake(
      "replay a.csv --set decay=soon", 64,
      "--set: decay 'soon' cannot be used: write a duration such as 5s"),
    Mistake(
      "replay a.csv --set lock=sometimes", 64,
      "--set: lock 'sometimes' cannot be used: write inactive or background"),
    Mistake(
      "replay a.csv --set multitasking=perhaps", 64,
      "--set: multitasking 'perhaps' cannot be used: write on or off"),
    Mistake(
      "replay a.csv --set decay=1s --set decay=2s", 64,
      "--set: setting 'decay=2s' cannot be used: 'decay' is set twice; give it once"),
    Mistake(
      "replay a.csv --device iphone-5 --pressure thresholds --set thresholds.purge=20%", 64,
      "--set: thresholds.until '12%' cannot be used: purging would stop before it starts at 20%"),
    Mistake(
      "replay a.csv --memory 1GiB --set reserve=2GiB", 64,
      "--set: memory '1GiB' cannot be used: the system of 'iphone-4' alone takes"),
    Mistake(
      "replay a.csv --pressure psi", 64,
      "--pressure: unknown pressure model 'psi'; known: thresholds, ios-4, ios-6, ios-7"),
    Mistake("replay a.csv --noise=maybe", 64, "'--noise' does not take any value, but 'maybe'"),
    Mistake(
      "replay a.csv --pin nobody", 64, "--pin: unknown app 'nobody'; known: com.example.game"),
    Mistake(
      "replay a.csv --set nobody.save.when=none", 64,
      "--set: unknown app 'nobody'; known: com.example.game"),
    Mistake(
      "replay a.csv --set com.example.notes.save.when=later", 64,
      "--set: com.example.notes.save.when 'later' cannot be used: unknown trigger 'later' (known:"),
    Mistake(
      "replay a.csv --set com.example.notes.save.wen=none", 64,
      "--set: unknown key of an app's catalog entry 'save.wen' (did you mean 'save.when'?); known:"),
    Mistake(
      "replay a.csv --saves both", 64,
      "'both' is invalid for '--saves <source>'. Please provide one of 'captured' and "
        + "'modelled'."),
    Mistake("replay a.csv --protect-recent x", 64, "--protect-recent: value 'x' cannot be used"),
    Mistake("replay a.csv --seed -1", 64, "--seed: value '-1' cannot be used: write a whole"),
    Mistake("replay a.csv --seeds 0", 64, "--seeds: value '0' cannot be used: write a number from"),
    Mistake("replay a.csv --warm-up never", 64, "--warm-up: value 'never' cannot be used"),
    Mistake(
      "replay a.csv --footprints guess", 64, "Please provide one of 'arena' and 'declared'."),
    Mistake("replay a.csv --jobs 0", 64, "--jobs: value '0' cannot be used: write 1 or more"),
    Mistake(
      "replay a.csv --fail-if kills>0", 64,
      "--fail-if: unknown metric 'kills' (did you mean 'gpu_kills', 'limit_kills' or "),
    Mistake(
      "compare a.csv --sort lost_work", 64,
      "--sort: unknown metric 'lost_work' (did you mean 'lost_work_seconds', "),
    Mistake("compare a.csv --sort user_days", 64, "--sort: unknown metric 'user_days'"),
    Mistake("compare a.csv --top 0", 64, "--top: value '0' cannot be used: write 1 or more"),
    Mistake("compare a.csv --json --top 3", 64, "--top: --json prints every row in the order"),
    Mistake("compare a.csv --json --sort purges", 64, "--sort: --json prints every row"),
    Mistake("compare a.csv --junit x.xml", 64, "--junit: there is no condition to report (add"),
    Mistake(
      "compare a.csv --junit - --fail-if purges>9", 64, "--junit: place '-' cannot be used: name"),
    Mistake("compare a.csv --junit two --fail-if purges>9", 73, "two"),
    Mistake(
      "replay a.csv --fail-if purges", 64,
      "--fail-if: condition 'purges' cannot be used: write a metric, one of"),
    Mistake(
      "replay a.csv --csv out --detail event", 64,
      "'event' is invalid for '--detail <report,…>'. Please provide one of "
        + "'events', 'decisions' or 'footprints'."),
    Mistake(
      "replay a.csv --sample 1s", 64, "--sample: there is no place for reports (add --csv DIR)"),
    Mistake(
      "replay a.csv --perfetto -", 64, "--perfetto: place '-' cannot be used: name a file: results"),
    Mistake("replay a.csv --perfetto two", 73, "two: cannot be created: is a directory"),
    Mistake("replay a.csv --perfetto none/x.pftrace", 73, "none/x.pftrace: cannot be created: no"),
    Mistake(
      "replay a.csv --beside a.csv", 64,
      "--beside: there is no place for the simulation (add --perfetto FILE)"),
    Mistake(
      "replay a.csv --perfetto x.pftrace --beside none.pftrace", 66,
      "none.pftrace: cannot be read (name a file that you may read)"),
    Mistake(
      "replay a.csv --perfetto x.pftrace --beside a.csv", 65, "a.csv: is not a Perfetto trace (name"
    ),
    Mistake(
      "replay a.csv --perfetto a.csv --beside a.csv", 64,
      "--perfetto: place 'a.csv' cannot be used: it is read, too; name another file"),
    Mistake(
      "replay a.csv --html ./a.csv", 64,
      "--html: place './a.csv' cannot be used: it is read, too; name another file"),
    Mistake(
      "compare two --html p.html --junit two/a.csv --fail-if purges>1", 64,
      "--junit: place 'two/a.csv' cannot be used: it is read, too; name another file"),
    Mistake(
      "import a.csv -o a.csv", 64,
      "-o: place 'a.csv' cannot be used: it is read, too; name another file"),
    Mistake(
      "import --merge app=a.csv -o a.csv", 64,
      "-o: place 'a.csv' cannot be used: it is read, too; name another file"),
    Mistake(
      "convert a.csv two/../a.csv", 64,
      "out: place 'two/../a.csv' cannot be used: it is read, too; name another file"),
    Mistake("replay a.csv --detail events", 64, "--detail: there is no place for reports (add"),
    Mistake("replay a.csv --csv out --sample x", 64, "--sample: value 'x' cannot be used"),
    Mistake("compare a.csv --top -3", 64, "--top: value '-3' cannot be used: write 1 or more"),
    Mistake("compare a.csv --top x", 64, "--top: value 'x' cannot be used: write 1 or more"),
    Mistake("replay a.csv --jobs -1", 64, "--jobs: value '-1' cannot be used: write 1 or more"),
    Mistake("replay a.csv --jobs x", 64, "--jobs: value 'x' cannot be used: write 1 or more"),
    Mistake("replay a.csv --seeds -2", 64, "--seeds: value '-2' cannot be used: write a number"),
    Mistake(
      "replay a.csv --memory -1GiB", 64,
      "--memory: value '-1GiB' cannot be used: write a size such as 1GiB"),
    Mistake("replay a.csv --warm-up -.5h", 64, "--warm-up: value '-.5h' cannot be used: write a"),
    Mistake("replay a.csv --protect-recent -1", 64, "--protect-recent: value '-1' cannot be used"),
    Mistake("replay a.csv --csv out --sample -1s", 64, "--sample: value '-1s' cannot be used: "),
    Mistake(
      "replay a.csv --csv out --detail events --events purge,kil", 64,
      "--events: unknown event 'kil' (did you mean 'kill'?); known: state, message, launch, save"),
    Mistake(
      "compare a.csv --events purge --csv out", 64,
      "--events: there is no events.csv (add --csv DIR --detail events)"),
    Mistake(
      "import a.csv -o out.csv --device iphone-44", 64, "--device: unknown device 'iphone-44'"),
    Mistake(
      "check a.csv --format csv", 64,
      "a.csv: is a table, and what its columns mean is not said (say it: 'jettison import … "
        + "--columns time=header,app=header')"),
    Mistake("replay a.csv --sed 1", 64, "Unknown option '--sed'"),
    Mistake("replay", 64, "Missing expected argument '<trace> ...'"),
    Mistake(
      "reply a.csv", 64, "unknown command 'reply' (did you mean 'replay'?); known: replay, compare"),
  ]

  static let ofCommands: [Mistake] = [
    Mistake(
      "savings a.csv --app com.example.note", 64,
      "--app: unknown app 'com.example.note' (did you mean 'com.example.notes'?); known: com."),
    Mistake(
      "savings a.csv --app com.example.game --app com.example.game", 64,
      "--app: app 'com.example.game' cannot be used: it is asked for twice; name it once"),
    Mistake(
      "savings a.csv --policy lru,mru", 64, "--policy 'lru,mru': savings runs one policy (use"),
    Mistake("savings e.yaml", 64, "e.yaml: savings takes traces (run an experiment file with"),
    Mistake("savings a.csv --csv -", 64, "--csv: place '-' cannot be used: name a directory"),
    Mistake("savings a.csv --jobs 0", 64, "--jobs: value '0' cannot be used: write 1 or more"),
    Mistake(
      "canary --device ideal-cache", 64,
      "'ideal-cache': nothing but apps takes memory there, so that none can be taken away (choose"),
    Mistake("canary --step 0", 64, "--step: size '0' cannot be used: write a size such as 8MiB"),
    Mistake("canary --every 0s", 64, "--every: time '0s' cannot be used: write a duration such"),
    Mistake("policies lru:foo=1", 64, "unknown parameter of policy 'lru' 'foo'; there is none"),
    Mistake(
      "policies lru:", 64, "parameter of policy 'lru' '' cannot be used: write key=value"),
    Mistake("policies lru-k:k=0", 64, "parameter 'k' '0' cannot be used: write"),
    Mistake(
      "policies lru-k:k=3+svaed", 64, "unknown modifier 'svaed' (did you mean 'saved'?)"),
    Mistake("record --device iphone-44 -o r.csv -- true", 64, "--device: unknown device 'iphone-4"),
    Mistake("canary --device iphone-44", 64, "--device: unknown device 'iphone-44'"),
    Mistake("canary --pin nobody", 64, "--pin: unknown app 'nobody'; known: background-1"),
    Mistake("canary none.csv", 66, "none.csv: cannot be read: No such file or directory (check"),
    Mistake("canary --csv -", 64, "--csv: place '-' cannot be used: name a directory"),
    Mistake("explain a.csv --purge 3", 64, "a.csv: the run has 2 purges in 2 decisions"),
    Mistake("explain a.csv --purge 0", 64, "--purge: value '0' cannot be used: purges count from"),
    Mistake("explain a.csv --at noon", 64, "--at: time 'noon' cannot be used: write 60s, 2h30m"),
    Mistake("explain a.csv --at 1s --purge 1", 64, "explain: --purge and --at ask twice"),
    Mistake("explain a.csv --list --loss 1", 64, "explain: --list and --loss ask twice (give one"),
    Mistake(
      "explain a.csv --loss 2", 64,
      "a.csv: there is no loss 2: the user noticed 1 in all (the least of them is --loss 1)"),
    Mistake(
      "explain a.csv --loss 1 --memory 8GiB", 64,
      "a.csv: there is no loss 1: the user noticed 0 in all (--list shows what was decided)"),
    Mistake("explain a.csv --loss x", 64, "--loss: value 'x' cannot be used: losses count from 1"),
    Mistake("explain a.csv --purge -2", 64, "--purge: value '-2' cannot be used: purges count"),
    Mistake("explain a.csv --at -5", 64, "--at: time '-5' cannot be used: write 60s, 2h30m or"),
    Mistake("record --pid -4 -o out", 64, "--pid: value '-4' cannot be used: write the number of"),
    Mistake("validate a.csv --window -5s", 64, "--window: time '-5s' cannot be used: write a"),
    Mistake("explain a.csv --loss 0", 64, "--loss: value '0' cannot be used: losses count from 1"),
    Mistake(
      "explain a.csv --decision 9", 64,
      "a.csv: the run has 2 purges in 2 decisions (--list shows them all)"),
    Mistake(
      "explain a.csv --app com.example.note", 64,
      "--app: unknown app 'com.example.note' (did you mean 'com.example.notes'?); known: com.ex"),
    Mistake(
      "explain a.csv --app com.example.game --pin com.example.game", 1,
      "a.csv: the system never ended 'com.example.game' (it ended com.example.notes)"),
    Mistake(
      "explain a.csv --app com.example.game --memory 8GiB", 1,
      "a.csv: the system never ended 'com.example.game' (nor any other app; give the device le"),
    Mistake(
      "explain a.csv --list --memory 8GiB", 1,
      "a.csv: memory never got short, so nothing was decided (give the device less --memory)"),
    Mistake(
      "explain a.csv --app com.example.game --what-if on", 64,
      "explain: --app is about many decisions, and other policies are asked about one (name it"),
    Mistake(
      "explain a.csv --what-if maybe", 64, "Unexpected argument 'maybe'"),
    Mistake(
      "explain a.csv --what-if off --policies lru", 64,
      "explain: --policies asks other policies, and --no-what-if asks none (give one of them)"),
    Mistake(
      "explain a.csv --policies lru+recent=1", 64,
      "--policies: policy 'lru+recent=1' cannot be used: who may go, and how much is needed, is"),
    Mistake(
      "policies lru+svaed", 64, "unknown modifier 'svaed' (did you mean 'saved'?); known: saved"),
    Mistake("explain a.csv --seeds 2", 64, "a.csv: this is a matrix of 2 runs"),
    Mistake(
      "explain a.csv --memory 8GiB", 1,
      "a.csv: memory never got short, so nothing was decided (give the device less --memory)"),
    Mistake("policies lur", 64, "unknown policy 'lur' (did you mean 'lru'?); 'jettison policies'"),
    Mistake("policies saved", 64, "unknown policy 'saved' (did you mean '+saved'?); 'jettison"),
    Mistake("policies +svaed", 64, "unknown modifier 'svaed' (did you mean 'saved'?); known: "),
    Mistake("policies +", 64, "unknown modifier ''; known: saved"),
    Mistake("devices iphone-44", 64, "unknown device 'iphone-44'"),
    Mistake("formats jetison", 64, "unknown format 'jetison' (did you mean 'jettison'?); known:"),
    Mistake("import a.csv --format nope", 64, "unknown format 'nope'; known: jettison"),
    Mistake("import a.csv --rate fast", 64, "--rate: value 'fast' cannot be used: write a rate"),
    Mistake("import a.csv --columns time", 64, "--columns: column 'time' cannot be used"),
    Mistake("import a.csv --columns time=t,foo=f", 64, "--columns: unknown column 'foo'"),
    Mistake("import a.csv --date-order dm", 64, "Please provide one of 'ymd', 'dmy' or 'mdy'."),
    Mistake("import a.csv --year 19", 64, "--year: value '19' cannot be used"),
    Mistake("import a.csv --zone 1h", 64, "--zone: value '1h' cannot be used"),
    Mistake("import a.csv --api-level ten", 64, "--api-level: value 'ten' cannot be used"),
    Mistake("import a.csv b.csv", 64, "import: several captures become several traces (name a"),
    Mistake("generate --users 0 -o out", 64, "--users: value '0' cannot be used"),
    Mistake("generate --users 1000000000 -o out", 64, "--users: value '1000000000' cannot be used"),
    Mistake("generate --days 0 -o out", 64, "--days: value '0' cannot be used"),
    Mistake("generate --days 1000000000 -o out", 64, "--days: value '1000000000' cannot be used"),
    Mistake("generate --days 1e9 -o out", 64, "--days: value '1e9' cannot be used"),
    Mistake("generate --seed -1 -o out", 64, "--seed: value '-1' cannot be used: write a whole"),
    Mistake("generate --users -1 -o out", 64, "--users: value '-1' cannot be used: write 1 to"),
    Mistake("generate --device iphone-99 -o out", 64, "--device: unknown device 'iphone-99'"),
    Mistake(
      "generate --population old -o out", 64, "Please provide one of '2010' and 'today'."),
    Mistake("generate -o -", 64, "--output: place '-' cannot be used: name a directory"),
    Mistake("inspect two", 64, "two: is a directory (name a trace in it)"),
    Mistake("explain two", 64, "two: is a directory (name a trace in it)"),
    Mistake("check two", 64, "two: is a directory (name the traces in it)"),
    Mistake(
      "replay two", 64,
      "two: is a directory (name traces in it, or use 'jettison compare' for all of them)"),
    Mistake(
      "import a.csv --apps x*", 64,
      "a.csv: is a trace already, and --apps is for captures of other formats (leave it out)"),
    Mistake("replay none.csv", 66, "none.csv: cannot be read: No such file or directory (check"),
    Mistake("replay a.csv --catalog none.yaml", 66, "none.yaml: cannot be read: "),
    Mistake("replay a.csv --device none.yaml", 66, "none.yaml: cannot be read: "),
    Mistake("compare none.yaml", 66, "none.yaml: cannot be read: "),
    Mistake("compare empty", 66, "empty: the directory holds no trace (files named *.csv"),
    Mistake("convert two out.csv", 64, "two: is a directory"),
    Mistake("replay a.csv --catalog two", 64, "two: is a directory"),
    Mistake(
      "compare a.csv two/a.csv", 64,
      "two traces are named 'a': a.csv and two/a.csv (rename one: reports know a trace by"),
    Mistake("compare e.yaml a.csv", 64, "e.yaml: an experiment file names its own traces"),
    Mistake("replay e.yaml", 64, "e.yaml: replay takes traces (run an experiment file with"),
    Mistake("replay a.csv --csv a.csv", 73, "a.csv: cannot be made a directory: "),
    Mistake("replay a.csv --csv a.csv/out", 73, "a.csv/out: cannot be made a directory"),
    Mistake("convert a.csv a.csv/out.csv", 73, "(name a place you may write to)"),
    Mistake("convert a.csv two", 64, "two: is a directory"),
    Mistake("generate -o a.csv", 73, "a.csv: cannot be made a directory"),
    Mistake("generate -o a.csv/out", 73, "a.csv/out: cannot be made a directory"),
  ]

  @Test("Misuse of options", arguments: ofOptions)
  func options(_ mistake: Mistake) throws { try check(mistake) }

  @Test("Misuse of commands, missing inputs and bad outputs", arguments: ofCommands)
  func others(_ mistake: Mistake) throws { try check(mistake) }

  private func check(_ mistake: Mistake) throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.write(example, to: "two/a.csv")
    try program.write(example, to: "two/b.csv")
    try program.write("no trace", to: "empty/README.md")
    try program.write("traces: [a.csv]\n", to: "e.yaml")
    let result = try program.run(mistake.line)
    #expect(result.status == mistake.status)
    #expect(result.error.contains(mistake.sentence), "\(result.error)")
    #expect(result.output == "")
    let isOwn = !result.error.hasPrefix("Error: ")
    #expect(!isOwn || result.error.split(separator: "\n").count == 1, "one sentence, no more")
    #expect(!isOwn || result.error.hasPrefix("jettison: "))
  }
}
