internal import JettisonModel
internal import JettisonTraces

/// Takes off what resident sizes count more than once.
struct ResidentSizes {
  /// Parts of 64 of which a size counts: less where all together exceed what is in use.
  ///
  /// It only falls, and in steps, so that sizes change rarely.
  private var share: Int64 = 64

  /// Takes off what apps share with the zygote that they were forked from.
  ///
  /// If all processes still come to more than the memory in use, cuts every size by the same share.
  mutating func takeOffShared(
    _ entries: inout [ProcessSamplesReader.Entry], _ zygotes: Set<Int64>, _ memory: MemoryFigures,
    line: Int, _ issues: inout ImportIssues
  ) {
    var bytesOfZygote: [Int64: Int64] = [:]
    for entry in entries where zygotes.contains(entry.pid) {
      bytesOfZygote[entry.pid] = entry.bytes
    }
    var sum: Int64 = 0
    for position in entries.indices {
      let shared = bytesOfZygote[entries[position].parent] ?? 0
      entries[position].bytes = max(0, entries[position].bytes - shared)
      sum = min(sum + entries[position].bytes, TraceLimits.sum)
    }
    guard let total = memory.total, let available = memory.available, sum > 0 else { return }
    let used = max(0, total - available) << 10
    if sum > used, sum / 64 * share > used {
      share = min(share, used / max(1, sum / 64))
      issues.add(
        .info,
        "the processes have more together than is in use, because they share it: their sizes "
          + "are cut by the same share", line: line)
    }
    guard share < 64 else { return }
    for position in entries.indices {
      entries[position].bytes = entries[position].bytes / 64 * share
    }
  }
}
