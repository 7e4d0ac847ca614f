import MergeCore
import ProfileKeeping
import SyncProtocol

/// Links to the devices of the household: accepting and closing them, and performing their actions.
extension HouseholdAgent {
    /// Calls `body` with a link, if it is still open, and performs the actions that result.
    mutating func tell(_ id: ConnectionID, now: Moment, _ body: (inout PeerLink) -> [LinkAction]) {
        perform(links.with(id, body), on: id, now: now)
    }

    /// Does something with every link, and performs what comes of it.
    mutating func tellAll(now: Moment, _ body: (inout PeerLink) -> [LinkAction]) {
        for (id, _) in links.all { tell(id, now: now, body) }
    }

    // MARK: Transport

    mutating func transportHappened(_ event: TransportEvent, now: Moment) {
        switch event {
        case .opened(let id, let purpose, let key, let remote, let dialled, let isHere):
            opened(id, purpose, key, remote, dialled, isHere, now: now)
        case .received(let id, let bytes):
            if let live = links[id] {
                lastSeen.heard(live.peerKey.id, at: now.wall)
                tell(id, now: now) { $0.received(bytes, now: now.monotonic) }
            } else {
                perform(pairing.received(bytes, on: id, now: now.monotonic), now: now)
            }
        // Events come in order, so everything that was delivered before is handled now.
        case .paused(let id):
            let unfolded = links.takeUnfolded(of: id)
            if readingTurns.mayGoOn(id, after: unfolded, now: now.monotonic) { act(.transport(.resume(id))) }
        case .closed(let id, let reason): closed(id, reason, now: now)
        case .dialFailed(let id, let reason):
            if plan.failed(id) == .pairing { perform(pairing.ended(id, reason, now: now.monotonic), now: now) }
            plan.note(.failed(reason), of: id, now: now.monotonic)
            endDial(id, now: now)
        case .refused(let remote, let reason, let count): refuse(remote, reason, count, now: now)
        }
    }

    private mutating func opened(
        _ id: ConnectionID, _ purpose: LinkPurpose, _ key: [UInt8], _ remote: PeerAddress, _ dialled: Bool,
        _ isHere: Bool, now: Moment
    ) {
        plan.opened(id)
        if purpose == .pairing { return pairingOpened(id, key, remote, dialled, now: now) }
        guard let peer = DeviceKey(key), key != signer.publicKey, household.roster.contains(peer) else {
            turnAway(id, key, remote, dialled, isHere, now: now)
            return endDial(id, now: now)
        }
        guard makeRoom(for: peer, dialled: dialled, now: now) else {
            act(.transport(.close(id)))
            plan.reached(id, device: key, now: now.monotonic)
            return endDial(id, now: now)
        }
        plan.reached(id, device: key, now: now.monotonic)
        if dialled { remember(remote, of: peer.id, now: now.monotonic) }
        let live = LiveLink(
            peerKey: peer, remote: remote, dialled: dialled, opened: now.monotonic,
            link: PeerLink(localName: household.roster.name, now: now.monotonic))
        links.open(id, live)
        act(.transport(.admit(id)))
        coverage.computeHashes()
        let (coverage, salt) = (coverage, random.next())
        let (statements, secret) = (household.roster.statements, household.secrets.present)
        tell(id, now: now) {
            $0.start(
                profiles: coverage, roster: statements, secret: secret, clock: now.wall, salt: salt, now: now.monotonic)
        }
        if copyReceiver.keeps { tell(id, now: now) { $0.keepCopies(true) } }
        for profile in fileStates.behind { tell(id, now: now) { $0.say(profile, isFileBehind: true) } }
    }

    /// The reason that a removed device is given when its connection is closed.
    static var removedFarewell: String { "this machine was removed from its household; pair the two again" }

