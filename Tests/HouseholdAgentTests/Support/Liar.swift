import Crypto
import HouseholdAgent
import MergeCore
import ProfileKeeping

@testable import HouseholdSimulation
@testable import SyncProtocol

/// A device of the household whose agent was replaced by a hand: a sound link, over which anything can be said.
final class Liar {
    /// A daily backup as a device stores it.
    struct File {
        let day: LocalDay
        let bytes: [UInt8]

        func facts(checksum: [UInt8]? = nil) -> CopyFacts {
            CopyFacts(
                day: day.number, size: bytes.count, checksum: checksum ?? Array(SHA256.hash(data: bytes)))
        }
    }

    static func file(_ number: Int) -> File {
        let day = LocalDay(year: 2023, month: 11, day: number)!
        let note = BackupNote(time: WallTime(milliseconds: Int64(number)), pools: .daily, day: day)
        return File(day: day, bytes: MemoryBackup(Array("{\"coins\":\(number)}".utf8), note).bytes)
    }

    var now: Moment
    private(set) var logs: [LogLine] = []
    private(set) var isClosed = false
    /// What the victim listed, and its last answer.
    private(set) var lists: [ProfileID: [CopyFacts]] = [:]
    private var part: [UInt8]?
    private var questions: [CopyQuestion] = []
    private var formQuestions: [FormQuestion] = []
    private var form: FormAnswer?
    private var link: PeerLink
    /// What it claims to have written, for whoever asks.
    private var claims: [ProfileID: (atoms: [KeyedAtom], vector: VersionVector)] = [:]
    private let signer: any DeviceSigner
    private var origins: [ReplicaID: ReplicaOrigin] = [:]
    /// Devices whose writes it passes on, with their own signatures.
    private var relayed: [ReplicaID: any DeviceSigner] = [:]
    /// Whether it says of all it passes on that it had that before its writer was removed.
    var saysItHadItBefore = false
    /// What it was asked for digests.
    private(set) var digestQuestions: [DigestQuestion] = []
    /// What it answers; nothing where there is none.
    var digests: ((DigestQuestion) -> DigestAnswer)?
    private var isBegun = false
    /// What the victim has said before this device's Hello was sent.
    private var early: [[UInt8]] = []
    private let victim: SimulatedDevice
    private let id: ConnectionID
    /// Another hand at the victim: what the victim says to it while it hears this one goes there.
    weak var other: Liar?

    /// - Parameters:
    ///   - member: Whose key it has; its own agent must not run.
    ///   - connection: The number of its connection, another one for each hand at the same victim.
    init(of member: SimulatedDevice, to victim: SimulatedDevice, now: Moment, connection: UInt64 = 1 << 60) {
        (self.victim, self.now) = (victim, now)
        id = ConnectionID(rawValue: connection)
        signer = member.signer
        link = PeerLink(localName: member.name, now: now.monotonic)
        let start = link.start(profiles: [:], roster: [], clock: now.wall, now: now.monotonic)
        let remote = PeerAddress(host: "elsewhere", port: 1)
        let key = member.signer.publicKey
        tell(.opened(id, purpose: .sync, peerKey: key, remote: remote, dialled: false))
        // Its own Hello comes before its answer to the victim's.
        perform(start)
        isBegun = true
        while !early.isEmpty { hear(early.removeFirst()) }
    }

    /// Offers writes of its own replicas, see ``replica(in:slot:)``. The victim asks for them, and gets them.
    func claim(_ profile: ProfileID, _ atoms: [KeyedAtom], upTo vector: VersionVector) {
        claims[profile] = (atoms, vector)
        perform(link.offer(profile, vector: vector))
    }

    private func answer(_ request: DeltaRequest) {
        guard let claim = claims[request.profile] else { return }
        let atoms = claim.atoms.filter { !request.beyond.covers($0.atom.dot) }
        let (signer, origins, relayed, isWithinCut) = (signer, origins, relayed, saysItHadItBefore)
        perform(
            link.sendDelta(answering: request, atoms: atoms, to: claim.vector) { replica, entry in
                origins[replica].map {
                    let writer: any DeviceSigner = relayed[replica] ?? signer
                    return WriteProof(
                        origin: $0, signature: ReplicaHead.signature(of: replica, at: entry, by: writer),
                        isWithinCut: isWithinCut)
                }
            })
    }

