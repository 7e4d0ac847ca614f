import LosslessJSON
import MergeCore
import RuleFile
import RuleProposals
import SaveOracle

/// A game that is played, session after session.
protocol PlayedGame {
    /// What the game has in memory.
    var save: JSON { get }
    /// The file as the game writes it.
    var text: String { get }
    /// The rules of a person who knows the game.
    var handWritten: RuleTable { get }
    /// A session.
    mutating func play()
    /// The game goes on from a file.
    mutating func load(_ file: JSON)
    /// The same save in other hands.
    func elsewhere(seed: UInt64) -> Self
}

extension Progression: PlayedGame {
    var handWritten: RuleTable { rules }
}

/// Whose rules a save is kept under.
enum RuleSource: String, CaseIterable, Sendable {
    case none = "no rules"
    case proposed = "proposed rules"
    case handWritten = "hand-written rules"

    func rules(for game: some PlayedGame) throws -> RuleSet {
        switch self {
        case .none: .empty
        case .proposed: RuleProposal(for: try JSONDocument(parsing: Array(game.text.utf8))).rules
        case .handWritten: try RuleSet(yaml: game.handWritten.yaml)
        }
    }
}
