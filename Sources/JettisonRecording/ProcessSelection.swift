package import JettisonModel

/// Which processes a recording follows.
package struct ProcessSelection: Sendable {
  /// Names of programs; empty: no choice by name.
  package var names: [NameGlob] = []
  /// Numbers of processes.
  package var numbers: Set<Int32> = []
  /// Whether processes of a control group are followed: the sampler tells which those are.
  package var followsGroup = false
  /// Whether a command is followed: itself, or what its children are called if there are names.
  package var followsCommand = false
  /// Whether every process is an app of its own; else what a followed process starts belongs to it.
  package var isEachAnApp = false

  /// Follows nothing.
  package init() {}

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
    if names.isEmpty { return isCommand || isEachAnApp && isBelowCommand }
    return names.contains { $0.matches(process.name) }
  }
}
