/// What names of Android's processes say.
enum AndroidProcessName {
  /// Whether apps are forked from the process, with whose pages they begin: `zygote`, `zygote64`,
  /// `app_zygote`, `webview_zygote`.
  static func isZygote(_ name: String) -> Bool {
    name.hasSuffix("zygote") || name.hasSuffix("zygote64")
  }
}
