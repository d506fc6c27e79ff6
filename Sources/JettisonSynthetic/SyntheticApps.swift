/// The apps that synthetic users choose from.
enum SyntheticApps {
  /// An app by its name, its category and how likely people have it among their favourites.
  struct Entry: Sendable {
    let name: String
    let category: String
    /// Added to the draw that orders a user's apps; larger means more popular.
    let appeal: Double
  }

  /// Categories whose apps answer "communication" in the studies behind the recipe.
  static let communication = "messaging"

  /// Every app, in a fixed order.
  ///
  /// Words are invented; no product is meant.
  static let all: [Entry] = families.flatMap { family in
    family.words.map {
      Entry(name: "com.example.\($0)", category: family.category, appeal: family.appeal)
    }
  }

  /// Apps that come with the phone: they ring, wake, play and show the way.
  static let calls = position("calls")
  static let messages = position("messages")
  static let clock = position("clock")
  static let music = position("music")
  static let maps = position("maps")
  static let comeWithThePhone = [calls, messages, clock, music, maps]

  /// Apps in which people read or watch, and come back to where they were.
  static let hasPosition: Set<Int> = Set(
    [
      "reader", "friends", "moments", "forum", "microblog", "network", "clips", "tube", "series",
      "podcasts", "audiobooks",
    ].map(position))

  /// Processes of the system that are no apps; phones of today have some of them.
  static let daemons: [String] = [
    "searchindex", "mediaanalysis", "syncd", "pushd", "locationd", "healthd", "assistantd",
    "keyboardd", "widgets", "suggestions", "contactsd", "calendard", "backupd", "translationd",
    "paymentsd", "weatherd",
  ].map { "com.example.system.\($0)" }

  /// The position of an app by the last word of its name.
  private static func position(_ word: String) -> Int {
    guard let position = all.firstIndex(where: { $0.name == "com.example.\(word)" }) else {
      preconditionFailure("no app named \(word)")
    }
    return position
  }

  private static let families: [(category: String, appeal: Double, words: [String])] = [
    ("messaging", 4.0, ["chat", "mail", "messages", "calls", "groups", "teamchat", "videocall"]),
    ("browser", 2.2, ["browser", "search", "reader"]),
    ("social", 2.0, ["friends", "moments", "forum", "microblog", "network", "dating", "events"]),
    ("short-video", 1.2, ["clips", "tube", "live", "series"]),
    ("music", 0.9, ["music", "podcasts", "radio", "audiobooks"]),
    ("casual-game", 0.6, ["puzzle", "cards", "words", "match", "solitaire", "quiz"]),
    ("maps", 0.5, ["maps", "transit", "rides", "bikes"]),
    ("photo", 0.5, ["camera", "gallery", "retouch", "collage"]),
    ("notes", 0.4, ["notes", "office", "tasks", "journal", "scanner"]),
    ("shopping", 0.4, ["shop", "market", "bank", "pay", "food", "coupons", "tickets"]),
    (
      "utility", 0.3,
      [
        "clock", "calendar", "weather", "settings", "calculator", "files", "torch", "contacts",
        "translate", "fitness", "health", "store", "wallet", "authenticator",
      ]
    ),
    ("large-game", 1.0, ["arena", "racer", "kingdoms", "craft", "soccer"]),
  ]
}