    /// Closes a connection of a device that is no other one of the household: this one itself, a copy of it, one that was
    /// removed, or a stranger.
    private mutating func turnAway(
        _ id: ConnectionID, _ key: [UInt8], _ remote: PeerAddress, _ dialled: Bool, _ isHere: Bool, now: Moment
    ) {
        // A device that was away when it was removed knows nothing of that.
        if let peer = DeviceKey(key), household.roster.isRemoved(peer) {
            act(.transport(.admit(id)))
            act(.transport(.send(id, PeerLink.farewell(Self.removedFarewell))))
        }
        act(.transport(.close(id)))
        guard key == signer.publicKey else {
            plan.note(.stranger, of: id, now: now.monotonic)
            return refuse(remote, "its device is not in this household", now: now)
        }
        plan.reached(id, device: key, now: now.monotonic)
        // Another port of this machine is another agent, with a copy of our folder.
        if isHere, !dialled || remote.port == port {
            // Our own announcement: not dialled again while we run.
            plan.foundItself(at: remote)
        } else {
            identityCopies.note(remote.host, now: now.monotonic)
        }
    }

    private mutating func makeRoom(for peer: DeviceKey, dialled: Bool, now: Moment) -> Bool {
        switch links.room(for: peer, dialled: dialled, by: signer.publicKey, now: now.monotonic) {
        case .free: return true
        case .refused: return false
        case .taken(let id):
            tell(id, now: now) { $0.goodbye("a newer connection took over") }
            return true
        }
    }

    private mutating func closed(_ id: ConnectionID, _ reason: String, now: Moment) {
        if let live = links.close(id, reason) {
            forgetLink(id)
            lost(live, now: now)
            log(.info, "a device is gone", about: live.peerKey, ["why": reason], now: now)
        } else {
            perform(pairing.ended(id, reason, now: now.monotonic), now: now)
        }
        endDial(id, now: now)
    }

    /// Ends everything that was under way over a link that is gone.
    private mutating func forgetLink(_ id: ConnectionID) {
        copySender.closed(id)
        copyReceiver.closed(id)
        formSender.closed(id)
        firstFiles.closed(id)
        hearsayChecks.closed(id)
        digestAnswers.closed(id)
        waitingDeltas.closed(id)
        deniedDeltas.closed(id)
        readingTurns.closed(id)
    }

    private mutating func refuse(_ remote: PeerAddress, _ reason: String, _ count: Int = 1, now: Moment) {
        guard let count = refusals.note(count, now: now.monotonic) else { return }
        log(.notice, "a connection was refused", ["from": remote.host, "why": reason, "count": "\(count)"])
    }

    // MARK: What links ask for

    /// Performs what a link asks for. Bytes leave first, so that they leave in the order in which the link encoded them:
    /// what else is to be done may make it encode more, which refers to names that these bytes define.
    mutating func perform(_ linkActions: [LinkAction], on id: ConnectionID, now: Moment) {
        var rest: [LinkAction] = []
        for action in linkActions {
            if case .send(let bytes) = action { act(.transport(.send(id, bytes))) } else { rest.append(action) }
        }
        perform(rest[...], on: id, now: now)
    }

