extension DialPlan {
    /// The reason why an address is wanted.
    package enum Source: Hashable, Sendable {
        /// The user named it.
        case named
        /// The last connection to a device of the household was at this address.
        case remembered
        /// Discovery showed this instance there.
        case discovered(String)
    }

    /// The end of the last dial of an address.
    package enum Outcome: Hashable, Sendable {
        case failed(String)
        /// A device answered that is not in the household.
        case stranger
        /// This device of the household answered.
        case reached([UInt8])
    }

    /// A wanted address, and what is known of it.
    package struct Known: Hashable, Sendable {
        package var address: PeerAddress
        /// The key of the device that answered there last.
        package var device: [UInt8]?
        /// The key of the device whose address it is, as far as is known: of the one that answered there last, or else of
        /// the one that answered at another address of the same instance.
        package var owner: [UInt8]?
        package var isDiscovered: Bool
        /// Whether the player named it when the agent was started.
        package var isNamed: Bool
        /// `nil` where no dial has ended yet.
        package var outcome: Outcome?

        /// - Parameter owner: Whose address it seems to be; the device that answered there last counts before it.
        package init(
            _ address: PeerAddress, device: [UInt8]? = nil, owner: [UInt8]? = nil, isDiscovered: Bool = false,
            isNamed: Bool = false, _ outcome: Outcome?
        ) {
            (self.address, self.device, self.owner) = (address, device, device ?? owner)
            (self.isDiscovered, self.isNamed, self.outcome) = (isDiscovered, isNamed, outcome)
        }
    }

    /// All wanted addresses in a fixed order, without those of this device itself.
    ///
    /// - Parameter linked: The devices that are linked now, by their hosts. Of one that dialled this device nobody may
    ///   ever have answered at an address.
    package func known(linked: [String: Set<[UInt8]>] = [:]) -> [Known] {
        let devices = devicesOfInstances(linked)
        return targets.filter { !ownAddresses.contains($0.key) }.sorted { $0.key.description < $1.key.description }
            .map { address, target in
                let shown = target.shown
                let others = Set(shown.compactMap { devices[$0] }.joined())
                return Known(
                    address, device: target.device, owner: others.count == 1 ? others.first : nil,
                    isDiscovered: !shown.isEmpty, isNamed: target.sources.contains(.named), target.outcome?.0)
            }
    }

    /// The devices behind each instance: those that answered at one of its addresses, or else are linked from its host.
    private func devicesOfInstances(_ linked: [String: Set<[UInt8]>]) -> [String: Set<[UInt8]>] {
        var devices: [String: Set<[UInt8]>] = [:]
        for (address, target) in targets {
            let there = target.device.map { [$0] } ?? linked[address.host] ?? []
            for instance in target.shown { devices[instance, default: []].formUnion(there) }
        }
        return devices
    }
}
