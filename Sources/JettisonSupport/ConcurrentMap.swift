extension Range<Int> {
  /// What a function yields at every place, in the order of the places.
  ///
  /// - Parameters:
  ///   - jobs: At how many places at a time; less than 1 is 1.
  ///   - transform: Called once for each place, in any order, on any thread.
  package func concurrentMap<Value: Sendable>(
    jobs: Int, _ transform: @escaping @Sendable (Int) -> Value
  ) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
      var values = [Value?](repeating: nil, count: count)
      for (started, place) in enumerated() {
        if started >= Swift.max(1, jobs), let (done, value) = await group.next() {
          values[done - lowerBound] = value
        }
        group.addTask { (place, transform(place)) }
      }
      for await (done, value) in group { values[done - lowerBound] = value }
      return values.map { value in
        guard let value else { preconditionFailure("every place has a value") }
        return value
      }
    }
  }
}
