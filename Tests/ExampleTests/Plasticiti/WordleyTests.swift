import Testing

@testable import Plasticiti

@Suite struct WordleyTests {
    private func text(_ marks: [LetterMark]) -> String {
        marks.map { [.rightPlace: "=", .wrongPlace: "~", .absent: "."][$0] ?? "?" }.joined()
    }

    /// A letter that the answer contains once is marked once, in its right place where possible.
    @Test(arguments: [
        ("crane", "crane", "====="), ("nacre", "crane", "~~~~="), ("hello", "label", ".~~~."),
        ("allay", "label", "~~~.."), ("geese", "eagle", "~~..="), ("eerie", "eagle", "=...="),
        ("speed", "erase", "~.~~."), ("abbey", "babel", "~~==."), ("llama", "label", "=~~.."),
        ("aaaaa", "label", ".=..."), ("zzzzz", "label", "....."), ("mamma", "comma", "..==="),
    ])
    func marks(guess: String, answer: String, expected: String) {
        #expect(text(LetterMark.marks(of: guess, for: answer)) == expected)
    }

    /// Checks the marks in another way: each letter gets as many marks as both words contain of it, and right places
    /// are the equal ones.
    @Test func marksOfAllPairs() {
        var wrong: [String] = []
        for answer in WordList.answers.prefix(60) {
            for guess in WordList.answers {
                let marks = LetterMark.marks(of: guess, for: answer)
                for (place, (a, b)) in zip(guess, answer).enumerated() where (marks[place] == .rightPlace) != (a == b) {
                    wrong.append("\(guess) for \(answer)")
                }
                for letter in Set(guess) {
                    let marked = zip(guess, marks).count { $0 == letter && $1 != .absent }
                    let due = min(guess.count { $0 == letter }, answer.count { $0 == letter })
                    if marked != due { wrong.append("\(letter) of \(guess) for \(answer)") }
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func theListIsOfFiveLettersEach() {
        #expect(WordList.answers.count > 400 && Set(WordList.answers).count == WordList.answers.count)
        #expect(WordList.answers.allSatisfy { Wordley(answer: $0, level: 1).isSound })
    }

    private func play(_ game: inout Wordley, _ word: String) -> String? {
        for letter in word { game.type(letter) }
        return game.guess()
    }

    @Test func fromTheThirdLevelOnHintsHaveToBeUsed() {
        var game = Wordley(answer: "label", level: 3)
        #expect(play(&game, "hello") == nil)
        for (word, letter) in [("house", "L"), ("llama", "E"), ("elbow", "L")] {
            #expect(play(&game, word) == "The guess has to use \(letter).")
            for _ in 0..<5 { game.erase() }
        }
        #expect(play(&game, "level") == nil)
        #expect(play(&game, "allee") == "Letter 1 has to be L.")
        for _ in 0..<5 { game.erase() }
        #expect(play(&game, "label") == nil && game.isWon)
        #expect(play(&game, "label") == "The game is over.")
        var lenient = Wordley(answer: "label", level: 2)
        #expect(play(&lenient, "llama") == nil && play(&lenient, "house") == nil)
    }

    @Test func aKeyThatWasRightOnceStaysRight() {
        var game = Wordley(answer: "label", level: 1)
        _ = play(&game, "llama")
        #expect(game.keyboard["l"] == .rightPlace)
        _ = play(&game, "hello")
        let known = game.keyboard
        #expect(known["l"] == .rightPlace && known["a"] == .wrongPlace && known["e"] == .wrongPlace)
        #expect(known.filter { $0.value == .absent }.keys.sorted() == ["h", "m", "o"])
    }

    /// A save may contain anything, because other programs can write it.
    @Test(arguments: [
        Wordley(answer: "lab", level: 1), Wordley(answer: "LABEL", level: 1), Wordley(answer: "label", level: 0),
        Wordley(answer: "label", level: .max), Wordley(answer: "läbel", level: 1),
    ])
    func whatCannotBePlayedIsNoGame(game: Wordley) {
        #expect(!game.isSound)
        var arcade = Arcade()
        arcade.wordleyGame = game
        #expect(arcade.soundWordley == nil)
    }
}
