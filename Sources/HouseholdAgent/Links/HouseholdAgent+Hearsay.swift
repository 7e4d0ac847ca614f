import MergeCore
import ProfileKeeping
import SyncProtocol

/// Asks devices whether what others said of their writes is right, and answers such questions.
extension HouseholdAgent {
    mutating func tickHearsay(now: Moment) {
        for (id, device, question) in digestAnswers.take(now: now.monotonic) {
            let answer = answer(question, of: device, now: now)
            tell(id, now: now) { $0.answerDigests(answer) }
        }
        for (id, profile) in hearsayChecks.takeLate(now: now.monotonic) {
            guard let live = links[id] else { continue }
            logDifference("it has not sent all it has", of: live.peerKey, in: profile, now: now)
        }
        guard hearsayChecks.isDue(now: now.monotonic) else { return }
        for (id, live) in links.all where live.answers && live.link.peerHasDigests && !live.link.isAskingForDigests {
            let device = live.peerKey.id
            for profile in hearsay.turn(of: device, behind: hearsayChecks.lastAsked(of: device)) {
                guard let question = question(about: profile, to: live, on: id) else { continue }
                let isSettled = live.link.isSettled(profile)
                let mayAsk = hearsayChecks.mayAsk(device, about: profile, isSettled: isSettled, now: now.monotonic)
                guard mayAsk else { continue }
                hearsayChecks.ask(device, about: profile, on: id, now: now.monotonic)
                tell(id, now: now) { $0.askForDigests(question) }
                break
            }
        }
    }

    /// More is known now of what a peer covers, so it may be asked. What others said of its writes can be here before it
    /// says itself that it wrote.
    mutating func heard(of profile: ProfileID, from live: LiveLink, on id: ConnectionID) {
        guard hearsay.concerns(live.peerKey.id, in: profile), question(about: profile, to: live, on: id) != nil else {
            return
        }
        hearsayChecks.wake()
    }

    /// A question about writes of the peer that came from others and that the peer covers; `nil` where there are none.
    private func question(about profile: ProfileID, to live: LiveLink, on id: ConnectionID) -> DigestQuestion? {
        guard let vector = engine.profiles[profile]?.vector, !hearsayChecks.isRepairing(profile, on: id) else {
            return nil
        }
        let theirs = live.link.peerVector(profile)
        let spans = hearsay.spans(of: profile).values.map(\.span).filter { span in
            origins[span.replica]?.device == live.peerKey
                && hearsayChecks.canAnswer(span, of: live.peerKey.id, on: id)
                && theirs.sequence(of: span.replica) >= span.last
                && vector.sequence(of: span.replica) >= span.last
        }
        guard !spans.isEmpty else { return nil }
        return DigestQuestion(
            profile: profile, spans: Array(spans.sorted { $0.replica < $1.replica }.prefix(Limits.spans)))
    }

    /// This device can answer for the replica as which it writes: what it knows of a former one of its own may have come
    /// from others as well. And it answers for what it knows to have written: if its record was set back, others may
    /// hold writes that it lost, and its word must not take them away.
    private mutating func answer(_ question: DigestQuestion, of device: DeviceID, now: Moment) -> DigestAnswer {
        let held = engine.readable(question.profile)
        let vector = held?.vector ?? VersionVector()
        let digest = SpanDigest.hash(vector)
        if let known = digestAnswers.known(question, of: device, vector: digest) { return known }
        var (count, bytes) = (0, 0)
        let hashes = question.spans.map { span -> [UInt8]? in
            guard let held, vector.sequence(of: span.replica) >= span.last,
                engine.hasWritten(span.end, as: span.replica, in: question.profile)
            else { return nil }
            let atoms = held.state.atoms(of: span)
            count += atoms.count
            bytes += Self.size(of: atoms)
            return SpanDigest.hash(atoms, of: span, in: question.profile)
        }
        let answer = DigestAnswer(hashes: hashes, vector: digest)
        digestAnswers.keep(answer, to: question, of: device, atoms: count, bytes: bytes, now: now.monotonic)
        return answer
    }

