/// Figures in the files of `/proc` and of control groups that consist of lines with a name each.
enum ProcFigures {
  /// Largest figure that is believed, in bytes: a sum of many stays within 64 bits.
  static let largest: Int64 = 1 << 50

  /// The number after a name that begins a line (`Pss_Dirty:   116 kB`, `oom_kill 3`).
  ///
  /// Complexity: O(bytes).
  static func number(_ name: StaticString, in text: Span<UInt8>) -> Int64? {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != 0x0A { end += 1 }
      if let number = number(name, line: text.extracting(start..<end)) { return number }
      start = end + 1
    }
    return nil
  }

  /// The same in kibibytes, as bytes.
  static func bytes(_ name: StaticString, in text: Span<UInt8>) -> Int64? {
    guard let number = number(name, in: text), number >= 0, number <= largest >> 10 else {
      return nil
    }
    return number << 10
  }

  private static func number(_ name: StaticString, line: Span<UInt8>) -> Int64? {
    let count = name.utf8CodeUnitCount
    guard line.count > count else { return nil }
    let matches = name.withUTF8Buffer { bytes in
      for position in 0..<count where unsafe bytes[position] != line[position] { return false }
      return true
    }
    guard matches else { return nil }
    var position = count
    if line[position] == UInt8(ascii: ":") { position += 1 }
    guard position < line.count, line[position] == 0x20 || line[position] == 0x09 else {
      return nil
    }
    var numbers = ProcNumbers(from: position)
    return numbers.next(line)
  }

  /// What a process would give back if it ended: its dirty pages and what of it is swapped out,
  /// pages that several processes share in equal parts; from `/proc/PID/smaps_rollup`.
  ///
  /// That is what Darwin calls the physical footprint, as near as Linux tells it. Before Linux 6.0
  /// shares of dirty pages are not told: those that are its alone.
  static func footprint(smapsRollup text: Span<UInt8>) -> Int64? {
    let dirty = bytes("Pss_Dirty", in: text) ?? bytes("Private_Dirty", in: text)
    guard let dirty else { return nil }
    return dirty + (bytes("SwapPss", in: text) ?? bytes("Swap", in: text) ?? 0)
  }

  /// What the kernel's OOM killer counts of a process, from `/proc/PID/status`.
  ///
  /// Resident and swapped pages and page tables; shared pages count whole in every process that
  /// maps them.
  static func kernelFootprint(status text: Span<UInt8>) -> Int64? {
    guard let resident = bytes("VmRSS", in: text) else { return nil }
    return resident + (bytes("VmSwap", in: text) ?? 0) + (bytes("VmPTE", in: text) ?? 0)
  }

  /// A guess at the same from `/proc/PID/statm`, where others may not read the file above: what is
  /// resident less what may be shared.
  static func footprint(statm text: Span<UInt8>, pageBytes: Int64) -> Int64? {
    var numbers = ProcNumbers()
    guard numbers.next(text) != nil, let resident = numbers.next(text),
      let shared = numbers.next(text),
      resident >= 0, shared >= 0, resident <= largest / pageBytes
    else { return nil }
    return max(0, resident - shared) * pageBytes
  }

  /// Microseconds for which some tasks, or all, have waited for memory, from
  /// `/proc/pressure/memory` (`some avg10=0.00 avg60=0.00 avg300=0.00 total=0`).
  static func stallMicroseconds(_ name: StaticString, pressure text: Span<UInt8>) -> Int64? {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != 0x0A { end += 1 }
      let line = text.extracting(start..<end)
      if begins(line, with: name), let total = total(line) { return total }
      start = end + 1
    }
    return nil
  }

  private static func begins(_ line: Span<UInt8>, with name: StaticString) -> Bool {
    guard line.count > name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { bytes in
      for position in bytes.indices where unsafe bytes[position] != line[position] { return false }
      return true
    }
  }

  /// The number behind the last sign of equality.
  private static func total(_ line: Span<UInt8>) -> Int64? {
    var sign = line.count - 1
    while sign >= 0, line[sign] != UInt8(ascii: "=") { sign -= 1 }
    guard sign >= 0 else { return nil }
    var numbers = ProcNumbers(from: sign + 1)
    return numbers.next(line)
  }
}
