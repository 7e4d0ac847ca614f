/// What the player sees: the current screen, and what each key does there. The profile is elsewhere.
struct Cabinet {
    enum Screen: Equatable {
        case menu, wordley, slideIt, trophies, scoreboard, history, resetting
        case naming(String)
        /// The part of another device's code that has been typed.
        case pairing(String)
        case ended(Ending)
    }

    /// What a key leads to.
    enum Act {
        /// A move that is on disk before the next key is handled.
        case move(Move)
        /// A move that is saved within a second.
        case edit(Move)
        case household(HouseholdAct)
        case suspend, quit
    }

    /// The longest name of a player.
    static let nameLimit = 16
    /// The longest code, with an address.
    static let codeLimit = 50

    var screen = Screen.menu
    /// The code to type on another device.
    var code: String?
    /// One sentence for the player, shown until the next key.
    var note: String?
    /// How often the played time of SlideIt is saved between moves, in milliseconds.
    static let keepsTimeEvery = 1_000

    /// The time played in SlideIt that is not in the profile yet, in milliseconds.
    private(set) var played = 0
    private var dice: Dice

    init(seed: UInt64) { dice = Dice(seed: seed) }

    mutating func press(_ key: Key, _ arcade: Arcade, _ household: HouseholdState) -> [Act] {
        note = nil
        leaveWhatIsGone(arcade)
        switch key {
        case .interrupt: return leaveBoard() + [.quit]
        case .suspend: return leaveBoard() + [.suspend]
        default: break
        }
        switch screen {
        case .menu where household.offer != nil: return answerOffer(key)
        case .menu: return pressInMenu(key, arcade, household)
        case .wordley: return pressInWordley(key)
        case .slideIt: return pressInSlideIt(key)
        case .naming(let name): return pressInNaming(key, name)
        case .pairing(let typed): return pressInPairing(key, typed)
        case .resetting: return answerReset(key)
        case .ended(let ending):
            screen = .menu
            return key == .enter ? open(ending.game.game, arcade) : []
        case .trophies, .scoreboard, .history:
            screen = .menu
            return []
        }
    }

    /// Adds time that has passed. The clock of SlideIt runs only while its board is shown.
    mutating func pass(_ milliseconds: Int, _ arcade: Arcade) -> [Act] {
        leaveWhatIsGone(arcade)
        guard screen == .slideIt, let game = arcade.soundSlideIt else { return [] }
        played = played.adding(milliseconds)
        if game.milliseconds.adding(played) >= game.limit { return takeTime() }
        guard played >= Self.keepsTimeEvery else { return [] }
        // Save the time now and then, so that killing the game gains none.
        defer { played = 0 }
        return [.edit(.pass(time: played))]
    }

    /// Shows that another device was paired.
    mutating func paired(with device: String) {
        code = nil
        if case .pairing = screen { screen = .menu }
        note = "\(device.plain()) is one of your devices now."
    }

    /// Shows the result of a move.
    mutating func show(_ outcome: Outcome) {
        if let refusal = outcome.refusal { note = refusal }
        if let ending = outcome.ending { screen = .ended(ending) }
    }

    // MARK: Screens

    private mutating func pressInMenu(_ key: Key, _ arcade: Arcade, _ household: HouseholdState) -> [Act] {
        guard case .letter(let letter) = key else { return [] }
        switch letter.lowercased() {
        case "1": return open(.wordley, arcade)
        case "2": return open(.slideIt, arcade)
        case "3": screen = .trophies
        case "4": screen = .scoreboard
        case "5": screen = .history
        case "n": screen = .naming("")
        case "p": screen = .pairing("")
        case "r": screen = .resetting
        case "o": return [.household(household.isPaused ? .signIn : .signOut)]
        case "s": return [.household(.sync)]
        case "q": return [.quit]
        default: break
        }
        return []
    }

    private mutating func open(_ kind: GameKind, _ arcade: Arcade) -> [Act] {
        screen = kind == .wordley ? .wordley : .slideIt
        played = 0
        let isRunning = kind == .wordley ? arcade.soundWordley != nil : arcade.soundSlideIt != nil
        return isRunning ? [] : [.move(.begin(kind, seed: dice.next()))]
    }

    private mutating func pressInWordley(_ key: Key) -> [Act] {
        switch key {
        case .letter(let letter): return [.edit(.type(letter))]
        case .backspace: return [.edit(.erase)]
        case .enter: return [.move(.guess)]
        case .escape: screen = .menu
        default: break
        }
        return []
    }

    private mutating func pressInSlideIt(_ key: Key) -> [Act] {
        let directions: [Key: SlideIt.Direction] = [
            .up: .up, .down: .down, .left: .left, .right: .right,
            .letter("w"): .up, .letter("s"): .down, .letter("a"): .left, .letter("d"): .right,
        ]
        if let direction = directions[key] {
            defer { played = 0 }
            return [.move(.slide(direction, time: played))]
        }
        guard key == .escape else { return [] }
        defer { screen = .menu }
        return leaveBoard()
    }

    private mutating func pressInNaming(_ key: Key, _ name: String) -> [Act] {
        switch key {
        case .letter(let letter) where name.count < Self.nameLimit: screen = .naming(name + String(letter))
        case .backspace: screen = .naming(String(name.dropLast()))
        case .escape: screen = .menu
        case .enter:
            screen = .menu
            let name = name.plain(Self.nameLimit)
            return name.allSatisfy(\.isWhitespace) ? [] : [.move(.rename(name))]
        default: break
        }
        return []
    }

    private mutating func pressInPairing(_ key: Key, _ typed: String) -> [Act] {
        switch key {
        case .letter(let letter) where typed.count < Self.codeLimit: screen = .pairing(typed + String(letter))
        case .backspace: screen = .pairing(String(typed.dropLast()))
        case .escape: screen = .menu
        case .enter:
            let words = typed.split(separator: " ").map(String.init)
            if let code = words.first {
                note = "Looking for the device that shows \(code) ..."
                return [.household(.pair(code: code, address: words.dropFirst().first))]
            }
            return code == nil ? [.household(.showCode)] : []
        default: break
        }
        return []
    }

    private mutating func answerReset(_ key: Key) -> [Act] {
        screen = .menu
        guard key == .letter("y") || key == .letter("Y") else {
            note = "Nothing was reset."
            return []
        }
        return [.move(.forgetGames), .household(.reset)]
    }

    private func answerOffer(_ key: Key) -> [Act] {
        switch key {
        case .letter("b"), .letter("B"): [.household(.bringIn)]
        case .letter("f"), .letter("F"): [.household(.startFresh)]
        case .letter("l"), .letter("L"), .escape: [.household(.decideLater)]
        case .letter("q"), .letter("Q"): [.quit]
        default: []
        }
    }

    // MARK: Games

    /// Leaves the screen of a game that no longer exists, for example after a reset.
    private mutating func leaveWhatIsGone(_ arcade: Arcade) {
        if screen == .wordley, arcade.soundWordley == nil { screen = .menu }
        if screen == .slideIt, arcade.soundSlideIt == nil { screen = .menu }
    }

    /// Counts the time on the board whenever the player leaves it.
    private mutating func leaveBoard() -> [Act] { screen == .slideIt && played > 0 ? takeTime() : [] }

    private mutating func takeTime() -> [Act] {
        defer { played = 0 }
        return [.move(.pass(time: played))]
    }
}
