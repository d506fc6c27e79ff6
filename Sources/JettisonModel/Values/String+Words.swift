extension String {
  /// The name of a case as words in lower case: `oomKill` as `oom-kill`.
  package func words(joinedBy joint: Character = "-") -> String {
    var words = ""
    for character in self {
      if character.isUppercase { words.append(joint) }
      words += character.lowercased()
    }
    return words
  }
}
