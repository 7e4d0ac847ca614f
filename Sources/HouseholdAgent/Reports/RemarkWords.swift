import ProfileKeeping

/// The short sentences about a profile's last saves, such as that one was guessed. Status, the page and `hearth play` show
/// them.
enum RemarkWords {
    /// One sentence for each kind of remark, without a full stop. Of a guess it says what was guessed and where to look,
    /// and each command is on a line of its own; what the guess rests on is in the whole remark alone.
    ///
    /// - Parameter word: The word by which commands name the profile.
    static func sentences(_ notices: SaveNotices, word: String) -> [String] {
        notices.sentences { guesses in
            let read = guesses.filter { $0.kind == .guessed }
            let newest = [SaveNotices.Kind.leftOut, .takenForCopy].compactMap { kind in
                guesses.last { $0.kind == kind }
            }
            return (read.isEmpty ? [] : [stateGuessed(read, word)])
                + newest.map { $0.kind == .leftOut ? leftOut($0, word) : takenForCopy($0) }
        }
    }

    private static func stateGuessed(_ remarks: [SaveNotices.Remark], _ word: String) -> String {
        let saves = remarks.count > 1 ? "some of its last saves" : "its last save"
        let places = remarks.last { $0.places != nil }?.places
        return "Hearth guessed what the game had loaded before \(saves)\(places.map { "; check \($0)" } ?? "")\n"
            + "what it changed, and when: hearth history \(word)\n"
            + "to take a step back: hearth undo \(word) NUMBER"
    }

    private static func leftOut(_ remark: SaveNotices.Remark, _ word: String) -> String {
        "Hearth guessed what the game had loaded before a save; what that save holds at "
            + "\(remark.places ?? "some places") does not count, and the save is in the backups\n"
            + "to see them: hearth backups \(word)"
    }

    private static func takenForCopy(_ remark: SaveNotices.Remark) -> String {
        "its last save holds exactly what had come in, so it was taken for a copy of that, though no program here has "
            + "opened it (if that is wrong, what the game earned or spent at \(remark.places ?? "its counters") counts "
            + "only with its next save)"
    }
}
