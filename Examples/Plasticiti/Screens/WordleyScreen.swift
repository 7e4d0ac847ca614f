extension Frame {
    private static let keyboard = ["qwertyuiop", "asdfghjkl", "zxcvbnm"]

    /// Draws the board. The marks can be read without colours: `[A]` right place, `(A)` wrong place, `a` not in the
    /// word.
    mutating func wordley(_ game: Wordley) {
        add("WORDLEY  level \(game.level)", right: "guess \(game.guesses.count + 1) of \(game.rules.guesses)", .strong)
        add(game.rules.usesHints ? "Every guess has to use what is known." : "", .faint)
        add()
        for row in 0..<Wordley.rows {
            add(centered: Self.row(row, of: game).flatMap { [$0, Span(text: " ", tone: .plain)] })
        }
        add()
        let known = game.keyboard
        for line in Self.keyboard {
            add(
                centered: line.map { letter in
                    known[letter].map { Self.tile(letter, $0) } ?? Span(text: " \(letter.uppercased()) ", tone: .plain)
                })
        }
        add()
        add(centered: [
            Self.tile("a", .rightPlace), Span(text: " right place  ", tone: .faint),
            Self.tile("a", .wrongPlace), Span(text: " wrong place  ", tone: .faint),
            Self.tile("a", .absent), Span(text: " not in the word", tone: .faint),
        ])
        add(centered: [Span(text: "Letters, Backspace, Enter to guess, Esc for the menu", tone: .faint)])
    }

    static func row(_ row: Int, of game: Wordley) -> [Span] {
        if row < game.guesses.count {
            let guess = game.guesses[row]
            return zip(guess, game.marks(of: guess)).map(tile)
        }
        guard row < game.rules.guesses else { return Array(repeating: Span(text: "   ", tone: .plain), count: 5) }
        let typed = row == game.guesses.count ? Array(game.typed) : []
        return (0..<Wordley.letters).map { place in
            Span(text: place < typed.count ? " \(typed[place].uppercased()) " : " _ ", tone: .strong)
        }
    }

    private static func tile(_ letter: Character, _ mark: LetterMark) -> Span {
        switch mark {
        case .rightPlace: Span(text: "[\(letter.uppercased())]", tone: .right)
        case .wrongPlace: Span(text: "(\(letter.uppercased()))", tone: .wrong)
        case .absent: Span(text: " \(letter.lowercased()) ", tone: .absent)
        }
    }
}
