public import HearthKit
import LosslessJSON

/// A household of simulated devices that all keep one profile of a game: real agents, with a network, disks and clocks
/// that fail as they are told to.
///
/// ```swift
/// let home = Household<Hero>(["laptop", "deck"], seed: 1)
/// home.laptop.plays { $0.coins += 30 }
/// home.partition("laptop", "deck")
/// home.deck.plays { $0.coins -= 80 }
/// home.deck.crashes()
/// home.laptop.overwritesFromMemory()
/// home.heal()
/// home.settle()
/// #expect(home.laptop.profile.coins == home.deck.profile.coins)
/// #expect(home.findings.isEmpty)
/// ```
///
/// A device is named by its member, or in brackets where its name is none in Swift: `home["steam deck"]`.
@dynamicMemberLookup
public final class Household<Subject: Profile>: SimulatedHome {
    private let codec: ProfileCodec<Subject>

    /// Makes the devices, pairs them, and puts the profile on all of them.
    ///
    /// A type that cannot be kept, and a household without devices, end the test with the reason.
    ///
    /// - Parameters:
    ///   - devices: Their names, each its own.
    ///   - seed: What chance there is comes from it: the delays of the network, and the keys of the devices.
    ///   - beginning: The profile that all devices begin with.
    ///   - moves: The kinds of play that the scenario names.
    ///   - invariants: What must hold of every save.
    public init(
        _ devices: [String], seed: UInt64, beginning: Subject = Subject(), moves: [Move<Subject>] = [],
        invariants: [Invariant<Subject>] = []
    ) {
        let (codec, stage) = Self.made {
            let codec = try ProfileCodec<Subject>()
            let game = try SimulatedGame.typed(
                Subject.self, beginning: beginning, moves: moves.map { $0.erased(codec) },
                invariants: invariants.map { $0.erased(codec) })
            return (codec, try Stage(game, devices: devices, seed: seed))
        }
        self.codec = codec
        super.init(stage)
    }

    /// A device by its name.
    public subscript(device: String) -> TypedDevice<Subject> {
        check(device)
        return TypedDevice(device, stage, codec)
    }

    /// A device by its name.
    public subscript(dynamicMember device: String) -> TypedDevice<Subject> { self[device] }

    /// The devices, in the order in which they were named.
    public var devices: [TypedDevice<Subject>] { stage.names.map { self[$0] } }
}

/// A device of a ``Household``, on which a game keeps its profile.
public final class TypedDevice<Subject: Profile>: TestedDevice {
    private let codec: ProfileCodec<Subject>

    init(_ name: String, _ stage: Stage, _ codec: ProfileCodec<Subject>) {
        self.codec = codec
        super.init(name, stage)
    }

    /// The profile in the file; at its beginning where there is no file. A file that is no save of the type ends the
    /// test with the reason.
    public var profile: Subject {
        guard let text = stage.text(index) else { return Subject() }
        return SimulatedHome.made { try codec.snapshot(JSONDocument(parsing: text)).profile }
    }

    /// A game starts, reads its file, changes the profile and saves.
    public func plays(_ body: (inout Subject) -> Void) {
        record(stage.play(index) { try changed($0, body) }) { .plays(name, $0) }
    }

    /// Starts the game, lets it do one of the household's moves, and saves.
    ///
    /// - Parameters:
    ///   - move: The name of the move.
    ///   - seed: The seed of the random numbers that the move uses.
    public func plays(move: String, seed: UInt64) { stage.perform(.moves(name, move, seed)) }

    /// A game that still runs changes the profile that it holds in memory and saves that, whatever its file holds by
    /// now.
    public func overwritesFromMemory(_ body: (inout Subject) -> Void) {
        record(stage.overwrite(index) { try changed($0, body) }) { .overwrites(name, $0) }
    }

    private func changed(_ text: [UInt8], _ body: (inout Subject) -> Void) throws -> [UInt8] {
        let snapshot = try codec.snapshot(JSONDocument(parsing: text))
        var profile = snapshot.profile
        body(&profile)
        return try snapshot.text(profile)
    }

    /// Notes what a closure did as data, so that the scenario can be printed and run again.
    private func record(_ saved: (read: [UInt8], written: [UInt8])?, as step: ([SaveEdit]) -> HouseholdStep) {
        let edits = saved.flatMap { saved -> [SaveEdit]? in
            guard let before = try? stage.game.whole(saved.read), let after = try? stage.game.whole(saved.written)
            else { return nil }
            return SaveChanges(from: before, to: after, stage.game.rules).edits
        }
        stage.note(step(edits ?? []))
        stage.look()
    }
}
