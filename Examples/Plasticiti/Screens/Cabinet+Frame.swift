extension Cabinet {
    /// What the screen shows now.
    func frame(_ arcade: Arcade, _ household: HouseholdState) -> Frame {
        var frame = Frame()
        switch screen {
        case .menu:
            if let offer = household.offer { frame.offer(offer) } else { frame.menu(arcade, household) }
        case .wordley: if let game = arcade.soundWordley { frame.wordley(game) }
        case .slideIt: if let game = arcade.soundSlideIt { frame.slideIt(game, played: played) }
        case .trophies: frame.trophies(arcade)
        case .scoreboard: frame.scoreboard(arcade)
        case .history: frame.history(arcade)
        case .naming(let name): frame.naming(name)
        case .pairing(let typed): frame.pairing(typed, code)
        case .resetting: frame.resetting()
        case .ended(let ending): frame.ending(ending, arcade)
        }
        frame.fill(to: Frame.height - 2)
        if let trouble = household.trouble {
            frame.add(trouble.plain(Frame.width), .warning)
        } else {
            frame.add(household.line.plain(Frame.width), .faint)
        }
        frame.add((note ?? "").plain(Frame.width), .strong)
        return frame
    }
}
