internal import Synchronization

/// Launch chains that the runs of one trace share.
///
/// Whatever is purged, the user launches the same apps, so the run that gets to a launch first works
/// out what the chain answers from there, and all others read it. Where an app is ended in the user's
/// hand the launches of runs part, and with them the courses. The answers are the same as from a
/// chain of one's own, in any order of runs; only time is saved.
final class SharedChains: Sendable {
  private let courses = Mutex<[ChainCourse]>([])
  private let room: Room

  /// Makes chains that have seen no launch, and room for so many answers: 32 MiB of them.
  ///
  /// - Parameter distance: Launches from one chain that is kept to the next.
  init(room: Int = 1 << 22, keepingEvery distance: Int = 512) {
    self.room = Room(room, keepingEvery: distance)
  }

  /// How much may still be kept, in all courses together.
  fileprivate final class Room: Sendable {
    /// Launches from one chain that is kept to the next.
    let distance: Int
    /// How many answers there is room for.
    private let left: Atomic<Int>

    init(_ count: Int, keepingEvery distance: Int) {
      left = Atomic(count)
      self.distance = distance
    }

    var isLeft: Bool { left.load(ordering: .relaxed) > 0 }

    func take(_ count: Int) { left.subtract(count, ordering: .relaxed) }
  }

  /// The course of a chain, from its beginning on.
  func course(appCount: Int, question: LaunchChain.Question, prior: Double) -> ChainCourse {
    courses.withLock { courses in
      let start = LaunchChain(appCount: appCount, question: question, prior: prior)
      if let course = courses.first(where: { $0.begins(as: start) }) { return course }
      let course = ChainCourse(from: start, in: room)
      courses.append(course)
      return course
    }
  }
}

extension PolicyContext {
  /// Chains that this run shares with others of the trace; nil: none.
  var chains: SharedChains? { work?.value { SharedChains() } }
}

/// What a chain answers after each launch of one course of launches.
final class ChainCourse: Sendable {
  /// What comes of a launch.
  enum Step {
    /// It is the next of this course.
    case followed
    /// It is the next of another course that was the same so far.
    case parted(ChainCourse)
    /// There is no room to keep more.
    case ended
  }

  private struct State {
    var launches: [AppIndex]
    /// The chain after them; nil as long as those of another course are enough.
    var chain: LaunchChain?
    /// Answers after one launch behind those after the one before, and where each of them end.
    var answers: [Double] = []
    var ends: [Int] = []
    /// Where other courses part from this one, and by which launch.
    var partings: [Parting] = []
    /// The chain after some launches and more, from which those of other courses are worked out.
    var kept: [Kept]
  }

  private struct Kept {
    let count: Int
    let chain: LaunchChain
  }

  private struct Parting {
    let count: Int
    let app: AppIndex
    let course: ChainCourse
  }

  /// The chain before any launch.
  private let start: LaunchChain
  /// How many launches come before those whose answers are kept here.
  private let first: Int
  private let state: Mutex<State>
  private let room: SharedChains.Room

  fileprivate init(from start: LaunchChain, in room: SharedChains.Room) {
    self.start = start
    self.room = room
    first = 0
    state = Mutex(State(launches: [], chain: start, kept: [Kept(count: 0, chain: start)]))
  }

  /// One that parts from another after some launches.
  private init(partingFrom other: ChainCourse, after count: Int, _ state: State) {
    start = other.start
    room = other.room
    first = count
    self.state = Mutex(
      State(
        launches: Array(state.launches.prefix(count)),
        kept: [Self.newest(before: count, state)]))
  }

  fileprivate func begins(as other: LaunchChain) -> Bool {
    start.appCount == other.appCount && start.question == other.question
      && start.prior == other.prior
  }

  /// Replaces `answers` by those after the launch of an app that comes after `count` others of this
  /// course, by ``LaunchStates``, if it goes on like that.
  ///
  /// - Complexity: O(n) for n apps with a state; O(n²) for the first run, and as much for some
  ///   launches before where courses part.
  func follow(_ app: AppIndex, after count: Int, _ answers: inout [Double]) -> Step {
    state.withLock { state in
      if count == state.launches.count {
        guard goOn(with: app, &state) else { return .ended }
      } else if state.launches[count] != app {
        return part(with: app, after: count, &state)
      }
      let begin = count > first ? state.ends[count - first - 1] : 0
      answers.removeAll(keepingCapacity: true)
      answers.append(contentsOf: state.answers[begin..<state.ends[count - first]])
      return .followed
    }
  }

  /// The chain after the first launches of this course.
  ///
  /// - Complexity: O(n²) for each launch since a chain that is kept.
  func chain(after count: Int) -> LaunchChain {
    state.withLock { chain(after: count, $0) }
  }

  private func chain(after count: Int, _ state: State) -> LaunchChain {
    if count == state.launches.count, let newest = state.chain { return newest }
    let kept = Self.newest(before: count, state)
    return kept.chain.after(state.launches[kept.count..<count])
  }

  private static func newest(before count: Int, _ state: State) -> Kept {
    guard let kept = state.kept.last(where: { $0.count <= count }) else {
      preconditionFailure("a course keeps a chain from before it parted")
    }
    return kept
  }

  private func goOn(with app: AppIndex, _ state: inout State) -> Bool {
    guard room.isLeft else { return false }
    if state.chain == nil { state.chain = chain(after: state.launches.count, state) }
    let before = state.answers.count
    state.chain?.launched(app)
    state.chain?.appendAnswers(to: &state.answers)
    room.take(state.answers.count - before)
    state.launches.append(app)
    state.ends.append(state.answers.count)
    // Most courses part from the first one.
    if first == 0, state.launches.count % room.distance == 0, let chain = state.chain {
      state.kept.append(Kept(count: state.launches.count, chain: chain))
    }
    return true
  }

  private func part(with app: AppIndex, after count: Int, _ state: inout State) -> Step {
    if let parting = state.partings.first(where: { $0.count == count && $0.app == app }) {
      return .parted(parting.course)
    }
    guard room.isLeft else { return .ended }
    let course = ChainCourse(partingFrom: self, after: count, state)
    state.partings.append(Parting(count: count, app: app, course: course))
    return .parted(course)
  }
}

extension LaunchChain {
  /// The chain after some more launches.
  fileprivate func after(_ launches: ArraySlice<AppIndex>) -> LaunchChain {
    var chain = self
    for app in launches { chain.launched(app) }
    return chain
  }
}
