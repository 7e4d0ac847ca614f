import MergeCore

/// Digests, sent and received; see Sync.proto. Everything that the peer sends is limited here, before other code uses
/// it.
extension LinkSession {
    // MARK: Sending

    mutating func ask(_ question: DigestQuestion) -> [LinkAction] {
        precondition(digests.asked == nil, "digests are asked for before the last question was answered")
        precondition((1...Limits.spans).contains(question.spans.count), "digests of \(question.spans.count) spans")
        digests.asked = question
        var message = WireDigest()
        let (number, bytes) = outgoing.profile(question.profile)
        message.profile = number
        if !bytes.isEmpty { message.profileID = bytes.wire }
        message.spans = question.spans.map { span in
            var wire = WireSpan()
            let (number, bytes) = outgoing.replica(span.replica)
            wire.replica = number
            if !bytes.isEmpty { wire.replicaID = bytes.wire }
            wire.after = span.after
            wire.sequence = span.last
            wire.history = span.end.history
            return wire
        }
        return [.send(WireFrame.bytes(.digest(message)))]
    }

    mutating func answer(_ answer: DigestAnswer) -> [LinkAction] {
        guard let count = digests.asking else { return [] }
        precondition(answer.hashes.count == count, "\(answer.hashes.count) digests of \(count) spans")
        digests.asking = nil
        var message = WireDigest()
        message.answer = true
        message.vector = answer.vector.wire
        message.spans = answer.hashes.map { hash in
            var wire = WireSpan()
            wire.hash = (hash ?? []).wire
            return wire
        }
        return [.send(WireFrame.bytes(.digest(message)))]
    }

    /// Asks for everything that the peer holds, by stating that nothing is covered here.
    mutating func askForAll(of profile: ProfileID, vector: VersionVector) throws(ProtocolFault) -> [LinkAction] {
        let actions = try offer(profile, vector: VersionVector())
        let statement = ledgers[profile]?.restatedByUs
        ledgers[profile]?.wholeAsked = statement
        ledgers[profile]?.ours = vector
        ledgers[profile]?.announced.join(vector)
        // The peer has read the question by its number. What is covered here is said again at once: whoever is believed to
        // know nothing has its removals taken for older than what they remove.
        let isBehind = ledgers[profile]?.announcedFileBehind ?? false
        return actions + [ack(profile, vector, isBehind)] + request(profile)
    }

    // MARK: Receiving

    mutating func receive(_ message: WireDigest) throws(ProtocolFault) -> [LinkAction] {
        guard message.answer else { return try receive(question: message) }
        guard let question = digests.asked else { throw ProtocolFault("digests came unasked") }
        guard message.spans.count == question.spans.count, message.vector.count == Limits.digest else {
            throw ProtocolFault("\(message.spans.count) digests came for \(question.spans.count) spans")
        }
        var hashes: [[UInt8]?] = []
        for span in message.spans {
            guard span.hash.isEmpty || span.hash.count == Limits.digest else {
                throw ProtocolFault("a digest has \(span.hash.count) bytes")
            }
            hashes.append(span.hash.isEmpty ? nil : span.hash.array)
        }
        digests.asked = nil
        return [.digests(question, DigestAnswer(hashes: hashes, vector: message.vector.array))]
    }

    private mutating func receive(question message: WireDigest) throws(ProtocolFault) -> [LinkAction] {
        guard digests.asking == nil else { throw ProtocolFault("it asks for digests before it has the last ones") }
        let profile = try incoming.profile(message.profile, message.profileID)
        guard (1...Limits.spans).contains(message.spans.count) else {
            throw ProtocolFault("it asks for digests of \(message.spans.count) spans")
        }
        var spans: [WriteSpan] = []
        for wire in message.spans {
            let replica = try incoming.replica(wire.replica, wire.replicaID)
            if let last = spans.last, !(last.replica < replica) {
                throw ProtocolFault("the spans of digests are not in ascending order")
            }
            guard wire.sequence <= Limits.sequence,
                let span = WriteSpan(
                    replica, after: wire.after, upTo: .init(sequence: wire.sequence, history: wire.history))
            else { throw ProtocolFault("a digest is asked for after \(wire.after) up to \(wire.sequence)") }
            spans.append(span)
        }
        digests.asking = spans.count
        return [.digestsAsked(DigestQuestion(profile: profile, spans: spans))]
    }

    /// Marks the delta that answers ``askForAll(of:vector:)``, and whether it holds all that the peer says it covers.
    /// The peer leaves out writes that it cannot prove, or all but the last where it has too many: then a key that is
    /// missing says nothing.
    mutating func markWhole(_ delta: IncomingDelta) -> IncomingDelta {
        guard let ledger = ledgers[delta.profile], ledger.wholeAsked == ledger.restatedByUs else { return delta }
        ledgers[delta.profile]?.wholeAsked = nil
        var marked = delta
        marked.isAskedFor = true
        let isFromNothing = delta.to.entries.keys.allSatisfy { delta.begins[$0] == 0 }
        marked.isWhole = isFromNothing && delta.to.covers(ledger.confirmed)
        return marked
    }
}
