import MergeCore
import SyncProtocol
import TestSupport
import Testing

/// Who brought whom in, limits, and spoiled words.
extension RosterTests {
    /// What a device brought in is named when it is removed, unless somebody else paired with it, too.
    @Test func whoBroughtWhomInIsKnown() throws {
        var (a, b, c, d) = (Member("a", 1), Member("b", 2), Member("c", 3), Member("d", 4))
        try join(&a, &b)
        try join(&b, &c)
        try join(&b, &d)
        a.hear(b)
        a.vouch()
        #expect(a.roster.broughtIn(by: b.key).map(\.name).sorted() == ["c", "d"])
        #expect(a.roster.introducers(of: c.key) == [b.key])
        try join(&a, &c)
        #expect(a.roster.broughtIn(by: b.key).map(\.name) == ["d"])
        #expect(a.roster.broughtIn(by: c.key).isEmpty)
    }

    /// Vouches without number fill no household: of another member only so many devices count, also when a third one
    /// repeats them.
    @Test func aMemberBringsInOnlySoManyDevices() throws {
        var (a, b, c) = (Member("a", 1), Member("b", 2), Member("c", 3))
        try join(&a, &b)
        try join(&a, &c)
        for seed in 100..<UInt64(200) {
            let nobody = MemorySigner(seed: seed).key
            for purpose in [RosterStatement.Purpose.paired, .vouched] {
                let word = RosterStatement(
                    household: home, subject: nobody, name: "x", purpose: purpose, serial: 1, by: b.signer)
                b.roster = b.roster.merging([word]).roster
            }
        }
        for _ in 0..<3 {
            a.hear(b)
            a.vouch()
            c.hear(a)
            c.hear(b)
            c.vouch()
            a.hear(c)
        }
        // One of those that b paired with is a.
        #expect(a.roster.members.count == 2 + Limits.broughtIn && c.roster.members.count == 2 + Limits.broughtIn)
        #expect(a.roster.broughtIn(by: b.key).count == Limits.broughtIn - 1)
    }

    /// A serial far above all others would leave no room for a later word.
    @Test func aSerialFarAboveAllOthersIsRefused() throws {
        var (a, b) = (Member("a", 1), Member("b", 2))
        try join(&a, &b)
        func word(_ serial: UInt64) -> RosterStatement {
            RosterStatement(household: home, subject: a.key, name: "a", purpose: .removed, serial: serial, by: b.signer)
        }
        #expect(a.roster.merging([word(Limits.serialGap + 2)]).refused == 1)
        #expect(a.roster.merging([word(Limits.serialGap + 1)]).refused == 0)
        #expect(a.roster.merging([word(Limits.serialGap + 1), word(2 * Limits.serialGap)]).refused == 0)
    }

    /// Every order of every subset arrives at the same roster.
    @Test func mergingIsCommutativeAndIdempotent() throws {
        var (a, b, c, d) = (Member("a", 1), Member("b", 2), Member("c", 3), Member("d", 4))
        try join(&a, &b)
        try join(&b, &c)
        try join(&c, &d)
        b.hear(c)
        try b.remove(c)
        a.hear(b)
        a.hear(c)
        a.vouch()
        try join(&a, &c)
        let all = a.roster.statements
        #expect(all.count >= 9)
        var random = SeededRandom(seed: 7)
        for me in [a, b, c, d] {
            let start = Roster(me: me.key, name: me.name, household: home)
            let expected = start.merging(all).roster
            for round in 0..<40 {
                let order = all.shuffled(using: &random)
                var roster = start
                for statement in order { roster = roster.merging([statement]).roster }
                #expect(roster == expected, "round \(round) for \(me.name)")
                let again = roster.merging(order)
                #expect(again.roster == roster && !again.changed)
            }
            // Associative: (x ∪ y) ∪ z = x ∪ (y ∪ z), over random parts.
            for _ in 0..<20 {
                let parts = Dictionary(grouping: all) { _ in Int.random(in: 0..<3, using: &random) }
                let (x, y, z) = (parts[0] ?? [], parts[1] ?? [], parts[2] ?? [])
                let left = start.merging(x).roster.merging(y).roster.merging(z).roster
                let right = start.merging(z).roster.merging(start.merging(y).roster.statements).roster.merging(x).roster
                #expect(left == right)
            }
        }
    }

    @Test func twoSignaturesOfOneStatementAreOne() {
        let a = Member("a", 1)
        let b = MemorySigner(seed: 2)
        // ECDSA signs with fresh randomness each time.
        let twins = (0..<2).map { _ in
            RosterStatement(household: home, subject: b.key, name: "b", purpose: .paired, serial: 1, by: a.signer)
        }
        let one = a.roster.merging(twins).roster
        let other = a.roster.merging(twins.reversed()).roster
        #expect(one == other && one.statements.count == 1)
    }