    mutating func digestsCame(
        _ question: DigestQuestion, _ answer: DigestAnswer, _ live: LiveLink, on id: ConnectionID, now: Moment
    ) {
        hearsayChecks.answered(on: id)
        let (profile, writer) = (question.profile, live.peerKey)
        guard let state = engine.readable(profile)?.state else { return }
        var (agreed, differing): ([ReplicaID], [WriteSpan]) = ([], [])
        for (span, hash) in zip(question.spans, answer.hashes) {
            // More may have come from others meanwhile.
            guard hearsay.spans(of: profile)[span.replica]?.span == span else { continue }
            guard let hash else {
                hearsayChecks.disowns(span, writer.id, on: id)
                continue
            }
            if SpanDigest.hash(state.atoms(of: span), of: span, in: profile) == hash {
                agreed.append(span.replica)
            } else {
                differing.append(span)
            }
        }
        forgetHearsay(agreed, in: profile)
        guard !differing.isEmpty else {
            // A writer that does not vouch for its writes any more says nothing else of them, either.
            let isSilent = answer.hashes.allSatisfy { $0 == nil }
            if !agreed.isEmpty || isSilent { hearsayChecks.agreed(writer.id, in: profile) }
            return
        }
        let isEqual = SpanDigest.hash(state.vector) == answer.vector
        let verdict = hearsayChecks.differs(
            differing, of: writer.id, in: profile, on: id, isEqual: isEqual, now: now.monotonic)
        switch verdict {
        case .askAgain: break
        case .giveUp: logDifference("it differs again and again", of: writer, in: profile, now: now)
        case .askForAll:
            // If it is far too large to be sent here, it is so there as well.
            guard isSendable(state) else {
                _ = hearsayChecks.takeRepair(of: profile, on: id)
                hearsayChecks.cannotAnswer(differing.map(\.replica), on: id)
                hearsayChecks.stays(.tooLarge, of: writer.id, in: profile, now: now.monotonic)
                return logDifference("the save is too large to be sent at once", of: writer, in: profile, now: now)
            }
            tell(id, now: now) { $0.askForAll(of: profile, vector: state.vector) }
        }
    }

    /// Takes what a writer itself sends for its word about what others said of the same writes.
    mutating func confirmHearsay(by delta: IncomingDelta, from writer: DeviceKey) {
        let profile = delta.profile
        guard let state = engine.readable(profile)?.state else { return }
        let agreed = hearsay.spans(of: profile).values.map(\.span).filter { span in
            guard origins[span.replica]?.device == writer, let begin = delta.begins[span.replica],
                begin <= span.after, delta.to.sequence(of: span.replica) >= span.last
            else { return false }
            return state.atoms(of: span) == span.atoms(among: delta.atoms)
        }
        guard !agreed.isEmpty else { return }
        forgetHearsay(agreed.map(\.replica), in: profile)
        if !hearsay.concerns(writer.id, in: profile) { hearsayChecks.agreed(writer.id, in: profile) }
    }

    // MARK: Parts

    /// Whether a state is far from being too large for one delta. The writer's may be somewhat larger. O(atoms).
    private func isSendable(_ state: ProfileState) -> Bool {
        let atoms = state.delta(beyond: VersionVector())
        return atoms.count <= Limits.atoms / 2 && Self.size(of: atoms) <= Limits.deltaBytes / 2
    }

    private static func size(of atoms: [KeyedAtom]) -> Int {
        atoms.reduce(0) { $0 + $1.key.path.encoded.count + $1.key.sub.count + $1.atom.encoded.count }
    }

    mutating func forgetHearsay(_ replicas: [ReplicaID], in profile: ProfileID) {
        let known = origins
        hearsay.forget(replicas, in: profile) { known[$0]?.device.id }
    }

    /// - Parameter why: Why it stays so for now.
    mutating func logDifference(_ why: String, of writer: DeviceKey, in profile: ProfileID, now: Moment) {
        log(
            .warning, "what came in of a device's writes differs from what it says", about: writer,
            ["save": engine.profiles[profile]?.name ?? "\(profile)", "why": why], now: now)
    }
}
