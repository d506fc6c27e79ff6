/// The cache of the literature.
enum TextbookCacheFamily: PressureFamily {
  static var isTextbook: Bool { true }
}