    @Test func spoiledStatementsAreRefused() throws {
        var (a, b) = (Member("a", 1), Member("b", 2))
        try join(&a, &b)
        let good = try #require(b.roster.statements.first { $0.issuer == b.key && $0.subject == a.key })
        func spoiled(
            household: HouseholdID = home,
            subject: DeviceKey? = nil,
            name: String? = nil,
            purpose: RosterStatement.Purpose = .paired,
            serial: UInt64? = nil,
            issuer: DeviceKey? = nil,
            signature: [UInt8]? = nil
        ) -> RosterStatement {
            RosterStatement(
                household: household,
                subject: subject ?? good.subject,
                name: name ?? good.name,
                purpose: purpose,
                serial: serial ?? good.serial,
                issuer: issuer ?? good.issuer,
                signature: signature ?? good.signature
            )
        }
        let c = MemorySigner(seed: 3).key
        let fresh = Roster(me: a.key, name: "a", household: home)
        let cases = [
            spoiled(household: HouseholdID(high: 9, low: 9)), spoiled(subject: c), spoiled(name: "z"),
            spoiled(purpose: .removed), spoiled(serial: 7), spoiled(issuer: c),
            spoiled(signature: [UInt8](repeating: 0, count: 64)), spoiled(signature: []),
            RosterStatement(household: home, subject: c, name: "a\nb", purpose: .paired, serial: 1, by: a.signer),
            RosterStatement(household: home, subject: c, name: "", purpose: .paired, serial: 1, by: a.signer),
            RosterStatement(household: home, subject: c, name: "c", purpose: .paired, serial: 0, by: a.signer),
            RosterStatement(household: home, subject: c, name: "c", purpose: .paired, serial: .max, by: a.signer),
        ]
        for (number, statement) in cases.enumerated() {
            let merge = fresh.merging([statement])
            #expect(merge.refused == 1 && !merge.changed, "case \(number)")
        }
        let holding = fresh.merging([good])
        #expect(holding.refused == 0 && holding.newStatements == [good])
        // Who holds the good one knows it again by every byte of it, and takes none of the others for it.
        #expect(spoiled() == good && holding.roster.merging([spoiled()]).newStatements.isEmpty)
        for (number, statement) in cases.enumerated() {
            #expect(statement != good && statement.hash != good.hash, "case \(number)")
            #expect(!holding.roster.merging([statement]).changed, "case \(number)")
        }
    }

    @Test func aFloodDoesNotWashOutARemoval() throws {
        var (a, b) = (Member("a", 1), Member("b", 2))
        try join(&a, &b)
        let invented = MemorySigner(seed: 1_000).key
        var junk: [RosterStatement] = []
        for seed in 0..<UInt64(Limits.statements) {
            // Distinct well-formed subjects; only their bytes matter.
            var bytes = invented.bytes
            bytes[40] = UInt8(truncatingIfNeeded: seed)
            bytes[41] = UInt8(truncatingIfNeeded: seed >> 8)
            let subject = try #require(DeviceKey(bytes))
            junk.append(
                RosterStatement(household: home, subject: subject, name: "x", purpose: .paired, serial: 1, by: b.signer)
            )
        }
        a.roster = a.roster.merging(junk).roster
        #expect(a.roster.statements.count == Limits.statements)
        try a.remove(b)
        #expect(!a.trusts(b))
        #expect(a.roster.isRemoved(b.key))
        #expect(throws: RosterError.self) { try a.roster.removing(b.key, by: a.signer) }
    }

    @Test func aHouseholdHasALimit() throws {
        var a = Member("a", 1)
        for seed in 100..<UInt64(99 + Limits.members) { try a.pair(Member("x", seed)) }
        #expect(a.roster.members.count == Limits.members)
        #expect(throws: RosterError.self) { try a.pair(Member("y", 5_000)) }
    }

    @Test func aDeviceCannotRemoveItself() {
        let a = Member("a", 1)
        #expect(throws: RosterError.self) { try a.roster.removing(a.key, by: a.signer) }
    }

    @Test func theArchiveGivesBackWhatItTook() throws {
        var (a, b) = (Member("a", 1), Member("b", 2))
        try join(&a, &b)
        #expect(try RosterArchive.statements(RosterArchive.bytes(a.roster.statements)) == a.roster.statements)
        #expect(throws: ProtocolFault.self) { try RosterArchive.statements([255, 255]) }
    }
}
