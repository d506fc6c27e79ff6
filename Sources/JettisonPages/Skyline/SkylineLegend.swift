extension SkylineSection {
  /// What shades and marks mean: each is told from the others by its shape, too.
  static let legend: MarkupWriter = {
    var out = MarkupWriter()
    out.markup("<ul class=\"legend skyline-legend\">")
    for (shape, words) in items {
      out.markup("<li><svg viewBox=\"-8 -8 16 16\" aria-hidden=\"true\">")
      out.markup(shape)
      out.markup("</svg>")
      out.markup(words)
      out.markup("</li>")
    }
    out.markup("</ul>")
    return out
  }()

  private static let items: [(StaticString, StaticString)] = [
    ("<path class=\"shade-front\" d=\"M-8-6h16v12h-16Z\"/>", "in front"),
    ("<path class=\"shade-background\" d=\"M-8-3.5h16v7h-16Z\"/>", "in the background"),
    ("<path class=\"shade-suspended\" d=\"M-8-1.5h16v3h-16Z\"/>", "suspended"),
    ("<path class=\"notch\" d=\"M-5-5h10l-5 9Z\"/>", "purged, nothing lost"),
    ("<path class=\"notch lost\" d=\"M-7-6h14l-7 12Z\"/>", "purged, with work lost by area"),
    ("<path class=\"notch\" d=\"M-6 0l6-6l6 6l-6 6Z\"/>", "killed"),
    ("<path class=\"notch\" d=\"M-5-5h10v10h-10Z\"/>", "ended for taking too long"),
    ("<circle class=\"save complete\" r=\"3\"/>", "saved"),
    ("<circle class=\"save partial\" r=\"3\"/>", "saved in part"),
    ("<path class=\"warned\" d=\"M-4 3.5L0-3.5L4 3.5Z\"/>", "warned"),
    ("<path class=\"warned critical\" d=\"M-4 3.5L0-3.5L4 3.5Z\"/>", "warned, critical"),
    ("<path class=\"ended system-end\" d=\"M0-7v14\"/>", "ended by the system"),
  ]
}
