internal import JettisonCore
internal import JettisonReports

/// Policies for people: the list, and the page of one.
enum PolicyText {
  private static let nameWidth = 18

  // MARK: The list

  /// All policies by family, then the modifiers.
  static func list(_ policies: [PolicyDescriptor], _ style: TextStyle) -> String {
    var families: [String] = []
    for policy in policies where !families.contains(policy.family) {
      families.append(policy.family)
    }
    var text = ""
    for family in families {
      text += style.emphasised(family, .bold) + "\n"
      for policy in policies where policy.family == family {
        text += entry(policy)
      }
      text += "\n"
    }
    let more = "'jettison policies NAME' explains one well enough to implement it."
    return text + modifiers(style) + "\n" + Prose.paragraph(more, style)
  }

  /// Name and rule; parameters and source below.
  private static func entry(_ policy: PolicyDescriptor) -> String {
    var lines = [policy.summary]
    if !policy.parameters.isEmpty {
      let parameters = policy.parameters.map { "\($0.name)=\($0.defaultText)" }
      lines.append("Parameters: \(parameters.joined(separator: ", "))")
    }
    lines.append("Source: \(policy.source)")
    let marks = marks(of: policy)
    if !marks.isEmpty { lines.append(marks.joined(separator: "; ") + ".") }
    return hanging(policy.name, lines)
  }

  /// What sets a policy apart from others.
  private static func marks(of policy: PolicyDescriptor) -> [String] {
    var marks: [String] = []
    if policy.isOracle { marks.append("Looks into the future: a yardstick, not for a phone") }
    if policy.needsArguments { marks.append("Needs parameters: 'all' leaves it out") }
    if policy.draws { marks.append("Draws at random: seeds differ") }
    return marks
  }

  /// Lines that hang below each other behind a label.
  private static func hanging(_ label: String, _ paragraphs: [String]) -> String {
    let lines = paragraphs.flatMap { Prose.wrap($0, width: Console.width - nameWidth - 2) }
    let blank = String(repeating: " ", count: nameWidth + 2)
    let head = "  " + label
    guard let first = lines.first else { return head + "\n" }
    var text: String
    if head.count < blank.count {
      text = head + String(blank.dropFirst(head.count)) + first + "\n"
    } else {
      text = head + "\n" + blank + first + "\n"
    }
    for line in lines.dropFirst() { text += blank + line + "\n" }
    return text
  }

  /// What may follow any policy's name.
  static func modifiers(_ style: TextStyle) -> String {
    var text = style.emphasised("modifiers, behind any policy and in any order", .bold) + "\n"
    for modifier in PolicyModifiers.all { text += hanging(modifier.usage, [modifier.summary]) }
    return text + "  As in lru+saved+recent=2 or gdsf:cost=1+until=15%.\n"
  }

  // MARK: One modifier

  /// What a modifier does, and how it stands behind a policy.
  static func page(_ modifier: PolicyModifiers.Kind, _ style: TextStyle) -> String {
    style.heading("\(modifier.usage): \(modifier.summary)") + "\n"
      + Prose.wrap(modifier.details, indent: 2).map { $0 + "\n" }.joined()
      + "\nAs in: jettison compare traces --policies lru,\(modifier.example)\n"
  }

  // MARK: One policy

  /// Everything that an implementation needs.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - style: How the page looks.
  ///   - written: The policy as a shell takes it, if not its name alone: a file, or parameters with it.
  ///   - arguments: The values that parameters are given in it.
  ///   - modifiers: Those that a policy file names.
  static func page(
    _ policy: PolicyDescriptor, _ style: TextStyle, writtenAs written: String? = nil,
    arguments: PolicyArguments = PolicyArguments(), modifiers: String = ""
  ) -> String {
    var text = style.heading("\(policy.name): \(policy.summary)") + "\n"
    text += Prose.wrap(policy.details, indent: 2).joined(separator: "\n") + "\n\n"
    let ties =
      "The lowest score goes first. Equal scores: suspended earlier, then larger, then the "
      + "smaller name by bytes."
    text += Prose.wrap(ties, indent: 2).joined(separator: "\n") + "\n\n"
    var facts = [
      ("family", policy.family), ("cost", policy.complexity),
      ("draws at random", policy.draws ? "yes: seeds differ" : "no"),
    ]
    if !policy.aliases.isEmpty {
      facts.append(("also called", policy.aliases.joined(separator: ", ")))
    }
    if !modifiers.isEmpty { facts.append(("modifiers", "\(modifiers), always")) }
    if policy.isOracle {
      facts.append(("future", "it looks into it: a yardstick, not for a phone"))
    }
    if policy.needsArguments {
      facts.append(("parameters", "it cannot run without; 'all' leaves it out"))
    }
    facts.append(("source", policy.source))
    for (label, fact) in facts { text += hanging(label, [fact]) }
    text += "\n" + parameters(of: policy, arguments, style)
    text += "As in: jettison replay trace.csv --policy \(written ?? example(of: policy))\n"
    return text
      + Prose.paragraph(
        "\(modifiers.isEmpty ? "Modifiers" : "Further modifiers") such as +saved and +recent=2 apply; "
          + "'jettison policies' lists them.", style)
  }

  private static func parameters(
    of policy: PolicyDescriptor, _ arguments: PolicyArguments, _ style: TextStyle
  ) -> String {
    guard !policy.parameters.isEmpty else { return "  No parameters.\n\n" }
    var text = "  " + style.emphasised("parameters and defaults", .bold) + "\n"
    for parameter in policy.parameters {
      let here = arguments[parameter.name].map { "Here: \($0)." }
      text += hanging(
        "\(parameter.name)=\(parameter.defaultText)",
        [parameter.summary] + (here.map { [$0] } ?? []))
    }
    return text + "\n"
  }

  /// The policy with its first parameter written out.
  private static func example(of policy: PolicyDescriptor) -> String {
    guard let first = policy.parameters.first else { return policy.name }
    let value = first.defaultText.hasPrefix("none") ? "…" : first.defaultText
    return "\(policy.name):\(first.name)=\(value)"
  }
}
