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
        _ shower: Member,
        _ typer: Member,
        typed: PairingCode = code
    ) -> (shower: Side, typer: Side) {
        let a = Side(.shower, shower, peer: typer.key, code: code, nonce: 1, secret: 0xaa)
        let b = Side(.typer, typer, peer: shower.key, code: typed, nonce: 2, secret: 0xbb)
        run(a, b)
        return (a, b)
    }

    @Test func theRightCodePairs() throws {
        let (a, b) = (Member("desk", 1), Member("deck", 2, HouseholdID(high: 5, low: 5)))
        let (shower, typer) = Self.pair(a, b)
        let (one, two) = (try #require(shower.result), try #require(typer.result))
        #expect(one.peer == b.key && one.peerName == "deck")
        #expect(two.peer == a.key && two.peerName == "desk")
        #expect(one.household == home && two.household == home)
        #expect(one.secret == two.secret && one.secret == [UInt8](repeating: 0xaa, count: 32))
        #expect(one.roster.contains(b.key) && two.roster.contains(a.key))
        let end = one.roster.merging(try #require(shower.finished)).roster
        #expect(end.statements == two.roster.statements)
        #expect(end.members.map(\.name).sorted() == ["deck", "desk"])
        #expect(shower.closure?.blame == .nobody && typer.closure?.blame == .nobody)
        #expect(shower.wrongProofs == 0)
    }

    @Test func aWrongCodeTellsNothing() throws {
        let (shower, typer) = Self.pair(Member("a", 1), Member("b", 2), typed: Self.otherCode)
        #expect(shower.result == nil && typer.result == nil)
        #expect(shower.wrongProofs == 1)
        #expect(shower.closure?.blame == .peer)
        #expect(try #require(typer.closure).reason.contains("compare the code"))
        // All the shower ever said: hello, and a goodbye that is the same for everybody.
        #expect(shower.log.count == 2)
    }

    /// Somebody relays between the two, with a key of his own towards each.
    @Test func aManInTheMiddleWithOtherKeysFails() {
        let (a, b, mallory) = (Member("a", 1), Member("b", 2), MemorySigner(seed: 66).key)
        let shower = Side(.shower, a, peer: mallory, code: Self.code, nonce: 1, secret: 0xaa)
        let typer = Side(.typer, b, peer: mallory, code: Self.code, nonce: 2, secret: 0xbb)
        Self.run(shower, typer)
        #expect(shower.result == nil && typer.result == nil && shower.wrongProofs == 1)
    }

    @Test func aManOnOneSideOnlyFailsToo() {
        let (a, b, mallory) = (Member("a", 1), Member("b", 2), MemorySigner(seed: 66).key)
        let shower = Side(.shower, a, peer: b.key, code: Self.code, nonce: 1, secret: 0xaa)
        let typer = Side(.typer, b, peer: mallory, code: Self.code, nonce: 2, secret: 0xbb)
        Self.run(shower, typer)
        #expect(shower.result == nil && typer.result == nil && shower.wrongProofs == 1)
    }

    @Test func aReplayedProofFails() {
        let (a, b) = (Member("a", 1), Member("b", 2))
        let typer = Self.pair(a, b).typer
        // The same messages of the typer against a new attempt, which has a new nonce.
        let again = Side(.shower, a, peer: b.key, code: Self.code, nonce: 3, secret: 0xaa)
        for bytes in typer.log { again.perform(again.machine.received(bytes)) }
        #expect(again.result == nil && again.wrongProofs == 1)
    }

    @Test func theShowersProofIsNoTypersProof() throws {
        let (a, b) = (Member("a", 1), Member("b", 2))
        // A typer that knows nothing sends the shower's own kind of messages back.
        let shower = Side(.shower, a, peer: b.key, code: Self.code, nonce: 1, secret: 0xaa)
        let mirror = try #require(Self.pair(a, b).shower.log.last)
        let hello = try #require(Self.pair(a, b).typer.log.first)
        shower.perform(shower.machine.received(hello + mirror))
        #expect(shower.result == nil && shower.wrongProofs == 1)
    }

    @Test func theShowerMustKnowTheCodeToo() throws {
        let (a, b) = (Member("a", 1), Member("b", 2))
        let typer = Side(.typer, b, peer: a.key, code: Self.code, nonce: 2, secret: 0xbb)
        let sound = Side(.shower, a, peer: b.key, code: Self.otherCode, nonce: 1, secret: 0xaa)
        typer.perform(typer.machine.received(sound.log[0]))
        var proof = WirePairProof()
        proof.proof = Data(repeating: 7, count: 32)
        proof.sealed = Data(repeating: 7, count: 100)
        typer.perform(typer.machine.received(Forge.frame(pairing: .proof(proof))))
        #expect(typer.result == nil)
        #expect(try #require(typer.closure).reason.contains("does not know the code"))
    }

    /// Whoever has no code cannot read what the typer says first, be it the secret of its household.
    @Test func theTypersSecretIsSealed() throws {
        var (b, c) = (Member("b", 2, HouseholdID(high: 5, low: 5)), Member("c", 3, HouseholdID(high: 5, low: 5)))
        try join(&b, &c)
        let typer = Self.pair(Member("a", 1), b, typed: Self.otherCode).typer
        let said = typer.log.flatMap { $0 }
        #expect(!said.contains(sequence: [UInt8](repeating: 0xbb, count: 8)))
        #expect(!said.contains(sequence: c.key.bytes))
    }

    @Test func aDeviceDoesNotPairWithItself() throws {
        let a = Member("a", 1)
        let side = Side(.typer, a, peer: a.key, code: Self.code, nonce: 1, secret: 1)
        #expect(try #require(side.closure).reason.contains("the device itself"))
    }

    @Test func aNewerVersionIsNamed() throws {
        let side = Side(.shower, Member("a", 1), peer: MemorySigner(seed: 2).key, code: Self.code, nonce: 1, secret: 1)
        var hello = WirePairHello()
        hello.version = 3
        hello.name = "Deck"
        side.perform(side.machine.received(Forge.frame(pairing: .hello(hello))))
        #expect(try #require(side.closure).reason.contains("version 3 of the protocol and this device version 1"))
    }

    // MARK: Households

    @Test(arguments: [PairingMachine.Role.shower, .typer])
    func theLonelyOneJoinsTheOthersHousehold(_ host: PairingMachine.Role) throws {
        let large = HouseholdID(high: 5, low: 5)
        var (b, c) = (Member("b", 2, large), Member("c", 3, large))
        try join(&b, &c)
        let a = Member("a", 1)
        let (shower, typer) = host == .typer ? Self.pair(a, b) : Self.pair(b, a)
        let (lonely, inviting) = host == .typer ? (shower, typer) : (typer, shower)
        let (mine, theirs) = (try #require(lonely.result), try #require(inviting.result))
        #expect(mine.household == large && theirs.household == large)
        #expect(mine.secret == theirs.secret)
        #expect(mine.secret == [UInt8](repeating: host == .shower ? 0xaa : 0xbb, count: 32))
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
        let (shower, typer) = Self.pair(a, c)
        #expect(shower.result == nil && typer.result == nil)
        for side in [shower, typer] {
            #expect(try #require(side.closure).reason.contains("different households"))
        }
        #expect(shower.wrongProofs == 0)
    }

    @Test func aRemovedDeviceIsPairedAgain() throws {
        var (a, b, c) = (Member("a", 1), Member("b", 2), Member("c", 3))
        try join(&a, &b)
        try join(&a, &c)
        b.hear(a)
        try a.remove(b)
        b.hear(a)
        #expect(b.roster.isRemoved(b.key))
        let (shower, typer) = Self.pair(a, b)
        let (one, two) = (try #require(shower.result), try #require(typer.result))
        #expect(one.household == home && two.household == home)
        #expect(one.roster.contains(b.key) && two.roster.contains(a.key))
        #expect(!two.roster.isRemoved(b.key))
        c.roster = c.roster.merging(one.roster.statements).roster
        #expect(c.trusts(b))
    }

    @Test func pairingTwiceIsFine() throws {
        var (a, b) = (Member("a", 1), Member("b", 2))
        let first = Self.pair(a, b)
        a.roster = try #require(first.shower.result).roster
        b.roster = try #require(first.typer.result).roster
        let (shower, typer) = Self.pair(b, a)
        #expect(shower.result?.roster.contains(a.key) == true && typer.result?.roster.contains(b.key) == true)
    }

    // MARK: Bad input

    @Test func aPairingEndsInTime() throws {
        var machine = PairingMachine(
            .shower,
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
        let sound = Self.pair(a, b).typer.log
        var closed = 0
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let shower = Side(.shower, a, peer: b.key, code: Self.code, nonce: 1, secret: 0xaa)
            var stream = sound[0] + sound[1]
            let place = Int.random(in: 0..<stream.count, using: &random)
            stream[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            shower.perform(shower.machine.received(stream))
            #expect(shower.result == nil, "seed \(seed): byte \(place) does not matter")
            if shower.closure != nil { closed += 1 }
        }
        #expect(closed > 2_000, "\(closed)")
    }

    @Test func nothingComesOutOfTurn() throws {
        for body in [WirePairFrame.OneOf_Body.done(WirePairDone()), .proof(WirePairProof())] {
            let side = Side(
                .shower,
                Member("a", 1),
                peer: MemorySigner(seed: 2).key,
                code: Self.code,
                nonce: 1,
                secret: 1
            )
            side.perform(side.machine.received(Forge.frame(pairing: body)))
            #expect(try #require(side.closure).reason.contains("out of turn"))
        }
        let side = Side(.shower, Member("a", 1), peer: MemorySigner(seed: 2).key, code: Self.code, nonce: 1, secret: 1)
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
