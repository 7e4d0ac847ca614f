#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One entry of the history.
struct FinishedGame: Codable, Hashable, Sendable {
    var endedAt: Date
    var game: GameKind
    var player: String
    var device: String
    var level: Int
    var isWon: Bool
    var points: Int
    /// The number of guesses in Wordley, or seconds in SlideIt.
    var effort: Int
}
