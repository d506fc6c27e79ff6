import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

/// Each case is what stands after the header row, and the sentence that must come out.
@Suite("Errors of text traces")
struct TraceErrorTests {
  static func message(_ text: String) -> String? {
    do throws(TraceError) {
      _ = try TraceText.read(Array(text.utf8))
      return nil
    } catch {
      return error.exitStatus == 65 ? error.description : "exit \(error.exitStatus)"
    }
  }

  static let header = "# jettison-trace: 1\ntime_ns,app,event,value,id,detail\n"

  @Test("A wrong row is named with line, column and remedy", arguments: rows)
  func rowErrors(rows: String, expected: String) {
    #expect(Self.message(Self.header + rows) == "test.csv:" + expected)
  }

  static let rows: [(String, String)] = [
    (
      "5,a,launch,,,\n4,a,launch,,,",
      "4: column 'time_ns': 4 is earlier than 5 of the row before it (sort the rows by time; rows of one time keep their order)"
    ),
    (
      "-1,a,launch,,,",
      "3: column 'time_ns': -1 is before the start of the trace (write nanoseconds since the start, from 0)"
    ),
    (
      "9223372036854775807,a,launch,,,",
      "3: column 'time_ns': 9223372036854775807 is more than 100 years (write nanoseconds since the start, from 0)"
    ),
    (
      "9223372036854775808,a,launch,,,",
      "3: column 'time_ns': '9223372036854775808' is not a 64-bit integer (write whole nanoseconds since the start)"
    ),
    (
      "1.5,a,launch,,,",
      "3: column 'time_ns': '1.5' is not a 64-bit integer (write whole nanoseconds since the start)"
    ),
    (
      "+1,a,launch,,,",
      "3: column 'time_ns': '+1' is not a 64-bit integer (write whole nanoseconds since the start)"
    ),
    (
      "-,a,launch,,,",
      "3: column 'time_ns': '-' is not a 64-bit integer (write whole nanoseconds since the start)"
    ),
    (",a,launch,,,", "3: column 'time_ns': is empty (write nanoseconds since the start)"),
    ("0,a,,,,", "3: column 'event': is empty (name what happened, such as 'launch')"),
    ("0,,launch,,,", "3: column 'app': 'launch' needs an app (fill the column 'app')"),
    ("0,a,home,,,", "3: column 'app': 'home' has no app (leave it empty)"),
    ("0,a,launch,5,,", "3: column 'value': 'launch' has no value (leave it empty)"),
    ("0,a,launch,,5,", "3: column 'id': 'launch' has no id (leave it empty)"),
    ("0,a,footprint,,,", "3: column 'value': 'footprint' needs a value (fill the column 'value')"),
    (
      "0,a,footprint,12.5MB,,",
      "3: column 'value': '12.5MB' is not a 64-bit integer (write a whole number without a unit, or nothing)"
    ),
    ("0,a,footprint,-1,,", "3: column 'value': -1 is negative (write 0 to 1099511627776)"),
    (
      "0,a,footprint,1099511627777,,",
      "3: column 'value': 1099511627777 bytes is more than 1 TiB (write 0 to 1099511627776)"
    ),
    ("0,,screen,2,,", "3: column 'value': 'screen' is 0 or 1, not 2 (write 1 for on, 0 for off)"),
    (
      "0,,observed-warning,3,,",
      "3: column 'value': a warning level is 0, 1 or 2, not 3 (write 0 to 2)"
    ),
    (
      "0,,clock,3153600001,,",
      "3: column 'value': 3153600001 seconds is more than 100 years (write -3153600000 to 3153600000)"
    ),
    (
      "0,a,observed-launch,-5,,",
      "3: column 'value': -5 ns is not a launch latency (write 0 to 86400000000000)"
    ),
    ("0,a,launch,,,\n0,a,alloc,5,,", "4: column 'id': 'alloc' needs an id (fill the column 'id')"),
    (
      "0,a,launch,,,\n0,a,alloc,5,1,\n0,a,alloc,5,1,",
      "5: column 'id': block 1 is live already (ids are unique per app until 'free')"
    ),
    (
      "0,a,launch,,,\n0,a,free,,1,",
      "4: column 'id': block 1 is not live (an 'alloc' of this app must come first, in this life of it)"
    ),
    (
      "0,a,launch,,,\n0,b,launch,,,\n0,a,alloc,1,1,\n0,b,realloc,1,1,",
      "6: column 'id': block 1 is not live (an 'alloc' of this app must come first, in this life of it)"
    ),
    (
      "0,a,launch,,,\n0,a,task-begin,,1,\n0,a,task-begin,,1,",
      "5: column 'id': task 1 is open already (ids are unique per app until 'task-end')"
    ),
    (
      "0,a,launch,,,\n0,a,task-end,,1,",
      "4: column 'id': task 1 is not open (a 'task-begin' of this app must come first)"
    ),
    (
      "0,a,alloc,5,1,",
      "3: column 'event': 'alloc' of an app that does not run at this time (begin its life with 'launch', 'background-launch' or 'present')"
    ),
    (
      "0,a,launch,,,\n1,a,quit,,,\n2,a,edit,5,,",
      "5: column 'event': 'edit' of an app that does not run at this time (begin its life with 'launch', 'background-launch' or 'present')"
    ),
    (
      "0,a,launch,,,\n1,,boot,,,\n2,a,crash,,,",
      "5: column 'event': 'crash' of an app that does not run at this time (begin its life with 'launch', 'background-launch' or 'present')"
    ),
    (
      "0,,end,,,\n0,a,launch,,,",
      "4: column 'event': a row after 'end' ('end' must be the last row)"
    ),
    (
      "1s,a,x-y,,,",
      "3: column 'time_ns': '1s' is not a 64-bit integer (write whole nanoseconds since the start)"
    ),
    (
      "0,a,x-y,much,,",
      "3: column 'value': 'much' is not a 64-bit integer (write a whole number without a unit, or nothing)"
    ),
    ("0,a,x-y,,one,", "3: column 'id': 'one' is not a 64-bit integer (write a whole number)"),
    (
      "5,a,launch,,,\n4,a,x-y,,,",
      "4: column 'time_ns': 4 is earlier than 5 of the row before it (sort the rows by time; rows of one time keep their order)"
    ),
    (
      "5,a,x-y,,,\n,,x-y,,,\n4,a,launch,,,",
      "5: column 'time_ns': 4 is earlier than 5 of the row before it (sort the rows by time; rows of one time keep their order)"
    ),
    (
      "-1,a,x-y,,,",
      "3: column 'time_ns': -1 is before the start of the trace (write nanoseconds since the start, from 0)"
    ),
    ("0,,end,,,\n0,a,x-y,,,", "4: column 'event': a row after 'end' ('end' must be the last row)"),
    (
      "1,a,present,,,",
      "3: column 'time_ns': 'present' after the start of the trace ('present' rows have time 0; an app that starts later has 'launch')"
    ),
    (
      "0,a,launch,,,\n0,a,present,,,",
      "4: column 'event': 'present' of an app that was there already (one 'present' row per app, before its other rows)"
    ),
    (
      "0,a,present,,,state=front\n0,b,present,,,state=front",
      "4: column 'detail': a second app in front (one app at most has state=front)"
    ),
    (
      "0,%,launch,,,",
      "3: column 'app': '%' without two hexadecimal digits after it (write a percent sign as %25)"
    ),
    ("0,a#b,launch,,,", "3: column 'app': the character '#' is not encoded (write it as %23)"),
    (
      "0,a\tb,launch,,,", "3: column 'app': the character number 9 is not encoded (write it as %09)"
    ),
    ("0,a\"b,launch,,,", "3: column 'app': the character '\"' is not encoded (write it as %22)"),
    ("0,a\",launch,,,", "3: column 'app': the character '\"' is not encoded (write it as %22)"),
    (
      "0,a,edit,5,,scene=1\"",
      "3: column 'detail': the character '\"' is not encoded (write it as %22)"
    ),
    (
      "0,a,edit,5,,x-\"a\"=1",
      "3: column 'detail': the character '\"' is not encoded (write it as %22)"
    ),
    (
      "0,a\"b,launch,,,\"\"",
      "3: column 'app': the character '\"' is not encoded (write it as %22)"
    ),
    (
      "0,a,x-\"y\",,,", "3: column 'event': the character '\"' is not encoded (write it as %22)"
    ),
    (
      "0,a\"b,x-y,,,", "3: column 'app': the character '\"' is not encoded (write it as %22)"
    ),
    (
      "0,a,x-y,,,5\" screen",
      "3: column 'detail': the character '\"' is not encoded (write it as %22)"
    ),
    ("0,a%FF,launch,,,", "3: column 'app': text that is not UTF-8 (save the file as UTF-8)"),
    (
      "0,a,edit,5,,work",
      "3: column 'detail': 'work' is not a list of key=value pairs (write key=value, pairs joined by ';')"
    ),
    (
      "0,a,launch,,,why=1",
      "3: column 'detail': 'launch' has no detail 'why' (leave the column empty)"
    ),
    ("0,a,pin,1,,why=1", "3: column 'detail': 'pin' has no detail 'why' (known: reason)"),
    (
      "0,a,pin,1,,reason=call;reason=call",
      "3: column 'detail': the key 'reason' is there twice (keep one of them)"
    ),
    (
      "0,a,pin,1,,reason=joy",
      "3: column 'detail': 'joy' does not fit 'reason' (write one of: call, navigation, user)"
    ),
    (
      "0,a,edit,1,,work_ms=1s",
      "3: column 'detail': '1s' does not fit 'work_ms' (write milliseconds, at most 366 days, such as 4000 or 0.5)"
    ),
    (
      "0,a,alloc,1,1,align=3", "3: column 'detail': '3' does not fit 'align' (write a power of two)"
    ),
    ("0,a,edit,1,,synced=yes", "3: column 'detail': 'yes' does not fit 'synced' (write 0 or 1)"),
    (
      "0,a,observed-exit,,,band=x",
      "3: column 'detail': 'x' does not fit 'band' (write a whole number from -100000 to 100000)"
    ),
    ("0,a,launch,,", "3: a row of 5 fields under 6 columns (an empty field needs its comma)"),
    ("0,a,b,launch,,,", "3: a row of 7 fields under 6 columns (write commas in names as %2C)"),
    ("# note", "3: a comment after the header row (comments belong into the header)"),
    ("0,\"a,launch,,,", "3: a quoted field does not end on its line (write line breaks as %0A)"),
    (
      "0,\"a\"b,launch,,,",
      "3: text after a closing quote (double the quotes inside a quoted field)"
    ),
    (
      "", ": a trace without events (write at least one row, such as '0,com.example.app,launch,,,')"
    ),
  ].map { ($0.0, $0.1.hasPrefix(":") ? String($0.1.dropFirst()) : $0.1) }

