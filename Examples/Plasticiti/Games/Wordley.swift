/// Guess a word of five letters: each guess is answered letter by letter.
///
/// Any five letters are taken as a guess: a list of a few hundred answers would refuse too many good words.
struct Wordley: Codable, Hashable, Sendable {
    static let letters = 5
    /// Rows of the board. Higher levels may not use all of them.
    static let rows = 6

    let answer: String
    let level: Int
    private(set) var guesses: [String] = []
    /// The letters of the next guess so far.
    private(set) var typed = ""

    init(level: Int, using dice: inout Dice) {
        self.init(answer: WordList.answers.randomElement(using: &dice) ?? "house", level: level)
    }

    init(answer: String, level: Int) { (self.answer, self.level) = (answer, level) }

    var rules: Ladder.WordleyRules { Ladder.wordley(level) }
    var isWon: Bool { guesses.last == answer }
    var isLost: Bool { !isWon && guesses.count >= rules.guesses }

    /// Whether this can be played: a save may have been written by anybody.
    var isSound: Bool {
        (1...Ladder.top).contains(level) && Self.isWord(answer) && guesses.allSatisfy(Self.isWord)
            && guesses.count <= Self.rows && typed.count <= Self.letters && typed.allSatisfy(Self.isLetter)
    }

    static func isLetter(_ letter: Character) -> Bool { ("a"..."z").contains(letter) }

    private static func isWord(_ text: String) -> Bool { text.count == letters && text.allSatisfy(isLetter) }

    // MARK: Moves

    /// Adds a letter to the guess, where it has room and this is one.
    mutating func type(_ letter: Character) {
        guard let letter = letter.lowercased().first, Self.isLetter(letter), typed.count < Self.letters else { return }
        typed.append(letter)
    }

    mutating func erase() { _ = typed.popLast() }

    /// Makes the guess that was typed. Returns why it is none, where that is so.
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

    /// The best that is known of each letter that was guessed.
    var keyboard: [Character: LetterMark] {
        guesses.reduce(into: [:]) { known, guess in
            for (letter, mark) in zip(guess, marks(of: guess)) { known[letter] = max(mark, known[letter] ?? .absent) }
        }
    }

    /// What is known and the guess does not use.
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
