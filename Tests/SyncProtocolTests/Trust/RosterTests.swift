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
}
