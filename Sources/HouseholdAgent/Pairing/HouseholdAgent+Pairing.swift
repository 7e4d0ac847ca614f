import MergeCore
import ProfileKeeping
import SyncProtocol

/// Pairing: adding devices to the household.
extension HouseholdAgent {
    mutating func openPairing(_ call: Call<PairRequest>, now: Moment) {
        guard isReachable(for: call.id) else { return }
        let addresses = port.map { port in
            trials.addresses.prefix(3).map { PeerAddress(host: $0, port: port).description }
        }
        let code = PairingCode(random: freshBytes(10))
        perform(pairing.show(code, at: addresses ?? [], for: call.id, now: now), now: now)
    }

    mutating func joinByCode(_ call: Call<JoinRequest>, _ text: String, _ address: PeerAddress?, now: Moment) {
        guard isReachable(for: call.id) else { return }
        do {
            let addresses = address.map { [$0] } ?? discovery.addressesWithCode
            let code = TypedCode(
                try PairingCode(text), at: addresses, isAddressGiven: address != nil, now: now.monotonic)
            pairing.type(code, for: call.id)
        } catch {
            fail(call.id, .usage, error.description)
        }
    }

    private mutating func isReachable(for id: RequestID) -> Bool {
        if port != nil { return true }
        fail(id, .agentNotRunning, "pairing needs a running agent; start 'hearth agent'")
        return false
    }

    mutating func pairingOpened(
        _ id: ConnectionID, _ key: [UInt8], _ remote: PeerAddress, _ dialled: Bool, now: Moment
    ) {
        guard let peer = DeviceKey(key) else { return act(.transport(.close(id))) }
        let secret = household.secrets.present ?? HouseholdSecret(freshBytes(HouseholdSecret.size), serial: 0)
        let (signer, roster, nonce) = (signer, household.roster, freshBytes(32))
        let chance = random.next()
        let effects = pairing.opened(
            id, remote: remote, dialled: dialled, chance: chance, now: now.monotonic
        ) { role, code in
            PairingMachine(
                role, signer: signer, peer: peer, code: code, roster: roster, secret: secret.bytes,
                secretSerial: secret.serial, nonce: nonce, now: now.monotonic)
        }
        perform(effects, now: now)
    }

    mutating func perform(_ effects: [Pairing.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .transport(let action): act(.transport(action))
            case .dial(let request, let address):
                let connection = plan.dial(address, .pairing, now: now.monotonic)
                pairing.dialling(address, for: request, as: connection)
                act(.transport(.dial(connection, address, .pairing)))
            case .store(let id, let result, let address): store(result, id, typedAt: address, now: now)
            case .merge(let statements):
                takeRoster(statements)
                householdJoined(now: now)
            case .reply(let id, let reply): self.reply(id) { _ in reply }
            case .log(let line): act(.log(line))
            }
        }
    }

    /// Stores the pin and the household in one transaction, and tells the other device after that.
    private mutating func store(
        _ result: PairingResult, _ id: ConnectionID, typedAt address: PeerAddress?, now: Moment
    ) {
        let former = household
        household.take(result, at: address)
        do {
            try store(notes: household.takeUnstored())
        } catch {
            household = former
            note(error)
            return perform(pairing.notStored(id, now: now.monotonic), now: now)
        }
        log(.notice, "paired", ["device": result.peerName])
        if let address { plan.want(address, .remembered, now: now.monotonic) }
        let device = DeviceReport(
            id: result.peer.id.description, name: name(of: result.peer), isThisDevice: false, connected: false)
        householdJoined(now: now)
        perform(pairing.stored(id, as: device, now: now.monotonic), now: now)
    }

    /// This device may be in another household by a pairing: states who wrote in its saves, and dials the instances
    /// that belong to the household now.
    private mutating func householdJoined(now: Moment) {
        rememberWriters()
        dialMembers(now: now)
    }
}
