internal import JettisonCore

extension TraceFormat {
  /// The database of iOS's power log.
  package static let powerLog = TraceFormat(
    name: "powerlog",
    summary: "iOS power log (CurrentPowerlog.PLSQL, SQLite): app states and memory.",
    provides: [.launches, .backgroundLaunches, .footprints, .systemMemory, .exits, .warnings, .screen],
    recognises: { tables in false },
    read: { (input, options) throws(TraceError) in
      throw TraceError(file: "", what: "")
    })
}
