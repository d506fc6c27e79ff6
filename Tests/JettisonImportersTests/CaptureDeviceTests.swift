import JettisonCore
import PerfettoMessages
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("Captures tell the device that they were taken on")
struct CaptureDeviceTests {
  @Test(
    "Systems and builds of iOS have an era",
    arguments: [
      ("iPhone OS 4.3.3 (8J2)", "8J2", .ios4), ("iPhone OS 5.0 (9A334)", "9A334", .ios6),
      ("iPhone OS 8.4.1 (12H321)", "12H321", .ios7), ("iPhone OS 12.4 (16G77)", "16G77", .ios12),
      ("iPhone OS 14.2 (18B92)", "18B92", .ios14), ("iPhone OS 17.0 (21A329)", "21A329", .ios17),
      ("iPhone OS 18.5 (22F76)", "22F76", .ios18), ("iPhone OS 26.0 (23A341)", "23A341", .ios18),
      ("iPhone OS", "", nil), ("", "16", nil), ("iPhone OS 3.1 (7C144)", "7C144", nil),
    ] as [(String, String, Era?)])
  func appleEras(system: String, build: String, era: Era?) {
    #expect(CaptureDevice.era(ofAppleSystem: system) == era)
    #expect(CaptureDevice.era(ofAppleBuild: build) == era)
  }

  @Test("A mapping holds what is known and sane, and is none without memory and era")
  func mapping() throws {
    var device = CaptureDevice()
    device.model = "Bird 3, \"XL\""
    device.apiLevel = 29
    #expect(device.yaml == nil)
    device.ramBytes = 1
    #expect(device.yaml == nil)
    device.era = .androidLMKD
    #expect(device.yaml == #"{model: "Bird 3, \"XL\"", era: android-lmkd, api-level: 29}"#)
    device.ramBytes = 2 << 30
    device.pageBytes = 4097
    device.apiLevel = 0
    device.model = ""
    #expect(device.yaml == "{ram: 2147483648, era: android-lmkd}")
  }

  @Test("A fingerprint has the model, and the API level where that is certain")
  func fingerprints() {
    let bird = "example/bird/bird_x:10/QP1A/1:user/release-keys"
    #expect(CaptureDevice.model(ofFingerprint: bird) == "bird_x")
    #expect(CaptureDevice.apiLevel(ofFingerprint: bird) == 29)
    #expect(CaptureDevice.apiLevel(ofFingerprint: "a/b/c:4.4/K/1:user/release-keys") == nil)
    #expect(CaptureDevice.model(ofFingerprint: "bird") == nil)
    #expect(CaptureDevice.apiLevel(ofFingerprint: "bird") == nil)
  }

  @Test("A jetsam report of a product that the table lacks: its era and the pages that it counts")
  func jetsam() throws {
    let text = JetsamReportTests.json.replacing("iPhone14,2", with: "iPhone99,1")
    let trace = try load(text, file: "event.ips")
    #expect(trace.header.device == nil)
    #expect(
      trace.header.deviceYAML
        == #"{model: "iPhone99,1", ram: 144179200, page: 16384, era: ios-18}"#)
    try checkRoundTrip(trace)
    #expect(try load(JetsamReportTests.json, file: "event.ips").header.deviceYAML == nil)
  }

