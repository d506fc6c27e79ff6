internal import JettisonSupport

/// Guesses the catalog category of an app from its name, for the `apps:` block of an import.
///
/// A guess only spares people the typing: the block is theirs to correct. Apps that nothing is
/// known of are `utility`, like apps in no catalog.
package enum CategoryGuess {
  /// What an unknown app counts as.
  package static let fallback = "utility"

  /// The category of an app by its label ("Gmail") or identifier ("com.google.android.gm").
  ///
  /// Rules are tried in order: whole names first, then words, then parts of the name.
  package static func category(of name: String) -> String {
    let text = folded(name)
    let words = Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    for rule in rules where rule.names.contains(text) { return rule.category }
    for rule in rules where !rule.words.isDisjoint(with: words) { return rule.category }
    for rule in rules where rule.parts.contains(where: { text.contains($0) }) {
      return rule.category
    }
    return fallback
  }

  /// Lower case without the accents of Latin letters.
  private static func folded(_ name: String) -> String {
    var text = ""
    for character in name.lowercased() {
      switch character {
      case "à", "á", "â", "ã", "ä", "å": text.append("a")
      case "ç": text.append("c")
      case "è", "é", "ê", "ë": text.append("e")
      case "ì", "í", "î", "ï": text.append("i")
      case "ñ": text.append("n")
      case "ò", "ó", "ô", "õ", "ö": text.append("o")
      case "ù", "ú", "û", "ü": text.append("u")
      default: text.append(character)
      }
    }
    return text
  }

  private struct Rule: Sendable {
    let category: String
    /// Whole names that mean something else inside of a longer one.
    let names: Set<String>
    /// Whole words of a name.
    let words: Set<String>
    /// Anything inside of a name.
    let parts: [String]

    init(_ category: String, names: Set<String> = [], words: Set<String>, parts: [String] = []) {
      self.category = category
      self.names = names
      self.words = words
      self.parts = parts
    }
  }

  private static let rules: [Rule] = [
    Rule(
      "messaging",
      names: ["signal", "line", "duo", "teams"],
      words: [
        "gmail", "gm", "mail", "email", "outlook", "messages", "messaging", "sms", "mms",
        "phone", "telephone", "telefon", "telefono", "dialer", "slack", "discord",
        "threema", "viber", "zoom", "imessage", "facetime", "orca", "kik",
        "wechat", "hangouts", "skype", "mms", "nachrichten", "mensajes", "messaggi",
        "telegram", "telegra", "proton", "mobilesms", "mobilephone", "mobilemail", "groupme",
        "securesms", "whispersystems",
      ], parts: ["messenger", "whatsapp", "telegram", "messag", "kakaotalk", "thunderbird"]),
    Rule(
      "short-video",
      names: ["clips"],
      words: [
        "youtube", "tiktok", "musically", "reels", "netflix", "twitch", "vimeo", "likee",
        "kwai", "vlc", "disney", "hulu", "primevideo", "bilibili", "dailymotion",
      ], parts: ["youtube", "video", "tiktok"]),
    Rule(
      "browser",
      names: ["google", "edge", "brave", "news", "opera", "surf"],
      words: [
        "chrome", "firefox", "browser", "safari", "mobilesafari",
        "duckduckgo", "vivaldi", "googlequicksearchbox", "navigateur", "sbrowser",
        "wikipedia", "actualites", "nachrichtendienst", "feedly", "epiphany", "chromium",
      ], parts: ["browser"]),
    Rule(
      "social",
      names: ["x", "boost", "medium", "threads", "forum"],
      words: [
        "facebook", "katana", "instagram", "snapchat", "twitter", "reddit",
        "linkedin", "pinterest", "tumblr", "quora", "9gag", "tinder", "bumble", "mastodon",
        "bluesky", "weibo", "vk", "strava", "webtoon", "picaboo",
      ], parts: ["facebook", "instagram", "snapchat"]),
    Rule(
      "shopping",
      names: ["wish", "pay", "market"],
      words: [
        "amazon", "ebay", "aliexpress", "vinted", "etsy", "zalando", "shop", "shopping",
        "paypal", "bank", "banking", "bankin", "revolut", "wallet", "izly", "cic",
        "dealabs", "toogoodtogo", "ubereats", "eats", "deliveroo", "n26", "vending",
        "klarna", "shein", "temu", "walmart",
      ], parts: ["amazon", "bank", "shop"]),
    Rule(
      "maps",
      names: ["bolt", "grab", "plans", "transit"],
      words: [
        "maps", "waze", "citymapper", "moovit", "uber", "lyft", "komoot",
        "velo", "velov", "tfl", "sncf", "navigation", "osmand", "karten",
      ], parts: ["navigator", "citymapper"]),
    Rule(
      "photo",
      words: [
        "camera", "photos", "photo", "gallery", "galerie", "kamera", "fotos", "snapseed",
        "lightroom", "vsco", "picsart", "galeria", "fotocamera", "mobileslideshow", "shutter",
        "gimp", "inkscape", "krita",
      ], parts: ["camera", "photo", "gallery"]),
    Rule(
      "notes",
      names: ["word", "pages", "note", "tasks", "journal"],
      words: [
        "notes", "keep", "onenote", "evernote", "docs", "sheets", "slides", "excel",
        "powerpoint", "office", "notion", "obsidian", "todoist", "notizen", "notas",
        "drive", "trello", "mobilenotes", "quip", "emacs", "vim", "nvim", "nano", "gedit",
      ], parts: ["notebook", "office"]),
    Rule(
      "music",
      words: [
        "spotify", "music", "musik", "musique", "deezer", "soundcloud", "podcasts", "podcast",
        "shazam", "audible", "tidal", "radio", "blackplayer", "pandora", "musica", "overcast",
        "castbox", "audiobooks",
      ], parts: ["music", "podcast", "radio"]),
    Rule(
      "large-game",
      words: [
        "fortnite", "genshin", "pubg", "roblox", "minecraft", "codm", "asphalt", "hearthstone",
        "wildrift", "diablo", "warzone", "honkai", "fifa", "pokemongo",
      ], parts: ["genshin", "pubg", "minecraft", "fortnite", "call of duty", "honkai"]),
    Rule(
      "casual-game",
      names: ["town", "brain", "2048"],
      words: [
        "game", "games", "candycrushsaga", "sudoku", "solitaire", "puzzle", "quiz", "lichess",
        "chess", "wordle", "tetris", "duolingo", "angrybirds", "crossword",

      ], parts: ["candy crush", "clash", "puzzle", "solitaire", "quiz", "game"]),
  ]
}

