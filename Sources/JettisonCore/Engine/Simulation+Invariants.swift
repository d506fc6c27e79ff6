#if DEBUG
  /// Everything that is kept by small steps, counted again.
  ///
  /// A build for debugging does so after every event and every settling (in a run of many apps, after
  /// some of them), and traps where the two differ: a step was forgotten.
  extension Simulation {
    /// - Parameter isSettled: Whether limits and level have been looked at since something changed.
    /// - Complexity: O(apps).
    mutating func checkInvariants(isSettled: Bool = true) {
      checkCount += 1
      guard apps.count <= 16 || checkCount % 64 == 0 else { return }
      checkSums()
      checkResidents()
      guard isSettled else { return }
      if traits.levelIsOfMemoryAlone {
        precondition(pressureLevel() == level, "the level is that of available memory")
      }
      model.checkSums(&self)
    }

    private mutating func checkSums() {
      let capacity = configuration.capacity
      precondition(
        availableBytes == capacity - systemBytes - sum { $0.chargedBytes },
        "available memory is RAM less the system less what apps are charged with")
      precondition(
        counters.footprintBytes == sum { $0.footprintBytes }, "footprints add up to their sum")
      precondition(
        counters.suspended.value == sum { $0.state == .suspended ? $0.footprintBytes : 0 },
        "footprints of suspended apps add up to their sum")
      precondition(
        counters.requestedBytes == sum { $0.liveBytes }, "live blocks add up to what is requested")
      precondition(
        purgeableBytes == purgeableBytesOfBlocks(), "purgeable blocks add up to what can be emptied"
      )
    }

    private mutating func purgeableBytesOfBlocks() -> Int64 {
      var sum: Int64 = 0
      for position in 0..<apps.count {
        var slot = apps.records[position].blocks.first
        while slot != AppRecord.none {
          if blocks[slot].isPurgeable, blocks[slot].isHere { sum += blocks[slot].bytes }
          slot = blocks[slot].next
        }
      }
      return sum
    }

    private mutating func checkResidents() {
      precondition(counters.residents.value == residents.count, "residents are counted")
      for position in residents.indices {
        precondition(
          apps[residents[position]].residentPosition == position, "a resident knows its place")
      }
      var running = 0
      for position in 0..<apps.count {
        let record = apps.records[position]
        let ledger = record.ledger
        running += record.state == .notRunning ? 0 : 1
        precondition(
          record.state != .notRunning || record.footprintBytes == 0, "who does not run is nowhere")
        precondition(
          ledger.unsavedBytes >= 0 && ledger.unsavedWorkNanoseconds >= 0,
          "no more is durable than was produced")
        precondition(record.looseEnds == looseEnds(of: position), "loose ends are those of now")
        precondition(
          record.hasDurableData == ledger.hasDurableData, "what is durable is known of every app")
      }
      precondition(running == residents.count, "every running process is a resident")
    }

    /// What is open with an app, found out from everything else that is known of it.
    private mutating func looseEnds(of position: Int) -> LooseEnds {
      let record = apps.records[position]
      var ends = LooseEnds.lasting(apps.profiles[position], index.facts[position])
      if record.episodeIsDirty { ends.insert(.dirtyUse) }
      if record.ledger.hasUnsaved { ends.insert(.unsaved) }
      if record.firstSave != AppRecord.none { ends.insert(.saves) }
      if record.openTaskCount != 0 { ends.insert(.tasks) }
      if record.modes != 0 { ends.insert(.modes) }
      if record.heldResources != 0 { ends.insert(.resources) }
      if apps.writtenAdj(AppIndex(position)) != apps.profiles[position].oomScoreAdj {
        ends.insert(.adj)
      }
      return ends
    }

    mutating func sum(_ figure: (AppRecord) -> Int64) -> Int64 {
      var sum: Int64 = 0
      for position in 0..<apps.count { sum += figure(apps.records[position]) }
      return sum
    }
  }
#endif
