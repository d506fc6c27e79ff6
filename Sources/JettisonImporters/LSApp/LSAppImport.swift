internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Makes a trace for every user of an LSApp table.
///
/// The rows of a user that follow each other in order of time stream through, one user at a time.
/// If they do not, a file is read again and its rows are sorted in memory, 32 bytes a row.
struct LSAppImport: ~Copyable {
  /// What came of a row.
  enum Outcome {
    case taken
    /// It is earlier than the one before it, or its user came before another: nothing was taken.
    case earlier
  }

  private let input: TraceInput
  private let options: ImportOptions
  private let isOfOne: Bool
  private let filter: AppFilter
  private var reader = LSAppReader()
  /// The user whose rows come now.
  private var user: LSAppUser?
  /// The user before, whose trace waits for what may still be said about the table.
  private var finished: LSAppUser?
  private var traces: [Trace] = []
  /// Whether each user had rows.
  private var hasCome: [Bool] = []
  /// The name of each app that is kept.
  private var names: [String?] = []
  /// What was met between the rows of two users.
  private var issues = ImportIssues()

  /// Begins a table.
  ///
  /// - Parameter isOfOne: Whether a second user is refused, unless `options` name one.
  init(_ input: TraceInput, _ options: ImportOptions, isOfOne: Bool) {
    self.input = input
    self.options = options
    self.isOfOne = isOfOne
    filter = AppFilter(options.apps)
  }

  /// Reads a line and takes its row.
  mutating func take(_ text: Span<UInt8>, number: Int) throws(TraceError) -> Outcome {
    guard
      let row = try reader.read(
        text, number: number, file: input.displayName, issues: &issues)
    else { return .taken }
    return try take(row, line: number)
  }

  /// Reads all lines and takes their rows in order of users and times.
  mutating func takeSorted(firstUnsorted: Int) throws(TraceError) {
    var rows: [(row: LSAppReader.Row, line: Int)] = []
    try input.forEachLine { (line, number) throws(TraceError) in
      if let row = try reader.read(
        line, number: number, file: input.displayName, issues: &issues)
      {
        rows.append((row, number))
      }
    }
    rows.sort { ($0.row.user, $0.row.seconds, $0.line) < ($1.row.user, $1.row.seconds, $1.line) }
    issues.add(
      .info, "the rows were not in order of users and times: sorted in memory",
      line: firstUnsorted)
    for (row, line) in rows { _ = try take(row, line: line) }
  }

  private mutating func take(
    _ row: LSAppReader.Row, line: Int
  ) throws(TraceError) -> Outcome {
    if user?.number != row.user {
      guard try isWanted(row, line) else { return .taken }
      while hasCome.count <= Int(row.user) { hasCome.append(false) }
      if hasCome[Int(row.user)] { return .earlier }
      hasCome[Int(row.user)] = true
      try endUser()
      user = try LSAppUser(row, input: input)
    }
    if let last = user?.lastSeconds, row.seconds < last { return .earlier }
    while names.count <= Int(row.app) {
      let name = reader.app(UInt32(names.count))
      names.append(filter.keeps(name) ? name : nil)
    }
    try user?.take(row, named: names[Int(row.app)], line: line)
    return .taken
  }

  private mutating func isWanted(
    _ row: LSAppReader.Row, _ line: Int
  ) throws(TraceError) -> Bool {
    if let wanted = options.user {
      if reader.user(row.user) == wanted { return true }
      issues.add(.info, "a row of another user is ignored", line: line)
      return false
    }
    guard isOfOne, user != nil else { return true }
    throw TraceError(
      file: input.displayName, line: line, column: "user_id", what: "a second user begins here",
      remedy: "`TraceLoader.loadAll` reads all of them, and `ImportOptions.user` chooses one")
  }

  private mutating func endUser() throws(TraceError) {
    guard let ended = user.take() else { return }
    guard ended.hasLaunch else {
      issues.add(.info, "a user who opened no app makes no trace")
      return
    }
    try finishUser()
    finished = consume ended
  }

  private mutating func finishUser() throws(TraceError) {
    guard var done = finished.take() else { return }
    for issue in issues.all {
      done.issues.add(issue.severity, issue.text, count: issue.count, lines: issue.lines)
    }
    issues = ImportIssues()
    let user = reader.user(done.number)
    let name =
      isOfOne || options.user != nil
      ? input.traceName : "\(input.traceName)-\(Self.fileName(of: user))"
    traces.append(
      try done.finish(
        name: name, user: user, device: options.device, zone: options.zoneOffsetSeconds))
  }

  /// The traces, in the order in which their users came.
  consuming func finish() throws(TraceError) -> [Trace] {
    try endUser()
    try finishUser()
    return traces
  }

  /// A user's name as part of the name of a file: what is not a letter, a digit, `.`, `_` or `-` of
  /// ASCII is percent-encoded.
  static func fileName(of user: String) -> String {
    var bytes: [UInt8] = []
    for byte in user.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        bytes.append(byte)
      default: bytes += PercentEncoding.escape(byte).utf8
      }
    }
    // Names of files end at 255 bytes.
    return String(decoding: bytes.prefix(200), as: UTF8.self)
  }
}
