internal import JettisonTraces

/// The lives of the processes of a device, by number, process id and name.
///
/// A number stands for one life for good; a process id is that of one life at a time; processes of one
/// name may live side by side.
struct AndroidProcesses {
  /// One life of a process.
  struct Life {
    let process: CaptureProcess
    var name: UInt32
    var pid: Int32
    /// When it began, if its start was seen.
    var startedAt: Int64?
    /// A start for an activity that has not come to the front yet.
    var heldStart: (at: Int64, line: Int)?
    var isNameGuessed = false
    var hasSample = false
    var timesInFront = 0
    var isPinned = false
    var state: AndroidProcessState?
    var crashedAt: Int64?
    var notRespondingAt: Int64?
    var end: End?
  }

  /// How a life ended, from the first line about it and those that followed.
  struct End {
    var at: Int64
    var line: Int
    var exit: AndroidExit
    var band: Int64?
  }

  private var lives = NumberMap<Int, Life>()
  private var lifeCount = 0
  private var byPid = NumberMap<Int32, Int>()
  /// Numbers of a name's lives, newest last; those that are over go once they are come across.
  private var byName: [UInt32: [Int]] = [:]
  /// The same of those that had no process id.
  private var withoutPid: [UInt32: [Int]] = [:]
  /// How many lives a name has.
  private var countOfName: [UInt32: Int] = [:]
  /// The newest end of each process id.
  private var ended = NumberMap<Int32, Int64>()

  /// The life of a number; nil: it is over.
  subscript(number: Int) -> Life? {
    get { lives[number] }
    set { lives[number] = newValue }
  }

  /// The life that has a process id.
  func number(ofPid pid: Int32) -> Int? { byPid[pid] }

  /// The newest life of a name whose end no line has told.
  ///
  /// - Complexity: O(1), shared out among the lives: each is passed over once.
  mutating func newest(named name: UInt32) -> Int? {
    while let number = byName[name]?.last {
      if let life = lives[number], life.name == name, life.end == nil { return number }
      byName[name]?.removeLast()
    }
    return nil
  }

  /// The newest life of a name that usage statistics or the window manager told of, so that its process
  /// id is not known yet.
  ///
  /// - Complexity: O(1), shared out among the lives: each is passed over once.
  mutating func newestWithoutPid(named name: UInt32) -> Int? {
    while let number = withoutPid[name]?.last {
      if let life = lives[number], life.name == name, life.pid == AndroidRecord.noProcess {
        return number
      }
      withoutPid[name]?.removeLast()
    }
    return nil
  }

  /// Whether any life has a name.
  func isAny(named name: UInt32) -> Bool { countOfName[name, default: 0] > 0 }

  /// When the last life that had a process id ended.
  func lastEnd(ofPid pid: Int32) -> Int64? { ended[pid] }

  /// Adds a life and returns its number.
  mutating func add(_ life: Life) -> Int {
    let number = lifeCount
    lifeCount += 1
    lives[number] = life
    if life.pid == AndroidRecord.noProcess {
      withoutPid[life.name, default: []].append(number)
    } else {
      byPid[life.pid] = number
    }
    enter(number, under: life.name)
    return number
  }

  private mutating func enter(_ number: Int, under name: UInt32) {
    byName[name, default: []].append(number)
    countOfName[name, default: 0] += 1
  }

  /// Calls a life by another name.
  mutating func rename(_ number: Int, to name: UInt32) {
    guard let life = lives[number] else { return }
    countOfName[life.name, default: 0] -= 1
    enter(number, under: name)
    if life.pid == AndroidRecord.noProcess { withoutPid[name, default: []].append(number) }
    lives[number]?.name = name
    lives[number]?.isNameGuessed = false
  }

  /// Gives a process id to a life that had none.
  mutating func give(pid: Int32, to number: Int) {
    lives[number]?.pid = pid
    byPid[pid] = number
  }

  /// Removes a life that has ended.
  mutating func remove(_ number: Int) {
    guard let life = lives[number] else { return }
    if life.pid != AndroidRecord.noProcess, byPid[life.pid] == number {
      byPid[life.pid] = nil
      ended[life.pid] = life.end?.at
    }
    countOfName[life.name, default: 0] -= 1
    lives[number] = nil
  }

  /// Removes all, because the device starts anew.
  mutating func removeAll() {
    lives = NumberMap()
    byPid = NumberMap()
    byName.removeAll()
    withoutPid.removeAll()
    countOfName.removeAll()
    ended = NumberMap()
  }
}
