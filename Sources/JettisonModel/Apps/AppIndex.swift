/// A dense number for an app of one trace.
///
/// Apps are numbered in ascending byte order of their names, so comparing two indices compares
/// the names: the last tie-break of every purge decision.
public struct AppIndex: RawRepresentable, Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Position in ``Trace/apps``.
  public let rawValue: UInt32

  /// Wraps a position in ``Trace/apps``.
  @inlinable public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Wraps a position in ``Trace/apps``.
  ///
  /// - Precondition: `position` fits 32 bits.
  @inlinable public init(_ position: Int) {
    self.rawValue = UInt32(position)
  }

  /// "No app": events that concern the device, and an empty front.
  @inlinable public static var none: AppIndex { AppIndex(rawValue: .max) }

  /// The position as an `Int`, to index arrays.
  @inlinable public var position: Int { Int(rawValue) }

  /// Whether one app comes before another by the bytes of their names.
  @inlinable public static func < (lhs: AppIndex, rhs: AppIndex) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}
