import LosslessJSON
import MergeCore
import RuleFile

/// A household of simulated devices that all keep a save of a game of any engine: plain JSON, with the rules of a rule
/// file.
///
/// ```swift
/// let home = try PlainHousehold(["laptop", "deck"], rules: "rules: {/coins: counter}", save: #"{"coins": 5}"#, seed: 1)
/// home.laptop.plays(.add("/coins", 30))
/// home.settle()
/// #expect(home.deck.text == #"{"coins": 35}"#)  // its file keeps its own spelling
/// ```
@dynamicMemberLookup
public final class PlainHousehold: SimulatedHome {
    /// Makes the devices, pairs them, and puts the save on all of them.
    ///
    /// - Parameters:
    ///   - devices: Their names, each its own.
    ///   - rules: The rule file, in YAML.
    ///   - save: The save that all devices begin with, in JSON.
    ///   - seed: What chance there is comes from it: the delays of the network, and the keys of the devices.
    ///   - invariants: What must hold of the text of every save, each with its words.
    /// - Throws: What is wrong with the rules, the save or the names.
    public convenience init(
        _ devices: [String], rules: String, save: String, seed: UInt64,
        invariants: [(name: String, holds: @Sendable (String) -> Bool)] = []
    ) throws {
        let game = SimulatedGame.plain(
            rules: try RuleSet(yaml: rules), beginning: try JSONDocument(parsing: Array(save.utf8)),
            invariants: Self.erased(invariants))
        self.init(try Stage(game, devices: devices, seed: seed))
    }

    override init(_ stage: Stage) { super.init(stage) }

    static func erased(
        _ invariants: [(name: String, holds: @Sendable (String) -> Bool)]
    ) -> [SimulatedGame.Invariant] {
        invariants.map { invariant in
            SimulatedGame.Invariant(name: invariant.name) { [holds = invariant.holds] text in
                holds(String(decoding: text, as: UTF8.self))
            }
        }
    }

    /// A device by its name.
    public subscript(device: String) -> PlainDevice {
        check(device)
        return PlainDevice(device, stage)
    }

    /// A device by its name.
    public subscript(dynamicMember device: String) -> PlainDevice { self[device] }

    /// The devices, in the order in which they were named.
    public var devices: [PlainDevice] { stage.names.map { self[$0] } }
}

/// A device of a ``PlainHousehold``.
public final class PlainDevice: TestedDevice {
    /// A game starts, reads its file, and saves this text in its place.
    ///
    /// - Parameter body: Gets the text of the file and returns the whole text that the game writes.
    public func plays(_ body: (String) throws -> String) {
        record(stage.play(index) { try Self.changed($0, body) }) { .plays(name, $0) }
    }

    /// A game that still runs saves this text, whatever its file holds by now.
    ///
    /// - Parameter body: Gets the text that the game read or wrote last, and returns the whole text that it writes.
    public func overwritesFromMemory(_ body: (String) throws -> String) {
        record(stage.overwrite(index) { try Self.changed($0, body) }) { .overwrites(name, $0) }
    }

    private static func changed(_ text: [UInt8], _ body: (String) throws -> String) throws -> [UInt8] {
        Array(try body(String(decoding: text, as: UTF8.self)).utf8)
    }

    private func record(_ saved: (read: [UInt8], written: [UInt8])?, as step: ([SaveEdit]) -> HouseholdStep) {
        let edits = saved.flatMap { saved -> [SaveEdit]? in
            guard let before = try? JSONValue(parsing: saved.read), let after = try? JSONValue(parsing: saved.written)
            else { return nil }
            return SaveChanges(from: before, to: after, stage.game.rules).edits
        }
        stage.note(step(edits ?? []))
        stage.look()
    }
}
