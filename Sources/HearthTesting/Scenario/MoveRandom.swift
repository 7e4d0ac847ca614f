import HouseholdSimulation

/// The chance in a ``Move``: numbers that are the same for one seed on every machine.
public struct MoveRandom: RandomNumberGenerator, Sendable {
    private var random: SimulatedRandom

    /// Makes a generator that starts from a seed.
    public init(seed: UInt64) { random = SimulatedRandom(seed: seed) }

    /// The next 64 bits.
    public mutating func next() -> UInt64 { random.next() }
}
