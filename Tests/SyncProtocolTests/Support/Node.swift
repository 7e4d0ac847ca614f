import LosslessJSON
import MergeCore
import SyncProtocol
import Testing

/// A device with real states and real links, and nothing else.
final class Node {
    final class Line {
        var link: PeerLink
        init(_ link: consuming PeerLink) { self.link = link }
    }

    let name: String
    let signer: MemorySigner
    let replica: ReplicaID
    var states: [ProfileID: ProfileState] = [:]
    var origins: [ReplicaID: ReplicaOrigin] = [:]
    /// The signatures that came with the writes of others.
    var heads: [ReplicaID: [VersionVector.Entry: [UInt8]]] = [:]
    var lines: [String: Line] = [:]
    /// The replicas of devices that it takes for no members any more.
    var formerMembers: Set<ReplicaID> = []
    /// What happened on the links, in order.
    var deltas: [(from: String, delta: IncomingDelta)] = []
    var acked: [(from: String, vector: VersionVector)] = []
    var stated: [(from: String, vector: VersionVector)] = []
    var greetings: [PeerGreeting] = []
    var rosters: [[RosterStatement]] = []
    var unsendable: [String] = []
    var closures: [LinkClosure] = []
    /// Of copies: who keeps them, what was listed, asked and answered.
    var keepers: [String: Bool] = [:]
    var listed: [(from: String, profile: ProfileID, copies: [CopyFacts])] = []
    var asked: [(from: String, question: CopyQuestion)] = []
    var parts: [(from: String, question: CopyQuestion, content: [UInt8])] = []
    /// Of forms: what was asked and answered.
    var formsAsked: [(from: String, question: FormQuestion)] = []
    var formParts: [(from: String, question: FormQuestion, answer: FormAnswer)] = []
    /// Of acknowledgements of others: whose were wanted, and what was passed on.
    var acksWanted: [(from: String, devices: Set<DeviceID>)] = []
    var acks: [(from: String, ack: PeerAck?)] = []
    /// Of digests: what was asked and answered.
    var digestsAsked: [DigestQuestion] = []
    var digests: [DigestAnswer] = []
    var offers = 0
    /// Refuses the next deltas to be committed, as if the disk were full.
    var failingCommits = 0

    init(_ name: String, _ number: UInt64) {
        self.name = name
        signer = MemorySigner(seed: number)
        guard let origin = ReplicaOrigin(device: signer.key, profile: profile, slot: 0) else {
            preconditionFailure("0 is a slot")
        }
        replica = origin.replica
        origins[replica] = origin
    }

    func proof(_ replica: ReplicaID, _ entry: VersionVector.Entry) -> WriteProof? {
        guard let origin = origins[replica] else { return nil }
        let own =
            replica == self.replica ? ReplicaHead.signature(of: replica, at: entry, by: signer) : nil
        return (own ?? heads[replica]?[entry]).map {
            WriteProof(origin: origin, signature: $0, isWithinCut: formerMembers.contains(replica))
        }
    }

    func vector(_ profile: ProfileID) -> VersionVector { states[profile]?.vector ?? VersionVector() }

    /// Takes the signatures for what another node wrote and this one has without a link.
    func believe(_ other: Node) {
        origins[other.replica] = other.origins[other.replica]
        guard let entry = vector(profile).entries[other.replica] else { return }
        heads[other.replica, default: [:]][entry] = other.proof(other.replica, entry)?.signature
    }

    /// Plays: writes what differs between two documents.
    func write(_ profile: ProfileID, from old: String?, to new: String, now: WallTime = 1_700_000_000_000) {
        var state = states[profile] ?? ProfileState()
        let context = WriteContext(replica: replica, now: now, fileTime: now, base: state.vector)
        do {
            let document = try JSONDocument(parsing: Array(new.utf8))
            if let old {
                let base = try JSONDocument(parsing: Array(old.utf8))
                _ = state.write(DocumentDiff(from: base, to: document, rules: state.rules).writes, context)
            } else {
                _ = state.adopt(document, context)
            }
        } catch {
            Issue.record("a document of the test is unreadable: \(error)")
        }
        states[profile] = state
    }

    /// Takes atoms in under this node's next dot, whatever they are.
    func put(_ profile: ProfileID, _ contents: [(AtomKey, AtomContent)]) {
        var state = states[profile] ?? ProfileState()
        let sequence = state.vector.sequence(of: replica) + 1
        let dot = Dot(replica: replica, sequence: sequence)
        let vector = VersionVector([replica: .init(sequence: sequence, history: sequence &* 0x9e37_79b9_7f4a_7c15)])
        state.join(contents.map { KeyedAtom($0.0, Atom($0.1, dot)) }, vector: vector)
        states[profile] = state
    }
}
