import LosslessJSON
import MergeCore
import SwiftProtobuf
import SyncProtocol
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Digests on a link: what is said, what a peer may not say, and how everything is asked for.
@Suite struct DigestTests {
    private static let span = WriteSpan(
        ReplicaID(high: 1, low: 1), after: 3, upTo: .init(sequence: 5, history: 0x0102_0304_0506_0708))!

    @Test func aWriterIsAskedAndAnswers() {
        let (asker, writer) = (Node("asker", 1), Node("writer", 2))
        let network = Network(asker, writer)
        network.connect("asker", "writer")
        network.run()
        let line = asker.lines["writer"]!
        let hasDigests = line.link.peerHasDigests
        let question = DigestQuestion(profile: profile, spans: [Self.span])
        network.perform(line.link.askForDigests(question), asker, "writer")
        let isAsking = line.link.isAskingForDigests
        #expect(hasDigests && isAsking)
        network.run()
        #expect(writer.digestsAsked == [question])
        let hash = [UInt8](repeating: 7, count: Limits.digest)
        for answer in [DigestAnswer(hashes: [hash], vector: hash), DigestAnswer(hashes: [nil], vector: hash)] {
            if line.link.isAskingForDigests == false {
                network.perform(line.link.askForDigests(question), asker, "writer")
                network.run()
            }
            network.perform(writer.lines["asker"]!.link.answerDigests(answer), writer, "asker")
            network.run()
            #expect(asker.digests.last == answer)
        }
        // What was asked is answered once.
        let again = writer.lines["asker"]!.link.answerDigests(DigestAnswer(hashes: [nil], vector: hash))
        #expect(again.isEmpty && asker.closures.isEmpty && writer.closures.isEmpty)
    }

