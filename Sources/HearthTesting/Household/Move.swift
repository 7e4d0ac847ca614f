public import HearthKit
import LosslessJSON

/// Something that a game does to its profile, with a name: what random play is made of, and what a scenario says.
///
/// ```swift
/// let moves = [
///     Move<Hero>("finds coins") { hero, random in hero.coins += Int.random(in: 1...50, using: &random) },
///     Move<Hero>("buys a sword") { hero, _ in
///         guard hero.coins >= 80 else { return }
///         hero.coins -= 80
///         hero.items.insert("sword")
///     },
/// ]
/// ```
public struct Move<Subject: Profile>: Sendable {
    /// The name; each move of a game has its own.
    public let name: String
    let body: @Sendable (inout Subject, inout MoveRandom) -> Void

    /// Makes a move.
    ///
    /// - Parameter body: Changes the profile. All chance comes from the generator, so that a run can be repeated.
    public init(_ name: String, _ body: @escaping @Sendable (inout Subject, inout MoveRandom) -> Void) {
        (self.name, self.body) = (name, body)
    }

    func erased(_ codec: ProfileCodec<Subject>) -> SimulatedGame.Move {
        SimulatedGame.Move(name: name) { [body] text, random in
            let snapshot = try codec.snapshot(JSONDocument(parsing: text))
            var profile = snapshot.profile
            body(&profile, &random)
            return try snapshot.text(profile)
        }
    }
}

/// Something that must hold of every save at any time, on every device.
///
/// ```swift
/// Invariant<Hero>("coins are never below zero") { $0.coins >= 0 }
/// ```
public struct Invariant<Subject: Profile>: Sendable {
    /// What must hold, in words.
    public let name: String
    let holds: @Sendable (Subject) -> Bool

    /// Makes an invariant.
    public init(_ name: String, _ holds: @escaping @Sendable (Subject) -> Bool) {
        (self.name, self.holds) = (name, holds)
    }

    func erased(_ codec: ProfileCodec<Subject>) -> SimulatedGame.Invariant {
        SimulatedGame.Invariant(name: name) { [holds] text in
            holds(try codec.snapshot(JSONDocument(parsing: text)).profile)
        }
    }
}
