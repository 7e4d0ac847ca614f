import MergeCore
import SyncProtocol
import TestSupport
import Testing

let home = HouseholdID(high: 1, low: 2)

/// A device with its key and its view of the household.
struct Member {
    let signer: MemorySigner
    let name: String
    var roster: Roster

    init(_ name: String, _ seed: UInt64, _ household: HouseholdID = home) {
        signer = MemorySigner(seed: seed)
        self.name = name
        roster = Roster(me: signer.key, name: name, household: household)
    }

    var key: DeviceKey { signer.key }

    /// What a pairing by code does on this side.
    mutating func pair(_ other: Member) throws {
        roster = try roster.adding(other.key, name: other.name, by: signer).roster
    }

    mutating func remove(_ other: Member) throws { roster = try roster.removing(other.key, by: signer).roster }

    mutating func vouch() { roster = roster.vouching(by: signer).roster }

    @discardableResult
    mutating func hear(_ other: Member) -> Bool {
        let merge = roster.merging(other.roster.statements)
        roster = merge.roster
        return merge.changed
    }

    func trusts(_ other: Member) -> Bool { roster.contains(other.key) }
}

/// Pairs two devices and lets both hear of it.
func join(_ a: inout Member, _ b: inout Member) throws {
    b.hear(a)
    a.hear(b)
    try a.pair(b)
    try b.pair(a)
    a.hear(b)
    b.hear(a)
}

@Suite struct RosterTests {
    /// The devices that wrote in saves from another household are no members by that; their writes count.
    @Test func writersFromElsewhereAreNoMembers() throws {
        var (tv, laptop, deck, desk) = (Member("tv", 5), Member("laptop", 1), Member("deck", 2), Member("desk", 3))
        try join(&tv, &laptop)
        try join(&tv, &desk)
        laptop.hear(tv)
        // Of a device that the household knows nothing is stated, nor of this one.
        laptop.roster = laptop.roster.remembering([deck.key, laptop.key, desk.key], by: laptop.signer).roster
        #expect(laptop.roster.statements.count { $0.purpose == .wrote } == 1)
        #expect(!laptop.roster.remembering([deck.key], by: laptop.signer).changed)
        tv.hear(laptop)
        tv.vouch()
        for roster in [tv.roster, laptop.roster] {
            #expect(roster.members.map(\.name).sorted() == ["desk", "laptop", "tv"])
            #expect(roster.wasMember(deck.key) && !roster.contains(deck.key) && !roster.isRemoved(deck.key))
        }
        // It comes in by pairing alone, as anybody does, and is the household's then.
        try join(&tv, &deck)
        laptop.hear(tv)
        #expect(tv.trusts(deck) && laptop.trusts(deck) && deck.trusts(laptop))
        #expect(tv.roster.introducers(of: deck.key) == [tv.key])
        // What a removed device stated of others' writes stays, as its own writes do.
        try tv.remove(laptop)
        #expect(tv.roster.wasMember(deck.key) && !tv.trusts(laptop))
    }

    @Test func oneDeviceBringsALimitedNumberOfWriters() throws {
        var (tv, laptop) = (Member("tv", 1), Member("laptop", 2))
        try join(&tv, &laptop)
        let many = (0..<60).map { Member("m", 100 + UInt64($0)).key }
        laptop.roster = laptop.roster.remembering(many[..<20], by: laptop.signer).roster
        laptop.roster = laptop.roster.remembering(many, by: laptop.signer).roster
        tv.hear(laptop)
        for roster in [laptop.roster, tv.roster] {
            #expect(many.count { roster.wasMember($0) } == Limits.broughtIn)
            #expect(many[..<20].allSatisfy(roster.wasMember), "who is counted stays so")
        }
    }

    /// A bad member says of a key of its own that it wrote, and vouches for it: only a pairing makes a member.
    @Test func aWriterWhoIsVouchedForIsNoMember() throws {
        var (tv, bad) = (Member("tv", 1), Member("bad", 2))
        let key = Member("key", 3).key
        try join(&tv, &bad)
        for (purpose, name) in [(RosterStatement.Purpose.wrote, ""), (.vouched, "key")] {
            let word = RosterStatement(
                household: home, subject: key, name: name, purpose: purpose, serial: 1, by: bad.signer)
            #expect(word.isValid)
            bad.roster = bad.roster.merging([word]).roster
        }
        tv.hear(bad)
        tv.vouch()
        #expect(tv.roster.wasMember(key) && !tv.roster.contains(key))
        // With a name, or another serial, it is no such statement.
        for (name, serial) in [("key", 1), ("", 2)] as [(String, UInt64)] {
            let word = RosterStatement(
                household: home, subject: key, name: name, purpose: .wrote, serial: serial, by: bad.signer)
            #expect(!word.isValid)
        }
    }

