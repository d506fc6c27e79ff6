import JettisonCore
import Testing

@testable import JettisonRecording
@testable import JettisonTraces

@Suite("Files of /proc")
struct ProcFileTests {
  private static let fields =
    "1 77 77 0 -1 4194304 102 11 3 12 40 41 13 14 20 0 1 0 2362746 3133440 412 "
    + "18446744073709551615 1 1 140729065510944 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 "
    + "1 1 1 1 1 1 1 9"

  private func status(_ text: String) -> ProcessStatus? { ProcessStatus(Array(text.utf8).span) }

  @Test("A process has its number, name, state, parent, start and what it did")
  func process() throws {
    let process = try #require(status("4131 (emacs) T \(Self.fields)\n"))
    #expect(process.identity == ProcessStatus.Identity(number: 4131, startTicks: 2_362_746))
    #expect(process.name == "emacs")
    #expect(process.isStopped)
    #expect(process.parent == 1)
    // Minor and major faults, time as a user and in the system, resident pages.
    #expect(process.activity == [102, 3, 40, 41, 412])
    #expect(process.exitStatus == nil, "it lives")
    let ended = try #require(status("4131 (emacs) Z \(Self.fields)\n"))
    #expect(ended.hasEnded)
    #expect(ended.exitStatus == 9)
  }

  @Test(
    "Names may hold anything",
    arguments: ["a) R 1 2 3", ")", "(", "a,b;c=d#", "two\nlines", "メモ帳", "\u{1B}[31m", " "])
  func hostileNames(_ name: String) throws {
    let process = try #require(status("9 (\(name)) S \(Self.fields)"))
    #expect(process.name == name)
    #expect(process.state == UInt8(ascii: "S"))
  }

  @Test("A name of other bytes than UTF-8 is repaired, an empty one is called unnamed")
  func otherBytes() throws {
    let bytes = Array("9 (".utf8) + [0xFF, 0x41] + Array(") S \(Self.fields)".utf8)
    let repaired = ProcessStatus(bytes.span)
    #expect(repaired?.name == "\u{FFFD}A")
    #expect(status("9 () S \(Self.fields)")?.name == "unnamed")
  }

  @Test("A cut or changed line is refused or is a process, never a trap")
  func damage() {
    let line = Array("4131 (em)acs) Z \(Self.fields)\n".utf8)
    for end in 0..<line.count { _ = ProcessStatus(Array(line[..<end]).span) }
    for position in line.indices {
      for byte: UInt8 in [0, 0x20, 0x28, 0x29, 0x2D, 0x39, 0xFF] {
        var changed = line
        changed[position] = byte
        _ = ProcessStatus(changed.span)
      }
    }
    #expect(status("") == nil)
    #expect(status("4131 (emacs) S 1 77") == nil, "no start")
    #expect(status("99999999999 (emacs) S \(Self.fields)") == nil, "no number of a process")
  }

  @Test("A name that the kernel has cut is found in the command line")
  func wholeNames() {
    func whole(_ name: String, _ line: String) -> String {
      ProcessStatus.wholeName(name, commandLine: Array(line.utf8).span)
    }
    let path = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/WebKitWebProcess\u{0}7\u{0}12\u{0}"
    #expect(whole("WebKitWebProces", path) == "WebKitWebProcess")
    #expect(whole("postgres", "postgres: writer process") == "postgres", "it was not cut")
    #expect(whole("fifteen-letters", "/bin/sh\u{0}") == "fifteen-letters", "another program's")
    #expect(whole("fifteen-letters", "") == "fifteen-letters")
  }

  private static let rollup = """
    56320845a000-7ffc430fd000 ---p 00000000 00:00 0                          [rollup]
    Rss:                1692 kB
    Pss:                 255 kB
    Pss_Dirty:           116 kB
    Pss_Anon:            112 kB
    Private_Clean:        48 kB
    Private_Dirty:       100 kB
    Swap:                 24 kB
    SwapPss:              20 kB
    Locked:                0 kB

    """

  @Test("A footprint is what is dirty and what is swapped, shared pages in parts")
  func footprint() {
    func bytes(_ text: String) -> Int64? {
      ProcFigures.footprint(smapsRollup: Array(text.utf8).span)
    }
    #expect(bytes(Self.rollup) == 139_264, "116 + 20 KiB")
    // Before Linux 6.0.
    let old = Self.rollup.split(separator: "\n").filter {
      !$0.hasPrefix("Pss_Dirty") && !$0.hasPrefix("SwapPss")
    }
    #expect(bytes(old.joined(separator: "\n")) == 126_976, "100 + 24 KiB")
    #expect(bytes("Rss: 1 kB\n") == nil)
    #expect(bytes("Pss_Dirty: 99999999999999999999 kB\n") == nil)
    #expect(bytes("Pss_Dirty: -3 kB\n") == nil)
    #expect(bytes("Pss_Dirty:\n") == nil)
    func resident(_ text: String) -> Int64? {
      ProcFigures.footprint(statm: Array(text.utf8).span, pageBytes: 4096)
    }
    #expect(resident("765 423 382 5 0 111 0\n") == 167_936, "41 pages")
    #expect(resident("765") == nil)
  }

  @Test("Memory, stalls and kills of the system")
  func system() {
    let memory = "MemTotal:       24689560 kB\nMemAvailable:   23748600 kB\n"
    #expect(bytes("MemTotal", memory) == 25_282_109_440)
    #expect(bytes("MemAvailable", memory) == 24_318_566_400)
    #expect(bytes("Mem", memory) == nil, "whole names only")
    let stalls = "some avg10=1.50 avg60=0.30 avg300=0.00 total=1234\nfull avg10=0.00 total=99\n"
    #expect(stall("some", stalls) == 1234)
    #expect(stall("full", stalls) == 99)
    #expect(stall("none", stalls) == nil)
    let events = "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\n"
    #expect(number("oom_kill", events) == 2)
    #expect(number("oom", events) == 3)
  }

  private func bytes(_ name: StaticString, _ text: String) -> Int64? {
    ProcFigures.bytes(name, in: Array(text.utf8).span)
  }

  private func stall(_ name: StaticString, _ text: String) -> Int64? {
    ProcFigures.stallMicroseconds(name, pressure: Array(text.utf8).span)
  }

  private func number(_ name: StaticString, _ text: String) -> Int64? {
    ProcFigures.number(name, in: Array(text.utf8).span)
  }
}
