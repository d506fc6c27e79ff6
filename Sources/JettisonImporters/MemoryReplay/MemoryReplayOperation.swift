internal import JettisonSupport

/// One line of an allocation dump in the form that Android's memory replay tools read.
///
/// ```
/// 202: malloc 0xb4837058 20
/// 202: calloc 0xb4872020 17 8
/// 202: memalign 0xae42d080 16 104
/// 202: realloc 0xb4840a60 0xb48390a0 80
/// 202: free 0xb4827400
/// 486: thread_done 0x0
/// ```
///
/// `realloc` names the new address before the old one. Newer dumps add the start and end of the
/// call in nanoseconds.
struct MemoryReplayOperation: Equatable {
  /// What was called; sizes in bytes.
  enum Call: Equatable {
    case allocate(address: UInt64, bytes: Int64, alignment: Int64)
    case reallocate(address: UInt64, old: UInt64, bytes: Int64)
    case free(address: UInt64)
    case threadDone
  }

  /// Why a line is not an operation; issues are counted by this text.
  enum Malformation: String, Error {
    case threadID = "the line does not begin with a thread number and a colon"
    case call = "an unknown call: expected malloc, calloc, realloc, memalign, free or thread_done"
    case address = "an address is not a hexadecimal number with 0x"
    case size = "a size is not a whole number of at most 2^40 bytes"
    case trailing = "fields follow that the call does not have"
  }

  /// What was called.
  let call: Call
  /// When the call began, where the dump says so, in nanoseconds.
  let startNanoseconds: Int64?

  /// Sizes above are damage, not requests.
  static let largestBytes: Int64 = 1 << 40

  /// Reads one line without its end.
  ///
  /// Complexity: O(line).
  static func parse(_ line: Span<UInt8>) throws(Malformation) -> MemoryReplayOperation {
    var cursor = Cursor()
    guard cursor.decimal(line) != nil, cursor.take(UInt8(ascii: ":"), line) else {
      throw .threadID
    }
    let call: Call
    switch try cursor.name(line) {
    case .malloc:
      let address = try cursor.address(line)
      call = .allocate(address: address, bytes: try cursor.size(line), alignment: 0)
    case .calloc:
      let address = try cursor.address(line)
      let count = try cursor.size(line)
      let (bytes, overflow) = count.multipliedReportingOverflow(by: try cursor.size(line))
      guard !overflow, bytes <= largestBytes else { throw .size }
      call = .allocate(address: address, bytes: bytes, alignment: 0)
    case .memalign:
      let address = try cursor.address(line)
      let alignment = try cursor.size(line)
      call = .allocate(address: address, bytes: try cursor.size(line), alignment: alignment)
    case .realloc:
      let address = try cursor.address(line)
      let old = try cursor.address(line)
      call = .reallocate(address: address, old: old, bytes: try cursor.size(line))
    case .free:
      call = .free(address: try cursor.address(line))
    case .threadDone:
      _ = try cursor.address(line)
      call = .threadDone
    }
    let start = try cursor.times(line)
    return MemoryReplayOperation(call: call, startNanoseconds: start)
  }
}

extension MemoryReplayOperation {
  /// What a call is called in a dump.
  private enum Name {
    case malloc, calloc, memalign, realloc, free, threadDone
  }

  /// A place in a line, moving right over blanks and fields.
  private struct Cursor {
    private var position = 0

    /// Zero bytes are where a killed recorder had taken a place and not yet written to it.
    private mutating func skipBlanks(_ line: Span<UInt8>) {
      while position < line.count, line[position] == 0x20 || line[position] <= 0x09 {
        position += 1
      }
    }

    mutating func take(_ byte: UInt8, _ line: Span<UInt8>) -> Bool {
      guard position < line.count, line[position] == byte else { return false }
      position += 1
      return true
    }

    /// The next field as the name of a call.
    mutating func name(_ line: Span<UInt8>) throws(Malformation) -> Name {
      skipBlanks(line)
      let start = position
      while position < line.count, line[position] > 0x20 { position += 1 }
      // By length first: text is compared once a line.
      let field = line.extracting(start..<position)
      let name: Name? =
        switch field.count {
        case 4: field.starts(with: "free") ? .free : nil
        case 6:
          field.starts(with: "malloc") ? .malloc : field.starts(with: "calloc") ? .calloc : nil
        case 7: field.starts(with: "realloc") ? .realloc : nil
        case 8: field.starts(with: "memalign") ? .memalign : nil
        case 11: field.starts(with: "thread_done") ? .threadDone : nil
        case 13: field.starts(with: "aligned_alloc") ? .memalign : nil
        default: nil
        }
      guard let name else { throw .call }
      return name
    }

    /// The next field as a decimal number; nil if it isn't one, or is too large.
    mutating func decimal(_ line: Span<UInt8>) -> Int64? {
      skipBlanks(line)
      return line.wholeNumber(&position)
    }

    /// A number of bytes that ends where the field ends.
    mutating func size(_ line: Span<UInt8>) throws(Malformation) -> Int64 {
      guard let value = decimal(line), value <= largestBytes,
        position == line.count || line[position] <= 0x20
      else { throw .size }
      return value
    }

    mutating func address(_ line: Span<UInt8>) throws(Malformation) -> UInt64 {
      skipBlanks(line)
      guard take(UInt8(ascii: "0"), line),
        take(UInt8(ascii: "x"), line) || take(UInt8(ascii: "X"), line)
      else { throw .address }
      var end = position
      if let value = line.hexadecimal(&end), end == line.count || line[end] <= 0x20 {
        position = end
        return value
      }
      return try anyAddress(line)
    }

    /// The digits of an address in either case.
    private mutating func anyAddress(_ line: Span<UInt8>) throws(Malformation) -> UInt64 {
      var value: UInt64 = 0
      let start = position
      while position < line.count, line[position] > 0x20 {
        guard let digit = hexadecimal(line[position]), position - start < 16 else {
          throw .address
        }
        value = value << 4 | digit
        position += 1
      }
      guard position > start else { throw .address }
      return value
    }

    private func hexadecimal(_ byte: UInt8) -> UInt64? {
      switch byte {
      case 0x30...0x39: UInt64(byte - 0x30)
      case 0x61...0x66: UInt64(byte - 0x61 + 10)
      case 0x41...0x46: UInt64(byte - 0x41 + 10)
      default: nil
      }
    }

    /// Start (and end) of the call, if the line goes on; the start is returned.
    mutating func times(_ line: Span<UInt8>) throws(Malformation) -> Int64? {
      skipBlanks(line)
      guard position < line.count else { return nil }
      guard let start = decimal(line) else { throw .trailing }
      skipBlanks(line)
      if position < line.count, decimal(line) == nil { throw .trailing }
      skipBlanks(line)
      guard position == line.count else { throw .trailing }
      return start
    }
  }
}
