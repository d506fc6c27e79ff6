/// `random`: purges any app, each as likely as the other.
///
/// Score: a draw keyed by seed, user, app and decision, so every decision draws afresh and no
/// other draw moves (<doc:Reproducibility>). No state, O(1) per score. The null hypothesis.
struct RandomOrder: PurgePolicy {
  static var observesEvents: Bool { false }

  let random: KeyedRandom

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    random.uniform(
      entity: apps.entity(app), episode: UInt64(request.decision), purpose: .randomVictim)
  }
}

extension PolicyDescriptor {
  package static let random = PolicyDescriptor(
    name: "random", family: "recency", summary: "Purges any app, each as likely as the other.",
    details: "Score: a uniform draw keyed by seed, user, app and decision.",
    source: "the null hypothesis", draws: true
  ) { _, context in RandomOrder(random: context.random) }
}
