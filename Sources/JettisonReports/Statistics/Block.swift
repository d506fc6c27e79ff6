/// A device at one memory size: what policies are compared on.
package struct Block: Sendable, Hashable {
  /// The device's name, with swept settings and the capacity in apps after a colon.
  package let device: String
  /// RAM in bytes.
  package let memoryBytes: Int64

  /// A device at a memory size in bytes.
  package init(device: String, memoryBytes: Int64) {
    self.device = device
    self.memoryBytes = memoryBytes
  }
}

extension RunKey {
  /// What the run's policy is compared on.
  package var block: Block { Block(device: device, memoryBytes: memoryBytes) }
}
