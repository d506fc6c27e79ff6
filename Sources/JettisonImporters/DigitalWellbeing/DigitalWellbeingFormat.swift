internal import JettisonModel
public import JettisonTraces

extension TraceFormat {
  /// The database of Android's Digital Wellbeing: what was on the screen, to the millisecond.
  public static let digitalWellbeing = TraceFormat(
    name: "digital-wellbeing",
    summary: "Android's Digital Wellbeing database (app_usage, SQLite; tables events, packages).",
    provides: [.launches, .backgroundLaunches, .screen],
    fileExtensions: ["db", "sqlite"],
    recognises: { $0.isSuperset(of: ["events", "packages"]) },
    read: { (input, options) throws(TraceError) in
      try DigitalWellbeingReader.read(input, options)
    })
}
