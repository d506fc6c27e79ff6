/// `firefox-tabs`: purges in the order in which Firefox unloads tabs, each tab being an app.
///
/// Tabs with nothing against them come first; of these, all but the most recent go by the sum of
/// three ranks: age, processes of their own, memory. Tabs of one group share a process. State:
/// scratch. O(n log n) per decision of n running apps.
struct FirefoxTabs: RankingPolicy {
  static var hasTerms: Bool { true }
  static var observesEvents: Bool { false }

  let keepCount: Int
  let minimumIdleNanoseconds: Int64
  private let groups: [UInt32]
  private var order = TabOrder()
  private var weights: [Double]
  private var sums: [Double]

  init(_ context: PolicyContext, keepCount: Int, minimumIdleSeconds: Double) {
    self.keepCount = keepCount
    minimumIdleNanoseconds = Int64(min(minimumIdleSeconds, 1e9) * 1e9)
    groups = context.groups
    weights = Array(repeating: 0, count: context.appCount)
    sums = weights
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    order.removeAll()
    for position in 0..<apps.count where apps.state(AppIndex(position)) != .notRunning {
      add(AppIndex(position), at: request.timeNanoseconds, apps: apps)
    }
    order.sort(keeping: keepCount)
    candidates.removeAll(keepingCapacity: true)
    for tab in order.tabs {
      candidates.append(AppIndex(tab.number))
      weights[tab.number] = Double(tab.weight)
      sums[tab.number] = Double(tab.sum)
    }
  }

  func terms(
    of app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) -> [ScoreTerm] {
    [ScoreTerm("weight", weights[app.position]), ScoreTerm("ranks", sums[app.position])]
  }

  /// Firefox leaves out what was used lately; a policy filters nothing, so that such tabs go last.
  private mutating func add(_ app: AppIndex, at time: Int64, apps: borrowing AppTable) {
    let isInFront = apps.state(app) == .active || apps.state(app) == .inactive
    let lastUsed = isInFront ? time : apps.lastUsedNanoseconds(app)
    let isFresh = !isInFront && time - lastUsed < minimumIdleNanoseconds
    order.add(
      number: app.position, weight: Self.weight(of: app, apps: apps), lastUsed: lastUsed,
      isFresh: isFresh)
    let group = groups.isEmpty ? app.position : Int(groups[app.position])
    order.addFrame(process: group, bytes: apps.footprintBytes(app))
  }

  /// What speaks against unloading a tab.
  private static func weight(of app: AppIndex, apps: borrowing AppTable) -> Int {
    let state = apps.state(app)
    let hasOpenModes = apps.hasOpenModes(app)
    var weight = 0
    if state == .active || state == .inactive { weight += TabOrder.never }
    if hasOpenModes { weight += TabOrder.never }
    if state == .background, !hasOpenModes { weight += TabOrder.loading }
    switch apps.killPreference(app) {
    case .omit: weight += TabOrder.never
    case .avoid: weight += TabOrder.pinned
    case .none, .prefer: break
    }
    return weight
  }
}

/// The order in which tabs are unloaded: Firefox's rule by itself, with frames in any processes.
struct TabOrder: Sendable {
  /// Weight of what a user would notice: selected, playing, calling, private.
  static let never = 100_000
  /// Weight of a page that is still being loaded.
  static let loading = 8
  /// Weight of a pinned tab.
  static let pinned = 2

  struct Tab: Sendable {
    /// Whose it is.
    let number: Int
    let weight: Int
    let lastUsed: Int64
    /// Used too lately to be meant.
    let isFresh: Bool
    /// The tab's frames among all.
    var frames: Range<Int>
    /// Processes that no other tab uses.
    var ownProcesses = 0
    var bytes = 0.0
    /// Sum of its ranks.
    var sum = 0
  }

  /// One frame of a tab; the first of a tab is its page.
  private struct Frame: BitwiseCopyable, Sendable {
    let tab: Int
    let process: Int
    let isPage: Bool
  }

  /// What the tabs make of a process.
  private struct Process: BitwiseCopyable, Sendable {
    var bytes: Int64 = 0
    /// Its frames, pages counted twice.
    var shares = 0
    /// The only tab that uses it so far; negative: several do.
    var onlyTab = -2
  }

  private(set) var tabs: [Tab] = []
  private var frames: [Frame] = []
  private var processes: [Process] = []

  mutating func removeAll() {
    tabs.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    processes.removeAll(keepingCapacity: true)
  }

