import MergeCore
import SwiftProtobuf
import SyncProtocol
import TestSupport
import Testing

/// Every frame of the wire is what it was, to the byte; see ``GoldenFrames``.
@Suite struct GoldenLinkTests {
    typealias Golden = GoldenFrames

    /// A link between two devices. What the first one says is compared with the files, and the second one reads it.
    private final class Talk {
        let desk = Node.Line(PeerLink(localName: "Desk", now: 0))
        let lap = Node.Line(PeerLink(localName: "Lap", now: 0))
        var said: [String] = []

        /// Returns what the second device makes of it.
        func say(_ names: String..., by actions: [LinkAction]) throws -> [LinkAction] {
            let frames = try GoldenFrames.cut(actions.sent)
            #expect(frames.count == names.count, "\(names)")
            var read: [LinkAction] = []
            for (name, frame) in zip(names, frames) {
                GoldenFrames.expect(frame, is: name)
                said.append(name)
                read += lap.link.heard(frame, now: 0)
            }
            return read
        }

        /// Lets the first device read what the second one says.
        func hear(_ actions: [LinkAction]) -> [LinkAction] { desk.link.heard(actions.sent, now: 0) }

        func start() throws -> (read: [LinkAction], heard: [LinkAction]) {
            let first = desk.link.start(
                profiles: [Golden.profile: GoldenLinkTests.covered], roster: Golden.roster, secret: Golden.secret,
                clock: 1_700_000_000_123, salt: Golden.salt, now: 0)
            let second = lap.link.start(profiles: [Golden.profile: GoldenLinkTests.laps], roster: [], now: 0)
            // The second one has no statement, and says so where it has read the first one's Hello.
            let greeted = try say("hello", "vectors", by: first)
            let answered = hear(second)
            let asked = try say("roster-hashes", by: answered)
            let told = hear(greeted)
            return (greeted + asked + (try say("roster", by: told)), answered + told)
        }
    }

    private static let covered = VersionVector([
        Golden.desks.replica: Golden.progress(2), Golden.laps: .init(sequence: 1, history: Golden.told("lap 1")),
    ])
    private static let laps = VersionVector([Golden.laps: .init(sequence: 2, history: Golden.told("lap 2"))])

    private static func proof(_ replica: ReplicaID, _ entry: VersionVector.Entry) -> WriteProof? {
        let isGone = replica == Golden.gones.replica
        guard isGone || replica == Golden.desks.replica else { return nil }
        let signature = ReplicaHead.signature(of: replica, at: entry, by: isGone ? Golden.gone : Golden.desk)
        return WriteProof(
            origin: isGone ? Golden.gones : Golden.desks, signature: signature, isWithinCut: isGone)
    }

    @Test func aLinkSaysTheseFramesAndReadsThem() throws {
        let talk = Talk()
        let (desk, lap) = (talk.desk, talk.lap)
        try greetAndSend(talk)

        let answer = try talk.say("ping", by: desk.link.ask(now: 1))
        #expect(answer.sent.count == 6)
        let pong = talk.hear(lap.link.ask(now: 2))
        let silence = try talk.say("pong", by: pong)
        #expect(silence.isEmpty)

        try copies(talk)
        try forms(talk)
        try words(talk)
        try digests(talk)

        let anew = try talk.say("vectors-anew", by: desk.link.offer(Golden.profile, vector: Self.laps))
        guard case .stated(Golden.profile, let vector)? = anew.first else { throw Failure("nothing was stated anew") }
        #expect(vector == Self.laps)
        let closure = try talk.say("goodbye", by: desk.link.goodbye("Desk goes to sleep.")).closure
        #expect(closure?.reason == "The other device ended the link: Desk goes to sleep." && closure?.blame == .nobody)
        #expect(talk.said == Golden.link)
    }

