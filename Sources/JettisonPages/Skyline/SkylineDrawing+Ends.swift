import JettisonCore

/// Marks of system ends on the stack, each with the app's name where there is room.
extension SkylineDrawing {
  /// A mark that is placed.
  fileprivate struct Placed {
    let position: Int
    let x: Int
    let y: Int
    let size: Int
  }

  /// A purge is a notch from above, a kill a rhomb, what took too long a square; hollow where
  /// nothing was lost, else with an area that grows with the work lost.
  mutating func drawEnds() {
    let placed = placedEnds()
    let labels = labels(of: placed)
    for (mark, label) in zip(placed, labels) {
      draw(mark)
      guard let label else { continue }
      out.markup("<text class=\"victim\"")
      out.attribute("x", tenths: label.x)
      out.attribute("y", tenths: label.y)
      out.markup(">")
      out.text(scene.names.short(day.ends[mark.position].app))
      out.markup("</text>")
    }
  }

  private static let hollowSize = 40
  private static let greatestSize = 130

  /// Half the width of a mark: the area goes with the work, from a least size on.
  private func size(_ end: SkylineDay.End) -> Int {
    guard let loss = end.loss, loss.isReal else { return Self.hollowSize }
    let share =
      Double(loss.workNanoseconds) / Double(max(1, scene.greatestLossNanoseconds))
    return max(Self.hollowSize, Int((share.squareRoot() * Double(Self.greatestSize)).rounded()))
  }

  /// Ends by the system, each at the top of its app's band; above those it would cover.
  private func placedEnds() -> [Placed] {
    var placed: [Placed] = []
    for (position, end) in day.ends.enumerated() where end.isBySystem {
      let size = size(end)
      var mark = Placed(
        position: position, x: x(end.time), y: y(stack.places[position].highBytes), size: size)
      for _ in 0..<40 {
        guard let other = placed.last(where: { $0.covers(mark) }), other.y > 200 else { break }
        mark = Placed(
          position: position, x: mark.x, y: other.y - other.size - size - 10, size: size)
      }
      placed.append(mark)
    }
    return placed
  }

  /// Where names go: the costliest first, each beside its mark, if that covers nothing.
  private func labels(of placed: [Placed]) -> [(x: Int, y: Int)?] {
    var labels = [(x: Int, y: Int)?](repeating: nil, count: placed.count)
    var taken =
      taken
      + placed.map {
        ($0.x - $0.size..<$0.x + $0.size, $0.y - $0.size - 20..<$0.y + $0.size)
      }
    let order = placed.indices.sorted { (placed[$1].size, $0) < (placed[$0].size, $1) }
    for place in order.prefix(80) {
      let mark = placed[place]
      let width = SkylineNames.width(scene.names.short(day.ends[mark.position].app))
      let sides = [mark.x + mark.size + 30, mark.x - mark.size - 30 - width]
      for start in sides where start >= Self.left && start + width <= Self.right {
        let box = (x: start - 20..<start + width + 20, y: mark.y - 110..<mark.y + 60)
        guard !taken.contains(where: { $0.x.overlaps(box.x) && $0.y.overlaps(box.y) })
        else { continue }
        taken.append(box)
        labels[place] = (start, mark.y + 20)
        break
      }
    }
    return labels
  }

  private mutating func draw(_ mark: Placed) {
    let end = day.ends[mark.position]
    let panel = end.decision.flatMap { day.toldDecisions.contains($0) ? $0 : nil }
    if let decision = panel {
      out.markup("<a class=\"end\" href=\"#")
      out.text("\(scene.prefix)decision-\(decision)")
      out.markup("\"")
    } else {
      out.markup("<g class=\"end\" tabindex=\"0\" role=\"img\"")
    }
    out.attribute("data-t", end.time)
    out.attribute("data-app", Int64(end.app.position))
    out.attribute("data-kind", end.kind.name)
    out.attribute("data-held", end.bytes)
    if let decision = end.decision { out.attribute("data-decision", Int64(decision)) }
    if let loss = end.loss {
      out.attribute("data-work", loss.workNanoseconds)
      out.attribute("data-bytes", loss.bytes)
    }
    out.markup(" data-tip=\"\"><title>")
    out.text(scene.story(end))
    out.markup("</title><path class=\"")
    if let loss = end.loss, loss.isReal { out.markup("notch lost") } else { out.markup("notch") }
    out.markup("\" d=\"")
    drawShape(end.kind, mark)
    out.markup("\"/>")
    if panel != nil { out.markup("</a>") } else { out.markup("</g>") }
  }

  private mutating func drawShape(_ kind: RecordedKind, _ mark: Placed) {
    let size = mark.size
    out.command("M")
    out.tenths(mark.x - size)
    out.markup(" ")
    switch kind {
    case .purge:
      out.tenths(mark.y - size)
      step("h", 2 * size)
      step("l", -size, 2 * size - size / 4)
    case .kill:
      out.tenths(mark.y)
      step("l", size, -size)
      step("l", size, size)
      step("l", -size, size)
    default:
      out.tenths(mark.y - size)
      step("h", 2 * size)
      step("v", 2 * size)
      step("h", -2 * size)
    }
    out.command("Z")
  }

  private mutating func step(_ letter: Unicode.Scalar, _ values: Int...) {
    out.command(letter)
    for (place, value) in values.enumerated() {
      if place > 0 { out.markup(" ") }
      out.tenths(value)
    }
  }
}

extension SkylineDrawing.Placed {
  /// Whether another mark would lie on this one.
  fileprivate func covers(_ other: SkylineDrawing.Placed) -> Bool {
    abs(x - other.x) < size + other.size && abs(y - other.y) < size + other.size
  }
}
