/// A daemon of Linux that polls, and ends processes or control groups: see <doc:LinuxModels>.
///
/// One type serves one model. It is a namespace, not a value: what a daemon remembers during a run is
/// in ``LinuxState``, and its rules are in `Killers/Linux`.
protocol LinuxDaemon {
  /// The next poll that may decide something, in nanoseconds; `.max`: none.
  ///
  /// - Parameter isDue: Whether anything has happened since the newest poll.
  static func nextPoll(isDue: Bool, _ world: inout Simulation) -> Int64

  /// Polls, and notes in ``LinuxState/polls`` at what.
  static func poll(_ world: inout Simulation)

  /// The next victim of this poll; nil: no other app goes.
  static func open(_ world: inout Simulation) -> OpenDecision?
}

extension PressureModelKind {
  /// The daemon that serves the model beside the kernel; nil: the kernel kills alone, or another
  /// platform's killer does.
  ///
  /// A new daemon is a line here.
  var daemon: (any LinuxDaemon.Type)? {
    switch self {
    case .oomd: OomdDaemon.self
    case .systemdOOMD: SystemdOomdDaemon.self
    case .earlyoom: EarlyoomDaemon.self
    default: nil
    }
  }
}