    private func greetAndSend(_ talk: Talk) throws {
        let (read, heard) = try talk.start()
        guard read.count == 6, case .greeted(let greeting) = read[0], case .send = read[1],
            case .stated(Golden.profile, let stated) = read[2], case .listed = read[3], case .needsDelta = read[4],
            case .roster(let roster, let secret) = read[5]
        else { throw Failure("the beginning was read as \(read)") }
        #expect(greeting.name == "Desk" && greeting.version == 1 && greeting.features == ["forms", "digests"])
        #expect(greeting.clock == 1_700_000_000_123 && stated == Self.covered)
        #expect(roster == Golden.roster && roster.allSatisfy { $0.isValid } && secret == Golden.secret)

        let request = try #require(heard.requests.first)
        #expect(request.beyond == Self.laps)
        let first = try talk.say(
            "delta",
            by: talk.desk.link.sendDelta(
                answering: request, atoms: Golden.writes[0] + Golden.writes[1], to: Self.covered, proof: Self.proof)
        ).deltas
        try expect(first, Golden.writes[0] + Golden.writes[1], 2, origins: [Golden.desks])

        var longer = Self.covered
        longer.advance(Golden.desks.replica, to: Golden.progress(3))
        let next = try #require(talk.desk.link.changed(Golden.profile, vector: longer).requests.first)
        let second = try talk.say(
            "delta-of-one-write",
            by: talk.desk.link.sendDelta(answering: next, atoms: Golden.writes[2], to: longer, proof: Self.proof)
        ).deltas
        try expect(second, Golden.writes[2], 3, origins: [])
        try sendLastWrite(talk, &longer)

        longer.join(Self.laps)
        let acked = try talk.say(
            "ack", by: talk.desk.link.acknowledge(Golden.profile, vector: longer, isFileBehind: true))
        guard case .acked(Golden.profile, longer)? = acked.first else { throw Failure("the ack was read as \(acked)") }
        let isBehind = talk.lap.link.isPeersFileBehind(Golden.profile)
        #expect(isBehind)
    }

    /// Passes on what a former member wrote before it was removed.
    private func sendLastWrite(_ talk: Talk, _ vector: inout VersionVector) throws {
        let (replica, entry) = (Golden.gones.replica, Golden.progress(1, of: [Golden.lastWrite]))
        vector.advance(replica, to: entry)
        let request = try #require(talk.desk.link.changed(Golden.profile, vector: vector).requests.first)
        let deltas = try talk.say(
            "delta-of-a-former-member",
            by: talk.desk.link.sendDelta(
                answering: request, atoms: Golden.lastWrite, to: vector, proof: Self.proof)
        ).deltas
        let delta = try #require(deltas.first)
        #expect(deltas.count == 1 && delta.atoms == Golden.lastWrite && delta.to == VersionVector([replica: entry]))
        #expect(delta.cut == [replica] && delta.origins == [Golden.gones])
        let signature = try #require(delta.signatures[replica])
        #expect(ReplicaHead.isValid(signature, of: replica, at: entry, by: Golden.gone.key))
    }

    /// - Parameter count: The number of the last write.
    private func expect(
        _ deltas: [IncomingDelta], _ atoms: [KeyedAtom], _ count: Int, origins: [ReplicaOrigin]
    ) throws {
        let delta = try #require(deltas.first)
        let (replica, entry) = (Golden.desks.replica, Golden.progress(count))
        #expect(deltas.count == 1 && delta.profile == Golden.profile && delta.atoms == atoms)
        #expect(delta.to == VersionVector([replica: entry]) && delta.origins == origins && delta.cut.isEmpty)
        let signature = try #require(delta.signatures[replica])
        #expect(ReplicaHead.isValid(signature, of: replica, at: entry, by: Golden.desk.key))
    }

