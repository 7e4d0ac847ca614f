import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// The links of a device: at most one for each other device, whoever dialled.
@Suite struct LinksTests {
    private let peer = DeviceKey(SeededSigner(seed: 1).publicKey)!
    private let later: MonotonicTime = 0 + Links.settledTime

    private func live(_ key: DeviceKey, dialled: Bool, opened: MonotonicTime) -> LiveLink {
        LiveLink(
            peerKey: key, remote: PeerAddress(host: "deck", port: 1), dialled: dialled, opened: opened,
            link: PeerLink(localName: "laptop", now: opened))
    }

    private func links(dialled: Bool) -> Links {
        var links = Links()
        links.open(ConnectionID(rawValue: 1), live(peer, dialled: dialled, opened: 0))
        return links
    }

    private enum Answer { case free, taken, refused }

    private func room(_ links: Links, dialled: Bool, isSmaller: Bool, at now: MonotonicTime) -> Answer {
        let me: [UInt8] = isSmaller ? [] : Array(repeating: 0xFF, count: 64)
        return switch links.room(for: peer, dialled: dialled, by: me, now: now) {
        case .free: .free
        case .taken: .taken
        case .refused: .refused
        }
    }

    /// Both devices dialled at once. Each side sees one connection that it dialled and one that it did not; both must
    /// keep the same one, that of the device with the smaller key, whichever came first.
    @Test(arguments: [false, true], [false, true]) func ofTwoAtOnceBothSidesKeepTheSame(
        isSmaller: Bool, isOwnFirst: Bool
    ) {
        let links = links(dialled: isOwnFirst)
        let answer = room(links, dialled: !isOwnFirst, isSmaller: isSmaller, at: 0)
        let keepsOwn = isOwnFirst == (answer == .refused)
        #expect(keepsOwn == isSmaller)
    }

    /// Later the newer connection stays: its maker had a reason to dial, such as a link that is dead at its end.
    @Test(arguments: [false, true], [false, true]) func laterTheNewerOneStays(dialled: Bool, isSmaller: Bool) {
        #expect(room(links(dialled: !dialled), dialled: dialled, isSmaller: isSmaller, at: later) == .taken)
    }

    /// The same device dials again before its former connection is known to be gone.
    @Test(arguments: [false, true]) func ofTwoThatOneSideDialledTheNewerStays(dialled: Bool) {
        #expect(room(links(dialled: dialled), dialled: dialled, isSmaller: true, at: 0) == .taken)
    }

    @Test func anotherDeviceHasRoom() {
        let links = links(dialled: true)
        guard case .free = links.room(for: DeviceKey(SeededSigner(seed: 2).publicKey)!, dialled: true, by: [], now: 0)
        else {
            Issue.record("it has no room")
            return
        }
    }

    /// A link that is open, but whose device has not said hello yet, is no link to that device.
    @Test func whoHasNotSaidHelloIsNotThere() {
        let links = links(dialled: true)
        #expect(links.link(to: peer) == nil && links.answeringLink(to: peer) == nil && links.answering.isEmpty)
        #expect(links.connectedKeys == [peer.bytes], "yet it is not dialled a second time")
    }

    /// The reason why a link ended is kept until the device says hello again.
    @Test func theEndIsRememberedUntilTheNextHello() {
        var links = links(dialled: true)
        #expect(links.close(ConnectionID(rawValue: 2), "nothing") == nil)
        #expect(links.close(ConnectionID(rawValue: 1), "it went to sleep")?.peerKey == peer)
        #expect(links.isEmpty && links.lastEnd(of: peer.id) == "it went to sleep")
        links.greeted(peer.id)
        #expect(links.lastEnd(of: peer.id) == nil)
    }

    @Test func aLinkThatIsGoneHasNothingToSay() {
        var links = links(dialled: true)
        var asked = 0
        _ = links.with(ConnectionID(rawValue: 1)) { _ in
            asked += 1
            return []
        }
        _ = links.with(ConnectionID(rawValue: 2)) { _ in
            asked += 1
            return []
        }
        #expect(asked == 1)
    }

    /// Refused connections are said at most once a minute, with their number.
    @Test func refusalsAreCountedAndSaidOnceAMinute() {
        var log = RefusalLog()
        #expect(log.note(3, now: 0) == 3)
        #expect(log.note(4, now: 1) == nil && log.note(5, now: 2) == nil)
        #expect(log.note(1, now: 0 + RefusalLog.interval) == 10)
    }
}
