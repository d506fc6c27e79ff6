internal import CSupport

/// A range of memory that a file is mapped to, known by the file's name.
///
/// Should another program shorten the file while it is read, the command ends with a sentence that
/// names it instead of a bus error.
package final class MappedRange: Sendable {
  private let ticket: Int32

  /// Remembers a range for as long as the value lives.
  package init(at address: UInt, count: Int, name: String) {
    let start = unsafe UnsafeRawPointer(bitPattern: address)
    ticket = unsafe file_guard_map(start, count, PrintableText.clean(name))
  }

  deinit { file_guard_unmap(ticket) }
}
