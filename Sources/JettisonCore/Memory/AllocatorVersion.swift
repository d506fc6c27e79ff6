/// The allocator that footprints are accounted by.
public enum AllocatorVersion {
  /// Version and revision of the jemalloc that is loaded, which may be another than that of the
  /// header; empty if it cannot say.
  public static let text = AllocatorSettings.version
}
