package import HouseholdAgent

/// Faults of the network between two devices.
extension SimulatedHousehold {
    /// Cuts the network between two devices, or restores it. A cut closes the connections between them.
    package func part(_ a: SimulatedDevice, _ b: SimulatedDevice, _ isParted: Bool = true) {
        noteEnds(network.part([index(a), index(b)], isParted), "parted")
    }

    /// Lets nothing through between two devices without telling them, like a pulled cable; or ends that, and what was
    /// sent meanwhile arrives.
    package func mute(_ a: SimulatedDevice, _ b: SimulatedDevice, _ isMuted: Bool = true) {
        guard isMuted else { return arrive(network.unmute([index(a), index(b)])) }
        mute(a, toward: b)
        mute(b, toward: a)
    }

    /// Lets nothing of one device through to another one, while what that one sends arrives. It ends with
    /// ``mute(_:_:_:)``.
    package func mute(_ a: SimulatedDevice, toward b: SimulatedDevice) {
        network.mute(VirtualNetwork.Route(from: index(a), to: index(b)))
    }

    /// How many messages were sent so far over all connections, and how many bytes they have together.
    package var traffic: (messages: Int, bytes: Int) { network.traffic }

    package func address(of device: SimulatedDevice) -> PeerAddress { PeerAddress(host: device.host, port: Self.port) }

    /// Joins all that an event sends over a connection into one send, which stands where the first of them stood. TCP
    /// mostly delivers it so.
    static func joiningSends(_ actions: [AgentAction]) -> [AgentAction] {
        var joined: [AgentAction] = []
        var places: [ConnectionID: Int] = [:]
        for action in actions {
            guard case .transport(.send(let id, let bytes)) = action else {
                joined.append(action)
                continue
            }
            if let place = places[id], case .transport(.send(_, let former)) = joined[place] {
                joined[place] = .transport(.send(id, former + bytes))
            } else {
                places[id] = joined.count
                joined.append(action)
            }
        }
        return joined
    }
}
