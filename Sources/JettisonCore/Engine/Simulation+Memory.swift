/// Footprints, available memory and blocks.
extension Simulation {
  // MARK: Available memory

  /// Reads an app's footprint again and charges the difference.
  mutating func refreshFootprint(_ app: AppIndex) {
    let bytes = memory.footprintBytes(
      app, liveBytes: apps[app].liveBytes, ballastBytes: apps[app].ballastBytes)
    let before = apps[app].footprintBytes
    let delta = bytes - before
    guard delta != 0 else {
      // What is requested may have changed all the same.
      if log.wantsFootprints { recordFootprint(app) }
      return
    }
    apps[app].footprintBytes = bytes
    changes.add(app)
    counters.footprintBytes += delta
    counters.notePeak()
    if apps[app].state == .suspended { counters.suspended.change(by: delta, at: now) }
    if bytes > apps[app].limitBytes, delta > 0 || !traits.limitsMeetGrowthOnly {
      apps[app].passedLimit = true
      limits.isExceeded = true
    }
    counters.footprintChanged(app, to: bytes, at: now)
    if traits.followsApps { model.footprintChanged(app, from: before, &self) }
    updateCharge(app)
    if log.wantsFootprints { recordFootprint(app) }
    if notes.wantsFootprints, apps[app].state != .notRunning { note(.resized, app) }
  }

  /// Charges an app for what its footprint takes of RAM.
  @inline(__always)
  mutating func updateCharge(_ app: AppIndex) {
    // A declared size is all that there is to an app.
    charge(
      app, with: traits.declaresSizes ? apps[app].footprintBytes : model.charge(for: app, &self))
  }

  @inline(__always)
  private mutating func charge(_ app: AppIndex, with charge: Int64) {
    let delta = charge - apps[app].chargedBytes
    guard delta != 0 else { return }
    apps[app].chargedBytes = charge
    changeAvailable(by: -delta)
    if delta > 0, traits.followsApps { model.memoryTaken(by: app, bytes: delta, &self) }
  }

  /// What of an app's footprint is compressed because it is suspended, in bytes as they were; 0
  /// where the device compresses nothing.
  @inline(__always)
  mutating func compressedBytes(of app: AppIndex) -> Double {
    guard apps[app].state == .suspended, let compression = configuration.device.compression
    else { return 0 }
    let own = apps.profiles[app.position].compressedPPM
    let share = own >= 0 ? Double(own) / 1_000_000 : compression.suspendedShare
    return Double(apps[app].footprintBytes) * share
  }

  /// What compressing so many bytes saves, in bytes.
  @inline(__always)
  mutating func savedBytes(byCompressing bytes: Double) -> Int64 {
    guard bytes > 0, let compression = configuration.device.compression else { return 0 }
    return Int64((bytes * (1 - 1 / compression.ratio)).rounded())
  }

  @inline(__always)
  mutating func changeAvailable(by delta: Int64) {
    guard delta != 0 else { return }
    availableBytes += delta
    needsSettling = true
  }

  /// An app was suspended or resumed: its bytes move to or from the suspended ones.
  @inline(__always)
  mutating func moveSuspendedMemory(_ app: AppIndex, from before: AppState) {
    let bytes = apps[app].footprintBytes
    counters.suspended.change(by: before == .suspended ? -bytes : bytes, at: now)
    // Without compression the charge is the footprint in every state.
    if configuration.device.compression != nil { updateCharge(app) }
  }

  @inline(never)
  mutating func recordFootprint(_ app: AppIndex) {
    let record = apps[app]
    let active = memory.activeBytes(app)
    let footprint = FootprintRecord(
      timeNanoseconds: now, app: app, state: app == endingApp ? .notRunning : record.state,
      footprintBytes: record.footprintBytes, requestedBytes: record.liveBytes,
      activeBytes: active, dirtyBytes: active < 0 ? -1 : record.footprintBytes - active,
      availableBytes: availableBytes, level: pressureLevel())
    log.toldMemory = footprint.memory
    log.recorder?.record(footprint)
  }

