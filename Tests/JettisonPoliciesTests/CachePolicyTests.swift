import JettisonCore
import JettisonTestSupport
import Testing

/// The classic policies on small caches, each step worked out by hand.
struct CachePolicyTests {
  /// A story that a policy must tell; see `CacheStory`.
  struct Example: CustomTestStringConvertible {
    let policy: String
    let capacity: Int64
    let story: String
    var sizes: [String: Int64] = [:]

    init(_ policy: String, _ capacity: Int64, _ story: String, sizes: [String: Int64] = [:]) {
      self.policy = policy
      self.capacity = capacity
      self.story = story
      self.sizes = sizes
    }

    var testDescription: String { "\(policy) \(capacity): \(story)" }
  }

  @Test("Policies without queues give up whom their definitions say", arguments: scored)
  func scores(example: Example) throws { try check(example) }

  @Test("Hands and queues give up whom their definitions say", arguments: queued)
  func queues(example: Example) throws { try check(example) }

  private func check(_ example: Example) throws {
    let told = try CacheStory.told(
      CacheStory.accesses(of: example.story), under: example.policy, capacity: example.capacity,
      sizes: example.sizes)
    #expect(told == example.story)
  }

  static let sizes: [String: Int64] = ["a": 3, "b": 1, "c": 2, "d": 2, "e": 1, "f": 3]

  static let scored = [
    Example("lru", 3, "a b c a+ d>b b>c"),
    Example("fifo", 3, "a b c a+ d>a a>b"),
    // The app just left goes, again and again.
    Example("mru", 3, "a b c d>c e>d"),
    // Each has 2 uses when d comes: a was used longest ago. Then d, with 1, goes before b and c; a
    // begins at 1 again and goes before them too.
    Example("lfu", 3, "a b c a+ b+ c+ d>a a>d e>a"),
    // a kept its 2 uses and has 3 with its return: of b and c, with 2 each, b was used earlier.
    Example("lfu:perfect=on", 3, "a b c a+ b+ c+ d>a a>d e>b"),
    // Ka = 3; b goes at 1, so that L = 1 and Kc = 2; c goes, L = 2, Kd = 3 as much as a's.
    Example("lfu-da", 2, "a a+ a+ b c>b d>c e>a"),
    // Second last uses: a 0, b 1; c has one use and goes; at its return its history is 4, 6.
    Example("lru-k:correlated=0", 3, "a b a+ b+ c d>c c>d e>a"),
    Example("lru-k:correlated=0,forget=on", 3, "a b a+ b+ c d>c c>d e>c"),
    // With k = 1 it is lru.
    Example("lru-k:k=1,correlated=0", 3, "a b c a+ d>b b>c"),
    // a's two uses are one; nobody has been left alone for 10 s, so all are equal but for time.
    Example("lru-k:correlated=10s", 2, "a a+ b c>a"),
    Example("lru-k:correlated=0", 2, "a a+ b c>b"),
    // c comes as request 5: a 3 uses in 4 requests, b 1 in 1. Then b 1 in 2, c 1 in 1.
    Example("hyperbolic:clock=launches", 2, "a a+ a+ b c>a d>b"),
    // In seconds the same here, as a launch comes every second.
    Example("hyperbolic", 2, "a a+ a+ b c>a d>b"),
    // By size: a 1/3 per 3 bytes, b 1/2 per 1, c 1/1 per 2.
    Example("hyperbolic:size=on", 6, "a b c d>a", sizes: sizes),
    Example("size", 6, "a b c d>a e f>cd", sizes: sizes),
    // H: a 1/3, b 1, c 1/2. a goes: L = 1/3, d 5/6, e 4/3. For f c goes, then d.
    Example("gds:cost=1", 6, "a b c d>a e f>cd", sizes: sizes),
    // c with 2 uses has H = 1, as b: d goes first, then b, which was used earlier.
    Example("gdsf:cost=1", 6, "a b c c+ d>a e f>db", sizes: sizes),
    // Nearly everything of 1 byte is kept at c = 1000, nothing of a million: a goes, though b is
    // older, and then there is room.
    Example(
      "adaptsize:c=1000", 1_000_100, "b a c>a", sizes: ["a": 1_000_000, "b": 1, "c": 200]),
    Example("lru", 1_000_100, "b a c>ba", sizes: ["a": 1_000_000, "b": 1, "c": 200]),
    // Before the first estimate a class of gap g and an age promise (g + 1) / (age + 1): a, with a
    // gap of 1 (g = 7), 8/3; b 1/2; c 1/1.
    Example("lhd:step=1", 3, "a a+ b c d>b"),
    // After launch 4 the class of apps launched once has one hit at age 1: H/T = 1/1 there and 1/2
    // at age 0. c has age 0, b age 1; a's class saw nothing and keeps 8/3.
    Example("lhd:step=1,every=4", 3, "a a+ b c d>c"),
    // Next uses at request 3: a at 4, b at 5. At 6: c and a are never used again, c was left first.
    Example("belady", 2, "a b c>b a+ b>c"),
  ]

