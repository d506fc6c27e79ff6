/// Why apps' footprints cannot be kept in jemalloc arenas here.
///
/// Payloads hold facts; ``description`` is the sentence.
public enum ArenaError: Error, Equatable, Sendable, CustomStringConvertible {
  /// jemalloc runs with a setting that makes footprints differ from those of its defaults.
  case setting(name: String, value: String, required: String)
  /// This build of jemalloc lacks a control that the arenas need.
  case unsupported(control: String)
  /// Arena pages of a size that the accounting cannot use, in bytes.
  case pageSize(bytes: Int64)
  /// The address space of one more arena could not be mapped: bytes asked for, and the errno.
  case addressSpace(bytes: Int64, code: Int32)
  /// jemalloc made no further arena: how many this pool has, and the errno.
  case arenaLimit(arenas: Int, code: Int32)
  /// jemalloc made no further thread cache: how many this pool has, and the errno.
  case cacheLimit(caches: Int, code: Int32)
  /// The hooks and jemalloc's statistics disagree about an arena; all in bytes.
  case identity(arena: Int, hooks: Int64, active: Int64, dirty: Int64)
  /// Reading jemalloc's statistics failed with this errno.
  case statistics(code: Int32)

  /// One sentence: what is wrong, and in brackets what to do.
  public var description: String {
    switch self {
    case .setting(let name, let value, let required):
      return """
        jemalloc runs with \(name):\(value), but footprints are exact only with \
        \(name):\(required) (take '\(name)' out of MALLOC_CONF and /etc/malloc.conf, or use \
        declared footprints)
        """
    case .unsupported(let control):
      return """
        this build of jemalloc has no '\(control)' (install jemalloc 5.3 or later, or use \
        declared footprints)
        """
    case .pageSize(let bytes):
      return """
        jemalloc's pages have \(bytes) bytes, not a power of two from 4096 to 65536 (install \
        another build of jemalloc, or use declared footprints)
        """
    case .addressSpace(let bytes, let code):
      return """
        no room for \(bytes) bytes of address space of one more app, error \(code) (raise \
        'ulimit -v', run less at a time, or use declared footprints)
        """
    case .arenaLimit(let arenas, let code):
      return """
        jemalloc made no arena beyond \(arenas) in use by this run, error \(code) (run less at a \
        time, or use declared footprints)
        """
    case .cacheLimit(let caches, let code):
      return """
        jemalloc made no thread cache beyond \(caches) in use by this run, error \(code) (run less \
        at a time, or use the setting tcache=off)
        """
    case .identity(let arena, let hooks, let active, let dirty):
      return """
        arena \(arena): the hooks count \(hooks) bytes, jemalloc \(active) active and \(dirty) \
        dirty ones (this is a fault in Jettison: please report it)
        """
    case .statistics(let code):
      return """
        jemalloc's statistics cannot be read, error \(code) (install a build of jemalloc with \
        statistics, or use declared footprints)
        """
    }
  }
}
