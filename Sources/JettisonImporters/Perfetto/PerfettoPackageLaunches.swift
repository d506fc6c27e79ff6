/// Launches as systems before Android 13 record them, by the package instead of a number.
///
/// `launching: PACKAGE` lasts while a package is launched. From Android 10 on the system also says
/// when it took the intent, which is when the launch began, and that it finished; one of which it
/// does not say so before the next intent failed.
struct PerfettoPackageLaunches {
  /// One launch that was completed.
  struct Launch {
    /// Number of the package's name.
    let package: Int64
    let began: Int64
    let ended: Int64
  }

  private var intent: Int64?
  private var hasIntents = false
  private var open: [Int64: Int64] = [:]
  private var waiting: Launch?
  private var confirmed: [Launch] = []
  private var all: [Launch] = []

  /// The launches that were completed, in the order of their ends.
  var completed: [Launch] { hasIntents ? confirmed : all }

  /// Takes the next record in order of time.
  mutating func take(_ record: PerfettoRecord) {
    switch record.kind {
    case .intentStarted:
      hasIntents = true
      intent = record.nanoseconds
      waiting = nil
    case .packageLaunchBegan: open[record.value] = record.nanoseconds
    case .packageLaunchEnded:
      guard let began = open.removeValue(forKey: record.value) else { return }
      let launch = Launch(
        package: record.value, began: intent ?? began, ended: record.nanoseconds)
      all.append(launch)
      waiting = launch
    case .launchFinished:
      if let waiting { confirmed.append(waiting) }
      waiting = nil
      intent = nil
    default: break
    }
  }
}