    /// A replica of its own. It begins in the profile itself, or in one that it says was joined into that one.
    func replica(in profile: ProfileID, slot: Int = 0) -> ReplicaID {
        guard let origin = ReplicaOrigin(device: signer.key, profile: profile, slot: slot) else {
            preconditionFailure("\(slot) is no slot")
        }
        origins[origin.replica] = origin
        return origin.replica
    }

    /// From now on it passes on writes of another device's replica, as far as that device signed them.
    func relay(_ replica: ReplicaID, of device: SimulatedDevice, in profile: ProfileID) {
        origins[replica] = ReplicaOrigin.all(of: device.signer.key, in: profile).first { $0.replica == replica }
        relayed[replica] = device.signer
    }

    func list(_ profile: ProfileID, _ copies: [CopyFacts]) { perform(link.listCopies(of: profile, copies)) }

    func answer(_ content: [UInt8]) { perform(link.answerCopy(content)) }

    static func facts(of file: [UInt8], _ day: LocalDay) -> CopyFacts {
        CopyFacts(day: day.number, size: file.count, checksum: Array(SHA256.hash(data: file)))
    }

    func keep(_ keeps: Bool) { perform(link.keepCopies(keeps)) }

    /// What the victim answers to a question; `nil` where it answers nothing.
    func ask(_ profile: ProfileID, _ facts: CopyFacts) -> [UInt8]? {
        part = nil
        perform(link.askForCopy(of: profile, facts, from: 0))
        return part
    }

    /// Asks, and keeps copies no more, in one breath.
    func askAndStop(_ profile: ProfileID, _ facts: CopyFacts) -> [UInt8]? {
        part = nil
        var bytes: [UInt8] = []
        for action in link.askForCopy(of: profile, facts, from: 0) + link.keepCopies(false) {
            if case .send(let more) = action { bytes += more }
        }
        tell(.received(id, bytes))
        return part
    }

    /// What the victim asked and was not taken yet.
    func takeQuestion() -> CopyQuestion? { questions.isEmpty ? nil : questions.removeFirst() }

    /// The same for the form of a save.
    func takeFormQuestion() -> FormQuestion? { formQuestions.isEmpty ? nil : formQuestions.removeFirst() }

    func answer(_ answer: FormAnswer) { perform(link.answerForm(answer)) }

    func askForForm(_ profile: ProfileID, from offset: Int) -> FormAnswer? {
        form = nil
        perform(link.askForForm(of: profile, from: offset, size: nil))
        return form
    }

    /// Whose words the victim wants.
    var wantedAcks: Set<DeviceID> { link.peerWantsAcks }

    /// Passes on that a device has nothing of a profile, wanted or not.
    func passEmptyAck(about profile: ProfileID, of device: DeviceID, through: [DeviceID] = []) {
        var message = WireWord()
        message.profileID = profile.bytes.wire
        message.device = device.bytes.wire
        message.through = through.map(\.bytes.wire)
        tell(.received(id, WireFrame.bytes(.word(message))))
    }

    private func perform(_ actions: [LinkAction]) {
        for action in actions {
            switch action {
            case .send(let bytes): tell(.received(id, bytes))
            case .copyAsked(let question): questions.append(question)
            case .needsDelta(let request): answer(request)
            case .formAsked(let question): formQuestions.append(question)
            case .digestsAsked(let question):
                digestQuestions.append(question)
                if let digests { perform(link.answerDigests(digests(question))) }
            case .formPart(_, let answer): form = answer
            case .copies(let profile, let list): lists[profile] = list
            case .copyPart(_, let content): part = content
            case .close: isClosed = true
            default: break
            }
        }
    }

    /// What a person asks of the victim: what it says to this device because of that comes here.
    func request(_ request: any AgentRequest) -> RequestID {
        let id = RequestID(rawValue: victim.nextRequest)
        victim.nextRequest += 1
        tell(.request(id, request))
        return id
    }

    private func hear(_ bytes: [UInt8]) {
        if isBegun { perform(link.received(bytes, now: now.monotonic)) } else { early.append(bytes) }
    }

    private func tell(_ event: TransportEvent) { tell(.transport(event)) }

    private func tell(_ event: AgentEvent) {
        for action in victim.handle(event, now: now) {
            switch action {
            case .reply(let id, let reply): victim.replies[id, default: []].append(reply)
            case .watch(let paths, let gone): victim.watched = victim.watched.union(paths).subtracting(gone)
            case .transport(.send(id, let bytes)): hear(bytes)
            case .transport(.send(let to, let bytes)) where to == other?.id: other?.hear(bytes)
            case .transport(.close(id)): isClosed = true
            case .log(let line): logs.append(line)
            default: break
            }
        }
    }
}
