internal import Synchronization

/// What policies in several runs of one trace work out once for all of them.
///
/// Whatever is purged, the user launches the same apps. What follows from that alone may be shared,
/// as long as every run gets the answers that it would have found by itself; only time is saved.
package final class SharedWork: Sendable {
  private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// Nothing has been worked out yet.
  package init() {}

  /// The one value of a type, made at the first request.
  package func value<Value: Sendable>(_ make: () -> Value) -> Value {
    values.withLock { values in
      if let value = values[ObjectIdentifier(Value.self)] as? Value { return value }
      let value = make()
      values[ObjectIdentifier(Value.self)] = value
      return value
    }
  }
}