    private func copies(_ talk: Talk) throws {
        let (desk, lap) = (talk.desk, talk.lap)
        guard case .keepsCopies(true)? = try talk.say("keeps-copies", by: desk.link.keepCopies(true)).first
        else { throw Failure("the keeper is not read") }
        _ = talk.hear(lap.link.keepCopies(true))
        let list = try talk.say("copy-list", by: desk.link.listCopies(of: Golden.profile, Golden.copies))
        guard case .copies(Golden.profile, Golden.copies)? = list.first else { throw Failure("the list is not read") }
        let facts = CopyFacts(day: 20_261_122, size: 70_000, checksum: Golden.seeded("copy 3"))
        let asked = try talk.say(
            "copy-request", by: desk.link.askForCopy(of: Golden.profile, facts, from: 65_536))
        let question = CopyQuestion(profile: Golden.profile, checksum: facts.checksum, offset: 65_536)
        guard case .copyAsked(question)? = asked.first else { throw Failure("the question for a copy is not read") }
        _ = talk.hear(lap.link.askForCopy(of: Golden.profile, Golden.copies[0], from: 0))
        let part = try talk.say("copy-part", by: desk.link.answerCopy(Golden.seeded("part")))
        guard case .copyPart(_, let content)? = part.first else { throw Failure("the part of a copy is not read") }
        #expect(content == Golden.seeded("part"))
    }

    private func forms(_ talk: Talk) throws {
        let (desk, lap) = (talk.desk, talk.lap)
        let asked = try talk.say(
            "form-request", by: desk.link.askForForm(of: Golden.profile, from: 65_536, size: 70_000))
        let question = FormQuestion(profile: Golden.profile, offset: 65_536)
        guard case .formAsked(question)? = asked.first else { throw Failure("the question for a form is not read") }
        _ = talk.hear(lap.link.askForForm(of: Golden.profile, from: 0, size: nil))
        let answer = FormAnswer(size: Golden.form.count, content: Golden.form)
        let part = try talk.say("form-part", by: desk.link.answerForm(answer))
        guard case .formPart(_, answer)? = part.first else { throw Failure("the part of a form is not read") }
    }

    private func words(_ talk: Talk) throws {
        let (desk, lap, nas) = (talk.desk, talk.lap, Golden.nas.id)
        let wanted: Set<DeviceID> = [nas, Golden.old.id]
        _ = try talk.say("words-wanted", by: desk.link.wantAcks(of: wanted))
        let peerWants = lap.link.peerWantsAcks
        #expect(peerWants == wanted)
        _ = talk.hear(lap.link.wantAcks(of: [nas]))
        let vector = VersionVector([
            Golden.desks.replica: Golden.progress(2), Golden.nases: .init(sequence: 4, history: Golden.told("nas 4")),
        ])
        let ack = PeerAck(vector: vector, isFileBehind: true, through: [Golden.old.id])
        _ = try talk.say("word", by: desk.link.pass(ack, about: Golden.profile, of: nas))
        let read = lap.link.ack(Golden.profile, of: nas)
        #expect(read == ack)
        _ = try talk.say("word-gone", by: desk.link.pass(nil, about: Golden.profile, of: nas))
        let isGone = lap.link.ack(Golden.profile, of: nas) == nil
        #expect(isGone)
    }

    private func digests(_ talk: Talk) throws {
        let (desk, lap) = (talk.desk, talk.lap)
        let lapsEnd = VersionVector.Entry(sequence: 2, history: Golden.told("lap 2"))
        let span = try #require(WriteSpan(Golden.laps, after: 1, upTo: lapsEnd))
        let question = DigestQuestion(profile: Golden.profile, spans: [span])
        let asked = try talk.say("digest-question", by: desk.link.askForDigests(question))
        guard case .digestsAsked(question)? = asked.first else { throw Failure("the question for digests is not read") }
        let spans = [
            try #require(WriteSpan(Golden.desks.replica, after: 0, upTo: Golden.progress(2))),
            try #require(WriteSpan(Golden.nases, after: 0, upTo: .init(sequence: 4, history: Golden.told("nas 4")))),
        ].sorted { $0.replica < $1.replica }
        _ = talk.hear(lap.link.askForDigests(DigestQuestion(profile: Golden.profile, spans: spans)))
        let answer = DigestAnswer(hashes: [Golden.seeded("digest"), nil], vector: Golden.seeded("vector"))
        let read = try talk.say("digest-answer", by: desk.link.answerDigests(answer))
        guard case .digests(_, answer)? = read.first else { throw Failure("the digests are not read") }
    }