  @Test("A wrong row of the life cycle is named with line, column and remedy", arguments: lifeRows)
  func wrongLifeCycleRow(rows: String, expected: String) {
    #expect(Self.message(Self.header + rows) == "test.csv:" + expected)
  }

  static let lifeRows: [(String, String)] = [
    (
      "0,a,adj,1001,,",
      "3: column 'value': an oom_score_adj is -1000 to 1000, not 1001 (write -1000 to 1000)"
    ),
    (
      "0,a,shared-resource,2,,resource=contacts",
      "3: column 'value': 'shared-resource' is 0 or 1, not 2 (write 1 where it is taken, 0 where it is given back)"
    ),
    (
      "0,a,shared-resource,-1,,resource=contacts",
      "3: column 'value': 'shared-resource' is 0 or 1, not -1 (write 1 where it is taken, 0 where it is given back)"
    ),
    (
      "0,a,shared-resource,,,resource=contacts",
      "3: column 'value': 'shared-resource' needs a value (fill the column 'value')"
    ),
    (
      "0,,shared-resource,1,,resource=contacts",
      "3: column 'app': 'shared-resource' needs an app (fill the column 'app')"
    ),
    (
      "0,a,shared-resource,1,,resource=",
      "3: column 'detail': '' does not fit 'resource' (write a name, or leave the key out)"
    ),
    (
      "0,a,shared-resource,1,,resouce=contacts",
      "3: column 'detail': 'shared-resource' has no detail 'resouce' (known: resource)"
    ),
    (
      "0,a,background-mode,1,,mode=",
      "3: column 'detail': '' does not fit 'mode' (write a name, or leave the key out)"
    ),
    (
      "0,,device-change,,,kind=;to=portrait",
      "3: column 'detail': '' does not fit 'kind' (write a name, or leave the key out)"
    ),
    (
      "0,,device-change,,,to=portrait",
      "3: column 'detail': 'device-change' needs the detail 'kind' (write kind=…)"
    ),
    (
      "0,,device-change,,,",
      "3: column 'detail': 'device-change' needs the detail 'kind' (write kind=…)"
    ),
    (
      (0..<54).map { "0,,device-change,,,kind=k\($0)\n" }.joined(),
      "56: column 'detail': more than 63 kinds of device changes (split the trace)"
    ),
    (
      "0,a,present,,,state=front;shown=0",
      "3: column 'detail': '0' does not fit 'shown' (write 1, or leave the key out: an app in front is shown)"
    ),
    (
      "0,a,present,,,shown=no",
      "3: column 'detail': 'no' does not fit 'shown' (write 0 or 1)"
    ),
    (
      "0,,device-change,,,kind=orientation;from=portrait",
      "3: column 'detail': 'device-change' has no detail 'from' (known: kind, to)"
    ),
    (
      "0,a,gpu-work,,,",
      "3: column 'event': 'gpu-work' of an app that does not run at this time (begin its life with 'launch', 'background-launch' or 'present')"
    ),
    (
      "0,a,launch,,,\n0,a,gpu-work,1,,",
      "4: column 'value': 'gpu-work' has no value (leave it empty)"
    ),
    ("0,,gpu-work,,,", "3: column 'app': 'gpu-work' needs an app (fill the column 'app')"),
    (
      "0,,interrupt,,,by=xyz",
      "3: column 'detail': 'xyz' does not fit 'by' (write one of: call, sms, alert, lock)"
    ),
    (
      "0,,interrupt-end,,,by=",
      "3: column 'detail': '' does not fit 'by' (write one of: call, sms, alert, lock)"
    ),
    (
      "0,,interrupt-end,,,outcome=maybe",
      "3: column 'detail': 'maybe' does not fit 'outcome' (write one of: dismissed, accepted)"
    ),
    (
      "0,a,launch,,,\n0,a,save,,,trigger=resigned",
      "4: column 'detail': 'resigned' does not fit 'trigger' (write one of: background, timer, warning, user, resign, expiration)"
    ),
    (
      "0,a,restore-failed,,,class=half",
      "3: column 'detail': 'restore-failed' has no detail 'class' (leave the column empty)"
    ),
  ]

