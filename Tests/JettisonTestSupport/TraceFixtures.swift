/// Traces that several tests use.
package enum TraceFixtures {
  /// The example of the trace format's documentation: a draft is lost at a purge at 20 s and missed
  /// at 60 s.
  package static let workedExample = """
    # jettison-trace: 1
    # device: iphone-4
    # user: example
    # start: "2011-04-18T11:00:00+02:00"
    # source: hand-written; a draft is lost at a purge and missed afterwards
    # apps:
    #   com.example.notes: {category: notes, footprint: {launch: 60MB}, save: {when: [terminate]}}
    #   com.example.game: {category: large-game, footprint: {launch: 180MB}, edits: none}
    time_ns,app,event,value,id,detail
    0,com.example.notes,launch,,,
    4000000000,com.example.notes,edit,2048,,work_ms=4000
    9000000000,com.example.game,launch,,,
    20000000000,com.example.game,footprint,300000000,,
    60000000000,com.example.notes,launch,,,
    70000000000,,end,,,reason=complete

    """

  /// Every event of format 1, and every detail key, at least once.
  package static let everyEvent = TraceText()
    .header("device: iphone-4")
    .header("user: \"x: y\"")
    .header("start: \"2011-04-18T11:00:00+02:00\"")
    .header("source: by hand, for tests")
    .header("privacy: none")
    .header("apps:")
    .header("  a: {category: notes, save: {when: [background, \"timer 30s\"]}}")
    .header("  \"c, d\": {limit: {soft: 50MB}}")
    .row(0, "p", "present", value: 50_000_000, detail: "state=background;since_ns=5")
    .row(
      0, "q", "present",
      detail: "state=suspended;unsaved_bytes=10;unsaved_work_ms=2.5"
    )
    .row(0, "f", "present", value: 1, detail: "state=front")
    .row(1, "a", "launch")
    .row(1, "a", "footprint", value: 60_000_000)
    .row(1.5, "a", "footprint", value: 61_000_000, detail: "derived=1")
    .row(2, "a", "alloc", value: 4096, id: 1001, detail: "purgeable=1;align=64")
    .row(2, "a", "alloc", value: 0, id: -7)
    .row(2.5, "a", "realloc", value: 8192, id: 1001)
    .row(3, "a", "free", id: -7)
    .row(3, "a", "edit", value: 200, detail: "work_ms=1000;scene=one;kind=data;synced=1")
    .row(3, "a", "edit", value: 0, detail: "kind=position")
    .row(4, "", "interrupt", detail: "by=call")
    .row(5, "", "interrupt-end", detail: "outcome=dismissed")
    .row(6, "", "screen", value: 0)
    .row(7, "", "screen", value: 1)
    .row(7, "a", "task-begin", id: 3)
    .row(8, "a", "background-mode", value: 1, detail: "mode=audio")
    .row(9, "", "home")
    .row(
      9.2, "a", "save", value: 200,
      detail: "duration_ms=50;trigger=background;complete=1;atomic=0"
    )
    .row(9.5, "a", "task-end", id: 3)
    .row(10, "a", "pin", value: 1, detail: "reason=navigation")
    .row(10, "a", "gpu-work")
    .row(10, "a", "shared-resource", value: 1, detail: "resource=contacts")
    .row(10, "a", "adj", value: -800, detail: "state=pers")
    .row(11, "b", "background-launch", detail: "reason=push")
    .row(12, "", "device-change", detail: "kind=orientation;to=portrait")
    .row(13, "", "clock", value: -3600)
    .row(14, "", "system-memory", value: 100_000_000)
    .row(15, "", "observed-available", value: 5_000_000)
    .row(15, "", "observed-warning", value: 1)
    .row(15, "a", "observed-warning", value: 2)
    .row(16, "a", "observed-exit", detail: "cause=low-memory;band=10")
    .row(17, "a", "launch")
    .row(17, "a", "observed-launch", value: 900_000_000, detail: "kind=cold")
    .row(17, "a", "alloc", value: 100, id: 1001)
    .row(18, "a", "restore-failed")
    .row(19, "b", "quit")
    .row(20, "c%2C d", "update")
    .row(21, "a", "crash")
    .row(22, "b", "launch")
    .row(23, "b", "exit")
    .row(24, "b", "launch")
    .row(25, "", "boot")
    .row(26, "b", "launch")
    .end(30)
}
