/// The random numbers of a simulation: the same everywhere for one seed (SplitMix64; Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators, 2014), so that a run can be repeated.
package struct SimulatedRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `bound`.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True in so many cases of a hundred.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One element of a list that has some.
    package mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }
}
