/// Random numbers that are the same for the same seed (SplitMix64).
package struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        // Seeds that stand side by side must not give one stream, a number apart.
        state = seed &* 0xD1B5_4A32_D192_ED03 &+ 0x632B_E593_04B4_DC5F
        state = next() ^ (seed << 32)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True once in so many times.
    package mutating func once(in times: Int) -> Bool { number(1...times) == 1 }

    package mutating func pick<T>(_ list: [T]) -> T { list[number(0...list.count - 1)] }

    package mutating func some<T>(_ list: [T], _ count: Int) -> [T] {
        Array(list.shuffled(using: &self).prefix(count))
    }
}
