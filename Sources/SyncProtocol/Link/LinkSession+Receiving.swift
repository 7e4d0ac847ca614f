import MergeCore

extension LinkSession {
    /// Takes one message. ``PeerLink`` handles the first Hello and every Goodbye itself.
    mutating func receive(_ body: WireFrame.OneOf_Body) throws(ProtocolFault) -> [LinkAction] {
        if assembly != nil {
            switch body {
            case .delta, .ping, .pong, .goodbye: break
            default: throw ProtocolFault("another message came between the frames of a delta")
            }
        }
        switch body {
        case .hello: throw ProtocolFault("a second Hello came")
        case .roster(let message):
            let statements = try RosterCoding.read(message.statements)
            roster.hear(statements)
            return [.roster(statements, secret: try RosterCoding.secret(message))]
        // Deltas wait for these hashes, so profiles are asked for only now.
        case .rosterHashes(let message): return try roster.receive(message) + requestUnlisted()
        case .vectors(let vectors): return try receive(vectors)
        case .ranges(let message): return try receive(message)
        case .rangesWanted(let wanted): return try receive(wanted)
        case .delta(let delta): return try receive(delta)
        case .ack(let ack): return try receive(ack)
        case .keepsCopies(let keeps): return receive(keeps)
        case .copyList(let list): return try receive(list)
        case .copyRequest(let request): return try receive(request)
        case .copyPart(let part): return try receive(part)
        case .formRequest(let request): return try receive(request)
        case .formPart(let part): return try receive(part)
        case .wordsWanted(let wanted): return try receive(wanted)
        case .word(let ack): return try receive(ack)
        case .digest(let message): return try receive(message)
        case .ping: return roster.tellWaiting() + [.asked]
        case .pong, .goodbye: return []
        }
    }

    private mutating func receive(_ vectors: WireVectors) throws(ProtocolFault) -> [LinkAction] {
        var actions: [LinkAction] = []
        for wire in vectors.profiles {
            let profile = try incoming.profile(wire.profile, wire.profileID)
            let vector = VectorCoding.vector(try VectorCoding.read(wire.entries, &incoming))
            let ledger = ledgers[profile]
            if wire.restated == 0 {
                // What the peer said of a profile on its own is newer than the list of a range.
                if ranges.peersSalt != nil, ledger?.isListed == true { continue }
                guard !isPeerListed, ledger?.isListed != true else {
                    throw ProtocolFault("profile \(profile) is listed a second time")
                }
            } else {
                guard isPeerHeard, wire.restated == (ledger?.restatedByPeer ?? 0) + 1,
                    wire.restated <= Limits.restatements
                else { throw ProtocolFault("profile \(profile) is stated anew out of turn or without end") }
                announced.removeAll()
            }
            try replace(profile, by: vector, restated: wire.restated)
            actions.append(.stated(profile, vector))
            actions += answer(profile)
        }
        if !vectors.ranges.isEmpty { actions += try listed(vectors.ranges) }
        if vectors.complete, !isPeerListed, ranges.peersSalt == nil {
            isPeerListed = true
            actions += requestUnlisted() + [.listed]
        }
        return actions
    }

    private mutating func receive(_ ack: WireAck) throws(ProtocolFault) -> [LinkAction] {
        guard isPeerHeard else { throw ProtocolFault("an ack came before the list of profiles was complete") }
        let profile = try incoming.profile(ack.profile, ack.profileID)
        let vector = VectorCoding.vector(try VectorCoding.read(ack.entries, &incoming))
        // An ack of a profile that this device has forgotten meanwhile is no fault of the peer.
        guard ledgers[profile] != nil else { return [] }
        try raise(profile, by: vector)
        ledgers[profile]?.isPeersFileBehind = ack.fileBehind
        return [.acked(profile, ledgers[profile]?.confirmed ?? vector)] + answer(profile)
    }

    /// What follows from what the peer covers of a profile: a request for what it lacks; or, where it lacks nothing, an ack
    /// of what this device covers and has not said yet, because the peer got it from somewhere else in the meantime.
    private mutating func answer(_ profile: ProfileID) -> [LinkAction] {
        let requested = request(profile)
        guard requested.isEmpty, let ledger = ledgers[profile], ledger.request == nil,
            ledger.believed.covers(ledger.ours), ledger.ours.entries.count <= Limits.vectorEntries
        else { return requested }
        let unannounced = ledger.unannounced(of: ledger.ours)
        guard !unannounced.entries.isEmpty else { return [] }
        ledgers[profile]?.announced.join(unannounced)
        return [ack(profile, unannounced, ledger.announcedFileBehind)]
    }

    private mutating func receive(_ frame: WireDelta) throws(ProtocolFault) -> [LinkAction] {
        guard isPeerHeard else { throw ProtocolFault("a delta came before the list of profiles was complete") }
        var reader: DeltaReader
        if let open = assembly {
            reader = open
            assembly = nil  // one owner, so that its atoms are appended in place
        } else {
            reader = try DeltaReader(frame, &incoming)
        }
        let isWhole = try reader.add(frame, &incoming, &keys)
        unfolded += reader.frameBytes
        guard isWhole else {
            assembly = reader
            return []
        }
        let profile = reader.profile
        let to = reader.to
        try raise(profile, by: to)
        guard let ledger = ledgers[profile] else { preconditionFailure("raise made a ledger") }
        guard reader.restated <= ledger.restatedByUs else {
            throw ProtocolFault("a delta answers a statement about profile \(profile) that was never made")
        }
        // This delta was on its way while this device restated the profile. The answer to that statement is coming.
        guard reader.restated == ledger.restatedByUs else { return [] }
        guard let delta = reader.delta(ledger) else { return try offer(profile, vector: ledger.ours) }
        // The same vector again, now with the history hashes that were left out.
        try raise(profile, by: delta.to)
        ledgers[profile]?.note(delta.to)
        ledgers[profile]?.received.join(delta.to)
        return [.delta(markWhole(delta))]
    }
}
