import MergeCore
import SyncProtocol
import TestSupport
import Testing

/// Removals, and what comes after them.
extension RosterTests {
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
}
