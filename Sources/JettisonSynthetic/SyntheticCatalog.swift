import JettisonModel
internal import JettisonTraces

/// How the apps of one user behave: entries of the catalog in a trace's header.
///
/// What an app does depends on the user and the app alone, as the version that a user has: the
/// same app may save everything for one person and nothing for another.
struct SyntheticCatalog {
  private let population: SyntheticPopulation
  private let streams: SyntheticStreams
  private let cast: SyntheticCast
  /// Where each app stands among the user's favourites when the trace begins.
  private let ranks: [Int]

  init(_ population: SyntheticPopulation, streams: SyntheticStreams, cast: SyntheticCast) {
    self.population = population
    self.streams = streams
    self.cast = cast
    let installed = SyntheticProfile(population, streams: streams).installed
    ranks = SyntheticApps.all.indices.map { installed.firstIndex(of: $0) ?? $0 }
  }

  /// A number from 0 to 1 for a choice that every user should meet: even over the ranks of one
  /// user's apps (multiples of the golden section), so that among the apps that a user uses most
  /// there are some of every kind, and a dozen users are enough to see them.
  private func evenChoice(_ purpose: String, _ app: Int) -> Double {
    var random = streams.stream(purpose, 0)
    let place = random.uniform() + Double(ranks[app]) * 0.6180339887498949
    return place - place.rounded(.down)
  }

  /// The entry of an app, without braces.
  func entry(_ app: Int) -> String {
    guard let category = cast.category(app) else {
      // A daemon's footprints are rows; its catalog says what they are when it comes back.
      return "kind: daemon, save: none, edits: none"
    }
    guard app < SyntheticCast.firstDaemon else { return "category: \(category.rawValue)" }
    var random = streams.stream("catalog", app)
    var parts = ["category: \(category.rawValue)"]
    // An app that is used all day has been brought up to date.
    let isOld =
      random.uniform() < population.rate(.withoutMultitasking) && ranks[app] >= 4
      && !SyntheticApps.comeWithThePhone.contains(app)
    if isOld { parts.append("multitasking: no") }
    if let footprint = footprint(app, category, &random) { parts.append(footprint) }
    parts.append(isOld ? savesOfOld(category, &random) : saves(app, category, &random))
    if let bytes = bytesPerSecond(category, &random) {
      parts.append("edits: {bytes: \(bytes)/s}")
    }
    if [.messaging, .social, .photo, .shopping].contains(category) {
      let ignores = random.uniform() < population.rate(.ignoresExpiration)
      let saves = random.uniform() < 0.5
      parts.append(
        "task: {expiration: \(ignores ? "ignores" : "ends"), save: \(saves ? "yes" : "no")}")
    }
    return parts.joined(separator: ", ")
  }

  // MARK: Saving

  /// An app of one of the classes of saving.
  private func saves(
    _ app: Int, _ category: Category, _ random: inout SplitMix64
  ) -> String {
    var choice = evenChoice("saves", app)
    // An app that loses everything does not stay among a user's six most used.
    if ranks[app] < 6 {
      choice *= 1 - population.rate(.savesNever) - population.rate(.savesAtEnd)
    }
    var bound = 0.0
    func isNext(_ name: SyntheticRates.Name) -> Bool {
      bound += population.rate(name)
      return choice < bound
    }
    let extra = random.uniform()
    var when = extra < 0.15 ? ["resign", "background"] : ["background"]
    var share = "100%"
    if isNext(.savesAll) {
    } else if isNext(.savesOften) {
      when.append("\"timer \(15 + Int(random.uniform() * 46))s\"")
    } else if isNext(.savesPart) {
      let kept = random.gamma(shape: 4)
      let part = kept / (kept + random.gamma(shape: 2))
      share = "\(Int((part * 100).rounded()))%"
    } else if isNext(.savesNever) {
      return "save: none"
    } else if isNext(.savesAtEnd) {
      when = ["terminate"]
    }
    if random.uniform() < 0.2, when != ["terminate"] { when.append("warning") }
    return saves(when, share: share, category, &random)
  }

  /// An app from before iOS 4 saves when it is told to terminate, if at all.
  private func savesOfOld(_ category: Category, _ random: inout SplitMix64) -> String {
    random.uniform() < 0.25
      ? "save: none" : saves(["terminate"], share: "100%", category, &random)
  }

  private func saves(
    _ when: [String], share: String, _ category: Category, _ random: inout SplitMix64
  ) -> String {
    let fixed = random.logNormal(median: Self.fixedMilliseconds(category), sigma: 0.7)
    let speed = population == .in2010 ? 1.6 : 1.0
    let rate = random.logNormal(median: population == .in2010 ? 8 : 60, sigma: 0.4)
    var parts = [
      "when: [\(when.joined(separator: ", "))]", "fixed: \(Int((fixed * speed).rounded()))ms",
      "rate: \(max(1, Int(rate.rounded())))MB/s",
    ]
    let thread = random.uniform()
    let queue = population.rate(.savesOnQueue)
    if thread < queue {
      parts.append("thread: queue")
    } else if thread < queue + population.rate(.savesAsTask) {
      parts.append("thread: task")
    }
    if random.uniform() < population.rate(.overwrites) { parts.append("atomic: false") }
    parts.append("share: \(share)")
    return "save: {\(parts.joined(separator: ", "))}"
  }

  /// What a save takes beside its bytes, median, on a phone of today; assumed.
  private static func fixedMilliseconds(_ category: Category) -> Double {
    switch category {
    case .messaging, .social, .shortVideo, .shopping: 80
    case .browser, .casualGame: 150
    case .maps: 100
    case .notes: 250
    case .photo, .largeGame: 800
    case .music, .utility: 40
    }
  }

  /// What an app that makes big things produces a second, assumed; nil: as its category says.
  private func bytesPerSecond(_ category: Category, _ random: inout SplitMix64) -> Int? {
    let factor = population == .in2010 ? 1.0 : 8
    let draw = random.logNormal(median: 1, sigma: 0.5)
    return switch category {
    case .photo: Int(120_000 * factor * draw)
    case .notes: Int(8_000 * factor * draw)
    case .largeGame: Int(15_000 * factor * draw)
    default: nil
    }
  }

  // MARK: Memory

  /// Few apps have a footprint of their own: those that leak, and those that clear up when left.
  private func footprint(
    _ app: Int, _ category: Category, _ random: inout SplitMix64
  ) -> String? {
    // Rich media grow; what is used all day is mended.
    let isRich = [.browser, .social, .shortVideo, .photo, .maps].contains(category)
    let leaks = isRich && ranks[app] > 1 && evenChoice("leaks", app) < population.rate(.leaks)
    let clearsUp = random.uniform() < 0.1
    let growth = random.uniform(150, 400)
    let profile = category.profile(on: population.referenceDevice)
    func megabytes(_ bytes: Int64, times factor: Double = 1) -> Int {
      max(1, Int((Double(bytes) * factor / 1e6).rounded()))
    }
    let launch = megabytes(profile.launchFootprintBytes)
    if leaks {
      let scale = population.footprintScale
      return "footprint: {launch: \(launch)MB, growth: \(max(1, Int(growth * scale)))MB/min}"
    }
    guard clearsUp else { return nil }
    let grown = megabytes(profile.growthBytesPerMinute)
    let left = megabytes(profile.launchFootprintBytes, times: 0.6)
    return "footprint: {launch: \(launch)MB, growth: \(grown)MB/min, background: \(left)MB}"
  }
}