    @Test func membersVouchForOneAnother() throws {
        var (a, b, c) = (Member("a", 1), Member("b", 2), Member("c", 3))
        try join(&a, &b)
        try join(&b, &c)
        a.hear(b)
        #expect(a.trusts(c) && c.trusts(a) && b.trusts(c))
        #expect(a.roster.members.map(\.name).sorted() == ["a", "b", "c"])
        #expect(a.roster.members.allSatisfy { $0.id == $0.key.id })
        let isNews = a.hear(c)
        #expect(!isNews, "hearing the same again is news")
    }

    /// By its own word, on a link or in a statement, a device is called what it likes; the name that gives it a right is
    /// the one under which it came to be known, whoever vouches for it later.
    @Test func noDeviceGivesItselfAnotherPairedName() throws {
        var (tv, deck, laptop) = (Member("tv", 1), Member("deck", 2), Member("laptop", 3))
        try join(&tv, &deck)
        try join(&tv, &laptop)
        laptop.vouch()
        let word = RosterStatement(
            household: home, subject: deck.key, name: "nas", purpose: .vouched, serial: 2, by: deck.signer)
        deck.roster = deck.roster.merging([word]).roster
        for var other in [tv, laptop] {
            other.hear(deck)
            other.roster = other.roster.calling([deck.key.id: "nas"])
            other.vouch()
            let member = try #require(other.roster.members.first { $0.key == deck.key })
            #expect(member.name == "nas" && member.pairedName == "deck", "on \(other.name)")
        }
        // Removed and paired again, it is known under the name that it has by then.
        try tv.remove(deck)
        try tv.pair(Member("Living room", 2))
        let again = try #require(tv.roster.members.first { $0.key == deck.key })
        #expect(again.pairedName == "Living room")
    }

    @Test func nobodyIsTrustedOnAnUnknownDevicesWord() throws {
        var a = Member("a", 1)
        var (x, y) = (Member("x", 8), Member("y", 9))
        try join(&x, &y)
        a.hear(x)
        #expect(a.roster.isAlone)
        #expect(!a.roster.wasMember(x.key))
        // An unknown device's removals mean nothing either.
        var b = Member("b", 2)
        try join(&a, &b)
        let removal = RosterStatement(
            household: home,
            subject: b.key,
            name: "b",
            purpose: .removed,
            serial: 99,
            by: x.signer
        )
        a.roster = a.roster.merging([removal]).roster
        #expect(a.trusts(b))
    }

    @Test func aRemovedDeviceIsOutEverywhereAndSoAreItsLaterVouches() throws {
        var (a, b, c, d) = (Member("a", 1), Member("b", 2), Member("c", 3), Member("d", 4))
        try join(&a, &b)
        try join(&a, &c)
        b.hear(a)
        b.vouch()
        try a.remove(c)
        #expect(a.roster.isRemoved(c.key) && !a.trusts(c) && a.trusts(b))
        #expect(a.roster.wasMember(c.key), "its old writes stay welcome")
        var told = c
        told.hear(a)
        let isTold = told.roster.isRemoved(c.key)
        #expect(isTold, "c does not know")
        // c goes on as if nothing were; so does whom it lets in.
        try join(&c, &d)
        b.hear(c)
        #expect(b.trusts(d))
        b.hear(a)
        #expect(!b.trusts(c) && !b.trusts(d) && b.trusts(a))
    }

    @Test func theIntroducersRemovalLeavesTheRest() throws {
        // a knows b and c only through the hub.
        var (hub, a, b) = (Member("hub", 1), Member("a", 2), Member("b", 3))
        try join(&hub, &a)
        try join(&hub, &b)
        a.hear(hub)
        b.hear(hub)
        var careless = b
        b.vouch()
        try a.remove(hub)
        b.hear(a)
        #expect(a.trusts(b) && b.trusts(a))
        #expect(!b.trusts(hub))
        // Who has not yet given its own word for a stands nearer to the hub, and first takes a up.
        careless.hear(a)
        #expect(careless.trusts(a) && careless.trusts(hub))
        careless.vouch()
        #expect(careless.trusts(a) && !careless.trusts(hub))
    }