  /// Tells available memory and the level, unless that was told last.
  ///
  /// They change without any footprint: the system takes memory, apps are compressed or swapped out,
  /// and some models go by more than memory.
  @inline(never)
  mutating func recordMemory(_ level: PressureLevel) {
    let memory = MemoryRecord(timeNanoseconds: now, availableBytes: availableBytes, level: level)
    if let told = log.toldMemory, told.saysTheSame(as: memory) { return }
    log.toldMemory = memory
    log.recorder?.record(memory)
  }

  // MARK: Beginning and end of a process

  /// A new process gets its live blocks, else its newest sample, else the catalog's figure
  /// (which counts only until the first memory row, so not if one follows at this instant).
  mutating func startMemory(_ app: AppIndex) {
    if traits.declaresSizes, !apps[app].looseEnds.contains(.measured) {
      return declareSize(app, declaredSize(app))
    }
    apps[app].liveBytes = 0
    apps[app].ballastBytes = 0
    apps[app].releasedBytes = 0
    apps[app].figureIsModelled = false
    memory.start(app)
    var slot = apps[app].blocks.first
    while slot != AppRecord.none {
      place(slot, of: app)
      slot = blocks[slot].next
    }
    if traits.declaresSizes {
      declareSize(app, declaredSize(app))
    } else if !apps[app].blocks.isEmpty {
      refreshFootprint(app)
    } else if max(instant.demand.sampleBytes, apps[app].sampleBytes) >= 0 {
      let sample =
        instant.demand.sampleBytes >= 0 ? instant.demand.sampleBytes : apps[app].sampleBytes
      setTotal(app, to: sample)
    } else if !instant.demand.hasMemoryRows {
      apps[app].figureIsModelled = true
      setTotal(app, to: apps.profiles[app.position].launchFootprintBytes)
    }
  }

  /// Size of an app where sizes are declared: its live blocks, else its newest sample, else the catalog's;
  /// 1 where the capacity counts apps.
  @inline(__always)
  mutating func declaredSize(_ app: AppIndex) -> Int64 {
    if configuration.capacityApps != nil { return 1 }
    if !apps[app].blocks.isEmpty { return apps[app].blocks.bytes }
    if instant.demand.sampleBytes >= 0 { return instant.demand.sampleBytes }
    let sample = apps[app].sampleBytes
    return sample >= 0 ? sample : apps.profiles[app.position].launchFootprintBytes
  }

  /// Sets the size of an app where sizes are declared.
  mutating func declareSize(_ app: AppIndex, _ bytes: Int64) {
    apps[app].ballastBytes = bytes
    refreshFootprint(app)
  }

  /// Gives everything back and closes the footprint.
  mutating func endMemory(_ app: AppIndex) {
    var slot = apps[app].blocks.first
    while slot != AppRecord.none {
      notePurgeable(slot, by: -1)
      blocks[slot].isHere = false
      blocks[slot].address = 0
      slot = blocks[slot].next
    }
    counters.requestedChanged(app, by: -apps[app].liveBytes, liveBytes: 0)
    apps[app].liveBytes = 0
    apps[app].ballastBytes = 0
    memory.end(app)
    if traits.followsApps { model.memoryEnded(app, &self) }
    refreshFootprint(app)
  }

  /// The capture's process is gone: so are its blocks, here too.
  mutating func endGeneration(_ app: AppIndex) {
    apps[app].generationEnded = false
    var slot = apps[app].blocks.first
    while slot != AppRecord.none {
      let next = blocks[slot].next
      if blocks[slot].isHere { drop(slot, of: app) }
      blocks[slot].isLive = false
      slot = next
    }
    apps[app].blocks = BlockList()
    refreshFootprint(app)
  }

  /// A new generation begins while the app still lives here: the old one's blocks go first.
  @inline(__always)
  mutating func beginGenerationIfEnded(_ app: AppIndex) {
    if apps[app].generationEnded { endGeneration(app) }
  }

  // MARK: Blocks

