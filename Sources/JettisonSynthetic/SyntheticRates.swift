/// How often things happen in a synthetic life, and who says so.
///
/// The one table: the generator reads it, and the article on synthetic users shows it.
package enum SyntheticRates {
  /// What has a rate, in the order of ``SyntheticRates/all``.
  package enum Name: Int, CaseIterable, Sendable {
    case apps, fewestApps, mostApps, daemons
    case sessions, fewestSessions, mostSessions, popularity
    case calls, answeredCalls, texts, alerts, acceptedAlerts, alarms
    case pushes, fetches, locations, voip, daemonWakes
    case listeners, listening, drives, driving
    case landscape, chargesByDay
    case tasks, taskSeconds, positions, drafts, syncedDrafts
    case gpuWork, sharedResources, leftResources
    case crashes, relaunchesAfterCrash, exits, quits, updates, boots, lostSnapshots
    case withoutMultitasking
    case savesAll, savesOften, savesPart, savesNever, savesAtEnd
    case savesOnQueue, savesAsTask, overwrites, ignoresExpiration, leaks
  }

  /// One rate.
  package struct Entry: Sendable {
    package let name: Name
    /// What it is the rate of.
    package let what: String
    /// What it is counted in.
    package let unit: String
    /// Its value for people of 2010.
    package let in2010: Double
    /// Its value for people of today.
    package let today: Double
    /// Where it comes from; begins with "assumed" where nothing was found.
    package let source: String

    init(
      _ name: Name, _ what: String, _ unit: String, _ in2010: Double, _ today: Double,
      _ source: String
    ) {
      self.name = name
      self.what = what
      self.unit = unit
      self.in2010 = in2010
      self.today = today
      self.source = source
    }
  }

  /// Every rate, by the raw value of its name.
  package static let all: [Entry] =
    useEntries + interruptionEntries + backgroundEntries + leavingEntries + endEntries
    + catalogEntries

  private static let useEntries = [
    Entry(
      .apps, "apps in use, median", "apps", 20, 40,
      "between 10 and 90 used, differing by user: Falaki et al., MobiSys 2010; medians assumed"),
    Entry(.fewestApps, "apps in use, at least", "apps", 13, 30, "assumed"),
    Entry(.mostApps, "apps in use, at most", "apps", 32, 56, "assumed"),
    Entry(.daemons, "daemons", "processes", 0, 13, "assumed; in 2010 part of the reserve"),
    Entry(
      .sessions, "sessions, median", "per day", 16, 24,
      "10 to 200 a day, differing by user: Falaki et al.; medians by launches a day: Credibility"),
    Entry(.fewestSessions, "sessions, at least", "per day", 11, 16, "assumed"),
    Entry(.mostSessions, "sessions, at most", "per day", 26, 38, "assumed"),
    Entry(
      .popularity, "exponent of popularity by rank, mean", "", 1.8, 1.88,
      "calibrated on Lee and Kyung, Electronics 15(11), 2026"),
  ]

  private static let interruptionEntries = [
    Entry(
      .calls, "incoming calls", "per day", 2.5, 2,
      "five made and received by American adults: Pew Research Center 2010; today assumed"),
    Entry(.answeredCalls, "of them answered", "share", 0.7, 0.5, "assumed"),
    Entry(
      .texts, "text messages that interrupt", "per day", 5, 0,
      "ten sent and received, median: Pew Research Center 2010; a banner today"),
    Entry(
      .alerts, "other alerts that interrupt", "per day", 8, 10,
      "assumed: pushes before iOS 5; today system alerts, Control Centre, notifications"),
    Entry(.acceptedAlerts, "of texts and alerts accepted", "share", 0.3, 0.1, "assumed"),
    Entry(.alarms, "alarms and reminders", "per day", 1.2, 1.5, "assumed"),
  ]

  private static let backgroundEntries = [
    Entry(
      .pushes, "pushes that wake an app", "per day", 0, 16,
      "63.5 notifications: Pielot et al., MobileHCI 2014; a quarter of them, assumed"),
    Entry(.fetches, "background fetches", "per day", 0, 10, "assumed; since iOS 7"),
    Entry(.locations, "wakes by place", "per day", 1.5, 3, "assumed"),
    Entry(.voip, "wakes by a VoIP service", "per day", 2, 1, "assumed"),
    Entry(.daemonWakes, "wakes of each daemon", "per day", 0, 1, "assumed"),
    Entry(
      .listeners, "people who listen to music on the phone", "share", 0.68, 0.68,
      "Parks Associates 2016, smartphone owners"),
    Entry(
      .listening, "music of those who listen", "minutes per day", 45, 45,
      "Parks Associates 2016, smartphone owners"),
    Entry(
      .drives, "drives with navigation", "per week", 0.6, 1.4,
      "55 % of smartphone owners: Pew Research Center 2011; 77 % regularly: The Manifest 2018; "
        + "rates assumed"),
    Entry(.driving, "length of a drive, median", "minutes", 24, 24, "assumed"),
    Entry(
      .landscape, "app episodes held in landscape", "share", 0.03, 0.03,
      "iPhones are held upright 97 % of the time: ScientiaMobile MOVR 2017 Q3"),
    Entry(.chargesByDay, "charges by day, beside the night's", "per day", 0.5, 0.5, "assumed"),
  ]

  private static let leavingEntries = [
    Entry(
      .tasks, "leaves of messaging, social, photo and shopping apps with a background task",
      "share", 0.08, 0.12, "assumed"),
    Entry(.taskSeconds, "length of a background task, median", "seconds", 25, 8, "assumed"),
    Entry(
      .positions, "episodes of reading or watching with a new position", "share", 0.6, 0.6,
      "assumed"),
    Entry(
      .drafts, "episodes of reading or watching in which something is written", "share", 0.08,
      0.08, "as the category social: assumed"),
    Entry(.syncedDrafts, "of them sent at once", "share", 0.4, 0.6, "assumed"),
    Entry(.gpuWork, "leaves of games that go on drawing", "share", 0.01, 0.004, "assumed"),
    Entry(
      .sharedResources, "leaves of messaging, photo and note apps that held a shared resource",
      "share", 0.02, 0.03, "assumed"),
    Entry(.leftResources, "of them still held at suspension", "share", 0.15, 0.1, "assumed"),
  ]

  private static let endEntries = [
    Entry(
      .crashes, "crashes", "per 1000 launches", 11.6, 0.5,
      "1.16 % of app loads, iOS 6: Crittercism, InfoWorld 2014; today 99.95 % crash-free "
        + "sessions, median: Instabug 2024"),
    Entry(
      .relaunchesAfterCrash, "crashed apps started again at once", "share", 0.7, 0.7,
      "assumed"),
    Entry(.exits, "leaves of small tools that end by themselves", "share", 0.02, 0, "assumed"),
    Entry(.quits, "apps quit by the user", "per day", 0.5, 2, "assumed"),
    Entry(
      .updates, "apps updated", "per week", 3, 10,
      "14 % of 10,713 popular apps every two weeks or oftener: McIlroy et al., EMSE 21, 2016; "
        + "rates assumed"),
    Entry(.boots, "restarts", "per week", 0.5, 0.25, "assumed"),
    Entry(
      .lostSnapshots, "relaunches after a crash or restart that read no snapshot", "share",
      0.1, 0.1, "assumed"),
  ]

  private static let catalogEntries = [
    Entry(
      .withoutMultitasking, "apps from before iOS 4", "share", 0.1, 0,
      "assumed: iOS 4 was three months old; none since iOS 13"),
    Entry(
      .savesAll, "apps that save everything when left", "share", 0.3, 0.3,
      "31.7 % of apps override the callback: RuntimeDroid, MobiSys 2018"),
    Entry(.savesOften, "apps that save every 15 to 60 s too", "share", 0.25, 0.25, "assumed"),
    Entry(.savesPart, "apps that save part of it, Beta(4, 2)", "share", 0.29, 0.29, "assumed"),
    Entry(.savesNever, "apps that save nothing", "share", 0.08, 0.08, "assumed"),
    Entry(
      .savesAtEnd, "apps that save only when told to terminate", "share", 0.08, 0.08,
      "assumed"),
    Entry(
      .savesOnQueue, "apps that save off the main thread without asking for time", "share",
      0.18, 0.18, "assumed"),
    Entry(.savesAsTask, "apps that ask for time first", "share", 0.12, 0.2, "assumed"),
    Entry(.overwrites, "apps that overwrite their file in place", "share", 0.3, 0.25, "assumed"),
    Entry(
      .ignoresExpiration, "apps that go on when their time is over", "share", 0.3, 0.2,
      "assumed; a missing end is the commonest cause of a kill by the watchdog"),
    Entry(
      .leaks, "apps of rich media that grow without end while in front", "share", 0.05, 0.15,
      "assumed"),
  ]
}
