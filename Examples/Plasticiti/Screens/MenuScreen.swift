extension Frame {
    mutating func menu(_ arcade: Arcade, _ household: HouseholdState) {
        add("P L A S T I C I T I", right: household.device.plain(), .strong)
        add()
        add(arcade.playerName.plain(), .strong)
        add(Self.standing(arcade) + "   Trophies \(arcade.trophies.count)")
        add("Level: Wordley \(arcade.level(of: .wordley)), SlideIt \(arcade.level(of: .slideIt))")
        add()
        let word = arcade.soundWordley.map { "continue at guess \($0.guesses.count + 1) of \($0.rules.guesses)" }
        let slide = arcade.soundSlideIt.map { "continue after \($0.moves) moves" }
        choice("1", "Wordley", word ?? "guess the word")
        choice("2", "SlideIt", slide ?? "put the tiles in order, in time")
        choice("3", "Trophies", "what there is to achieve")
        choice("4", "Scoreboard", "device by device")
        choice("5", "History", "the last games")
        add()
        choice("N", "Name", "what you are called")
        if household.isPaused {
            choice("O", "Sign in", "sync again")
        } else {
            choice("O", "Sign out", "play on without sync")
        }
        choice("P", "Pair", "make another device one of yours")
        choice("S", "Sync now", "bring all devices in step")
        choice("R", "Reset", "start over, on all devices")
        choice("Q", "Quit", "everything is saved")
    }

    static func standing(_ arcade: Arcade) -> String {
        "Score \(arcade.score)   Best \(arcade.best)   Achievements \(arcade.achievementPercent)%"
    }

    private mutating func choice(_ key: String, _ name: String, _ meaning: String) {
        add([
            Span(text: "   \(key)  ", tone: .strong), Span(text: name.padded(14), tone: .plain),
            Span(text: meaning, tone: .faint),
        ])
    }

    mutating func offer(_ offer: HouseholdState.Offer) {
        add("YOUR PROGRESS IS ON \(offer.device.plain().uppercased())", .strong)
        add()
        for line in offer.lines.prefix(10) { add("   " + line.plain(60)) }
        add()
        let joins = "what was played here stays, and the two become one"
        choice("B", "Bring it in", offer.hasOwnProgress ? joins : "go on from there")
        choice("F", "Start fresh", "keep the two apart for good")
        choice("L", "Later", "ask again next time")
    }

    mutating func naming(_ name: String) {
        add("NAME", .strong)
        add()
        add("What are you called?  \(name.plain())_")
        add()
        add("Enter keeps it, Esc goes back.", .faint)
    }

    mutating func pairing(_ typed: String, _ code: String?) {
        add("PAIR", .strong)
        add()
        add("On one device press Enter: it shows a code. Type that on the other one.")
        add()
        if let code { add("Type this on the other device:  \(code)", .right) } else { add() }
        add()
        add("Code of the other device:  \(typed.plain(Cabinet.codeLimit))_")
        add()
        add("Where devices do not find each other, HOST:PORT goes after the code.", .faint)
        add("Esc goes back.", .faint)
    }

    mutating func resetting() {
        add("RESET", .strong)
        add()
        add("Score, levels, trophies, scoreboard and history start over, on all devices.")
        add("Your name stays. A backup is kept.")
        add()
        add("Reset everything?  Y / N", .warning)
    }
}