  @inline(__always)
  mutating func allocate(_ event: TraceEvent) {
    let app = event.app
    let block = Block(bytes: event.value, details[Int(event.detail)])
    if blocks[event.slot].isLive { blocks.remove(event.slot, from: &apps[app].blocks) }
    blocks.append(event.slot, block, to: &apps[app].blocks)
    guard runsForOwnRow(app) else { return }
    dropModelledFigure(app)
    place(event.slot, of: app)
    memoryChanged(app)
  }

  @inline(__always)
  mutating func free(_ event: TraceEvent) {
    let app = event.app
    guard blocks[event.slot].isLive else { return }
    if runsForOwnRow(app), blocks[event.slot].isHere {
      drop(event.slot, of: app)
      memoryChanged(app)
      armDecay(app)
    }
    blocks.remove(event.slot, from: &apps[app].blocks)
  }

  mutating func reallocate(_ event: TraceEvent) {
    let app = event.app
    let slot = event.slot
    guard blocks[slot].isLive else { return }
    let old = blocks[slot].bytes
    apps[app].blocks.bytes += event.value - old
    guard runsForOwnRow(app) else {
      blocks[slot].bytes = event.value
      return
    }
    if blocks[slot].isHere {
      notePurgeable(slot, by: -1)
      blocks[slot].bytes = event.value
      notePurgeable(slot, by: 1)
      blocks[slot].address = memory.reallocate(
        app, blocks[slot].address, bytes: event.value, alignment: blocks[slot].alignment)
      apps[app].liveBytes += event.value - old
      counters.requestedChanged(app, by: event.value - old, liveBytes: apps[app].liveBytes)
    } else {
      blocks[slot].bytes = event.value
      place(slot, of: app)
    }
    memoryChanged(app)
    armDecay(app)
  }

  /// Makes a block of the capture exist here.
  @inline(__always)
  private mutating func place(_ slot: UInt32, of app: AppIndex) {
    let block = blocks[slot]
    blocks[slot].address = memory.allocate(
      app, bytes: block.bytes, alignment: block.alignment)
    blocks[slot].isHere = true
    notePurgeable(slot, by: 1)
    apps[app].liveBytes += block.bytes
    counters.requestedChanged(app, by: block.bytes, liveBytes: apps[app].liveBytes)
  }

  /// Takes a block away here; the capture may still hold it.
  @inline(__always)
  private mutating func drop(_ slot: UInt32, of app: AppIndex) {
    memory.free(app, blocks[slot].address)
    notePurgeable(slot, by: -1)
    blocks[slot].isHere = false
    blocks[slot].address = 0
    apps[app].liveBytes -= blocks[slot].bytes
    counters.requestedChanged(
      app, by: -blocks[slot].bytes, liveBytes: apps[app].liveBytes)
  }

  @inline(__always)
  private mutating func memoryChanged(_ app: AppIndex) {
    if memory.usesArenas {
      noteArena(app)
      guard
        memory.arenaFootprintBytes(app) != apps[app].footprintBytes || log.wantsFootprints
      else { return }
    }
    refreshFootprint(app)
  }

  /// The first row that measures an app's memory ends the figure from the catalog.
  @inline(__always)
  private mutating func dropModelledFigure(_ app: AppIndex) {
    if apps[app].figureIsModelled { endModelledFigure(app) }
  }

  @inline(never)
  private mutating func endModelledFigure(_ app: AppIndex) {
    apps[app].figureIsModelled = false
    stopGrowth(app)
    setTotal(app, to: 0)
  }

  // MARK: Totals that the trace gives

  mutating func sample(_ event: TraceEvent) {
    let app = event.app
    apps[app].sampleBytes = event.value
    guard apps[app].state != .notRunning else {
      counters[app].skippedEvents += 1
      return
    }
    if traits.declaresSizes {
      if event.value < apps[app].liveBytes { noteIssue(.footprintBelowAllocations) }
      return
    }
    apps[app].figureIsModelled = false
    apps[app].releasedBytes = 0
    stopGrowth(app)
    setTotal(app, to: event.value)
  }

