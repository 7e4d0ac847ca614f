import ProfileKeeping

/// What is said of the last saves, as short as a player reads it.
enum RemarkWords {
    /// One sentence for each kind of remark, without a full stop. Of a guess it says what was guessed and where to look,
    /// and each command is on a line of its own; what the guess rests on is in the whole remark alone.
    ///
    /// - Parameter word: The word by which commands name the profile.
    static func sentences(_ notices: SaveNotices, word: String) -> [String] {
        notices.sentences.map { sentence in
            guard sentence.hasPrefix(SaveNotices.guessWords) else { return sentence }
            return guess(notices.remarks.filter { $0.kind == .guessed }.map(\.words), word)
        }
    }

    private static func guess(_ words: [String], _ word: String) -> String {
        let saves = words.count > 1 ? "some of its last saves" : "its last save"
        let check = words.reversed().lazy.compactMap(places).first.map { "; check \($0)" } ?? ""
        return "Hearth guessed what the game had loaded before \(saves)\(check)\n"
            + "what it changed, and when: hearth history \(word)\n"
            + "to take a step back: hearth undo \(word) NUMBER"
    }

    /// The places that may be wrong by a guess, as its words name them; `nil` where they name none.
    private static func places(_ words: String) -> Substring? {
        for (before, after) in [("something was lost at ", ")"), ("what the save holds at ", " does not count")] {
            guard let start = words.firstRange(of: before) else { continue }
            let rest = words[start.upperBound...]
            return rest.firstRange(of: after).map { rest[..<$0.lowerBound] }
        }
        return nil
    }
}
