import LosslessJSON
import MergeCore
import SyncProtocol
import Testing

/// Two and three real links over real states.
@Suite struct SyncTests {
    @Test func bothSidesExchangeWhatTheOtherLacks() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"level":3,"name":"Ada"}"#)
        network.nodes["b"]!.write(profile, from: nil, to: #"{"level":2,"coins":7}"#)
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
        for (name, other) in [("a", "b"), ("b", "a")] {
            let node = network.nodes[name]!
            #expect(node.greetings.map(\.name) == [other])
            #expect(node.deltas.count == 1)
            let isSettled = node.lines[other]!.link.isSettled(profile)
            #expect(isSettled)
            #expect(node.acked.last?.vector == node.vector(profile))
        }
    }

    @Test func aProfileThatOneSideLacksIsFetchedWhole() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"level":3}"#)
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["a"]!.deltas.isEmpty)
    }

    @Test func aProfileMadeWhileLinkedTravels() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.connect("a", "b")
        network.run()
        network.nodes["b"]!.write(profile, from: nil, to: #"{"level":3}"#)
        network.publish("b", profile)
        network.run()
        expectSame(network, profile)
    }

    @Test func writesTravelOnWithTheirOwnDotsAndNeverBack() {
        let network = Network(Node("a", 1), Node("b", 2), Node("c", 3))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"level":3,"name":"Ada"}"#)
        network.connect("a", "b")
        network.connect("b", "c")
        network.run()
        expectSame(network, profile)
        let replica = network.nodes["a"]!.replica
        #expect(network.nodes["c"]!.deltas.map(\.from) == ["b"])
        #expect(network.nodes["c"]!.deltas[0].delta.atoms.allSatisfy { $0.atom.dot.replica == replica })
        #expect(network.nodes["c"]!.deltas[0].delta.origins.map(\.device) == [network.nodes["a"]!.signer.key])
        #expect(network.nodes["a"]!.deltas.isEmpty, "what a wrote came back to it")
        #expect(network.nodes["b"]!.deltas.map(\.from) == ["a"], "what b passed on came back to it")

        network.nodes["c"]!.write(profile, from: #"{"level":3}"#, to: #"{"level":4}"#)
        network.publish("c", profile)
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["c"]!.deltas.count == 1)
        #expect(network.nodes["a"]!.deltas.map(\.delta.atoms.count) == [1])
    }

    /// What a device says of a former member's writes comes along with them, and with no others.
    @Test func theWordAboutAFormerMemberTravels() {
        let network = Network(Node("a", 1), Node("b", 2), Node("c", 3))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"level":3,"name":"Ada"}"#)
        network.connect("a", "b")
        network.run()
        network.disconnect("a", "b")
        network.nodes["b"]!.formerMembers = [network.nodes["a"]!.replica]
        network.nodes["b"]!.write(profile, from: "{}", to: #"{"coins":7}"#)
        network.connect("b", "c")
        network.run()
        #expect(network.nodes["b"]!.deltas.map(\.delta.cut) == [[]])
        #expect(network.nodes["c"]!.deltas.map(\.delta.cut) == [[network.nodes["a"]!.replica]])
        #expect(network.nodes["c"]!.deltas.first?.delta.to.entries.count == 2)
    }

    @Test func aMeshComesToRest() {
        let network = Network(Node("a", 1), Node("b", 2), Node("c", 3), Node("d", 4))
        for (first, second) in [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")] {
            network.connect(first, second)
        }
        network.run()
        for (round, name) in ["a", "b", "c", "d", "b", "a"].enumerated() {
            network.nodes[name]!.write(profile, from: "{}", to: #"{"\#(name)":\#(round)}"#)
            network.publish(name, profile)
        }
        network.run()
        expectSame(network, profile)
        for (name, node) in network.nodes {
            for (peer, line) in node.lines {
                let isSettled = line.link.isSettled(profile)
                #expect(isSettled, "\(name) with \(peer)")
            }
        }
    }

    @Test func deltasArePipelined() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.connect("a", "b")
        network.run()
        for round in 0..<5 {
            network.nodes["a"]!.write(profile, from: "{}", to: #"{"n":\#(round)}"#)
            network.publish("a", profile)
        }
        #expect(network.queue.count == 5, "a delta waited for an ack")
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["b"]!.deltas.count == 5)
        #expect(network.nodes["b"]!.offers == 0)
    }

    @Test func aReconnectSendsOnlyWhatIsNew() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"level":3,"name":"Ada"}"#)
        network.connect("a", "b")
        network.run()
        network.disconnect("a", "b")
        network.nodes["b"]!.write(profile, from: #"{"level":3}"#, to: #"{"level":4}"#)
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["b"]!.deltas.count == 1)
        #expect(network.nodes["a"]!.deltas.map(\.delta.atoms.count) == [1])
        // b is new to a's vector, so its origin comes; a's, which b has, does not come again.
        #expect(network.nodes["a"]!.deltas[0].delta.origins.count == 1)
    }

    @Test func aFailedCommitIsMadeGoodByAnOffer() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.connect("a", "b")
        network.run()
        network.nodes["b"]!.failingCommits = 1
        for round in 0..<3 {
            network.nodes["a"]!.write(profile, from: "{}", to: #"{"n\#(round)":1}"#)
            network.publish("a", profile)
        }
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["b"]!.offers == 1)
        // The two under way were dropped by the link; one answer holds all three.
        #expect(network.nodes["b"]!.deltas.map(\.delta.atoms.count) == [3])
        #expect(network.nodes["b"]!.deltas[0].delta.origins.count == 1)
    }

    @Test func aRecordThatIsLostUnderALiveLinkIsRefilled() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"level":3,"name":"Ada"}"#)
        network.connect("a", "b")
        network.run()
        network.nodes["b"]!.states = [:]
        network.nodes["a"]!.write(profile, from: #"{"level":3}"#, to: #"{"level":4}"#)
        network.publish("a", profile)
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["b"]!.offers == 1)
    }

    /// An atom that was replaced is missing from a delta. Whoever lacks its successor must not join that delta, even if
    /// it covers the very replica the delta speaks of.
    @Test func theWholeOfFromCounts() {
        let network = Network(Node("a", 1), Node("b", 2), Node("c", 3))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"x":1}"#)
        network.connect("a", "b")
        network.connect("a", "c")
        network.run()
        let (a, b, c) = (network.nodes["a"]!, network.nodes["b"]!, network.nodes["c"]!)
        let before = b.states
        // c replaces x; b gets it, then loses it.
        c.write(profile, from: #"{"x":1}"#, to: #"{"x":2}"#)
        network.publish("c", profile)
        network.run()
        b.states = before
        a.write(profile, from: #"{}"#, to: #"{"y":1}"#)
        network.publish("a", profile)
        network.run()
        #expect(b.offers == 1)
        expectSame(network, profile)
    }

    @Test func aNewOfferOvertakesAnAnswerThatIsBeingMade() throws {
        var a = PeerLink(localName: "a", now: 0)
        var b = PeerLink(localName: "b", now: 0)
        let node = Node("a", 1)
        node.write(profile, from: nil, to: #"{"x":1}"#)
        let fromA = a.start(profiles: CoveredProfiles(node.states.mapValues(\.vector)), roster: [], now: 0).sent
        let fromB = b.start(profiles: [:], roster: [], now: 0).sent
        _ = b.received(fromA, now: 0)
        // Both the request and the offer are in the bytes that a gets at once.
        let offer = b.offer(profile, vector: VersionVector()).sent
        let requests = a.received(fromB + offer, now: 0).requests
        #expect(requests.count == 2)
        let state = try #require(node.states[profile])
        let late = a.sendDelta(answering: requests[0], atoms: state.sortedAtoms, to: state.vector, proof: node.proof)
        #expect(late.isEmpty, "the answer to an outdated request was sent")
        let sent = a.sendDelta(answering: requests[1], atoms: state.sortedAtoms, to: state.vector, proof: node.proof)
            .sent
        let delta = try #require(b.received(sent, now: 0).deltas.first)
        #expect(delta.from == VersionVector())
        #expect(delta.atoms == state.sortedAtoms)
    }

    @Test func everyKindOfAtomArrivesAsItIs() throws {
        let network = Network(Node("a", 1), Node("b", 2))
        let node = network.nodes["a"]!
        let path = DocumentPath([.member("coins")])
        let number = try #require(ExactDecimal(text: "12345678901234567890.5"))
        node.put(
            profile,
            [
                (AtomKey(path, AtomKind(rawValue: 3), sub: node.replica.bytes), .tally(earned: number, spent: number)),
                (
                    AtomKey(path, AtomKind(rawValue: 3), sub: ReplicaID(high: 9, low: 9).bytes),
                    .tally(earned: number, spent: .zero)
                ),
                (AtomKey(path, AtomKind(rawValue: 3)), .baseline(number)),
                (AtomKey(DocumentPath([.member("themes")]), .union, sub: Array("\"red\"".utf8)), .member("red")),
                (
                    AtomKey(DocumentPath([.member("friends")]), .set, sub: Array("\"bob\"".utf8)),
                    .membership(length: 3, "bob")
                ),
                (AtomKey(DocumentPath([.member("done")]), .flag), .flag(true)),
                (AtomKey(DocumentPath([.member("best")]), .max), .extremum(17)),
                (AtomKey(.rules, .rules), .register(.live(5), ["a": 1])),
                (
                    AtomKey(DocumentPath([.member("future")]), AtomKind(rawValue: 200), sub: [1, 2]),
                    .opaque([0, 255, 3])
                ),
                (AtomKey(DocumentPath([.member("gone")]), .latest), .register(.live(7), nil)),
                (AtomKey(.root, .latest), .register(.live(7), [])),
            ]
        )
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["b"]!.states[profile]?.atomCount == 11)
    }
}

extension [LinkAction] {
    /// All bytes to be sent.
    var sent: [UInt8] {
        flatMap { action -> [UInt8] in if case .send(let bytes) = action { bytes } else { [] } }
    }

    var requests: [DeltaRequest] {
        compactMap { action in if case .needsDelta(let request) = action { request } else { nil } }
    }

    var deltas: [IncomingDelta] {
        compactMap { action in if case .delta(let delta) = action { delta } else { nil } }
    }

    var closure: LinkClosure? {
        for case .close(let closure) in self { return closure }
        return nil
    }
}
