extension Frame {
    mutating func ending(_ ending: Ending, _ arcade: Arcade) {
        let game = ending.game
        fill(to: 3)
        add(centered: [Span(text: game.isWon ? "* * *  VICTORY  * * *" : "GAME OVER", tone: .strong)])
        add()
        add(centered: [Span(text: Self.deed(ending), tone: .plain)])
        add()
        if game.isWon {
            add(centered: [
                Span(text: String(repeating: "*", count: ending.stars).padded(3), tone: .warning),
                Span(text: "  \(game.points) points", tone: .strong),
            ])
            if ending.isBest { add(centered: [Span(text: "A new best!", tone: .warning)]) }
            if ending.nextLevel > game.level {
                add(centered: [Span(text: "Level \(ending.nextLevel) comes next.", tone: .plain)])
            }
        } else {
            add(centered: [Span(text: "Level \(game.level) stays yours.", tone: .plain)])
        }
        for trophy in ending.newTrophies {
            add(centered: [Span(text: "Trophy: \(trophy.title) - \(trophy.deed)", tone: .right)])
        }
        add()
        add(centered: [Span(text: Self.standing(arcade), tone: .plain)])
        add()
        add(centered: [Span(text: "Enter plays again, any other key goes to the menu", tone: .faint)])
    }

    private static func deed(_ ending: Ending) -> String {
        let game = ending.game
        let answer = (ending.answer ?? "").uppercased()
        switch (game.game, game.isWon) {
        case (.wordley, true): return "\(answer) in \(game.effort) of \(Ladder.wordley(game.level).guesses) guesses"
        case (.wordley, false): return "The word was \(answer)."
        case (.slideIt, true): return "In order after \(game.effort) of \(Ladder.slideIt(game.level).seconds) seconds"
        case (.slideIt, false): return "The time is up."
        }
    }
}
