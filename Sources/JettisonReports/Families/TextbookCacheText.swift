internal import JettisonCore

/// The cache of the literature.
enum TextbookCacheText: PressureText {
  static func rule(_ configuration: RunConfiguration) -> String {
    "Room is made as soon as the launched app does not fit."
  }

  static func noDecision(_ configuration: RunConfiguration, least: String) -> String {
    "everything that was launched fits"
  }
}
