/// What a run could not be carried out for.
public enum RunError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A value that no run can have, or a list of another length than the trace has apps: the error
  /// names it and says what to use instead.
  case configuration(ConfigurationError)
  /// The allocator cannot serve as a ledger; the text says why and what to do.
  case allocator(String)
  /// A policy could not put the candidates in order; the reason is a sentence.
  case policyFailed(policy: String, reason: String)
  /// A policy gave a score that is not a number.
  case scoreIsNotANumber(policy: String, app: String)
  /// A policy named a victim that does not run, is pinned, or is no app of the trace.
  case victimIsNoCandidate(policy: String, app: String)
  /// An app cannot fit the textbook cache.
  case appLargerThanMemory(app: String, bytes: Int64, memoryBytes: Int64)
  /// An app needs more simulated address space than its arena has.
  case addressSpaceExhausted(app: String)

  /// The sentence, with what to do about it where something helps.
  public var description: String {
    switch self {
    case .configuration(let error): error.description
    case .allocator(let text): text
    case .policyFailed(let policy, let reason): "policy '\(policy)': \(reason)"
    case .scoreIsNotANumber(let policy, let app):
      "policy '\(policy)' gave app '\(app)' a score that is not a number (return a finite one, or infinity)"
    case .victimIsNoCandidate(let policy, let app):
      "policy '\(policy)' named app '\(app)', which cannot go (name one that 'update' called a "
        + "candidate)"
    case .appLargerThanMemory(let app, let bytes, let memoryBytes):
      "app '\(app)' needs \(bytes) bytes but the cache holds \(memoryBytes) (give it more memory)"
    case .addressSpaceExhausted(let app):
      "app '\(app)' outgrew its simulated address space (use declared footprints)"
    }
  }
}
