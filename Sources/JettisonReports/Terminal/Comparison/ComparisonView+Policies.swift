package import JettisonCore

extension ComparisonView {
  /// Takes what policies and their modifiers say of themselves.
  package mutating func explain(_ policies: [PolicySpec]) {
    for policy in policies {
      let descriptor = policy.descriptor
      if descriptor.isOracle { oracles.insert(policy.name) }
      let future = descriptor.isOracle ? " It sees the future: a yardstick." : ""
      notes[policy.name] =
        [Note(descriptor.name, descriptor.summary + future)]
        + policy.modifiers.effects.map { Note($0.modifier, "\($0.text).") }
    }
  }
}
