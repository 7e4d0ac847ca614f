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
        package var isDiscovered: Bool
        /// `nil` where no dial has ended yet.
        package var outcome: Outcome?

        package init(_ address: PeerAddress, device: [UInt8]? = nil, isDiscovered: Bool = false, _ outcome: Outcome?) {
            (self.address, self.device, self.isDiscovered, self.outcome) = (address, device, isDiscovered, outcome)
        }
    }
}
