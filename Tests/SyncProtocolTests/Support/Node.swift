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

/// Several nodes and the lines between them; messages are delivered one at a time, in order per line.
final class Network {
    var nodes: [String: Node] = [:]
    var queue: [(from: String, to: String, bytes: [UInt8])] = []
    /// Bytes per direction, "a>b".
    var traffic: [String: Int] = [:]
    var now: MonotonicTime = 0
    /// The salt of all hashes of ranges.
    var salt: UInt64 = 0x0123_4567_89ab_cdef
    /// Cuts every message into pieces of this size.
    var slice = Int.max

    init(_ nodes: Node...) { for node in nodes { self.nodes[node.name] = node } }

    func connect(_ a: String, _ b: String) {
        for (from, to) in [(a, b), (b, a)] {
            nodes[from]!.lines[to] = Node.Line(PeerLink(localName: from, now: now))
        }
        for (from, to) in [(a, b), (b, a)] {
            let node = nodes[from]!
            perform(
                node.lines[to]!.link.start(
                    profiles: CoveredProfiles(node.states.mapValues(\.vector)), roster: [], salt: salt, now: now),
                node,
                to
            )
        }
    }

    func disconnect(_ a: String, _ b: String) {
        nodes[a]!.lines[b] = nil
        nodes[b]!.lines[a] = nil
        queue.removeAll { ($0.from, $0.to) == (a, b) || ($0.from, $0.to) == (b, a) }
    }

    /// Tells all links of a node what it covers now.
    func publish(_ name: String, _ profile: ProfileID) {
        let node = nodes[name]!
        for peer in node.lines.keys.sorted() {
            guard let line = node.lines[peer] else { continue }
            perform(line.link.changed(profile, vector: node.vector(profile)), node, peer)
        }
    }

    /// Delivers until all is quiet.
    func run(steps: Int = 200_000) {
        var left = steps
        while !queue.isEmpty, left > 0 {
            left -= 1
            step()
        }
        if left == 0 { Issue.record("the network never comes to rest") }
    }

    func step() {
        let message = queue.removeFirst()
        traffic["\(message.from)>\(message.to)", default: 0] += message.bytes.count
        guard let node = nodes[message.to], let line = node.lines[message.from] else { return }
        var rest = message.bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(slice))
            rest = rest.dropFirst(slice)
            perform(line.link.received(piece, now: now), node, message.from)
        }
    }

    func perform(_ actions: [LinkAction], _ node: Node, _ peer: String) {
        guard let line = node.lines[peer] else { return }
        for action in actions {
            switch action {
            case .send(let bytes): queue.append((node.name, peer, bytes))
            case .close(let closure): node.closures.append(closure)
            case .greeted(let greeting): node.greetings.append(greeting)
            case .roster(let statements, _): node.rosters.append(statements)
            case .stated(_, let vector): node.stated.append((peer, vector))
            case .listed: break
            case .acked(_, let vector): node.acked.append((peer, vector))
            case .unsendable(_, let reason): node.unsendable.append(reason)
            case .keepsCopies(let keeps): node.keepers[peer] = keeps
            case .copies(let profile, let list): node.listed.append((peer, profile, list))
            case .copyAsked(let question): node.asked.append((peer, question))
            case .copyPart(let question, let content): node.parts.append((peer, question, content))
            case .formAsked(let question): node.formsAsked.append((peer, question))
            case .formPart(let question, let answer): node.formParts.append((peer, question, answer))
            case .acksWanted: node.acksWanted.append((peer, line.link.peerWantsAcks))
            case .ack(let profile, let device): node.acks.append((peer, line.link.ack(profile, of: device)))
            case .digestsAsked(let question): node.digestsAsked.append(question)
            case .digests(_, let answer): node.digests.append(answer)
            case .needsDelta(let request):
                let state = node.states[request.profile] ?? ProfileState()
                let atoms = state.delta(beyond: request.beyond)
                perform(
                    line.link.sendDelta(answering: request, atoms: atoms, to: state.vector, proof: node.proof),
                    node,
                    peer
                )
            case .delta(let delta): take(delta, node, peer)
            }
        }
    }

    private func take(_ delta: IncomingDelta, _ node: Node, _ peer: String) {
        guard let line = node.lines[peer] else { return }
        var state = node.states[delta.profile] ?? ProfileState()
        guard state.vector.covers(delta.from), node.failingCommits == 0 else {
            node.failingCommits = max(0, node.failingCommits - 1)
            node.offers += 1
            return perform(line.link.offer(delta.profile, vector: state.vector), node, peer)
        }
        for origin in delta.origins { node.origins[origin.replica] = origin }
        // What is covered already changes nothing, so that it may go without its history.
        for (replica, entry) in delta.to.entries where state.vector.sequence(of: replica) < entry.sequence {
            guard let device = node.origins[replica]?.device, let signature = delta.signatures[replica],
                ReplicaHead.isValid(signature, of: replica, at: entry, by: device)
            else {
                Issue.record("\(node.name) got writes of \(replica) that its device did not sign")
                continue
            }
            node.heads[replica, default: [:]][entry] = signature
        }
        node.deltas.append((peer, delta))
        state.join(delta.atoms, vector: delta.to)
        node.states[delta.profile] = state
        perform(line.link.acknowledge(delta.profile, vector: state.vector), node, peer)
        for other in node.lines.keys.sorted() where other != peer {
            guard let line = node.lines[other] else { continue }
            perform(line.link.changed(delta.profile, vector: state.vector), node, other)
        }
    }
}

/// Fails unless all nodes hold the same of a profile.
func expectSame(_ network: Network, _ profile: ProfileID, sourceLocation: SourceLocation = #_sourceLocation) {
    let names = network.nodes.keys.sorted()
    guard let first = names.first, let expected = network.nodes[first]?.states[profile] else {
        Issue.record("\(names) hold nothing", sourceLocation: sourceLocation)
        return
    }
    for name in names.dropFirst() {
        let state = network.nodes[name]?.states[profile]
        #expect(state?.vector == expected.vector, "\(name) against \(first)", sourceLocation: sourceLocation)
        #expect(state?.sortedAtoms == expected.sortedAtoms, "\(name) against \(first)", sourceLocation: sourceLocation)
    }
    for name in names {
        #expect(network.nodes[name]?.closures == [], "\(name)", sourceLocation: sourceLocation)
    }
}

let profile = ProfileID(random: 0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321)
