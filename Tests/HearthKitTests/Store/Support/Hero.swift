import HearthKit

/// A small profile for the tests of stores.
struct Hero: Profile, Equatable {
    @Highest var level = 1
    @Highest var bestScore = 0
    @Lowest var bestLap = 0
    @Counter var coins = 0
    @Union var themes: Set<String> = []
    @Once var tutorialDone = false
    @Choice var ending: String?
    @Local var volume = 5
    var name = "Player"

    static let resets = [ResetScope("progress", CodingKeys.level, .coins, .bestScore)]
}
