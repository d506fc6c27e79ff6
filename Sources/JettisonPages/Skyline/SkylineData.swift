import JettisonCore

/// A day as the data of its page: everything that is drawn, as it was recorded.
extension SkylineDay {
  /// Writes it as a JSON object; times are nanoseconds, apps positions in the list of names.
  func writeJSON(_ marks: CaptureMarks, to out: inout MarkupWriter) {
    out.markup("{\"day\":")
    out.number(number)
    out.markup(",\"from\":")
    out.number(range.lowerBound)
    out.markup(",\"to\":")
    out.number(range.upperBound)
    out.markup(",\"bin\":")
    out.number(binNanoseconds)
    out.markup(",\"available\":")
    if let firstAvailableBytes { out.number(firstAvailableBytes) } else { out.markup("null") }
    out.markup(",\"level\":")
    out.quoted(firstLevel.name)
    out.list(",\"holdings\":[", firstHoldings) { holding, out in
      out.numbers(Int64(holding.app.position), holding.bytes)
    }
    out.list(",\"moments\":[", moments) { moment, out in
      out.numbers(moment.time, moment.availableBytes)
      for holding in holdings[moment.changes] {
        out.markup(",")
        out.numbers(Int64(holding.app.position), holding.bytes)
      }
    }
    out.list(",\"states\":[", firstStates + states) { change, out in
      out.numbers(change.time, Int64(change.app.position))
      out.markup(",")
      out.quoted(change.state.name)
    }
    out.list(",\"levels\":[", levels) { change, out in
      out.number(change.time)
      out.markup(",")
      out.quoted(change.level.name)
    }
    out.markup(",\"spans\":[")
    out.numbers(
      levelSpans[.normal] ?? 0, levelSpans[.warning] ?? 0, levelSpans[.critical] ?? 0)
    out.markup("]")
    out.list(",\"saves\":[", saves) { save, out in
      out.numbers(save.time, Int64(save.app.position), Int64(save.count), save.bytes)
      out.quotedAfterCommas(KnownNames.of(save.outcome), save.cause.name)
    }
    out.list(",\"warnings\":[", warnings) { warning, out in
      out.numbers(
        warning.time, Int64(warning.app.position), Int64(warning.count),
        warning.releasedBytes ?? -1)
      out.quotedAfterCommas(warning.level.name)
    }
    writeEnds(to: &out)
    writeDecisions(to: &out)
    writeCapture(marks, to: &out)
    out.markup(",\"thinned\":[")
    out.numbers(
      Int64(thinning.footprints), Int64(thinning.states), Int64(thinning.ends),
      Int64(thinning.decisions))
    out.markup("]}")
  }

  private func writeEnds(to out: inout MarkupWriter) {
    out.list(",\"ends\":[", ends) { end, out in
      out.numbers(
        end.time, Int64(end.app.position), end.bytes, Int64(end.decision ?? 0),
        end.returnTime ?? -1)
      out.quotedAfterCommas(end.kind.name, end.cause.name)
      guard let loss = end.loss else { return }
      out.markup(",")
      out.numbers(loss.workNanoseconds, loss.bytes)
      out.quotedAfterCommas(loss.lossClass.name, loss.noticed.name)
    }
    out.list(",\"losses\":[", losses) { loss, out in
      out.numbers(loss.time, Int64(loss.app.position), loss.workNanoseconds, loss.bytes)
      out.quotedAfterCommas(loss.lossClass.name, loss.noticed.name)
    }
  }

  private func writeDecisions(to out: inout MarkupWriter) {
    let told = decisions.filter { toldDecisions.contains($0.number) }
    out.list(",\"decisions\":[", told) { decision, out in
      out.numbers(
        Int64(decision.number), decision.timeNanoseconds, decision.availableBytes,
        decision.neededBytes, decision.targetBytes)
      out.quotedAfterCommas(decision.trigger.name, decision.level.name)
      out.list(",[", decision.candidates) { candidate, out in
        out.numbers(Int64(candidate.app.position))
        out.quotedAfterCommas(candidate.state.name)
        out.markup(",")
        out.real(candidate.score)
        out.markup(",")
        out.numbers(
          candidate.footprintBytes, candidate.idleNanoseconds, candidate.unsavedWorkNanoseconds,
          candidate.unsavedBytes, candidate.sinceWarningNanoseconds ?? -1,
          candidate.isChosen ? 1 : 0, candidate.freedBytes)
        out.quotedAfterCommas(candidate.tieBrokenBy.map(KnownNames.of) ?? "")
      }
    }
  }

  private func writeCapture(_ marks: CaptureMarks, to out: inout MarkupWriter) {
    out.list(",\"killed\":[", marks.kills.filter { range.contains($0.time) }) { kill, out in
      out.numbers(kill.time, Int64(kill.app.position))
      out.quotedAfterCommas(kill.cause.name)
    }
    out.list(",\"locks\":[", marks.locks.filter { $0.overlaps(range) }) { lock, out in
      out.numbers(lock.lowerBound, lock.upperBound)
    }
  }
}
