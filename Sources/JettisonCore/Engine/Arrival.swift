/// Who is about to come in.
@usableFromInline
struct Arrival: BitwiseCopyable {
  /// The app that waits for room, where room is made first.
  @usableFromInline var waiting = AppIndex.none
  /// Whether it comes in behind the one in front.
  var isInBackground = false
}
