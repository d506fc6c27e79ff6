internal import Synchronization

/// One program of one run: started at the first line, ended when the last user lets go of it.
final class ProgramConnection: Sendable {
  private struct State {
    var process: ChildProcess?
    /// What went wrong while the program was told of events; the next question reports it.
    var fault: ProgramFault?
    /// Lines of events that were not sent yet.
    var untold: [UInt8] = []
  }

  /// Bytes of events that are sent without waiting for the next question.
  private static let untoldLimit = 1 << 16

  private let command: ProgramCommand
  private let limit: Duration
  private let state = Mutex(State())

  init(_ command: ProgramCommand, limit: Duration) {
    self.command = command
    self.limit = limit
  }

  deinit {
    state.withLock { state in
      // What is still to be told is told, so that a program sees its whole run.
      if state.fault == nil, !state.untold.isEmpty, state.process != nil {
        try? state.process?.send(state.untold, within: limit, decision: nil)
      }
      _ = state.process?.finish(within: limit)
    }
  }

  /// Tells the program of an event; nothing is expected in return.
  func tell(_ line: [UInt8]) {
    state.withLock { state in
      guard state.fault == nil else { return }
      state.untold += line
      guard state.untold.count >= Self.untoldLimit else { return }
      do throws(ProgramFault) {
        try start(&state)
        try state.process?.send(state.untold, within: limit, decision: nil)
        state.untold.removeAll(keepingCapacity: true)
      } catch {
        state.fault = error
      }
    }
  }

  /// Asks the program a question and waits for its line.
  func ask(_ question: [UInt8], decision: Int) throws(ProgramFault) -> [UInt8] {
    let result = state.withLock { state -> Result<[UInt8], ProgramFault> in
      Result { () throws(ProgramFault) in
        if let fault = state.fault { throw fault }
        try start(&state)
        let lines = state.untold + question
        state.untold.removeAll(keepingCapacity: true)
        return try state.process?.ask(lines, within: limit, decision: decision) ?? []
      }
    }
    return try result.get()
  }

  /// Ends the program because of a fault; returns the fault with what the program said last.
  func end(with fault: ProgramFault) -> String {
    state.withLock { state in
      state.fault = fault
      let said = state.process?.endNow() ?? ""
      state.process = nil
      return said.isEmpty ? fault.description : "\(fault.description); it said: \(said)"
    }
  }

  private func start(_ state: inout State) throws(ProgramFault) {
    if state.process == nil { state.process = try ChildProcess(command) }
  }
}
