/// The name of the recorded app, as its rows and the header have it.
struct AppName {
  /// Bytes of the longest name: more than a bundle identifier has.
  ///
  /// A key of YAML has at most 1024 characters, and a byte of a name takes at most four.
  private static let longestBytes = 255

  /// In the column `app`.
  let field: [UInt8]
  /// As a key of the header's `apps:`.
  let key: String

  init(_ name: String) {
    let name = RowText.prefix(of: name.isEmpty ? "app" : name, atMost: Self.longestBytes)
    field = RowText.encoded(name, atMost: Self.longestBytes)
    key = RecordingHeader.quoted(name)
  }
}
