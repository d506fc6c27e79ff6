internal import JettisonCore
internal import JettisonSupport

/// Sizes of RAM as `--memory` takes them: one, or several from one to another at even distances.
///
/// `512MiB..4GiB/9` is nine sizes, 448 MiB apart. Distances are even, as those of a ruler, because a
/// reader asks what the next so many MiB buy; sizes that do not come out whole are rounded to a MiB,
/// or to a MB where the ends are written in those.
struct MemorySweep {
  /// In ascending order.
  let bytes: [Int64]

  private static let mostSizes = 1000

  /// Reads a size or a sweep.
  init(parsing text: String) throws(ConfigurationError) {
    guard let dots = text.firstRange(of: "..") else {
      guard let size = Self.size(text) else { throw Self.error(text, "write a size such as 1GiB") }
      bytes = [size]
      return
    }
    let rest = text[dots.upperBound...]
    guard let slash = rest.firstIndex(of: "/") else {
      throw Self.error(text, "say how many sizes: \(text)/9")
    }
    guard let first = Self.size(text[..<dots.lowerBound]), let last = Self.size(rest[..<slash])
    else { throw Self.error(text, "write sizes such as 512MiB..4GiB/9") }
    guard let count = Int(rest[rest.index(after: slash)...]), (2...Self.mostSizes).contains(count)
    else {
      throw Self.error(
        text, "after the slash, write how many sizes, both ends included: 2 to \(Self.mostSizes)")
    }
    guard first < last else { throw Self.error(text, "write the smaller size first") }
    bytes = Self.spaced(first, last, count)
    guard Set(bytes).count == count else {
      throw Self.error(text, "between them are fewer sizes than \(count); ask for fewer")
    }
  }

  private static func size(_ text: some StringProtocol) -> Int64? {
    SettingText.bytes(String(text)).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func error(_ text: String, _ remedy: String) -> ConfigurationError {
    .invalid(what: "value", text: text, remedy: remedy)
  }

  /// Sizes at even distances, the ends exactly, those between rounded to what the ends are whole in.
  private static func spaced(_ first: Int64, _ last: Int64, _ count: Int) -> [Int64] {
    let unit: Int64 =
      [1 << 20, 1_000_000].first { first % $0 == 0 && last % $0 == 0 } ?? 1
    let (low, high) = (first / unit, last / unit)
    let steps = Int64(count - 1)
    return (0...steps).map { step in
      // At most 2^50 units and 999 steps: no product overflows.
      (low + ((high - low) * step * 2 + steps) / (2 * steps)) * unit
    }
  }
}
