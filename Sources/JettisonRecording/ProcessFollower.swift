internal import JettisonModel

/// Sorts the processes of one moment after another into apps.
///
/// An app begins with a process that is followed for what it is itself. What that process starts
/// belongs to it, unless it is followed for itself under another name: the helpers of a browser are
/// the browser. An app lives as long as any of its processes.
struct ProcessFollower {
  typealias Identity = ProcessStatus.Identity

  /// One life of an app.
  struct App: Sendable {
    /// The name of its first process, followed by `:2` and so on if others of the name live.
    let name: String
    /// What the name begins with.
    let program: String
    /// Its first process.
    let root: Identity
    /// Its processes that live, in order of their starts.
    var members: [ProcessStatus] = []
    /// Whether none of them runs code.
    var isStopped: Bool { members.allSatisfy(\.isStopped) }
  }

  private let selection: ProcessSelection
  /// Our own number, below which the command is.
  private let ourselves: Int32
  /// The command's number, once it has been started.
  var command: Int32?
  /// By number of life.
  private(set) var apps: [Int: App] = [:]
  private var lives = 0
  /// The life that a process belongs to.
  private var memberships: [Identity: Int] = [:]
  private var belowCommand: Set<Identity> = []

  init(_ selection: ProcessSelection, ourselves: Int32) {
    self.selection = selection
    self.ourselves = ourselves
  }

  /// What a moment changed, in the order in which it is told.
  struct Changes {
    /// Lives that are over.
    var ended: [(life: Int, app: App)] = []
    /// Numbers of lives that have begun, in order of their starts.
    var begun: [Int] = []
  }

  /// Takes the processes of one moment.
  ///
  /// Complexity: O(processes × log processes).
  mutating func take(_ snapshot: ProcessSnapshot) -> Changes {
    let living = snapshot.processes.filter { !$0.hasEnded && $0.identity.number != ourselves }
      .sorted { $0.identity < $1.identity }
    findDescendants(living)
    var changes = Changes()
    for life in apps.keys { apps[life]?.members = [] }
    let present = Set(living.map(\.identity))
    memberships = memberships.filter { present.contains($0.key) }
    // Those that stay go first: a name is free again only when no process has it.
    var parents: [Int32: Identity] = [:]
    for process in living { parents[process.identity.number] = process.identity }
    var pending: [ProcessStatus] = []
    for process in living {
      if let life = memberships[process.identity], apps[life]?.root == process.identity {
        apps[life]?.members.append(process)
      } else {
        pending.append(process)
      }
    }
    let before = lives
    endUnless(pending, &changes)
    for process in pending {
      place(process, parent: parents[process.parent], snapshot)
    }
    changes.begun = Array(before..<lives)
    return changes
  }

  /// Ends the apps of which no process is left.
  private mutating func endUnless(_ pending: [ProcessStatus], _ changes: inout Changes) {
    var living = Set(pending.compactMap { memberships[$0.identity] })
    for (life, app) in apps where !app.members.isEmpty { living.insert(life) }
    for life in apps.keys.sorted() where !living.contains(life) {
      if let app = apps.removeValue(forKey: life) { changes.ended.append((life, app)) }
    }
  }

  private mutating func findDescendants(_ living: [ProcessStatus]) {
    guard selection.followsCommand else { return }
    var numbers: Set<Int32> = [ourselves]
    var below: Set<Identity> = []
    // A process starts after its parent, unless its parent ended and we have taken it in.
    for process in living
    where numbers.contains(process.parent) || belowCommand.contains(process.identity) {
      numbers.insert(process.identity.number)
      below.insert(process.identity)
    }
    belowCommand = below
  }

  private mutating func place(
    _ process: ProcessStatus, parent: Identity?, _ snapshot: ProcessSnapshot
  ) {
    let identity = process.identity
    // Whose parent is gone stays where it was.
    let above =
      selection.isEachAnApp
      ? nil : parent.flatMap { memberships[$0] } ?? memberships[identity]
    let isFollowed = selection.matches(
      process, isInGroup: snapshot.group.contains(identity.number),
      isCommand: identity.number == command, isBelowCommand: belowCommand.contains(identity))
    let life: Int
    if isFollowed, above.flatMap({ apps[$0]?.program }) != process.name {
      life = begin(process)
    } else if let above, apps[above] != nil {
      life = above
    } else {
      return
    }
    memberships[identity] = life
    apps[life]?.members.append(process)
  }

  private mutating func begin(_ process: ProcessStatus) -> Int {
    let taken = Set(apps.values.map(\.name))
    var name = process.name
    var number = 2
    while taken.contains(name) {
      name = "\(process.name):\(number)"
      number += 1
    }
    apps[lives] = App(name: name, program: process.name, root: process.identity)
    lives += 1
    return lives - 1
  }
}
