import HouseholdAgent
import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdSimulation

/// Bytes leave an agent in the order in which a link encoded them, whatever else is to be done meanwhile.
@Suite struct SendOrderTests {
    /// A device of the household says in one piece that it has nothing, and what it wants listed. The agent has a list and
    /// the saves themselves to send then; both name the saves by numbers, which the list defines.
    @Test func aListThatWasAskedForLeavesBeforeTheSavesThatReferToIt() throws {
        let home = Home(seed: 3)
        let (laptop, deck) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(laptop, deck)
        home.household.kill(deck)
        for number in 0...Limits.listedProfiles {
            try home.add("/games/\(number).json", #"{"level":\#(number)}"#, rules: home.rules([]), on: laptop)
        }
        home.household.run(milliseconds: 60_000)

        let (now, connection) = (home.household.moment(on: laptop), ConnectionID(rawValue: 1 << 60))
        var peer = PeerLink(localName: "deck", now: now.monotonic)
        let start = peer.start(profiles: [:], roster: [], clock: now.wall, now: now.monotonic)
        let opened = TransportEvent.opened(
            connection, purpose: .sync, peerKey: deck.signer.publicKey, remote: PeerAddress(host: "deck", port: 1),
            dialled: false)
        let greeting = sent(laptop.handle(.transport(opened), now: now))
        let answers = peer.received(greeting.flatMap { $0 }, now: now.monotonic)
        let piece = [start, answers].flatMap { bytes($0) }.flatMap { $0 }
        let reply = sent(laptop.handle(.transport(.received(connection, piece)), now: now))

        var came: Set<ProfileID> = []
        for bytes in reply {
            for action in peer.received(bytes, now: now.monotonic) {
                switch action {
                case .delta(let delta): came.insert(delta.profile)
                case .close(let closure): Issue.record("\(closure.reason)")
                default: break
                }
            }
        }
        // The others come in turns, later.
        #expect(!came.isEmpty)
    }

    private func bytes(_ actions: [LinkAction]) -> [[UInt8]] {
        actions.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
    }

    private func sent(_ effects: [AgentAction]) -> [[UInt8]] {
        effects.compactMap { if case .transport(.send(_, let bytes)) = $0 { bytes } else { nil } }
    }
}
