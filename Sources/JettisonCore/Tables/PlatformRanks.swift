/// How the platform ranks the apps of a run, by ``AppIndex``: bands, values of `oom_score_adj`, and the
/// order of its own killer.
struct PlatformRanks: ~Copyable {
  /// `oom_score_adj` by app: as the trace tells it of the process that runs, else as the catalog
  /// gives it; `.min`: neither.
  var writtenAdjs: Column<Int16>
  /// Standings by app, where the pressure model keeps them.
  var standings: Column<Standing>
  /// Whose model keeps them: bands of iOS and values of Android do not compare.
  var standingFamily = PressureModelKind.Family.thresholds
  /// Places by app in the order that the platform itself takes, 0 first; negative: none.
  var places: Column<Int32>
  /// The decision that those places are for.
  var rankedDecision = 0

  init(_ profiles: [AppProfile]) {
    var adjs = Column<Int16>(capacity: profiles.count)
    for profile in profiles { adjs.append(profile.oomScoreAdj) }
    writtenAdjs = adjs
    standings = Column(repeating: Standing(), count: profiles.count)
    places = Column(repeating: -1, count: profiles.count)
  }

  init(copying other: borrowing PlatformRanks) {
    writtenAdjs = Column(copying: other.writtenAdjs)
    standings = Column(copying: other.standings)
    standingFamily = other.standingFamily
    places = Column(copying: other.places)
    rankedDecision = other.rankedDecision
  }
}
