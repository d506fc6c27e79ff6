/// Which processes end together.
package enum KillUnits {
  /// The app that a process belongs to: what stands before a colon in its name.
  package static func app(ofProcess name: String) -> Substring { name.prefix { $0 != ":" } }

  /// A number per key, from 0 in order of appearance; equal keys share one.
  package static func numbers<Key: Hashable>(of keys: [Key]) -> [UInt32] {
    var numbers: [Key: UInt32] = [:]
    return keys.map { key in
      if let number = numbers[key] { return number }
      let number = UInt32(numbers.count)
      numbers[key] = number
      return number
    }
  }
}
