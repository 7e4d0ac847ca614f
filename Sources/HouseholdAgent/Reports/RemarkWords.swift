import ProfileKeeping

/// The short sentences about a profile's last saves, such as that one was guessed. Status, the page and `hearth play` show
/// them.
enum RemarkWords {
    /// One sentence for each kind of remark, without a full stop. Of a guess it says what was guessed and where to look,
    /// and each command is on a line of its own; what the guess rests on is in the whole remark alone.
    ///
    /// - Parameter word: The word by which commands name the profile.
    static func sentences(_ notices: SaveNotices, word: String) -> [String] {
        notices.sentences.flatMap { sentence in
            guard sentence.hasPrefix(SaveNotices.guessWords) else { return [sentence] }
            return guesses(notices.remarks.filter { $0.kind == .guessed }.map(\.words), word)
        }
    }

    private static func guesses(_ words: [String], _ word: String) -> [String] {
        let copies = words.filter { $0.hasPrefix(SaveNotices.copyWords) }
        let leftOut = words.filter { $0.hasSuffix(SaveNotices.leftOutWords) }
        let others = words.filter { !copies.contains($0) && !leftOut.contains($0) }
        return (others.isEmpty ? [] : [guess(others, word)])
            + leftOut.suffix(1).map { words in
                let places = part(of: words, between: "what the save holds at ", and: SaveNotices.leftOutWords)
                return "Hearth guessed what the game had loaded before a save; what that save holds at "
                    + "\(places ?? "some places") does not count, and the save is in the backups\n"
                    + "to see them: hearth backups \(word)"
            }
            + copies.suffix(1).map { "its last save" + $0.dropFirst("guessed: it".count) }
    }

    private static func guess(_ words: [String], _ word: String) -> String {
        let saves = words.count > 1 ? "some of its last saves" : "its last save"
        let places = words.reversed().lazy
            .compactMap { part(of: $0, between: "something was lost at ", and: ")") }.first
        return "Hearth guessed what the game had loaded before \(saves)\(places.map { "; check \($0)" } ?? "")\n"
            + "what it changed, and when: hearth history \(word)\n"
            + "to take a step back: hearth undo \(word) NUMBER"
    }

    /// The places that the words of a guess name between two of their parts; `nil` where they name none.
    private static func part(of words: String, between before: String, and after: String) -> Substring? {
        guard let start = words.firstRange(of: before) else { return nil }
        let rest = words[start.upperBound...]
        return rest.firstRange(of: after).map { rest[..<$0.lowerBound] }
    }
}
