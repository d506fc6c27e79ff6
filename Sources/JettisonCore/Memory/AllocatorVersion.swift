internal import CJemalloc

/// The allocator that footprints are accounted by.
public enum AllocatorVersion {
  /// Version and revision of jemalloc, as its header names them.
  public static let text: String = JEMALLOC_VERSION
}
