import JettisonCore
import JettisonReports
import JettisonSupport

/// Lanes below the stack: level, locks, captured kills, and one per app.
extension SkylineDrawing {
  // MARK: Level

  /// A line in three steps.
  mutating func drawLevel() {
    out.label("level", x: Self.left - 60, y: levelTop + 140, "lane-name")
    out.markup("<path class=\"level\" d=\"")
    drawSteps(
      from: levelY(day.firstLevel), day.levels.map { ($0.time, levelY($0.level)) })
    out.markup("\" tabindex=\"0\" role=\"img\"")
    tell(levelStory)
    out.markup("</path>")
  }

  private func levelY(_ level: PressureLevel) -> Int { levelTop + 180 - 80 * Int(level.rawValue) }

  private var levelStory: String {
    let parts = [PressureLevel.normal, .warning, .critical].compactMap { level in
      day.levelSpans[level].map { "\(level.name) \(HumanText.duration(nanoseconds: $0))" }
    }
    return "Level: \(parts.joined(separator: ", "))."
  }

  // MARK: What the capture tells

  mutating func drawLocks() {
    guard !locks.isEmpty else { return }
    out.label("locked", x: Self.left - 60, y: lockTop + 120, "lane-name")
    for lock in locks {
      out.markup("<rect class=\"lock\"")
      place(from: lock.lowerBound, to: lock.upperBound, y: lockTop + 55, height: 70)
      out.markup(" tabindex=\"0\" role=\"img\"")
      let span = HumanText.duration(nanoseconds: lock.upperBound - lock.lowerBound)
      tell("Locked at \(scene.moment(lock.lowerBound)) for \(span).")
      out.markup("</rect>")
    }
  }

  private mutating func place(from start: Int64, to end: Int64, y: Int, height: Int) {
    out.attribute("x", tenths: x(start))
    out.attribute("y", tenths: y)
    out.attribute("width", tenths: max(8, x(end) - x(start)))
    out.attribute("height", tenths: height)
  }

  mutating func drawKills() {
    guard !kills.isEmpty else { return }
    out.label("really killed", x: Self.left - 60, y: killTop + 130, "lane-name")
    for kill in kills {
      let state = states.last { $0.app == kill.app && $0.time <= kill.time }?.state
      let (x, y) = (x(kill.time), killTop + 100)
      out.markup("<g class=\"captured\" tabindex=\"0\" role=\"img\"")
      data(kill.time, kill.app)
      tell(scene.story(kill, state))
      out.markup("<path d=\"M")
      out.tenths(x - 45)
      out.markup(" ")
      out.tenths(y - 45)
      out.markup("l9 9m0-9l-9 9\"/></g>")
    }
  }

  private var states: [SkylineDay.StateChange] { day.firstStates + day.states }

  private mutating func data(_ time: Int64, _ app: AppIndex) {
    out.attribute("data-t", time)
    out.attribute("data-app", Int64(app.position))
  }

  // MARK: Apps

  mutating func drawLanes() {
    for (place, lane) in lanes.enumerated() { draw(lane, top: lanesTop + place * Self.laneHeight) }
  }

  private mutating func draw(_ lane: SkylineLane, top: Int) {
    out.markup("<g class=\"lane\"")
    out.attribute("data-app", Int64(lane.app.position))
    out.markup("><g class=\"lane-head\" tabindex=\"0\" role=\"img\"")
    tell(scene.story(lane, day))
    out.markup("<rect class=\"hit\" x=\"0\"")
    out.attribute("y", tenths: top)
    out.markup(" width=\"155\" height=\"19\"/>")
    out.label(scene.names.lane(lane.app), x: Self.left - 60, y: top + 130, "lane-name")
    out.markup("</g>")
    for shade in SkylineStack.Shade.allCases { drawSpans(of: lane, shade, top: top) }
    drawMarks(of: lane.app, top: top)
    out.markup("</g>")
  }

  /// Thick in front, thinner in the background, a line while suspended: readable without colour.
  private mutating func drawSpans(
    of lane: SkylineLane, _ shade: SkylineStack.Shade, top: Int
  ) {
    let spans = lane.spans.filter { $0.shade == shade }
    guard !spans.isEmpty else { return }
    out.markup("<path class=\"span ")
    out.markup(shade.style)
    out.markup("\" d=\"M0 ")
    out.tenths(top + 90)
    var at = 0
    for span in spans {
      let (start, end) = (x(span.start), max(x(span.start) + 6, x(span.end)))
      out.command("m")
      out.tenths(start - at)
      out.markup(" 0h")
      out.tenths(end - start)
      at = end
    }
    out.markup("\"/>")
  }

  private mutating func drawMarks(of app: AppIndex, top: Int) {
    for save in day.saves where save.app == app { draw(save, top: top) }
    for warning in day.warnings where warning.app == app { draw(warning, top: top) }
    for end in day.ends where end.app == app { drawTick(end, top: top) }
    for loss in day.losses where loss.app == app { draw(loss, top: top) }
  }

  private mutating func draw(_ save: SkylineDay.Save, top: Int) {
    out.markup("<circle class=\"save ")
    switch save.outcome {
    case .complete: out.markup("complete")
    case .partial: out.markup("partial")
    case .interrupted: out.markup("interrupted")
    }
    out.markup("\" tabindex=\"0\" role=\"img\" r=\"2.4\"")
    out.attribute("cx", tenths: x(save.time))
    out.attribute("cy", tenths: top + 90)
    data(save.time, save.app)
    out.attribute("data-n", Int64(save.count))
    out.attribute("data-bytes", save.bytes)
    tell(scene.story(save))
    out.markup("</circle>")
  }

  /// Names what was opened last, for eyes and ears.
  private mutating func tell(_ story: String) {
    out.markup(" data-tip=\"\"><title>")
    out.text(story)
    out.markup("</title>")
  }

  private mutating func draw(_ warning: SkylineDay.Warning, top: Int) {
    out.markup("<path class=\"warned ")
    if warning.level == .critical { out.markup("critical") }
    out.markup("\" tabindex=\"0\" role=\"img\" d=\"M")
    out.tenths(x(warning.time) - 32)
    out.markup(" ")
    out.tenths(top + 55)
    out.markup("l3.2-5.5l3.2 5.5Z\"")
    data(warning.time, warning.app)
    out.attribute("data-n", Int64(warning.count))
    tell(scene.story(warning))
    out.markup("</path>")
  }

  /// Where the app ended: the mark in the stack has the story, or this one if it has none there.
  private mutating func drawTick(_ end: SkylineDay.End, top: Int) {
    out.markup("<path class=\"")
    if end.isBySystem { out.markup("ended system-end") } else { out.markup("ended") }
    out.markup("\" d=\"M")
    out.tenths(x(end.time))
    out.markup(" ")
    out.tenths(top + 20)
    out.markup("v14\"")
    guard !end.isBySystem else { return out.markup("/>") }
    out.markup(" tabindex=\"0\" role=\"img\"")
    data(end.time, end.app)
    tell(scene.story(end))
    out.markup("</path>")
  }

  private mutating func draw(_ loss: SkylineDay.Loss, top: Int) {
    out.markup("<circle class=\"lost\" tabindex=\"0\" role=\"img\" r=\"3.5\"")
    out.attribute("cx", tenths: x(loss.time))
    out.attribute("cy", tenths: top + 90)
    data(loss.time, loss.app)
    out.attribute("data-work", loss.workNanoseconds)
    out.attribute("data-bytes", loss.bytes)
    tell(scene.story(unexplained: loss))
    out.markup("</circle>")
  }
}
