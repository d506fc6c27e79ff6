internal import CSupport
internal import Dispatch
internal import Foundation

/// The threads that run the tasks of a command: the calling one, and more while there is work for
/// them and the system grants them.
///
/// The runtime's own pool waits for ever, without a word, for a thread that it is not given; this
/// one does with those that it has. Tasks that a task starts in groups run here, too.
package final class WorkPool: TaskExecutor {
  private struct State {
    /// Work to do, in the order in which it came; the first ``taken`` are done.
    var jobs: [UnownedJob] = []
    var taken = 0
    /// Threads that wait for work.
    var idle = 0
    /// Threads that there are.
    var started = 1
    /// Threads that there may be.
    var limit: Int
    var isDone = false

    var waiting: Int { jobs.count - taken }

    mutating func next() -> UnownedJob? {
      guard taken < jobs.count else { return nil }
      let job = jobs[taken]
      taken += 1
      if taken == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        taken = 0
      }
      return job
    }
  }

  /// A lock of the system's, which the thread sanitizer sees: it takes `Mutex` for none.
  private let lock = NSLock()
  private nonisolated(unsafe) var state: State
  /// One for each piece of work that came.
  private let tickets = DispatchSemaphore(value: 0)

  /// Starts no thread yet.
  ///
  /// - Parameter limit: Threads that there may be, the calling one included.
  package init(atMost limit: Int) {
    unsafe state = State(limit: limit)
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return unsafe body(&state)
  }

  /// Runs a task and those that it starts, and comes back when it is done.
  package func run(_ body: sending @escaping () async -> Void) {
    Task(executorPreference: self) { [self] in
      await body()
      withState { $0.isDone = true }
      tickets.signal()
    }
    work()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = withState { state in
      state.jobs.append(job)
      guard state.waiting > state.idle, state.started < state.limit else { return false }
      state.started += 1
      return true
    }
    tickets.signal()
    if needsThread { addThread() }
  }

  /// Starts a thread; what it would have done is left to the others if there can be none.
  private func addThread() {
    let this = unsafe Unmanaged.passRetained(self)
    let code = unsafe thread_start(
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<WorkPool>.fromOpaque(context).takeRetainedValue().work()
      }, this.toOpaque())
    guard code != 0 else { return }
    unsafe this.release()
    withState { state in
      state.started -= 1
      state.limit = state.started
    }
  }

  /// Does what there is to do until all is done.
  private func work() {
    while true {
      withState { $0.idle += 1 }
      tickets.wait()
      let (job, isDone) = withState { state in
        state.idle -= 1
        return (state.next(), state.isDone)
      }
      if let job {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isDone {
        // The others wait, too.
        tickets.signal()
        return
      }
    }
  }
}
