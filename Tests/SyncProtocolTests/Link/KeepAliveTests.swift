import MergeCore
import SyncProtocol
import Testing

/// Silence, by a hand-moved clock.
@Suite struct KeepAliveTests {
    @Test func helloMustComeInTime() throws {
        var link = PeerLink(localName: "me", now: 100)
        _ = link.start(profiles: [:], roster: [], now: 100)
        let deadline = link.deadline
        #expect(deadline == 5_100)
        #expect(link.tick(now: 5_099).isEmpty)
        // Dripping bytes do not put it off.
        _ = link.received([0], now: 5_000)
        let closure = try #require(link.tick(now: 5_100).closure)
        #expect(closure.blame == .nobody)
        let after = link.deadline
        #expect(after == nil)
    }

    @Test func silenceIsAskedAboutOnceAndThenEndsTheLink() throws {
        var link = Forge.openLink()
        #expect(link.tick(now: 19_999).isEmpty)
        #expect(!link.tick(now: 20_000).sent.isEmpty)
        #expect(link.tick(now: 29_999).isEmpty)
        var isSilent = link.isSilent
        #expect(!isSilent)
        let answerDeadline = link.deadline
        #expect(answerDeadline == 30_000)
        #expect(link.tick(now: 30_000).isEmpty)
        isSilent = link.isSilent
        #expect(isSilent, "nobody knows whether it is there")
        let deadline = link.deadline
        #expect(deadline == 45_000)
        #expect(try #require(link.tick(now: 45_000).closure).reason.contains("45 s"))
    }

    @Test func aPongKeepsTheLink() {
        var a = Forge.openLink()
        var b = Forge.openLink()
        let pong = b.heard(a.tick(now: 20_000).sent, now: 20_000).sent
        _ = a.received(pong, now: 20_001)
        #expect(a.tick(now: 40_000).isEmpty)
        #expect(!a.tick(now: 40_001).sent.isEmpty)
        // b heard the ping, so it does not ask on its own.
        #expect(b.tick(now: 39_999).isEmpty)
    }

    /// Both heard the other last at the same moment. The salt of the one adds nothing, that of the other three seconds.
    @Test func oneSideAsksAndTheOtherAnswers() {
        var a = Forge.openLink()
        var b = Forge.openLink(salt: 3_000)
        var asked = 0
        for now in stride(from: 0, through: 120_000, by: 500).map({ MonotonicTime(milliseconds: $0) }) {
            let ofA = a.tick(now: now).sent
            let ofB = b.tick(now: now).sent
            #expect(ofB.isEmpty, "it is asked before")
            guard !ofA.isEmpty else { continue }
            asked += 1
            _ = a.received(b.heard(ofA, now: now).sent, now: now)
        }
        #expect(asked == 6)
        // One that nobody asks does ask: its peer may be gone.
        var asks = b.tick(now: 142_999).sent
        #expect(asks.isEmpty)
        asks = b.tick(now: 143_000).sent
        #expect(!asks.isEmpty)
    }

    /// Whoever wants to know asks at once, and knows with the answer.
    @Test func aLinkThatIsAskedAnswers() {
        var a = Forge.openLink()
        var b = Forge.openLink()
        let ping = a.ask(now: 1_000).sent
        #expect(!ping.isEmpty && a.ask(now: 1_001).sent.isEmpty, "one ping is enough")
        var waits = a.awaitsAnswer
        #expect(waits)
        _ = a.received(b.heard(ping, now: 1_002).sent, now: 1_003)
        waits = a.awaitsAnswer
        #expect(!waits)
        // Without an answer, ten seconds later nobody knows whether the other is there.
        _ = a.ask(now: 2_000)
        _ = a.tick(now: 12_000)
        let isSilent = a.isSilent
        #expect(isSilent)
    }

    @Test func extremeTimesDoNotTrap() {
        for now in [.min, -1, 0, .max] as [MonotonicTime] {
            var link = PeerLink(localName: "me", now: now)
            _ = link.start(profiles: [:], roster: [], now: now)
            _ = link.received(Forge.hello() + Forge.vectors(), now: now)
            _ = link.tick(now: .max)
            _ = link.tick(now: .min)
        }
    }

    @Test func goodbyeTellsThePeerWhy() throws {
        var a = Forge.openLink()
        var b = Forge.openLink()
        let actions = a.goodbye("the agent stops")
        #expect(try #require(actions.closure).blame == .us)
        let closure = try #require(b.received(actions.sent, now: 1).closure)
        #expect(closure == LinkClosure(reason: "The other device ended the link: the agent stops", blame: .nobody))
    }
}
