/// A value in memory of its own, to which nothing else refers.
///
/// For large parts of a struct that is never copied. The compiler (6.3) follows every field of such a
/// struct, and every field of its parts, through each function that has it in hand; what lies in a box
/// is one field.
///
/// - Complexity: O(1) to reach the value: one load.
@safe
@usableFromInline
struct Box<Value: ~Copyable>: ~Copyable {
  /// Where the value is: as long as the box is.
  @usableFromInline let address: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: value)
  }

  @inlinable
  deinit {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }

  var value: Value {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(address) }
    @inline(__always) unsafeMutableAddress { unsafe address }
  }
}
