package import HouseholdAgent

/// Faults of the network between two devices.
extension SimulatedHousehold {
    /// Cuts the network between two devices, or restores it. A cut closes the connections between them.
    package func part(_ a: SimulatedDevice, _ b: SimulatedDevice, _ isParted: Bool = true) {
        noteEnds(network.part([index(a), index(b)], isParted), "parted")
    }

    /// Drops everything that is sent between two devices without telling them, like a pulled cable; or ends that.
    /// Dropped bytes stay lost.
    package func mute(_ a: SimulatedDevice, _ b: SimulatedDevice, _ isMuted: Bool = true) {
        network.mute([index(a), index(b)], isMuted)
    }

    package func address(of device: SimulatedDevice) -> PeerAddress { PeerAddress(host: device.host, port: Self.port) }
}
