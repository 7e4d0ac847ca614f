import MergeCore
import ProfileKeeping

/// A game that has ended, and whose last save may still have to be read.
struct EndedGame: Hashable {
    let profile: ProfileID
    /// The game has read the content that was in the file at this time, or a later content.
    let readAfter: MonotonicTime
    /// The key of its note in the record, to be deleted once its last save is read; `nil` if it has none.
    let noteKey: String?
}

extension GameSessions {
    /// An action that the agent performs after an event of a game.
    enum Effect {
        /// Tell a play that its game may start, or is held if it runs.
        case mayStart(RequestID, ProfileID)
        /// Look for the last save of a game.
        case finish(EndedGame)
        /// Report that a game runs on though the command that started it has ended.
        case runsOn(game: String)
        /// Answer a play, and the request that ended it, with the result.
        case played(RequestID, Play, answer: Call<EndPlayRequest>)
        /// Fail the request that ended a play: the command that started the game has ended.
        case isGone(Call<EndPlayRequest>)
        /// Tell a subscribed game that there is something to pull.
        case changed(RequestID)
        /// Tell a subscribed game its present state.
        case status(RequestID)
    }
}
