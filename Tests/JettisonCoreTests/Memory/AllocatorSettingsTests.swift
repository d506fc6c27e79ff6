import Foundation
import JettisonTestSupport
import Testing

@testable import JettisonCore

#if os(Linux)
  @Suite("Settings of the allocator") struct AllocatorSettingsTests {
    /// Set in the environment of a second test process, in which jemalloc starts with a setting.
    private static let probe = "JETTISON_ALLOCATOR_PROBE"

    /// jemalloc reads its settings when a process starts, so each needs a process of its own.
    @Test(
      "A setting that moves footprints is refused with a sentence",
      .enabled(if: ProcessInfo.processInfo.environment[probe] == nil),
      arguments: ["retain:true", "thp:always", "junk:true", "tcache_max:4096"])
    func refused(setting: String) throws {
      let result = try Command.run(
        [
          URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path,
          "--testing-library", "swift-testing", "--filter", "AllocatorSettingsTests/startsWith",
        ],
        environment: ProcessInfo.processInfo.environment.merging([
          "MALLOC_CONF": setting, Self.probe: setting,
        ]) { $1 })
      let text = result.output + result.error
      #expect(result.status == 0, "\(text)")
      #expect(text.contains("1 test"), "\(text)")
      #expect(text.contains("passed"), "\(text)")
    }

    @Test(
      "The process of the test above refuses its setting",
      .enabled(if: ProcessInfo.processInfo.environment[probe] != nil))
    func startsWith() throws {
      let setting = try #require(ProcessInfo.processInfo.environment[Self.probe])
      let error = #expect(throws: ArenaError.self) {
        _ = try ArenaPool(usesThreadCache: true).usesThreadCache
      }
      let name = setting.prefix { $0 != ":" }
      #expect(error?.description.hasPrefix("jemalloc runs with \(setting), but") == true)
      #expect(error?.description.contains("take '\(name)' out of MALLOC_CONF") == true)
    }

    @Test("Without such a setting a pool starts", .enabled(if: !isSet("MALLOC_CONF")))
    func accepted() throws {
      try AllocatorSettings.check()
    }

    private static func isSet(_ name: String) -> Bool {
      ProcessInfo.processInfo.environment[name] != nil
    }
  }
#endif

@Suite("The version of the allocator") struct AllocatorVersionTests {
  @Test("jemalloc says its version")
  func version() {
    #expect(AllocatorSettings.version.wholeMatch(of: /\d+\.\d+\.\d+-.*/) != nil)
  }
}

@Suite("Errors of the arenas") struct ArenaErrorTests {
  @Test(
    "Every error says what is wrong and what to do",
    arguments: [
      (
        ArenaError.setting(name: "retain", value: "true", required: "false"),
        """
        jemalloc runs with retain:true, but footprints are exact only with retain:false (take \
        'retain' out of MALLOC_CONF and /etc/malloc.conf, or use declared footprints)
        """
      ),
      (
        .arenaLimit(arenas: 4_000, code: 11),
        """
        jemalloc made no arena beyond 4000 in use by this run, error 11 (run less at a time, or use \
        declared footprints)
        """
      ),
      (
        .addressSpace(bytes: 34_359_738_368, code: 12),
        """
        no room for 34359738368 bytes of address space of one more app, error 12 (raise 'ulimit \
        -v', run less at a time, or use declared footprints)
        """
      ),
      (
        .identity(arena: 3, hooks: 8_192, active: 4_096, dirty: 0),
        """
        arena 3: the hooks count 8192 bytes, jemalloc 4096 active and 0 dirty ones (this is a \
        fault in Jettison: please report it)
        """
      ),
    ])
  func sentences(error: ArenaError, sentence: String) {
    #expect(error.description == sentence)
  }
}
