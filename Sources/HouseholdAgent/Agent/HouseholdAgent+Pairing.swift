import MergeCore
import ProfileKeeping
import SyncProtocol

/// Taking devices in and putting them out.
extension HouseholdAgent {
    // MARK: Requests

    /// Shows a code. A newer code replaces the one before.
    mutating func openPairing(_ id: RequestID, now: Int64) {
        guard port != nil else {
            return reply(id, .failure(.agentNotRunning, "pairing needs a running agent; start 'hearth agent'"))
        }
        if let former = pairing.showing {
            reply(former.request, .failure(.failed, "a newer code was asked for; this one does not count any more"))
        }
        let window = PairingWindow(code: PairingCode(random: freshBytes(10)), now: now)
        pairing.showing = .init(window: window, request: id)
        announce()
        reply(id, .code(window.code.description, expires: window.end))
    }

    mutating func joinByCode(_ id: RequestID, _ text: String, _ address: PeerAddress?, now: Int64) {
        guard port != nil else {
            return reply(id, .failure(.agentNotRunning, "pairing needs a running agent; start 'hearth agent'"))
        }
        let code: PairingCode
        do { code = try PairingCode(text) } catch { return reply(id, .failure(.usage, error.description)) }
        var typing = PairingState.Typing(code: code, isAddressGiven: address != nil, started: now)
        if let address {
            typing.add([address])
        } else {
            for instance in instances.sorted(by: { $0.key < $1.key }) where instance.value.isPairing {
                typing.add(instance.value.addresses)
            }
        }
        pairing.typing[id] = typing
    }

    mutating func unpair(_ id: RequestID, _ device: String, now: Int64) {
        let me = household.roster.me
        let matching = household.roster.members.filter {
            $0.key != me && ($0.name == device || $0.id.hex.hasPrefix(device.lowercased()))
        }
        guard matching.count == 1 else {
            let known = household.roster.members.filter { $0.key != me }.map { "\($0.name) (\($0.id))" }
            return matching.isEmpty
                ? reply(
                    id,
                    .failure(
                        .failed,
                        "no device \(device) is in this household; it has: "
                            + "\(known.isEmpty ? "no other" : known.joined(separator: ", "))"
                    )
                )
                : reply(
                    id,
                    .failure(
                        .needsDecision,
                        "several devices are called \(device): name one by its id: \(known.joined(separator: ", "))"
                    )
                )
        }
        do {
            let former = household
            household.replace(try household.roster.removing(matching[0].key, by: signer).roster)
            do { try store(notes: household.rosterNote) } catch {
                household = former
                throw error
            }
        } catch {
            return reply(id, .failure(.failed, "\(error)"))
        }
        log(.notice, "a device was removed from the household", ["device": matching[0].name])
        spreadRoster(now: now)
        closeLinksOfRemoved(now: now)
        reply(id, .removed(DeviceReport(
            id: matching[0].id.description, name: matching[0].name, isThisDevice: false, connected: false)))
    }

    // MARK: Connections

    /// Discovery shows a device that shows a code.
    mutating func pairingFound(_ instance: Instance, now: Int64) {
        guard instance.isPairing else { return }
        for id in pairing.typing.keys.sorted() where pairing.typing[id]?.isAddressGiven == false {
            pairing.typing[id]?.add(instance.addresses)
        }
    }

    mutating func pairingOpened(_ id: ConnectionID, _ key: [UInt8], _ remote: PeerAddress, _ dialled: Bool, now: Int64)
    {
        let typing = pairing.typing.first { $0.value.dial?.connection == id }
        guard let peer = DeviceKey(key), pairing.sessions.count < PairingState.sessionLimit else {
            return actions.append(.transport(.close(id)))
        }
        let role: PairingMachine.Role
        let code: PairingCode
        if dialled {
            guard let typing else { return actions.append(.transport(.close(id))) }
            (role, code) = (.typer, typing.value.code)
        } else {
            guard pairing.showing?.window.mayTry(remote.host, now: now) == .allowed, let showing = pairing.showing
            else {
                actions.append(.transport(.close(id)))
                return log(.notice, "a pairing was refused", ["from": remote.host])
            }
            (role, code) = (.shower, showing.window.code)
        }
        let machine = PairingMachine(
            role, signer: signer, peer: peer, code: code, roster: household.roster,
            secret: household.secret.isEmpty ? freshBytes(32) : household.secret, nonce: freshBytes(32), now: now)
        let live = LivePairing(
            remote: remote, typedBy: typing?.key, shownBy: dialled ? nil : pairing.showing?.request, machine: machine)
        pairing.sessions[id] = live
        actions.append(.transport(.admit(id)))
        perform(live.machine.start(), on: id, live, now: now)
    }

    mutating func pairingReceived(_ id: ConnectionID, _ bytes: [UInt8], now: Int64) {
        guard let live = pairing.sessions[id] else { return }
        perform(live.machine.received(bytes), on: id, live, now: now)
    }

