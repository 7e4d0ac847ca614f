import HouseholdAgent
import MergeCore
import SyncProtocol

/// What happens on the network, and what agents do there.
extension SimulatedHousehold {
    /// The reason that an end gets that closed a connection itself.
    private static let ownClose = "closed"
    /// The time after which a dial that nobody answers has failed.
    private static let patience = Duration.seconds(5)

    func happen(_ item: Item) {
        switch item {
        case .event(let device, let event): deliver(device, event)
        case .open(let number): open(number)
        case .dialFailed(let number, let fault):
            guard let end = network.fail(number) else { return }
            deliver(end.device, .transport(.dialFailed(end.id, reason: fault.rawValue)))
        case .discovery(let item): if discovery != nil { happen(item) }
        case .bytes(let number, let end, let bytes):
            if network.receive(number, end, bytes) { deliver(end.device, .transport(.received(end.id, bytes))) }
        case .close(let number, let end, let reason):
            guard network.close(number, at: end, isOwn: reason == Self.ownClose) else { return }
            deliver(end.device, .transport(.closed(end.id, reason: reason)))
        }
    }

    private func open(_ number: Int) {
        // A device that fell asleep meanwhile answers nothing.
        if let ends = network[number], isAsleep(ends.dialler.device) || isAsleep(ends.listener.device) {
            return agenda.add(.dialFailed(number, .noAnswer), at: now + Self.patience)
        }
        guard let connection = network.open(number) else { return }
        let (from, to) = (connection.dialler, connection.listener)
        deliver(
            to.device,
            .transport(
                .opened(
                    to.id, purpose: connection.purpose, peerKey: devices[from.device].signer.publicKey,
                    remote: PeerAddress(host: devices[from.device].host, port: 40_000), dialled: false,
                    isHere: from.device == to.device)))
        deliver(
            from.device,
            .transport(
                .opened(
                    from.id, purpose: connection.purpose, peerKey: devices[to.device].signer.publicKey,
                    remote: address(of: devices[to.device]), dialled: true, isHere: from.device == to.device)))
    }

    private func dial(_ id: ConnectionID, _ address: PeerAddress, _ purpose: LinkPurpose, from device: Int) {
        let target = devices.firstIndex { $0.host == address.host && $0.isRunning }
        let (number, fault) = network.dial(id, purpose, from: device, to: target)
        switch target.map(isAsleep) == true ? .noAnswer : fault {
        case nil: agenda.add(.open(number), at: now + transit())
        case .noAnswer: agenda.add(.dialFailed(number, .noAnswer), at: now + Self.patience)
        case let fault?: agenda.add(.dialFailed(number, fault), at: now + transit())
        }
    }

    private func isAsleep(_ device: Int) -> Bool { devices[device].isAsleep }

    func perform(_ action: TransportAction, from device: Int) {
        switch action {
        case .dial(let id, let address, let purpose): dial(id, address, purpose, from: device)
        case .admit(let id):
            let end = VirtualConnection.End(device: device, id: id)
            guard let (number, held) = network.admit(end) else { return }
            for bytes in held { agenda.add(.bytes(number, to: end, bytes), at: now) }
        // The network in memory delivers whatever is sent.
        case .resume: break
        case .send(let id, let bytes):
            guard let (number, other) = network.peer(of: .init(device: device, id: id)) else { return }
            network.countSent(bytes.count)
            agenda.add(.bytes(number, to: other, bytes), at: arrival(number, other))
        case .close(let id):
            let end = VirtualConnection.End(device: device, id: id)
            guard let (number, other) = network.peer(of: end) else { return }
            agenda.add(.close(number, at: other, "closed by the other side"), at: arrival(number, other))
            agenda.add(.close(number, at: end, Self.ownClose), at: now)
        }
    }

    private func arrival(_ number: Int, _ end: VirtualConnection.End) -> MonotonicTime {
        network.arrival(number, end, at: now + transit())
    }
}