  @Test("A bugreport: model, memory and API level; a log: that it is Android, and what is said")
  func android() throws {
    let report = try load(AndroidBugreportTests.fixture)
    #expect(
      report.header.deviceYAML
        == "{model: Bird, ram: 2048000000, era: android-lmkd, api-level: 29}")
    try checkRoundTrip(report)
    let log = """
      10-26 15:05:27.753  1765  1866 I am_proc_start: [0,4660,10012,com.example.notes,activity,{a}]

      """
    #expect(try load(log).header.deviceYAML == "{era: android-lmkd}")
    var options = ImportOptions()
    options.apiLevel = 33
    #expect(
      try load(log, options: options).header.deviceYAML == "{era: android-lmkd, api-level: 33}")
    options.device = "pixel-6"
    let named = try load(log, options: options).header
    #expect(named.device == "pixel-6")
    #expect(named.deviceYAML == nil)
    // No other phone lets an app log what is in front.
    #expect(try load(AppUsageTests.fixture).header.deviceYAML == "{era: android-lmkd}")
    #expect(try load(AppUsageTests.fixture, options: options).header.deviceYAML == nil)
    options.device = nil
    options.apiLevel = nil
    options.user = "0"
    let user = try load(LSAppTests.fixture, file: "lsapp.tsv", options: options)
    #expect(user.header.deviceYAML == "{era: android-lmkd}")
  }

  @Test("A Perfetto trace: build, API level and page size, else who runs on it")
  func perfetto() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "com.example.notes")])
    try fixture.meminfo(at: 1001, total: 2_000_000, available: 1_000_000)
    #expect(try load(fixture.bytes).header.deviceYAML == "{ram: 2048000000}")
    var linux = fixture
    try linux.tree(at: 1002, [(2, 0, "kthreadd")])
    #expect(
      try load(linux.bytes).header.deviceYAML == "{ram: 2048000000, era: linux-oom}")
    try linux.tree(at: 1003, [(300, 1, "zygote64")])
    #expect(
      try load(linux.bytes).header.deviceYAML == "{ram: 2048000000, era: android-lmkd}")
    try fixture.add(at: nil) { packet in
      packet.systemInfo.androidBuildFingerprint = "example/bird/bird_x:14/A/1:user/release-keys"
      packet.systemInfo.pageSize = 16384
    }
    let told = "{model: bird_x, ram: 2048000000, page: 16384, era: android-lmkd, api-level: 34}"
    #expect(try load(fixture.bytes).header.deviceYAML == told)
    try fixture.add(at: nil) { $0.systemInfo.androidSdkVersion = 35 }
    let trace = try load(fixture.bytes)
    #expect(trace.header.deviceYAML == told.replacing("34}", with: "35}"))
    try checkRoundTrip(trace)
  }

  @Test("Process samples: memory, and Android where a zygote runs")
  func processSamples() throws {
    func device(_ rows: String) throws -> String? {
      try load(
        """
        times: 1577872800
        MemTotal: 100000 kB
        MemAvailable: 40000 kB
        ps-result:
        USER PID PPID VSZ RSS NAME
        \(rows)

        """
      ).header.deviceYAML
    }
    #expect(try device("a 400 1 9000 3000 editor") == "{ram: 102400000}")
    #expect(
      try device("root 2 0 0 0 [kthreadd]\na 400 1 9000 3000 editor")
        == "{ram: 102400000, era: linux-oom}")
    #expect(
      try device("root 300 1 9000 3000 zygote64\na 400 300 9000 5000 com.example.notes")
        == "{ram: 102400000, era: android-lmkd}")
  }

  @Test("What a capture calls its device may hold anything, and damage gives no other device")
  func names() throws {
    let name = "聊天\u{1}\u{7F}: \"a\", {b}]#%"
    let report = AndroidBugreportTests.fixture.replacing("[Bird]", with: "[\(name)]")
    let trace = try load(report)
    #expect(trace.header.deviceYAML?.contains("聊天") == true)
    try checkRoundTrip(trace)
    let absurd = AndroidBugreportTests.fixture.replacing("2000000 kB", with: "999999999999 kB")
    #expect(
      try load(absurd).header.deviceYAML == "{model: Bird, era: android-lmkd, api-level: 29}")
  }

  @Test("Merged captures describe one device, unless they are of two families")
  func merged() throws {
    func merge(_ first: String, _ second: String) throws -> String? {
      let inputs = try [(first, "a"), (second, "b")].map { (device, app) in
        TraceMerge.Input(
          trace: try load(
            "# jettison-trace: 1\n# device: \(device)\n# start: \"2021-03-14T20:00:00+01:00\"\n"
              + "time_ns,app,event,value,id,detail\n0,\(app),launch,,,\n9,,end,,,reason=complete\n",
            file: "\(app).csv"), file: app)
      }
      return try TraceMerge.merge(inputs, name: "merged").header.deviceYAML
    }
    #expect(
      try merge("{era: android-lmkd, api-level: 29}", "{ram: 2GiB, era: android-lmkd}")
        == "{era: android-lmkd, api-level: 29, ram: 2GiB}")
    #expect(
      try merge("{era: android-lmkd}", "{ram: 2GiB, era: linux-oom}") == "{era: android-lmkd}")
  }
}
