/// Who is about to come in.
@usableFromInline
struct Arrival: BitwiseCopyable {
  /// The app that waits for room, where room is made first.
  @usableFromInline var waiting = AppIndex.none
  /// Whether it comes in behind the one in front.
  var isInBackground = false
  /// The app that comes in as it is once the policy has been told.
  var letIn = AppIndex.none
  /// Whether the policy is asked before each launch for a part of the cache over its bound
  /// (``PurgePolicy/boundsParts``).
  var meetsBound = false
}