    /// - Parameter together: Whether saves that are new here are taken many in one transaction.
    private mutating func perform(
        _ linkActions: ArraySlice<LinkAction>, on id: ConnectionID, together: Bool = true, now: Moment
    ) {
        for (index, action) in zip(linkActions.indices, linkActions) {
            guard let live = links[id] else { return }
            switch action {
            case .send: preconditionFailure("bytes leave before anything else is done")
            case .close(let closure): end(id, live, closure, now: now)
            case .greeted(let greeting): greeted(live, greeting, now: now)
            case .roster(let statements, let secret):
                // The peer may have learned of a removal that this device knows already, and say only now what it had.
                if takeRoster(statements, secret: secret, from: id) || !statements.isEmpty {
                    afterSettling { $0.askAgainForFormerMembers(on: id, now: now) }
                }
                // It may have removed the peer, of which nothing more is taken then.
                return afterSettling(linkActions[(index + 1)...], on: id, now: now)
            case .stated(let profile, _):
                relayedAcks.changed(profile)
                heard(of: profile, from: live, on: id)
            case .needsDelta(let request):
                guard !deniedDeltas.waits(request, on: id, now: now.monotonic),
                    waitingDeltas.isAnsweredNow(request, on: id, now: now.monotonic)
                else { continue }
                answer(request, on: id, now: now)
            case .delta(let delta):
                // The link's next action may build on the delta, so it comes after the delta's ack.
                let taken = together ? takeNew(linkActions[index...], from: id, live, now: now) : nil
                if let taken, taken > 0 { return afterSettling(linkActions[(index + taken)...], on: id, now: now) }
                relayedAcks.changed(delta.profile)
                take(delta, from: id, live, now: now)
                compareHearsay(by: delta, from: live, on: id, now: now)
                return afterSettling(linkActions[(index + 1)...], on: id, together: taken != nil, now: now)
            case .acked(let profile, _):
                if live.link.isSettled(profile) { unsendable.wasSent(profile) }
                noteInStep(profile, with: live, now: now)
                relayedAcks.changed(profile)
                heard(of: profile, from: live, on: id)
            case .listed:
                hearsayChecks.wake()
                // A profile that was in step before one of the two agents was restarted still is.
                for profile in engine.ids { noteInStep(profile, with: live, now: now) }
                relayedAcks.allChanged()
            case .unsendable(let profile, let reason):
                unsendable.note(profile, reason)
                log(.warning, "a profile cannot be sent", ["profile": "\(profile)", "why": reason])
            case .keepsCopies(let keeps):
                perform(copySender.peerKeeps(keeps, on: id, profiles: engine.ids), now: now)
            case .copies(let profile, let list): copiesListed(profile, list, live, on: id, now: now)
            case .copyAsked(let question): copySender.asked(question, on: id)
            case .copyPart(let question, let content): copyCame(question, content, on: id, now: now)
            case .formAsked(let question): formSender.asked(question, on: id)
            case .formPart(let question, let answer): formCame(question, answer, on: id, now: now)
            case .acksWanted: relayedAcks.allChanged()
            case .asked:
                sayWhatIsUnread(on: id, now: now)
                tell(id, now: now) { $0.answer() }
            case .ack(let profile, of: _): relayedAcks.changed(profile)
            case .digestsAsked(let question): digestAnswers.asked(question, by: live.peerKey.id, on: id)
            case .digests(let question, let answer): digestsCame(question, answer, live, on: id, now: now)
            }
        }
    }

    /// Goes on with the actions of a link once everything before them is settled.
    private mutating func afterSettling(
        _ rest: ArraySlice<LinkAction>, on id: ConnectionID, together: Bool = true, now: Moment
    ) {
        if !rest.isEmpty { afterSettling { $0.perform(rest, on: id, together: together, now: now) } }
    }

    private mutating func end(_ id: ConnectionID, _ live: LiveLink, _ closure: LinkClosure, now: Moment) {
        _ = links.close(id, closure.reason)
        forgetLink(id)
        lost(live, now: now)
        act(.transport(.close(id)))
        let level: LogLine.Level = closure.blame == .peer ? .warning : .info
        log(level, "a link ended", about: live.peerKey, ["why": closure.reason], now: now)
    }

    private mutating func greeted(_ live: LiveLink, _ greeting: PeerGreeting, now: Moment) {
        links.greeted(live.peerKey.id)
        let former = name(of: live.peerKey)
        if household.greeted(live.peerKey, as: greeting.name) {
            log(.notice, "a device has another name", about: live.peerKey, ["former": former], now: now)
        }
        log(.info, "a device is connected", about: live.peerKey, ["at": live.remote.description], now: now)
        let difference = greeting.clock - now.wall
        if MemberFacts.isOff(difference) {
            log(
                .warning, "the clocks of two devices differ by more than five minutes", about: live.peerKey, [:],
                now: now)
        }
    }

    mutating func tickLinks(now: Moment) {
        for id in links.due(now: now.monotonic) { tell(id, now: now) { $0.tick(now: now.monotonic) } }
        for (id, request) in deniedDeltas.take(now: now.monotonic) + waitingDeltas.take(now: now.monotonic) {
            answer(request, on: id, now: now)
        }
    }
}
