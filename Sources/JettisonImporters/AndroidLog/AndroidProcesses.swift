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
  /// Numbers of a name's lives, oldest first.
  private var byName: [UInt32: [Int]] = [:]
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
  func newest(named name: UInt32) -> Int? {
    byName[name]?.last { lives[$0]?.end == nil }
  }

  /// The newest life of a name that usage statistics or the window manager told of, so that its process
  /// id is not known yet.
  func newestWithoutPid(named name: UInt32) -> Int? {
    byName[name]?.last { lives[$0]?.pid == AndroidRecord.noProcess }
  }

  /// Whether any life has a name.
  func isAny(named name: UInt32) -> Bool { byName[name]?.isEmpty == false }

  /// When the last life that had a process id ended.
  func lastEnd(ofPid pid: Int32) -> Int64? { ended[pid] }

  /// Adds a life and returns its number.
  mutating func add(_ life: Life) -> Int {
    let number = lifeCount
    lifeCount += 1
    lives[number] = life
    if life.pid != AndroidRecord.noProcess { byPid[life.pid] = number }
    byName[life.name, default: []].append(number)
    return number
  }

  /// Calls a life by another name.
  mutating func rename(_ number: Int, to name: UInt32) {
    guard let old = lives[number]?.name else { return }
    byName[old]?.removeAll { $0 == number }
    byName[name, default: []].append(number)
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
    byName[life.name]?.removeAll { $0 == number }
    lives[number] = nil
  }

  /// Removes all, because the device starts anew.
  mutating func removeAll() {
    lives = NumberMap()
    byPid = NumberMap()
    byName.removeAll()
    ended = NumberMap()
  }
}