    /// The answer is marked, and only that one. Afterwards both sides cover the same again, and writes go on.
    @Test func everythingIsAskedForAndComes() {
        let (asker, writer) = (Node("asker", 1), Node("writer", 2))
        writer.write(profile, from: nil, to: #"{"a":1,"b":2}"#)
        let network = Network(asker, writer)
        network.connect("asker", "writer")
        network.run()
        #expect(asker.deltas.map(\.delta.isWhole) == [false])
        asker.write(profile, from: #"{"a":1,"b":2}"#, to: #"{"a":1,"b":3}"#)
        let line = asker.lines["writer"]!
        let vector = asker.vector(profile)
        // The asker's own edit is under way meanwhile.
        let whole = Set(writer.states[profile]?.sortedAtoms ?? [])
        network.perform(line.link.askForAll(of: profile, vector: vector), asker, "writer")
        network.run()
        #expect(asker.deltas.map(\.delta.isWhole) == [false, true])
        #expect(Set(asker.deltas[1].delta.atoms) == whole)
        writer.write(profile, from: #"{"a":1,"b":3}"#, to: #"{"a":4,"b":3}"#)
        network.publish("writer", profile)
        network.run()
        #expect(asker.deltas.map(\.delta.isWhole) == [false, true, false])
        #expect(asker.deltas.map(\.delta.isAskedFor) == [false, true, false])
        expectSame(network, profile)
    }

    /// While everything is under way, the writer knows what the asker covers: it takes the asker's removals for as new as
    /// they are, and "in step" is no question.
    @Test func whoeverAsksForAllSaysWhatItCovers() {
        let (asker, writer) = (Node("asker", 1), Node("writer", 2))
        writer.write(profile, from: nil, to: #"{"a":1,"b":2}"#)
        let network = Network(asker, writer)
        network.connect("asker", "writer")
        network.run()
        let vector = asker.vector(profile)
        network.perform(asker.lines["writer"]!.link.askForAll(of: profile, vector: vector), asker, "writer")
        while network.queue.first?.from == "asker" { network.step() }
        let known = writer.lines["asker"]!.link.peerVector(profile)
        #expect(known == vector && !network.queue.isEmpty)
        network.run()
        #expect(asker.deltas.map(\.delta.isWhole) == [false, true])
    }

    /// Where the whole is too large to be sent, what is written next arrives all the same, and nothing counts as whole.
    @Test func aWholeThatCannotBeSentHoldsNothingUp() {
        let (asker, writer) = (Node("asker", 1), Node("writer", 2))
        writer.write(profile, from: nil, to: #"{"a":1}"#)
        let name = JSONString(String(repeating: "x", count: Limits.path + 1))
        writer.put(profile, [(AtomKey(DocumentPath([.member(name)]), .flag), .flag(true))])
        asker.states = writer.states
        asker.believe(writer)
        let network = Network(asker, writer)
        network.connect("asker", "writer")
        network.run()
        let vector = asker.vector(profile)
        network.perform(asker.lines["writer"]!.link.askForAll(of: profile, vector: vector), asker, "writer")
        network.run()
        #expect(writer.unsendable.count == 1 && asker.deltas.isEmpty)
        writer.put(profile, [(AtomKey(DocumentPath([.member("b")]), .flag), .flag(true))])
        network.publish("writer", profile)
        network.run()
        // It answers the question all the same, so nobody waits for another answer.
        #expect(asker.deltas.map(\.delta.isWhole) == [false] && asker.deltas.map(\.delta.isAskedFor) == [true])
        #expect(asker.vector(profile) == writer.vector(profile))
        let isSettled = writer.lines["asker"]!.link.isSettled(profile)
        #expect(isSettled)
        expectSame(network, profile)
    }

    /// A peer that says again and again that it covers more does not make a device gather all its atoms each time.
    @Test func whatCannotBeSentIsNotTriedWithoutEnd() {
        let (reader, writer) = (Node("reader", 1), Node("writer", 2))
        let name = JSONString(String(repeating: "x", count: Limits.path + 1))
        writer.put(profile, [(AtomKey(DocumentPath([.member(name)]), .flag), .flag(true))])
        let network = Network(reader, writer)
        network.connect("reader", "writer")
        network.run()
        #expect(writer.unsendable.count == 1)
        for number in 0..<20 {
            let name = JSONString("n\(number)")
            reader.put(profile, [(AtomKey(DocumentPath([.member(name)]), .flag), .flag(true))])
            network.publish("reader", profile)
            network.run()
        }
        #expect(writer.unsendable.count == 1 + Limits.unsendableTries && writer.deltas.count == 20)
    }

    /// The element of a set in one's own save may be longer than any field that is signed.
    @Test func aDigestHasNoLongestName() {
        let key = AtomKey(
            DocumentPath([.member("a")]), .set, sub: Array(repeating: 1, count: (1 << 24) + 1))
        let atom = KeyedAtom(key, Atom(.flag(true), Dot(replica: Self.span.replica, sequence: 4)))
        #expect(SpanDigest.hash([atom], of: Self.span, in: profile).count == Limits.digest)
    }

    @Test func aDigestNamesEveryPartOfAnAtom() throws {
        let dot = Dot(replica: Self.span.replica, sequence: 4)
        func atom(_ name: String, _ value: Bool, _ dot: Dot) -> KeyedAtom {
            KeyedAtom(AtomKey(DocumentPath([.member(JSONString(name))]), .flag), Atom(.flag(value), dot))
        }
        let other = try #require(WriteSpan(Self.span.replica, after: 2, upTo: Self.span.end))
        let hashes = [
            SpanDigest.hash([], of: Self.span, in: profile), SpanDigest.hash([], of: other, in: profile),
            SpanDigest.hash([], of: Self.span, in: ProfileID(high: 1, low: 1)),
            SpanDigest.hash([atom("a", true, dot)], of: Self.span, in: profile),
            SpanDigest.hash([atom("b", true, dot)], of: Self.span, in: profile),
            SpanDigest.hash([atom("a", false, dot)], of: Self.span, in: profile),
            SpanDigest.hash(
                [atom("a", true, Dot(replica: dot.replica, sequence: 5))], of: Self.span, in: profile),
            SpanDigest.hash([atom("a", true, dot), atom("b", true, dot)], of: Self.span, in: profile),
        ]
        #expect(Set(hashes).count == hashes.count && hashes.allSatisfy { $0.count == Limits.digest })
    }

    // MARK: Hostile peers

    private static func question(_ spans: [(replica: UInt64, after: UInt64, last: UInt64)]) -> [UInt8] {
        var message = WireDigest()
        message.profileID = Data(profile.bytes)
        message.spans = spans.map { span in
            var wire = WireSpan()
            wire.replicaID = Data(ReplicaID(high: 0, low: span.replica).bytes)
            wire.after = span.after
            wire.sequence = span.last
            return wire
        }
        return Forge.frame(.digest(message))
    }

    private static func answer(_ sizes: [Int], vector: Int = Limits.digest) -> [UInt8] {
        var message = WireDigest()
        message.answer = true
        message.vector = Data(repeating: 1, count: vector)
        message.spans = sizes.map { size in
            var wire = WireSpan()
            wire.hash = Data(repeating: 1, count: size)
            return wire
        }
        return Forge.frame(.digest(message))
    }

    static let cases: [HostileCase] = [
        HostileCase("answer unasked", "unasked") { answer([32]) },
        HostileCase("no spans", "digests of 0 spans") { question([]) },
        HostileCase("65 spans", "digests of 65 spans") { question((1...65).map { ($0, 0, 1) }) },
        HostileCase("replica twice", "ascending") { question([(1, 0, 1), (1, 1, 2)]) },
        HostileCase("descending", "ascending") { question([(2, 0, 1), (1, 0, 1)]) },
        HostileCase("empty span", "after 3 up to 3") { question([(1, 3, 3)]) },
        HostileCase("span backwards", "after 3 up to 2") { question([(1, 3, 2)]) },
        HostileCase("beyond all", "up to 18446744073709551615") { question([(1, 0, .max)]) },
        HostileCase("two questions at once", "before it has the last ones") {
            question([(1, 0, 1)]) + question([(1, 0, 1)])
        },
        HostileCase("within a delta", "between the frames") { Forge.delta { $0.more = true } + question([(1, 0, 1)]) },
    ]

    @Test(arguments: cases) func aBrokenPeerIsClosed(_ hostile: HostileCase) throws {
        let outcome = try hostile.outcome()
        #expect(outcome.blame == .peer && outcome.isClosed)
        #expect(outcome.reason.contains(hostile.sentence), "\(outcome.reason)")
    }

    @Test(arguments: [([], 32), ([32, 32], 32), ([31], 32), ([32], 0)])
    func aBrokenAnswerEndsTheLink(_ sizes: [Int], _ vector: Int) throws {
        var link = Forge.openLink()
        _ = link.askForDigests(DigestQuestion(profile: profile, spans: [Self.span]))
        let closure = try #require(link.received(Self.answer(sizes, vector: vector), now: 1).closure)
        #expect(closure.blame == .peer && closure.reason.contains("digest"), "\(closure.reason)")
    }

    @Test func whatTheTableSpoilsIsSound() {
        var link = Forge.openLink()
        _ = link.askForDigests(DigestQuestion(profile: profile, spans: [Self.span]))
        let spans = (1...64).map { (UInt64($0), UInt64(0), UInt64(1)) }
        let actions = link.received(Self.answer([32]) + Self.question(spans), now: 1)
        #expect(actions.closure == nil)
    }
}
