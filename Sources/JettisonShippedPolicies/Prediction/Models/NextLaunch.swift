/// The probability of each app to be launched next, after the apps launched last.
///
/// `q(i) = (N(context, i) + α·b(i)) / (N(context) + α)`, where `b` is the same for the context that
/// is shorter by its oldest launch. The empty context falls back to one share for every app seen so
/// far, and one more for all that were not. State: ``ContextCounts``. O(apps) per question.
struct NextLaunch: Sendable {
  /// Weight of the shorter context, in launches; positive.
  let prior: Double
  private var contexts: ContextCounts
  private var shares: [Double]
  private var scratch: [Double]

  init(appCount: Int, order: Int, prior: Double) {
    self.prior = prior
    contexts = ContextCounts(order: order)
    shares = Array(repeating: 0, count: appCount)
    scratch = Array(repeating: 0, count: appCount)
  }

  /// Learns from a launch that counts.
  mutating func launched(_ app: AppIndex) { contexts.launched(app) }

  /// Computes the probabilities of some apps; they hold until the next launch.
  mutating func prepare(_ apps: [AppIndex]) {
    let uniform = 1 / Double(contexts.distinct(after: 0) + 1)
    for app in apps { shares[app.position] = uniform }
    for length in 0...contexts.longest {
      let total = contexts.total(after: length)
      contexts.forEachFollower(of: length) { scratch[$0.position] = $1 }
      for app in apps {
        shares[app.position] =
          (scratch[app.position] + prior * shares[app.position]) / (total + prior)
      }
      contexts.forEachFollower(of: length) { app, _ in scratch[app.position] = 0 }
    }
  }

  /// The probability prepared for an app.
  subscript(app: AppIndex) -> Double { shares[app.position] }
}