  static let queued = [
    // a has its bit set: cleared, behind c. Then the hand is at c, then at a.
    Example("clock", 3, "a b c a+ d>b e>c f>a"),
    // a's count of 2 needs two visits of the hand: after b and c went, d is next.
    Example("clock:bits=2", 3, "a b c a+ a+ d>b e>c f>d"),
    // The hand clears a, stops at b and goes on from there; a stays behind it.
    Example("sieve", 3, "a b c a+ d>b e>c f>d"),
    // T1 = c b > p = 0: b. b's ghost: p = 1, T1 = d c > 1: c. c's: p = 2, T1 = d: T2's a. a's in
    // B2: p = 1 = T1: d.
    Example("arc", 3, "a b c a+ d>b b>c c>a a>d"),
    // A1in may hold 1: its oldest goes, a ghost of two. Returning apps come into Am and stay.
    Example("2q", 4, "a b c d e>a a>b b>c f>d g>e h>f"),
    // Am may hold 2: when c returns it holds b and a, so that a must go as well.
    Example("2q:main=50%", 4, "a b c d e>a a>b b>c c>da"),
    Example("2q", 4, "a b c d e>a a>b b>c c>d"),
    // Upper segment: a; then c and d come up, and a sinks behind e.
    Example("slru", 4, "a b a+ c d e>b c+ d+ f>e g>a"),
    // c and d come into the upper segment, which has room; a and b go from the lower one.
    Example("slru:entry=room", 4, "a b c d e>a f>b"),
    // y comes up to z, which sinks to x: 7 bytes where 4 may be.
    Example(
      "slru:entry=room,bound=on", 8, "x y z y+>x", sizes: ["x": 3, "y": 1, "z": 4]),
    Example("slru:entry=room", 8, "x y z y+", sizes: ["x": 3, "y": 1, "z": 4]),
    // LIR holds 2: a b. c is HIR and used again: LIR instead of a. d goes first though it is new,
    // and becomes LIR at its return, for c, the lowest.
    Example("lirs:hir=34%", 3, "a b c c+ d>a b+ e>d d>e f>c"),
    // a, used twice, gets to M; b to e go from S and come back into M, until it is full.
    Example(
      "s3fifo:small=25%,ghost=50%", 4, "a a+ a+ b c d e>b b>c c>d d>e e>a f>b"),
    // a, b and c get to M, which may hold 2: M gives up its oldest; or S goes on, and d goes.
    Example("s3fifo:small=50%", 4, "a a+ a+ b b+ b+ c c+ c+ d e>a"),
    Example("s3fifo:small=50%,recheck=off", 4, "a a+ a+ b b+ b+ c c+ c+ d e>d"),
    // Only a is in S when it fills: e follows it there; or all four are.
    Example("s3fifo:small=25%,fill=main", 4, "a b c d e>a f>e"),
    Example("s3fifo:small=25%", 4, "a b c d e>a f>b"),
    // One use is enough at a threshold of 1.
    Example("s3fifo:small=25%,threshold=1", 4, "a a+ b c d e>b"),
    Example("s3fifo:small=25%", 4, "a a+ b c d e>a"),
    // The window holds 2 (c d), probation a b. c is used no more than a: it goes. So does d. a gets
    // protected; e goes for b. c, launched twice, beats b.
    Example("w-tinylfu", 4, "a b c d e>c c>d a+ f>e g>b"),
  ]