    /// A pairing connection is gone, or never came up.
    ///
    /// - Parameter isVerdict: The other side said why; it is no use asking it again.
    mutating func pairingEnded(_ id: ConnectionID, _ reason: String, isVerdict: Bool = false, now: Int64) {
        let live = pairing.sessions.removeValue(forKey: id)
        if let live, live.shownBy != nil, !live.hasGuessed {
            pairing.showing?.window.takeBack(live.remote.host, now: now)
        }
        if let live, let shown = live.shownBy, live.peer != nil, pairing.showing?.request == shown {
            pairing.showing = nil
            announce()
            reply(shown, .failure(.failed, "the other device did not confirm; have a new code shown and pair again"))
        }
        let dialling = pairing.typing.first { $0.value.dial?.connection == id }?.key
        guard let request = live?.typedBy ?? dialling, let dial = pairing.typing[request]?.dial else { return }
        pairing.typing[request]?.dial = nil
        pairing.typing[request]?.lastReason = reason
        if isVerdict {
            pairing.typing[request]?.verdict = reason
            return
        }
        pairing.typing[request]?.retries.append((dial.address, now + PairingState.retryInterval))
    }

    private mutating func perform(
        _ pairingActions: [PairingAction], on id: ConnectionID, _ live: LivePairing, now: Int64
    ) {
        for action in pairingActions {
            switch action {
            case .send(let bytes): actions.append(.transport(.send(id, bytes)))
            case .wrongProof:
                live.hasGuessed = true
                log(.notice, "a wrong pairing code was typed", ["at": live.remote.host])
            case .paired(let result):
                live.hasGuessed = true
                paired(result, on: id, live, now: now)
            case .finished(let statements): finished(statements, live, now: now)
            case .close(let closure):
                actions.append(.transport(.close(id)))
                pairingEnded(id, closure.reason, isVerdict: true, now: now)
            }
        }
    }

    /// Stores pin and household in one transaction, and tells the other side after it.
    private mutating func paired(_ result: PairingResult, on id: ConnectionID, _ live: LivePairing, now: Int64) {
        // Two devices may have typed one code at once: the first whose result is stored has used it.
        if let shown = live.shownBy,
            pairing.showing?.request != shown || pairing.showing?.window.isOpen(at: now) != true
        {
            return perform(live.machine.cancel("the code was used already"), on: id, live, now: now)
        }
        let former = household
        household.take(result)
        if live.typedBy != nil { household.addresses[result.peer.id] = live.remote }
        var notes = household.notes
        if live.typedBy != nil { notes.merge(household.note(live.remote, of: result.peer.id)) { $1 } }
        do {
            try store(notes: notes)
        } catch {
            household = former
            note(error)
            return perform(live.machine.cancel("the pairing could not be stored"), on: id, live, now: now)
        }
        live.peer = result.peer
        pairing.showing?.window.consume()
        log(.notice, "paired", ["device": result.peerName])
        if let typed = live.typedBy {
            pairing.typing[typed] = nil
            plan.want(live.remote, .remembered, now: now)
            reply(typed, .paired(pairedReport(result.peer)))
        }
        householdChanged(now: now)
        perform(live.machine.confirm(), on: id, live, now: now)
    }

    /// The other side has stored its result, too.
    private mutating func finished(_ statements: [RosterStatement], _ live: LivePairing, now: Int64) {
        if household.take(statements, by: signer) { commit(notes: household.rosterNote) }
        guard let shown = live.shownBy, let peer = live.peer else { return }
        pairing.showing = nil
        reply(shown, .paired(pairedReport(peer)))
        live.peer = nil
        householdChanged(now: now)
    }

    /// Whom we look for and what we publish follows from the household.
    private mutating func householdChanged(now: Int64) {
        announce()
        for (name, instance) in instances.sorted(by: { $0.key < $1.key })
        where instance.tag?.matches(secret: household.secret) == true {
            plan.replace(name, with: instance.addresses, now: now)
        }
        spreadRoster(now: now)
        closeLinksOfRemoved(now: now)
    }

    private func pairedReport(_ key: DeviceKey) -> DeviceReport {
        DeviceReport(id: key.id.description, name: name(of: key), isThisDevice: false, connected: false)
    }

    // MARK: Time

    mutating func tickPairing(now: Int64) {
        for (id, live) in pairing.sessions.sorted(by: { $0.key < $1.key }) {
            perform(live.machine.tick(now: now), on: id, live, now: now)
        }
        if let showing = pairing.showing, showing.window.end <= now {
            pairing.showing = nil
            announce()
            reply(showing.request, .failure(.failed, "nobody typed the code in time; have a new one shown"))
        }
        for id in pairing.typing.keys.sorted() { tickTyping(id, now: now) }
    }

    private mutating func tickTyping(_ id: RequestID, now: Int64) {
        guard var typing = pairing.typing[id], typing.dial == nil else { return }
        typing.takeDue(now: now)
        if !typing.queue.isEmpty {
            let connection = freshConnection()
            let address = typing.queue.removeFirst()
            typing.dial = (connection, address)
            pairing.typing[id] = typing
            dials[connection] = .pairing
            return actions.append(.transport(.dial(connection, address, .pairing)))
        }
        pairing.typing[id] = typing
        guard now >= typing.end else { return }
        pairing.typing[id] = nil
        reply(id, .failure(.failed, typing.verdict ?? missing(typing)))
    }

    private func missing(_ typing: PairingState.Typing) -> String {
        if typing.isAddressGiven {
            return
                "the device at that address shows no code at the moment (\(typing.lastReason ?? "no answer")); run "
                    + "'hearth pair' there"
        }
        let why = discoveryTrouble.map { " (\($0))" } ?? ""
        return
            "no device in this network shows a pairing code\(why); run 'hearth pair' on the other one, or name it "
                + "with --address HOST:PORT"
    }
}