/// Writes the `apps:` block of an imported trace.
public enum CategoryBlock {
  /// Apps that fit into a header; more belong in a side file.
  package static let capacity = 100

  /// One line per app with its guessed category, in byte order of the names.
  ///
  /// At most 100 apps are named: those with the fallback category, which need no line,
  /// give way first; then the last of `apps`, which come with the most important first.
  ///
  /// - Parameters:
  ///   - apps: Names of apps, the most important first.
  ///   - keys: More of the entries of some apps, which are named in any case: entries of a flow
  ///     mapping. Such an app has a category only if one could be guessed.
  public static func yaml(apps: [String], keys: [String: String] = [:]) -> String? {
    var entries = apps.map { (name: $0, category: CategoryGuess.category(of: $0)) }
    var room = entries.count
    if entries.count > capacity {
      entries.removeAll { $0.category == CategoryGuess.fallback && keys[$0.name] == nil }
      room = max(0, capacity - entries.count { keys[$0.name] != nil })
    }
    var lines: [(name: String, line: String)] = []
    for (name, category) in entries {
      guard let more = keys[name] else {
        if room > 0 { lines.append((name, "category: \(category)")) }
        room -= 1
        continue
      }
      let isGuessed = category != CategoryGuess.fallback
      lines.append((name, isGuessed ? "category: \(category), \(more)" : more))
    }
    return yaml(lines: lines)
  }

  /// The block for known entries, written without their braces; nil if there are none.
  package static func yaml(lines: [(name: String, line: String)]) -> String? {
    guard !lines.isEmpty else { return nil }
    return lines.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { "\(YAMLNode.quoted($0.name)): {\($0.line)}" }
      .joined(separator: "\n")
  }
}
