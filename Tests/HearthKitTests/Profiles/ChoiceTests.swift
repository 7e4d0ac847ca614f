import HearthKit
import LosslessJSON
import MergeCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `@Choice`: values that devices set apart, and the player's decision.
struct ChoiceTests {
    /// A profile's state on one device, as the profile engine keeps it.
    private struct Device {
        let replica: ReplicaID
        let codec: ProfileCodec<Player>
        var state = ProfileState()
        var text: [UInt8]
        var now: WallTime = 1_700_000_000_000

        init(_ number: UInt64, _ text: [UInt8]) throws {
            (replica, codec, self.text) = (ReplicaID(high: 0, low: number), try ProfileCodec(), text)
            _ = state.changeRules(to: codec.rules, document: nil, context)
            _ = state.adopt(try JSONDocument(parsing: text), context)
        }

        var context: WriteContext { WriteContext(replica: replica, now: now, fileTime: now, base: state.vector) }

        var snapshot: ProfileSnapshot<Player> {
            get throws {
                let open = state.openChoices.map { path in
                    let others = state.openChoice(path).filter { $0.dot.replica != replica }
                    return (
                        path,
                        others.compactMap { other in
                            other.value.map { OpenAlternative($0, device: "deck", time: other.stamp.time.milliseconds) }
                        }
                    )
                }
                return try codec.snapshot(
                    JSONDocument(parsing: text),
                    open: Dictionary(uniqueKeysWithValues: open)
                )
            }
        }

        mutating func update(_ change: (inout Player) -> Void) throws {
            let snapshot = try snapshot
            var profile = snapshot.profile
            change(&profile)
            let edited = try snapshot.edited(profile)
            now += .seconds(1)
            let document = try JSONDocument(parsing: edited.text)
            let diff = DocumentDiff(from: snapshot.document, to: document, rules: state.rules)
            _ = state.write(diff.writes, context)
            for path in edited.decided {
                _ = state.decide(path, try #require(state.value(at: path)), context)
            }
            text = edited.text
        }

        mutating func hear(_ other: Device) throws {
            _ = state.join(other.state.delta(beyond: state.vector), vector: other.state.vector)
            let document = try JSONDocument(parsing: text)
            text = try document.patched(Projection(of: state, onto: document).edits)
        }
    }

    @Test("values set apart are shown beside the own one until the player decides, then one stands everywhere")
    func decided() throws {
        let start = Array(try fresh(Player()).utf8)
        var devices = [try Device(1, start), try Device(2, start)]
        try devices[0].update { $0.ending = .king }
        try devices[1].update { $0.ending = .hermit }
        try devices[0].hear(devices[1])
        try devices[1].hear(devices[0])

        let player = try devices[0].snapshot.profile
        #expect(player.ending == .king && player.$ending.isOpen)
        #expect(player.$ending.alternatives.map(\.value) == [.hermit])
        #expect(player.$ending.alternatives[0].device == "deck")
        #expect(player.$ending.alternatives[0].date == Date(timeIntervalSince1970: 1_700_000_001))

        try devices[0].update { $0.$ending.decide(.hermit) }
        #expect(try !devices[0].snapshot.profile.$ending.isOpen)
        try devices[1].hear(devices[0])
        for device in devices {
            #expect(try device.snapshot.profile.ending == .hermit)
            #expect(device.state.openChoices.isEmpty)
        }
    }

    @Test("to decide for the own value is a decision, though no byte changes") func own() throws {
        let snapshot = try ProfileCodec<Player>().snapshot(document(#"{"ending": "king"}"#))
        var player = snapshot.profile
        player.$ending.decide(.king)
        let edited = try snapshot.edited(player)
        #expect(text(edited.text) == #"{"ending": "king"}"#)
        #expect(edited.decided == [DocumentPath([.member("ending")])])
    }
}