  /// Adds a tab, whose frames follow.
  mutating func add(number: Int, weight: Int, lastUsed: Int64, isFresh: Bool = false) {
    tabs.append(
      Tab(
        number: number, weight: weight, lastUsed: lastUsed, isFresh: isFresh,
        frames: frames.count..<frames.count))
  }

  /// Adds a frame of the newest tab, and to the size of the process that it is in.
  mutating func addFrame(process: Int, bytes: Int64) {
    let tab = tabs.count - 1
    let isPage = tabs[tab].frames.isEmpty
    frames.append(Frame(tab: tab, process: process, isPage: isPage))
    tabs[tab].frames = tabs[tab].frames.lowerBound..<frames.count
    while processes.count <= process { processes.append(Process()) }
    processes[process].bytes += bytes
    processes[process].shares += isPage ? 2 : 1
    let only = processes[process].onlyTab
    processes[process].onlyTab = only == -2 || only == tab ? tab : -1
  }

  // MARK: The order

  /// Sorts the tabs, first to be unloaded first; the last `keepCount` of those with the least
  /// weight stay where age puts them.
  ///
  /// - Complexity: O(n log n).
  mutating func sort(keeping keepCount: Int) {
    measure()
    tabs.sort { a, b in
      if a.isFresh != b.isFresh { return b.isFresh }
      return a.weight != b.weight ? a.weight < b.weight : a.lastUsed < b.lastUsed
    }
    guard let first = tabs.first, !first.isFresh, first.weight < Self.never else { return }
    let meant = tabs.count { !$0.isFresh }
    let heavier = tabs.count { !$0.isFresh && $0.weight != first.weight }
    let ranked = meant - max(heavier, keepCount)
    if ranked > 1 { sortByRanks(ranked) }
  }

  /// Processes of its own and a share of the memory of all that it uses, for every tab.
  private mutating func measure() {
    for position in tabs.indices {
      let own = tabs[position].frames
      for index in own {
        let frame = frames[index]
        let process = processes[frame.process]
        let isFirst = !own.prefix { $0 < index }.contains { frames[$0].process == frame.process }
        if isFirst, process.onlyTab == frame.tab { tabs[position].ownProcesses += 1 }
        tabs[position].bytes +=
          Double(process.bytes) / Double(process.shares) * (frame.isPage ? 2 : 1)
      }
    }
  }

  /// Sorts the first tabs by the sum of their ranks; equal ones keep their order, as in Firefox.
  private mutating func sortByRanks(_ count: Int) {
    for place in 0..<count { tabs[place].sum = place + 1 }
    tabs[..<count].sort { $0.ownProcesses > $1.ownProcesses }
    for place in 0..<count {
      tabs[place].sum += place + 1 - max(0, tabs[place].ownProcesses - 1)
    }
    tabs[..<count].sort { $0.bytes > $1.bytes }
    for place in 0..<count { tabs[place].sum += place + 1 }
    tabs[..<count].sort { ($0.sum, $0.lastUsed) < ($1.sum, $1.lastUsed) }
  }
}

extension PolicyDescriptor {
  package static let firefoxTabs = PolicyDescriptor(
    name: "firefox-tabs", family: "platform",
    summary: "Purges in the order in which Firefox unloads tabs, each tab being an app.",
    details: """
      Weight: 100000 each while in front, with a background mode open (it plays or calls) or for \
      preference omit; 8 while it runs in the background without a mode (it loads); 2 for \
      preference avoid (pinned). Running apps by weight, then by last use. All but the last \
      max(keep, those above the least weight) are ranked three times: in this order, by processes \
      that no other uses (each beyond the first takes one off), by memory, where apps of one group \
      share a process and its memory evenly. The smallest sum goes first, of equal ones the one \
      used longest ago. If no app is below 100000 there are no ranks. What was used within idle \
      goes last: Firefox leaves it alone.
      """,
    source: "mozilla/gecko-dev, browser/modules: TabUnloader and its tests",
    complexity: "O(n log n) per decision of n running apps",
    parameters: [
      PolicyParameter("keep", "How many of the most recent are not ranked.", default: "10"),
      PolicyParameter("idle", "What was used within this time goes last.", default: "10m"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    FirefoxTabs(
      context, keepCount: try arguments.count("keep", default: 10, in: 0...1_000_000),
      minimumIdleSeconds: try arguments.duration("idle", default: 600))
  }
}
