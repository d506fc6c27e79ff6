import CJemalloc

/// The jemalloc in use, and the settings of it that footprints depend on.
///
/// Jettison asks for the first two itself; `MALLOC_CONF` and `/etc/malloc.conf` come after that and
/// can change any of them, and then the same trace would have other footprints.
package enum AllocatorSettings {
  private struct Setting {
    var name: String
    /// The type of the value, as `jettison_option` names it.
    var kind: Character
    /// Values that will do; the first is the one to name in a message.
    var accepted: [String]
  }

  private static let settings = [
    // Without it mapped pages are active or dirty, and what the hooks handed out is the footprint.
    Setting(name: "retain", kind: "b", accepted: ["false"]),
    // Huge pages would make the metadata of an arena resident, 2 MiB each.
    Setting(name: "thp", kind: "s", accepted: ["never", "not supported"]),
    // Filling would write to blocks, which have no memory.
    Setting(name: "zero", kind: "b", accepted: ["false"]),
    Setting(name: "junk", kind: "s", accepted: ["false"]),
    // Sampled blocks get pages of their own.
    Setting(name: "prof", kind: "b", accepted: ["false"]),
    // A simulated space that is full must not end the program.
    Setting(name: "xmalloc", kind: "b", accepted: ["false"]),
    // Other threads must leave the arenas alone.
    Setting(name: "background_thread", kind: "b", accepted: ["false"]),
    // Extents of these arenas come from hooks, not from huge pages shared with others.
    Setting(name: "hpa", kind: "b", accepted: ["false"]),
    // The rest shapes slabs, extents and caches.
    Setting(name: "cache_oblivious", kind: "b", accepted: ["true"]),
    Setting(name: "lg_extent_max_active_fit", kind: "z", accepted: ["6"]),
    Setting(name: "tcache_max", kind: "z", accepted: ["32768"]),
    Setting(name: "tcache_nslots_small_min", kind: "u", accepted: ["20"]),
    Setting(name: "tcache_nslots_small_max", kind: "u", accepted: ["200"]),
    Setting(name: "tcache_nslots_large", kind: "u", accepted: ["20"]),
    Setting(name: "lg_tcache_nslots_mul", kind: "z", accepted: ["1"]),
    Setting(name: "lg_tcache_flush_small_div", kind: "u", accepted: ["1"]),
    Setting(name: "lg_tcache_flush_large_div", kind: "u", accepted: ["1"]),
  ]

  /// Throws if a setting has a value under which footprints would not be those of the defaults.
  static func check() throws(ArenaError) {
    for setting in settings {
      // A setting that this build does not know cannot be set either.
      guard let value = value(of: "opt." + setting.name, kind: setting.kind) else { continue }
      guard setting.accepted.contains(value) else {
        throw .setting(name: setting.name, value: value, required: setting.accepted[0])
      }
    }
    let page = Int64(jettison_page_bytes())
    guard page >= 4_096, page <= 65_536, page & (page - 1) == 0 else {
      throw .pageSize(bytes: page)
    }
  }

  /// The version of jemalloc, such as `5.3.0-0-g54eaed1d`; empty if it cannot say.
  package static var version: String {
    value(of: "version", kind: "s") ?? ""
  }

  private static func value(of name: String, kind: Character) -> String? {
    let kind = CChar(kind.asciiValue ?? 0)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard unsafe jettison_option(name, kind, text.baseAddress, 64) == 0 else {
        return nil
      }
      return unsafe text.baseAddress.map { unsafe String(cString: $0) }
    }
  }
}
