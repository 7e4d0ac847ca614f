/// A household and what happens in it: all that is needed to run it again, and come to the same.
public struct Scenario: Hashable, Sendable {
    /// The names of the devices.
    public var devices: [String]
    /// The seed of the network's delays and of the keys.
    public var seed: UInt64
    /// What happens, in order.
    public var steps: [HouseholdStep]

    /// Makes a scenario from its parts.
    public init(devices: [String], seed: UInt64, steps: [HouseholdStep]) {
        (self.devices, self.seed, self.steps) = (devices, seed, steps)
    }
}