  /// Sets the total of live blocks and ballast; ballast makes up the difference.
  mutating func setTotal(_ app: AppIndex, to bytes: Int64) {
    apps[app].ballastBytes = max(0, bytes - apps[app].liveBytes)
    realise(app, total: bytes)
    refreshFootprint(app)
  }

  /// Makes memory hold a total; who is charged with it follows.
  @inline(__always)
  mutating func realise(_ app: AppIndex, total bytes: Int64) {
    let reached = memory.setTotal(app, bytes: bytes, liveBytes: apps[app].liveBytes)
    if !reached { noteIssue(.footprintBelowAllocations) }
    if memory.usesArenas { noteArena(app) }
  }

  @inline(__always)
  private mutating func noteArena(_ app: AppIndex) {
    let active = memory.activeBytes(app)
    counters.arenaChanged(
      app, activeBytes: active, dirtyBytes: memory.arenaFootprintBytes(app) - active)
  }

  /// When the background handler has returned.
  @inline(__always)
  mutating func fallToBackgroundCeiling(_ app: AppIndex) {
    fall(app, toCeiling: apps.profiles[app.position].backgroundCeilingBytes)
  }

  /// A modelled footprint falls to a ceiling, in bytes; negative: there is none.
  @inline(__always)
  mutating func fall(_ app: AppIndex, toCeiling ceiling: Int64) {
    guard ceiling >= 0, !index.facts[app.position].hasMemory, !traits.declaresSizes,
      apps[app].ballastBytes > ceiling
    else { return }
    setTotal(app, to: ceiling)
  }

  // MARK: Decay

  /// Freed pages go back after a while, as long as the app runs code.
  @inline(__always)
  mutating func armDecay(_ app: AppIndex) {
    guard memory.usesArenas, apps[app].state.runsCode, !timers.isSet(.decay, app.rawValue),
      memory.dirtyBytes(app) > 0
    else { return }
    timers.set(
      .decay, app.rawValue, at: now + configuration.decayNanoseconds)
  }

  mutating func decay(_ app: AppIndex) {
    memory.releaseDirtyPages(app)
    refreshFootprint(app)
  }

  /// What a warning makes an app give back: its purgeable blocks, or a share of its figure.
  mutating func release(_ app: AppIndex) {
    if !dropPurgeable(app) { releaseShare(app) }
    memory.releaseDirtyPages(app)
    refreshFootprint(app)
  }

  /// Empties an app's purgeable blocks without asking it; false if it has none.
  mutating func emptyPurgeable(_ app: AppIndex) -> Bool {
    guard dropPurgeable(app) else { return false }
    memory.releaseDirtyPages(app)
    refreshFootprint(app)
    return true
  }

  private mutating func dropPurgeable(_ app: AppIndex) -> Bool {
    var dropped = false
    var slot = apps[app].blocks.first
    while slot != AppRecord.none {
      if blocks[slot].isPurgeable, blocks[slot].isHere {
        drop(slot, of: app)
        dropped = true
      }
      slot = blocks[slot].next
    }
    return dropped
  }

  /// Keeps count of purgeable memory, which some models count as available.
  @inline(__always)
  private mutating func notePurgeable(_ slot: UInt32, by sign: Int64) {
    if blocks[slot].isPurgeable, blocks[slot].isHere {
      purgeableBytes += sign * blocks[slot].bytes
    }
  }

  /// Frees the catalog's share of what is still releasable.
  ///
  /// What an earlier warning has freed counts as released, so repeated warnings come to an end.
  private mutating func releaseShare(_ app: AppIndex) {
    let profile = apps.profiles[app.position]
    let record = apps[app]
    let releasable =
      (record.footprintBytes + record.releasedBytes).share(profile.releasablePPM)
      - record.releasedBytes
    let released = min(max(0, releasable).share(profile.warningReleasePPM), record.ballastBytes)
    guard released > 0 else { return }
    apps[app].releasedBytes += released
    setTotal(app, to: record.liveBytes + record.ballastBytes - released)
  }
}

extension TraceIndex.AppFacts {
  /// Whether any row measures the app's memory.
  var hasMemory: Bool { !isDisjoint(with: .memory) }
}