  @Test("Apps that aren't candidates are skipped and keep their marks")
  func passedOver() throws {
    let accesses = CacheStory.accesses(of: "a b c a+ d e f")
    for policy in ["clock", "sieve"] {
      let story = try CacheStory.told(accesses, under: policy, capacity: 3, pinned: ["a"])
      #expect(story == "a b c a+ d>b e>c f>d", "\(policy)")
    }
    let queues = try CacheStory.told(
      CacheStory.accesses(of: "a b c d e a"), under: "2q", capacity: 4, pinned: ["a"])
    #expect(queues == "a b c d e>b a+")

    // Pinned while the hand comes by, a keeps its bit, so that c goes for e and not a.
    let trace = try TraceText()
      .row(0, "a", "launch").row(1, "b", "launch").row(2, "c", "launch").row(3, "a", "launch")
      .row(4, "a", "pin", value: 1, detail: "reason=user").row(5, "d", "launch")
      .row(6, "a", "pin", value: 0, detail: "reason=user").row(7, "e", "launch").end(8).trace()
    #expect(try CacheStory.told(trace, under: "clock", capacity: 3) == "a b c a+ d>b e>c")
  }

  @Test("An app that quits leaves no ghost", arguments: ["2q", "arc", "s3fifo:small=25%"])
  func quits(policy: String) throws {
    // a quits, so that its return is an entry like any other, and it goes when its turn comes.
    let quit = try TraceText()
      .row(0, "a", "launch").row(1, "b", "launch").row(2, "c", "launch").row(3, "d", "launch")
      .row(4, "a", "quit").row(5, "a", "launch").row(6, "e", "launch").row(7, "f", "launch")
      .row(8, "g", "launch").row(9, "h", "launch").end(10).trace()
    #expect(
      try CacheStory.told(quit, under: policy, capacity: 4) == "a b c d a e>b f>c g>d h>a",
      "\(policy)")
  }

  @Test("Under +saved the queues take the steps of what really went")
  func savedFirst() throws {
    // b has a draft, so c goes first; the hand has passed a and b all the same. Then a, whose bit
    // is clear now, goes before b.
    let trace = try TraceText()
      .row(0, "a", "launch").row(1, "b", "launch").row(2, "b", "edit", value: 9)
      .row(3, "c", "launch").row(4, "a", "launch").row(5, "d", "launch").row(6, "e", "launch")
      .end(7).trace()
    #expect(
      try CacheStory.told(trace, under: "clock+saved", capacity: 3) == "a b c a+ d>c e>a")
    #expect(try CacheStory.told(trace, under: "clock", capacity: 3) == "a b c a+ d>b e>c")
  }

  @Test("The size that adaptsize adapts keeps what is small and popular")
  func adaptedSize() throws {
    // Five apps of 40 in turn, and once in 10 launches one of three of 900, in 1000 bytes.
    var sizes: [String: Int64] = ["x": 900, "y": 900, "z": 900]
    for app in ["a", "b", "c", "d", "e"] { sizes[app] = 40 }
    let large = ["x", "y", "z"]
    let small = ["a", "b", "c", "d", "e"]
    var accesses: [String] = []
    for place in 0..<600 {
      accesses.append(place % 10 == 9 ? large[place / 10 % 3] : small[place % 5])
    }
    func hits(_ policy: String) throws -> Int {
      try CacheStory.told(accesses, under: policy, capacity: 1000, sizes: sizes)
        .filter { $0 == "+" }.count
    }
    #expect(try hits("adaptsize:every=50") > hits("lru"))
  }
}
