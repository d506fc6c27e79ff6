/// One field of many rows: a dense, growing array of plain values that nothing else refers to.
///
/// The engine keeps its tables as structs of columns. A column is never copied, never counted and
/// never checked for exclusive access, which makes the replay loop several times faster than
/// arrays inside a class. Indices are checked by `assert`: they come from a decoder that checked
/// them, and debug builds and tests check them again here.
@safe
@usableFromInline
struct Column<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  private var capacity: Int

  /// The number of elements.
  @usableFromInline var count: Int

  /// Makes a column of `count` equal elements.
  init(repeating element: Element, count: Int) {
    precondition(count >= 0, "a column has at least no elements")
    unsafe base = .allocate(capacity: max(1, count))
    unsafe base.initialize(repeating: element, count: count)
    self.capacity = max(1, count)
    self.count = count
  }

  /// Makes an empty column with room for `capacity` elements.
  init(capacity: Int = 8) {
    precondition(capacity >= 0, "a column has room for at least no elements")
    unsafe base = .allocate(capacity: max(1, capacity))
    self.capacity = max(1, capacity)
    self.count = 0
  }

  /// Makes a column of the same elements.
  init(copying other: borrowing Column) {
    self.init(capacity: other.capacity)
    unsafe base.initialize(from: other.base, count: other.count)
    count = other.count
  }

  @inlinable
  deinit {
    unsafe base.deallocate()
  }

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable var indices: Range<Int> { 0..<count }

  /// The last element; nil if there is none.
  var last: Element? { count == 0 ? nil : self[count - 1] }

  /// The element at an index, which must be one of ``indices``.
  @usableFromInline
  subscript(index: Int) -> Element {
    @inlinable @inline(__always) unsafeAddress {
      assert(index >= 0, "an index into a column is not negative")
      assert(index < count, "an index into a column lies below its count")
      return unsafe UnsafePointer(base + index)
    }
    @inlinable @inline(__always) unsafeMutableAddress {
      assert(index >= 0, "an index into a column is not negative")
      assert(index < count, "an index into a column lies below its count")
      return unsafe base + index
    }
  }

  /// Elements from an index on, as many as a vector has; all of them must exist.
  @inline(__always)
  func vector<Vector: SIMD>(at index: Int, as type: Vector.Type) -> Vector
  where Vector.Scalar == Element {
    assert(index >= 0 && index + Vector.scalarCount <= count, "a vector lies within its column")
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: type)
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1) amortised; the room doubles when it is used up.
  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: capacity * 2) }
    unsafe (base + count).initialize(to: element)
    count += 1
  }

  /// Takes off the last element, which must exist.
  mutating func removeLast() -> Element {
    assert(count > 0, "only a column with elements has a last one")
    count -= 1
    return unsafe base[count]
  }

  /// Takes off all elements and keeps the room.
  @inlinable
  mutating func removeAll() {
    count = 0
  }

  /// Takes elements off the end, so that `count` are left.
  @inline(__always)
  mutating func truncate(to count: Int) {
    assert(count >= 0 && count <= self.count, "a column has what is left of it")
    self.count = count
  }

  /// Makes the column `count` elements long: takes elements off its end, or adds copies of one.
  mutating func resize(to count: Int, repeating element: Element) {
    precondition(count >= 0, "a column has at least no elements")
    if count > capacity { grow(to: max(count, capacity * 2)) }
    if count > self.count {
      unsafe (base + self.count).initialize(repeating: element, count: count - self.count)
    }
    self.count = count
  }

  @inline(never)
  private mutating func grow(to capacity: Int) {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    unsafe larger.initialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    self.capacity = capacity
  }
}
