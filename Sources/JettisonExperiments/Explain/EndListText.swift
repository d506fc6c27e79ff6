internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// Decisions and other ends by the system, one per line.
struct EndListText {
  private let list: EndList
  private let apps: [String]
  private let style: TextStyle

  init(_ list: EndList, apps: [String], style: TextStyle) {
    self.list = list
    self.apps = apps
    self.style = style
  }

  /// What a whole run decided.
  func rendered(title: String) -> String {
    let hint = Prose.paragraph(
      "'jettison explain TRACE --decision N' shows one with every candidate.", style)
    let hasDecision = list.entries.contains { $0.decision != nil }
    return style.heading(title) + table + (hasDecision ? hint : "")
  }

  /// What concerns one app.
  func rendered(title: String, app: AppIndex) -> String {
    let stays =
      list.stayCount == 0
      ? ""
      : Prose.paragraph(
        "In \(Prose.counted(list.stayCount, "more decision")) it could have gone, and stayed.",
        style)
    return rendered(title: "\(title): ends of \(apps[app.position])") + stays
  }

  private var table: String {
    var table = TextTable([
      .init("decision", .right), .init("time", .right), .init("rule", .left),
      .init("ended", .left), .init("lost", .right), .init("noticed", .right),
    ])
    for entry in list.entries {
      table.add([
        .init(entry.decision.map { "\($0)" } ?? "–"),
        .init(HumanText.duration(nanoseconds: entry.timeNanoseconds)), .init(entry.rule),
        .init(Prose.listed(entry.ended.map { apps[$0.position] }, shown: 2)),
        .init(text(entry.lost)), .init(text(entry.noticed)),
      ])
    }
    return table.rendered(style)
  }

  private func text(_ amount: EndList.Amount) -> String {
    guard amount.workNanoseconds == 0, amount.bytes == 0 else {
      return HumanText.lost(workNanoseconds: amount.workNanoseconds, bytes: amount.bytes)
    }
    return amount.hasPosition ? "position" : "–"
  }
}
