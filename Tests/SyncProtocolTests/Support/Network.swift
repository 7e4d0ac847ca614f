import LosslessJSON
import MergeCore
import SyncProtocol
import Testing

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
            case .asked: perform(line.link.answer(), node, peer)
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