    /// Two devices with many profiles find out what differs: in one profile one of them has written once more, and of a
    /// range the other one has nothing.
    @Test func aLinkOfManyProfilesSaysTheseFramesAndReadsThem() throws {
        let (talk, changed) = (Talk(), Golden.profile(1))
        var many = Golden.many
        var vector = try #require(many[changed])
        vector.advance(Golden.laps, to: .init(sequence: 1, history: 1))
        many[changed] = vector
        let begun = talk.desk.link.start(profiles: Golden.manyOfDesk, roster: [], salt: Golden.salt, now: 0).sent
        let hello = try Golden.cut(begun).prefix(1).flatMap { $0 }
        let hashes = talk.lap.link.start(profiles: many, roster: [], salt: 1, now: 0).sent
        _ = talk.lap.link.received(hello, now: 0)

        let asked = try talk.say("ranges", by: [.send(Array(begun.dropFirst(hello.count)))])
        let answered = try talk.say("ranges-wanted", by: talk.desk.link.received(hashes, now: 0))
        let askedMore = try talk.say("ranges-of-a-part", by: talk.hear(asked))
        let listed = try talk.say("vectors-of-a-range", by: talk.hear(askedMore))
        #expect(talk.said == Golden.ranges)
        guard case .listed? = listed.last else { throw Failure("the list was read as \(listed)") }
        // What is alike is known without a word of it, and what Desk lacks is asked for.
        let stated = listed.compactMap { action in if case .stated(let profile, _) = action { profile } else { nil } }
        #expect(stated.count == 3 && stated.contains(changed))
        let (isLacking, isAlike) = (talk.lap.link.isSettled(changed), talk.lap.link.isSettled(Golden.profile(2)))
        #expect(!isLacking && isAlike)
        #expect(listed.requests.map(\.profile) == [changed])
        // The range that Desk has nothing of was known to be so from the first frame on.
        let unknown = Set(asked.requests.map(\.profile))
        #expect(unknown == Set((1...100).map(Golden.profile).filter { $0.high >> 60 == 15 }))
        let read = talk.hear(answered)
        #expect(read.requests.isEmpty && read.closure == nil)
    }

    /// A delta means the same whether it comes plain, compressed, or in several frames.
    @Test(arguments: ["delta"] + Golden.otherDeltas) func aDeltaIsReadInEveryForm(_ name: String) throws {
        let talk = Talk()
        _ = try talk.start()
        let bytes = try #require(Golden.bytes(name), "\(name).hex is made by Tests/WirePeer/run")
        let deltas = talk.lap.link.received(bytes, now: 0).deltas
        try expect(deltas, Golden.writes[0] + Golden.writes[1], 2, origins: [Golden.desks])
    }

    /// So does a part of a form.
    @Test(arguments: ["form-part"] + Golden.otherParts) func aPartIsReadInEveryForm(_ name: String) throws {
        let talk = Talk()
        _ = try talk.start()
        _ = talk.lap.link.askForForm(of: Golden.profile, from: 0, size: nil)
        let bytes = try #require(Golden.bytes(name), "\(name).hex is made by Tests/WirePeer/run")
        let answer = FormAnswer(size: Golden.form.count, content: Golden.form)
        guard case .formPart(_, answer)? = talk.lap.link.received(bytes, now: 0).first else {
            throw Failure("the part of a form is not read")
        }
    }

    /// No file is left over, and each is what its message is written as.
    @Test func everyFileIsAFrame() throws {
        let names = Golden.link + Golden.ranges + Golden.pairing + Golden.otherDeltas + Golden.otherParts
        #expect(Disk.names(in: Golden.folder) == (names.map { "\($0).hex" } + ["signatures.txt"]).sorted())
        for name in names {
            for frame in try Golden.cut(try #require(Golden.bytes(name))) {
                let payload = Array(frame.dropFirst(4))
                let again: [UInt8]
                if Golden.pairing.contains(name) {
                    again = try WirePairFrame(serializedBytes: payload).serializedBytes()
                } else {
                    again = try WireFrame(serializedBytes: payload).serializedBytes()
                }
                #expect(again == payload, "\(name)")
            }
        }
    }
}
