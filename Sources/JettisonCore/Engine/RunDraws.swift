/// What is drawn at random in a run, made for the first draw.
struct RunDraws {
  private let lazily: Lazily<KeyedRandom>
  private var made: KeyedRandom?

  init(_ lazily: Lazily<KeyedRandom>) { self.lazily = lazily }

  /// A number from 0 to 1, as ``KeyedRandom`` draws it.
  mutating func uniform(
    entity: UInt64, episode: UInt64, purpose: KeyedRandom.Purpose
  ) -> Double {
    let draws = made ?? lazily.value
    made = draws
    return draws.uniform(entity: entity, episode: episode, purpose: purpose)
  }
}
