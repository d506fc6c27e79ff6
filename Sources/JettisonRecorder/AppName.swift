/// The name of the recorded app, as its rows and the header have it.
struct AppName {
  /// In the column `app`.
  let field: [UInt8]
  /// As a key of the header's `apps:`.
  let key: String

  init(_ name: String) {
    let name = name.isEmpty ? "app" : name
    field = RowText.encoded(name, atMost: 1024)
    key = RecordingHeader.quoted(name)
  }
}
