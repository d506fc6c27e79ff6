import Testing

@testable import JettisonCore

@Suite struct ArenaPoolTests {
  @Test("An arena hands out blocks and is empty after its release")
  func basics() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    let address = arena.allocate(bytes: 100, alignment: 0)
    #expect(address != 0)
    #expect(arena.footprintBytes > 0)
    try pool.checkIdentity()
    arena.free(address)
    pool.release(arena)
    #expect(arena.footprintBytes == 0)
    try pool.checkIdentity()
  }
}