  @Test("An unknown event lists the known ones and suggests the nearest")
  func unknownEvent() throws {
    let message = try #require(Self.message(Self.header + "0,a,lunch,,,"))
    #expect(
      message.hasPrefix(
        "test.csv:3: column 'event': unknown event 'lunch' (did you mean 'launch'?); known: present, "
      ))
  }

  @Test("A sum of sizes that no device has is refused")
  func absurdSum() throws {
    var builder = try TraceBuilder()
    let app = try builder.app(named: "a")
    let detail = try builder.detail("unsaved_bytes=\(1 << 40)", for: .present)
    try builder.append(.present, time: 0, app: app, value: 1 << 40, detail: detail)
    // 2^61 bytes are 2^21 rows of 2^40; the first two came with the row above.
    for _ in 2..<1 << 21 { try builder.append(.edit, time: 0, app: app, value: 1 << 40) }
    do throws(TraceFault) {
      try builder.append(.edit, time: 0, app: app, value: 1)
      Issue.record("the sum was accepted")
    } catch {
      #expect(
        "\(error)"
          == "the bytes of all rows add up to more than 2 EiB (check the unit of the values)")
    }
  }

  @Test("A wrong header is named", arguments: headers)
  func headerErrors(text: String, expected: String) {
    #expect(Self.message(text) == "test.csv:" + expected)
  }

  static let headers: [(String, String)] = [
    ("", " is empty (a trace begins with '# jettison-trace: 1')"),
    ("time_ns,app\n", "1: is not a trace (the first line is exactly '# jettison-trace: 1')"),
    (
      "# jettison-trace: 2\n",
      "1: format version '2' is not known (the first line is exactly '# jettison-trace: 1')"
    ),
    (
      "# jettison-trace: 1 \n",
      "1: format version '1 ' is not known (the first line is exactly '# jettison-trace: 1')"
    ),
    ("\u{FEFF}# jettison-trace: 1\n", "1: a byte-order mark (save the file without one)"),
    (
      "# jettison-trace: 1\n# user: a\n",
      "2: the file ends before the header row (write 'time_ns,app,event,value,id,detail')"
    ),
    (
      "# jettison-trace: 1\ntime_ns,app,event,value,id\n",
      "2: the column 'detail' is missing (the header row is 'time_ns,app,event,value,id,detail')"
    ),
    (
      "# jettison-trace: 1\ntime_ns,app,event,value,id,detail,pid\n",
      "2: unknown column 'pid' (the header row names the columns time_ns,app,event,value,id,detail; others begin with x-)"
    ),
    (
      "# jettison-trace: 1\ntime_ns,app,app,value,id,detail\n",
      "2: the column 'app' is there twice (keep one of them)"
    ),
    (
      "# jettison-trace: 1\ntime_ns,app,event,value,id,detail,x-a\"b\n",
      "2: the character '\"' is not encoded (write it as %22)"
    ),
    (
      "# jettison-trace: 1\n# devcie: a\ntime_ns\n",
      "2:3: unknown header key 'devcie' (known: device, user, start, source, privacy, apps, catalog)"
    ),
    (
      "# jettison-trace: 1\n# user: a\n# user: b\ntime_ns\n",
      "2:3: the key 'user' is there twice (keep one of them)"
    ),
    (
      "# jettison-trace: 1\n# - a\ntime_ns\n",
      "2:3: the header is not a mapping (write 'key: value' lines)"
    ),
    (
      "# jettison-trace: 1\n# user: [a]\ntime_ns\n",
      "2:9: 'user' is not a text (write 'user: text')"
    ),
    (
      "# jettison-trace: 1\n# start: 2011-04-18\ntime_ns\n",
      "2:10: '2011-04-18' is not a date and time with an offset (write it like \"2011-04-18T11:00:00+02:00\")"
    ),
    (
      "# jettison-trace: 1\n# catalog: /etc/apps.yaml\ntime_ns\n",
      "2:12: the side file '/etc/apps.yaml' is not relative (name it from the trace's folder)"
    ),
    (
      "# jettison-trace: 1\n# user: &a b\ntime_ns\n",
      "2:9: an anchor or an alias (write the value out; a text that begins with & or * needs quotes)"
    ),
    (
      "# jettison-trace: 1\n# user: !t b\ntime_ns\n",
      "2:9: a tag (take it off; a text that begins with '!' needs quotes)"
    ),
    (
      "# jettison-trace: 1\n# user: a\n# apps:\n#   n: {category: note}\ntime_ns\n",
      "4:19: unknown category 'note' (did you mean 'notes'?); known: messaging, social, short-video, browser, maps, photo, notes, shopping, casual-game, large-game, music, utility"
    ),
    (
      "# jettison-trace: 1\n# apps:\n#   n: {sav: {}}\ntime_ns\n",
      "3:9: unknown key 'sav' in the entry of 'n' (known: category, footprint, launch, save, "
        + "edits, warning, limit, band, compressed, adj, kind, relaunch, preference, group, "
        + "cgroup, task, multitasking, uid)"
    ),
  ]

  @Test("A quotation mark inside a column that is ignored is named, too")
  func quoteInIgnoredColumn() {
    let text = "# jettison-trace: 1\nx-inches,time_ns,app,event,value,id,detail\n"
    let expected = "3: column 'x-inches': the character '\"' is not encoded (write it as %22)"
    #expect(Self.message(text + "4\",0,a,launch,,,") == "test.csv:" + expected)
    #expect(Self.message(text + "4\",0,\"a\",launch,,,") == "test.csv:" + expected)
    #expect(Self.message(text + "\"4\"\"\",0,\"a\",launch,,,") == nil)
  }

  @Test("What begins with x- is ignored and counted")
  func ignoresExtensions() throws {
    let trace = try TraceText.read(
      Array(
        """
        # jettison-trace: 1
        # x-note: {deep: [1, 2]}
        x-pid,time_ns,app,event,value,id,detail
        7,0,a,launch,,,x-a=1
        ,1,,x-thing,,,anything
        8,2,a,edit,1,,x-a=1;work_ms=5;x-b=2
        ,3,,end,,,
        """.utf8))
    #expect(trace.rowCount == 3)
    #expect(trace.detailTexts == ["", "work_ms=5"])
    #expect(
      trace.issues.all.map { "\($0.text) \($0.count) \($0.lines)" } == [
        "header key 'x-note' ignored 1 [2]", "column 'x-pid' ignored 1 [3]",
        "detail key that begins with x- ignored 3 [4, 6, 6]", "event 'x-thing' ignored 1 [5]",
      ])
  }

  @Test("Columns in any order, quotes, carriage returns and a missing last line break are read")
  func readsVariants() throws {
    let trace = try TraceText.read(
      Array(
        ("# jettison-trace: 1\r\n#user: u\r\nevent,app,time_ns,detail,id,value\r\n"
          + "launch,\"a, \"\"b\"\"\",0,,,\r\nedit,a%2C %22b%22,1,\"work_ms=1\",,\"5\"").utf8))
    #expect(trace.apps == ["a, \"b\""])
    #expect(trace.header.user == "u")
    #expect(trace.rowCount == 2)
  }
}

extension Trace {
  var rowCount: Int { events.count }
}
