import LosslessJSON
import MergeCore

/// A game as the stage knows it: how it reads and writes its save, whatever type it has for it.
struct SimulatedGame: Sendable {
    /// A kind of play that the developer wrote.
    struct Move: Sendable {
        let name: String
        /// The text of the save after the move.
        let play: @Sendable (_ text: [UInt8], _ random: inout MoveRandom) throws -> [UInt8]
    }

    /// What the developer says always holds.
    struct Invariant: Sendable {
        let name: String
        let holds: @Sendable (_ text: [UInt8]) throws -> Bool
    }

    let rules: RuleSet
    /// The save that the first device begins with.
    let beginning: [UInt8]
    /// A save with everything in it that the game holds, also what its text leaves out.
    let whole: @Sendable (_ text: [UInt8]) throws -> JSONValue
    /// The text after the game has changed its save so.
    let edited: @Sendable (_ text: [UInt8], _ edits: [SaveEdit]) throws -> [UInt8]
    /// Saves from which play is invented, beside what is in the files.
    var samples: [JSONValue] = []
    var moves: [Move] = []
    var invariants: [Invariant] = []
    /// How a scenario of this game is written as code.
    let language: CodeLanguage
    /// Whether the developer said what the first device begins with, other than its type does.
    var hasOwnBeginning = false

    /// What the developer handed over beside that, by the names of the parameters.
    var arguments: [String] {
        (hasOwnBeginning ? ["beginning"] : []) + (moves.isEmpty ? [] : ["moves"])
            + (invariants.isEmpty ? [] : ["invariants"])
    }
}

extension SimulatedGame {
    /// A game of any engine: its save is plain JSON, and it writes all of it at every save.
    ///
    /// - Parameter name: The name of the beginning where the developer handed it over.
    static func plain(
        rules: RuleSet, beginning: JSONDocument, named name: String = "save", samples: [JSONValue] = [],
        invariants: [Invariant] = []
    ) -> SimulatedGame {
        let isOnOneLine = !beginning.bytes.contains(UInt8(ascii: "\n"))
        return SimulatedGame(
            rules: rules, beginning: beginning.bytes,
            whole: { try JSONValue(parsing: $0) },
            edited: { text, edits in
                let save = try edits.applied(to: JSONValue(parsing: text), rules)
                return isOnOneLine ? save.jsonBytes : save.jsonBytes(indent: "  ") + [UInt8(ascii: "\n")]
            },
            samples: samples, invariants: invariants, language: .plain(save: name))
    }
}
