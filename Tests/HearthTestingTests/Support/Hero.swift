import HearthKit

/// The profile of a made-up game, with most kinds of fields.
struct Hero: Profile {
    @Counter var coins = 0
    @Counter var energy = 0
    @Highest var level = 1
    @Lowest var bestLap = 0
    @Once var tutorialDone = false
    @Union var themes: Set<String> = []
    @Members var friends: Set<String> = []
    @Local var volume = 5
    var displayName = "Ada"
    var medals = Medals()

    static let resets = [ResetScope("progress", CodingKeys.level, .coins)]
}

/// A part of it with rules of its own.
struct Medals: ProfilePart {
    @Counter var gold = 0
    @Highest var streak = 0
}