    @Test func onlyAPairingBringsARemovedDeviceBack() throws {
        var (a, b, c) = (Member("a", 1), Member("b", 2), Member("c", 3))
        try join(&a, &b)
        try join(&a, &c)
        b.hear(a)
        b.vouch()
        let before = b
        try a.remove(c)
        a.hear(before)
        b.hear(a)
        #expect(!a.trusts(c) && !b.trusts(c), "an old vouch brought a removed device back")
        b.vouch()
        #expect(!b.trusts(c))
        try join(&b, &c)
        a.hear(b)
        #expect(a.trusts(c) && b.trusts(c) && c.trusts(a))
        #expect(!c.roster.isRemoved(c.key))
        // And it can be removed again.
        try b.remove(c)
        a.hear(b)
        #expect(!a.trusts(c))
    }

    /// A device that expects to be removed states itself under a higher serial, to one member only.
    @Test func noDeviceOutlivesItsRemovalByItsOwnWord() throws {
        var (a, b, bad) = (Member("a", 1), Member("b", 2), Member("bad", 3))
        try join(&a, &b)
        try join(&a, &bad)
        b.hear(a)
        b.vouch()
        a.hear(b)
        let serial = 1 + Limits.serialGap
        for purpose in [RosterStatement.Purpose.vouched, .paired] {
            let word = RosterStatement(
                household: home, subject: bad.key, name: "good", purpose: purpose, serial: serial, by: bad.signer)
            bad.roster = bad.roster.merging([word]).roster
        }
        b.hear(bad)
        b.vouch()
        #expect(b.trusts(bad))
        #expect(!b.roster.statements.contains { $0.issuer == b.key && $0.serial >= serial }, "b repeats the serial")
        try a.remove(bad)
        b.hear(a)
        b.vouch()
        a.hear(b)
        a.vouch()
        b.hear(bad)
        #expect(!a.trusts(bad) && !b.trusts(bad) && a.trusts(b) && b.trusts(a))
        // By pairing it comes back, above what it said.
        try join(&b, &bad)
        a.hear(b)
        #expect(a.trusts(bad) && b.trusts(bad) && bad.trusts(a))
    }

    @Test func twoThatRemoveEachOtherAreBothOut() throws {
        var (a, b, c) = (Member("a", 1), Member("b", 2), Member("c", 3))
        try join(&c, &a)
        try join(&c, &b)
        a.hear(c)
        b.hear(a)
        try a.remove(b)
        try b.remove(a)
        c.hear(a)
        c.hear(b)
        #expect(c.roster.isAlone)
        try join(&c, &a)
        #expect(c.trusts(a) && !c.trusts(b))
    }

    /// A removed device goes on removing others; nobody who knows of its removal minds, and nobody else is lost.
    @Test func removalsByARemovedDeviceDoNotCount() throws {
        var (a, b, c, bad) = (Member("a", 1), Member("b", 2), Member("c", 3), Member("bad", 4))
        try join(&a, &b)
        try join(&a, &c)
        try join(&a, &bad)
        for _ in 0..<2 {
            b.hear(a)
            b.vouch()
            c.hear(a)
            c.vouch()
            a.hear(b)
            a.hear(c)
        }
        bad.hear(a)
        bad.vouch()
        try a.remove(bad)
        b.hear(a)
        b.vouch()
        try bad.remove(a)
        try bad.remove(b)
        try bad.remove(c)
        for serial in [3, Limits.serialGap, Limits.serial] {
            let words = [a, b, c].map {
                RosterStatement(
                    household: home, subject: $0.key, name: "x", purpose: .removed, serial: serial, by: bad.signer)
            }
            bad.roster = bad.roster.merging(words).roster
        }
        a.hear(bad)
        b.hear(bad)
        #expect(a.trusts(b) && a.trusts(c) && b.trusts(a) && b.trusts(c) && !a.trusts(bad) && !b.trusts(bad))
        // c hears of both at once: the two that remove each other are out, and no one else.
        c.hear(bad)
        c.hear(b)
        #expect(!c.trusts(bad) && c.trusts(b))
        c.hear(a)
        c.vouch()
        #expect(!c.trusts(bad) && c.trusts(b))
    }

    /// The device that removed a stolen one retires; the stolen one stays out, for all that had heard of it.
    @Test func aRemovalStaysWhenTheOneThatRemovedIsRemoved() throws {
        var (a, b, stolen) = (Member("a", 1), Member("b", 2), Member("stolen", 3))
        try join(&a, &b)
        try join(&a, &stolen)
        b.hear(a)
        b.vouch()
        let before = stolen
        try a.remove(stolen)
        b.hear(a)
        b.vouch()
        try b.remove(a)
        b.hear(before)
        #expect(b.roster.isAlone && !b.trusts(stolen))
    }

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
