/// A game in which the player guesses a word of five letters, and each guess is answered letter by letter.
///
/// Any five letters are accepted as a guess, because a list of a few hundred answers would refuse too many good words.
struct Wordley: Codable, Hashable, Sendable {
    static let letters = 5
    /// The number of rows of the board. Higher levels use fewer.
    static let rows = 6

    let answer: String
    let level: Int
    private(set) var guesses: [String] = []
    /// The letters of the next guess that have been typed.
    private(set) var typed = ""

    init(level: Int, using dice: inout Dice) {
        self.init(answer: WordList.answers.randomElement(using: &dice) ?? "house", level: level)
    }

    init(answer: String, level: Int) { (self.answer, self.level) = (answer, level) }

    var rules: Ladder.WordleyRules { Ladder.wordley(level) }
    var isWon: Bool { guesses.last == answer }
    var isLost: Bool { !isWon && guesses.count >= rules.guesses }

    /// Whether the game can be played. A save may contain anything, because other programs can write it.
    var isSound: Bool {
        (1...Ladder.top).contains(level) && Self.isWord(answer) && guesses.allSatisfy(Self.isWord)
            && guesses.count <= Self.rows && typed.count <= Self.letters && typed.allSatisfy(Self.isLetter)
    }

    static func isLetter(_ letter: Character) -> Bool { ("a"..."z").contains(letter) }

    private static func isWord(_ text: String) -> Bool { text.count == letters && text.allSatisfy(isLetter) }

    // MARK: Moves

    /// Adds a letter to the guess, if it is one and there is room.
    mutating func type(_ letter: Character) {
        guard let letter = letter.lowercased().first, Self.isLetter(letter), typed.count < Self.letters else { return }
        typed.append(letter)
    }

    mutating func erase() { _ = typed.popLast() }

    /// Makes the typed guess. Returns a sentence where it is not allowed.
    mutating func guess() -> String? {
        guard !isWon, !isLost else { return "The game is over." }
        guard typed.count == Self.letters else { return "A guess has \(Self.letters) letters." }
        if rules.usesHints, let hint = missedHint { return hint }
        guesses.append(typed)
        typed = ""
        return nil
    }

    // MARK: What is known

    func marks(of guess: String) -> [LetterMark] { LetterMark.marks(of: guess, for: answer) }

    /// For each guessed letter the best mark so far.
    var keyboard: [Character: LetterMark] {
        guesses.reduce(into: [:]) { known, guess in
            for (letter, mark) in zip(guess, marks(of: guess)) { known[letter] = max(mark, known[letter] ?? .absent) }
        }
    }

    /// A sentence about known letters that the guess does not use; `nil` where it uses them all.
    private var missedHint: String? {
        let word = Array(typed)
        for guess in guesses {
            var needed: [Character: Int] = [:]
            for (place, (letter, mark)) in zip(guess, marks(of: guess)).enumerated() where mark != .absent {
                if mark == .rightPlace, word[place] != letter {
                    return "Letter \(place + 1) has to be \(letter.uppercased())."
                }
                needed[letter, default: 0] += 1
            }
            for (letter, count) in needed.sorted(by: { $0.key < $1.key })
            where word.count(where: { $0 == letter }) < count {
                return "The guess has to use \(letter.uppercased())."
            }
        }
        return nil
    }
}
