import MergeCore
import SwiftProtobuf
import SyncProtocol
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct PairingMachineTests {
    private static let code = PairingCode(random: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    private static let otherCode = PairingCode(random: [1, 2, 3, 4, 5, 6, 7, 8, 9, 99])

    /// One side: the machine and what came of it.
    final class Side {
        var machine: PairingMachine
        var out: [UInt8] = []
        var log: [[UInt8]] = []
        var result: PairingResult?
        var finished: [RosterStatement]?
        var wrongProofs = 0
        var closure: LinkClosure?

        init(
            _ role: PairingMachine.Role,
            _ member: Member,
            peer: DeviceKey,
            code: PairingCode,
            nonce: UInt8,
            secret: UInt8
        ) {
            machine = PairingMachine(
                role,
                signer: member.signer,
                peer: peer,
                code: code,
                roster: member.roster,
                secret: [UInt8](repeating: secret, count: 32),
                nonce: [UInt8](repeating: nonce, count: 32),
                now: 0
            )
            perform(machine.start())
        }

        func perform(_ actions: [PairingAction]) {
            for action in actions {
                switch action {
                case .send(let bytes):
                    out += bytes
                    log.append(bytes)
                case .wrongProof: wrongProofs += 1
                case .paired(let result):
                    #expect(out.isEmpty, "something was said before the result was stored")
                    self.result = result
                    perform(machine.confirm())
                case .finished(let statements): finished = statements
                case .close(let closure): self.closure = closure
                }
            }
        }

        func take(_ other: Side) -> Bool {
            guard !other.out.isEmpty else { return false }
            let bytes = other.out
            other.out = []
            for byte in bytes { perform(machine.received([byte])) }
            return true
        }
    }

    /// Runs two sides until both are quiet.
    private static func run(_ a: Side, _ b: Side) {
        for _ in 0..<20 where a.take(b) || b.take(a) {}
    }

    private static func pair(
        _ responder: Member,
        _ initiator: Member,
        typed: PairingCode = code
    ) -> (responder: Side, initiator: Side) {
        let a = Side(.responder, responder, peer: initiator.key, code: code, nonce: 1, secret: 0xaa)
        let b = Side(.initiator, initiator, peer: responder.key, code: typed, nonce: 2, secret: 0xbb)
        run(a, b)
        return (a, b)
    }

    @Test func theRightCodePairs() throws {
        let (a, b) = (Member("desk", 1), Member("deck", 2, HouseholdID(high: 5, low: 5)))
        let (responder, initiator) = Self.pair(a, b)
        let (one, two) = (try #require(responder.result), try #require(initiator.result))
        #expect(one.peer == b.key && one.peerName == "deck")
        #expect(two.peer == a.key && two.peerName == "desk")
        #expect(one.household == home && two.household == home)
        #expect(one.secret == two.secret && one.secret == [UInt8](repeating: 0xaa, count: 32))
        #expect(one.roster.contains(b.key) && two.roster.contains(a.key))
        let end = one.roster.merging(try #require(responder.finished)).roster
        #expect(end.statements == two.roster.statements)
        #expect(end.members.map(\.name).sorted() == ["deck", "desk"])
        #expect(responder.closure?.blame == .nobody && initiator.closure?.blame == .nobody)
        #expect(responder.wrongProofs == 0)
    }

    @Test func aWrongCodeTellsNothing() throws {
        let (responder, initiator) = Self.pair(Member("a", 1), Member("b", 2), typed: Self.otherCode)
        #expect(responder.result == nil && initiator.result == nil)
        #expect(responder.wrongProofs == 1)
        #expect(responder.closure?.blame == .peer)
        #expect(try #require(initiator.closure).reason.contains("compare the code"))
        // All the responder ever said: hello, and a goodbye that is the same for everybody.
        #expect(responder.log.count == 2)
    }

    /// Somebody relays between the two, with a key of his own towards each.
    @Test func aManInTheMiddleWithOtherKeysFails() {
        let (a, b, mallory) = (Member("a", 1), Member("b", 2), MemorySigner(seed: 66).key)
        let responder = Side(.responder, a, peer: mallory, code: Self.code, nonce: 1, secret: 0xaa)
        let initiator = Side(.initiator, b, peer: mallory, code: Self.code, nonce: 2, secret: 0xbb)
        Self.run(responder, initiator)
        #expect(responder.result == nil && initiator.result == nil && responder.wrongProofs == 1)
    }

    @Test func aManOnOneSideOnlyFailsToo() {
        let (a, b, mallory) = (Member("a", 1), Member("b", 2), MemorySigner(seed: 66).key)
        let responder = Side(.responder, a, peer: b.key, code: Self.code, nonce: 1, secret: 0xaa)
        let initiator = Side(.initiator, b, peer: mallory, code: Self.code, nonce: 2, secret: 0xbb)
        Self.run(responder, initiator)
        #expect(responder.result == nil && initiator.result == nil && responder.wrongProofs == 1)
    }

    @Test func aReplayedProofFails() {
        let (a, b) = (Member("a", 1), Member("b", 2))
        let initiator = Self.pair(a, b).initiator
        // The same messages of the initiator against a new attempt, which has a new nonce.
        let again = Side(.responder, a, peer: b.key, code: Self.code, nonce: 3, secret: 0xaa)
        for bytes in initiator.log { again.perform(again.machine.received(bytes)) }
        #expect(again.result == nil && again.wrongProofs == 1)
    }

    @Test func theRespondersProofIsNoInitiatorsProof() throws {
        let (a, b) = (Member("a", 1), Member("b", 2))
        // An initiator that knows nothing sends the responder's own kind of messages back.
        let responder = Side(.responder, a, peer: b.key, code: Self.code, nonce: 1, secret: 0xaa)
        let mirror = try #require(Self.pair(a, b).responder.log.last)
        let hello = try #require(Self.pair(a, b).initiator.log.first)
        responder.perform(responder.machine.received(hello + mirror))
        #expect(responder.result == nil && responder.wrongProofs == 1)
    }

    @Test func theResponderMustKnowTheCodeToo() throws {
        let (a, b) = (Member("a", 1), Member("b", 2))
        let initiator = Side(.initiator, b, peer: a.key, code: Self.code, nonce: 2, secret: 0xbb)
        let sound = Side(.responder, a, peer: b.key, code: Self.otherCode, nonce: 1, secret: 0xaa)
        initiator.perform(initiator.machine.received(sound.log[0]))
        var proof = WirePairProof()
        proof.proof = Data(repeating: 7, count: 32)
        proof.sealed = Data(repeating: 7, count: 100)
        initiator.perform(initiator.machine.received(Forge.frame(pairing: .proof(proof))))
        #expect(initiator.result == nil)
        #expect(try #require(initiator.closure).reason.contains("does not know the code"))
    }

    /// Whoever has no code cannot read what the initiator says first, be it the secret of its household.
    @Test func theInitiatorsSecretIsSealed() throws {
        var (b, c) = (Member("b", 2, HouseholdID(high: 5, low: 5)), Member("c", 3, HouseholdID(high: 5, low: 5)))
        try join(&b, &c)
        let initiator = Self.pair(Member("a", 1), b, typed: Self.otherCode).initiator
        let said = initiator.log.flatMap { $0 }
        #expect(!said.contains(sequence: [UInt8](repeating: 0xbb, count: 8)))
        #expect(!said.contains(sequence: c.key.bytes))
    }

    @Test func aDeviceDoesNotPairWithItself() throws {
        let a = Member("a", 1)
        let side = Side(.initiator, a, peer: a.key, code: Self.code, nonce: 1, secret: 1)
        #expect(try #require(side.closure).reason.contains("the device itself"))
    }

    @Test func aNewerVersionIsNamed() throws {
        let side = Side(
            .responder, Member("a", 1), peer: MemorySigner(seed: 2).key, code: Self.code, nonce: 1, secret: 1)
        var hello = WirePairHello()
        hello.version = 3
        hello.name = "Deck"
        side.perform(side.machine.received(Forge.frame(pairing: .hello(hello))))
        #expect(try #require(side.closure).reason.contains("version 3 of the protocol and this device version 1"))
    }

    // MARK: Households

    @Test(arguments: [PairingMachine.Role.responder, .initiator])
    func theLonelyOneJoinsTheOthersHousehold(_ host: PairingMachine.Role) throws {
        let large = HouseholdID(high: 5, low: 5)
        var (b, c) = (Member("b", 2, large), Member("c", 3, large))
        try join(&b, &c)
        let a = Member("a", 1)
        let (responder, initiator) = host == .initiator ? Self.pair(a, b) : Self.pair(b, a)
        let (lonely, inviting) = host == .initiator ? (responder, initiator) : (initiator, responder)
        let (mine, theirs) = (try #require(lonely.result), try #require(inviting.result))
        #expect(mine.household == large && theirs.household == large)
        #expect(mine.secret == theirs.secret)
        #expect(mine.secret == [UInt8](repeating: host == .responder ? 0xaa : 0xbb, count: 32))
        #expect(mine.roster.contains(c.key), "the members that were there are unknown")
        #expect(theirs.roster.contains(a.key))
        // c hears of it and trusts the new one; and a stays if b is removed later.
        c.roster = c.roster.merging(theirs.roster.statements).roster
        c.roster = c.roster.merging(mine.roster.statements).roster
        #expect(c.trusts(a))
        c.vouch()
        try c.remove(b)
        let after = mine.roster.merging(c.roster.statements).roster
        #expect(after.contains(c.key) && !after.contains(b.key))
    }

    @Test func twoHouseholdsWithOthersAreRefusedOnBothSides() throws {
        let (one, two) = (HouseholdID(high: 1, low: 1), HouseholdID(high: 2, low: 2))
        var (a, b) = (Member("a", 1, one), Member("b", 2, one))
        var (c, d) = (Member("c", 3, two), Member("d", 4, two))
        try join(&a, &b)
        try join(&c, &d)
        let (responder, initiator) = Self.pair(a, c)
        #expect(responder.result == nil && initiator.result == nil)
        for side in [responder, initiator] {
            #expect(try #require(side.closure).reason.contains("different households"))
        }
        #expect(responder.wrongProofs == 0)
    }

    @Test func aRemovedDeviceIsPairedAgain() throws {
        var (a, b, c) = (Member("a", 1), Member("b", 2), Member("c", 3))
        try join(&a, &b)
        try join(&a, &c)
        b.hear(a)
        try a.remove(b)
        b.hear(a)
        #expect(b.roster.isRemoved(b.key))
        let (responder, initiator) = Self.pair(a, b)
        let (one, two) = (try #require(responder.result), try #require(initiator.result))
        #expect(one.household == home && two.household == home)
        #expect(one.roster.contains(b.key) && two.roster.contains(a.key))
        #expect(!two.roster.isRemoved(b.key))
        c.roster = c.roster.merging(one.roster.statements).roster
        #expect(c.trusts(b))
    }

    @Test func pairingTwiceIsFine() throws {
        var (a, b) = (Member("a", 1), Member("b", 2))
        let first = Self.pair(a, b)
        a.roster = try #require(first.responder.result).roster
        b.roster = try #require(first.initiator.result).roster
        let (responder, initiator) = Self.pair(b, a)
        #expect(responder.result?.roster.contains(a.key) == true && initiator.result?.roster.contains(b.key) == true)
    }

    // MARK: Bad input

    @Test func aPairingEndsInTime() throws {
        var machine = PairingMachine(
            .responder,
            signer: MemorySigner(seed: 1),
            peer: MemorySigner(seed: 2).key,
            code: Self.code,
            roster: Member("a", 1).roster,
            secret: [UInt8](repeating: 0, count: 32),
            nonce: [UInt8](repeating: 0, count: 32),
            now: 0
        )
        _ = machine.start()
        let deadline = machine.deadline
        #expect(deadline == 5_000)
        let early = machine.tick(now: 4_999)
        #expect(early.isEmpty)
        let late = machine.tick(now: 5_000)
        #expect(late.count == 2)
        let isClosed = machine.isClosed
        #expect(isClosed)
    }

    @Test func mutatedPairingsNeverPairAndNeverTrap() throws {
        let (a, b) = (Member("a", 1), Member("b", 2))
        let sound = Self.pair(a, b).initiator.log
        var closed = 0
        let count = TestDepth.count(quick: 500, usual: 1_000, all: 3_000)
        for seed in 0..<UInt64(count) {
            var random = SeededRandom(seed: seed)
            let responder = Side(.responder, a, peer: b.key, code: Self.code, nonce: 1, secret: 0xaa)
            var stream = sound[0] + sound[1]
            let place = Int.random(in: 0..<stream.count, using: &random)
            stream[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            responder.perform(responder.machine.received(stream))
            #expect(responder.result == nil, "seed \(seed): byte \(place) does not matter")
            if responder.closure != nil { closed += 1 }
        }
        #expect(closed > count / 2, "\(closed)")
    }

    @Test func nothingComesOutOfTurn() throws {
        for body in [WirePairFrame.OneOf_Body.done(WirePairDone()), .proof(WirePairProof())] {
            let side = Side(
                .responder,
                Member("a", 1),
                peer: MemorySigner(seed: 2).key,
                code: Self.code,
                nonce: 1,
                secret: 1
            )
            side.perform(side.machine.received(Forge.frame(pairing: body)))
            #expect(try #require(side.closure).reason.contains("out of turn"))
        }
        let side = Side(
            .responder, Member("a", 1), peer: MemorySigner(seed: 2).key, code: Self.code, nonce: 1, secret: 1)
        side.perform(side.machine.received([0, 0, 4, 1]))
        #expect(try #require(side.closure).reason.contains("1025"))
    }
}

extension [UInt8] {
    fileprivate func contains(sequence other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return (0...count - other.count).contains { self[$0..<$0 + other.count].elementsEqual(other) }
    }
}
