internal import JettisonModel

/// Which processes a recording follows, beside those of a control group.
public struct ProcessSelection: Sendable {
  /// Names of programs, in which `*` stands for any characters and `?` for one; empty: no choice by
  /// name.
  ///
  /// Programs of a name need not run yet. With a command, only what it starts is followed by name.
  public var names: [String] = [] {
    didSet { globs = names.map(NameGlob.init) }
  }
  /// Process IDs.
  public var numbers: Set<Int32> = []
  /// Whether every process is an app of its own; else what a followed process starts belongs to it.
  public var isEachAnApp = false

  private var globs: [NameGlob] = []
  /// Whether processes of a control group are followed: the sampler tells which those are.
  var followsGroup = false
  /// Whether a command is followed: itself, or what its children are called if there are names.
  var followsCommand = false

  /// Selects nothing.
  public init() {}

  /// Whether a process is followed for what it is itself.
  ///
  /// - Parameters:
  ///   - isInGroup: Whether it is in the control group.
  ///   - isCommand: Whether it is the command.
  ///   - isBelowCommand: Whether the command has started it, or what that has started.
  func matches(
    _ process: ProcessStatus, isInGroup: Bool, isCommand: Bool, isBelowCommand: Bool
  ) -> Bool {
    if numbers.contains(process.identity.number) || followsGroup && isInGroup { return true }
    if followsCommand, !isBelowCommand { return false }
    if globs.isEmpty { return isCommand || isEachAnApp && isBelowCommand }
    return globs.contains { $0.matches(process.name) }
  }
}
