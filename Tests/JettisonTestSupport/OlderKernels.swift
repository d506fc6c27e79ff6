package import JettisonCore

extension KernelBadness {
  /// `/proc/<pid>/oom_score` before Linux 5.9, and the score that the kernel prints with a victim: what
  /// reports of other people's kernels are compared with.
  package static func scoreBefore5_9(points: Int64, totalPages: Int64) -> Int64 {
    max(0, points * 1000 / totalPages)
  }
}
