/// `belady`: purges the app that will not be launched for the longest time.
///
/// Score: the number of the app's next launch among all launches of the trace, negated; apps that
/// are never launched again go first, the largest of them at the front. With equal sizes no policy
/// has fewer cold launches on `ideal-cache`; with different sizes it is no bound. State: none, O(1)
/// per score (Belady, "A study of replacement algorithms for a virtual-storage computer", IBM
/// Systems Journal 1966).
struct FarthestLaunch: PurgePolicy {
  static var observesEvents: Bool { false }
  static var search: VictimSearch { .keepingScores }

  /// Beyond every launch of a trace; bytes below it are told apart.
  private static let never = 0x1p51

  let launches: NextLaunches

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    if let next = launches.nextOrdinal(of: app, apps: apps) { return -Double(next) }
    return -Self.never - Double(apps.footprintBytes(app))
  }
}

extension PolicyDescriptor {
  package static let farthestLaunch = PolicyDescriptor(
    name: "belady", family: "oracle",
    summary: "Purges the app that will not be launched for the longest time.",
    details: """
      Score: the position of the app's next launch among all launches still to come in the trace, \
      negated; for an app that is never launched again -2^51 - footprint in bytes, so that of \
      such apps the largest goes first. It knows the future: a yardstick for policies that do \
      not. Best possible for cold launches only where all apps are equally large and the capacity \
      is fixed.
      """,
    source: "Belady, A study of replacement algorithms, IBM Systems Journal 1966",
    complexity: "O(1) per score"
  ) { _, context in FarthestLaunch(launches: NextLaunches(context.index)) }
}
