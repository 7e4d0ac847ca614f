/// The remarks as the player reads them.
extension SaveNotices {
    /// How the words begin of a save that was taken for a copy of what had come in.
    package static var copyWords: String { "guessed: it holds exactly what had come in" }

    /// How the words end of a save of which something does not count by a guess.
    package static var leftOutWords: String { " does not count by that, and the save is in the backups" }

    /// How the sentence about guesses begins.
    package static var guessWords: String { "which state the game had read before " }

    /// The remarks for the player, one sentence for each kind, without full stops.
    package var sentences: [String] {
        var kinds: [Kind] = []
        for remark in remarks where !kinds.contains(remark.kind) { kinds.append(remark.kind) }
        return kinds.map { kind in Remark.sentence(remarks.filter { $0.kind == kind }) }
    }
}

extension SaveNotices.Remark {
    /// One sentence for remarks of one kind. It names ``SaveQuestion/shown`` of them and says how many more there are.
    fileprivate static func sentence(_ remarks: [Self]) -> String {
        let more = remarks.count - SaveQuestion.shown
        let words = remarks.prefix(SaveQuestion.shown).map(\.words)
        switch remarks[0].kind {
        case .guessed:
            let saves = remarks.count > 1 ? "some of its last saves" : "its last save"
            return SaveNotices.guessWords + "\(saves) was \(words.joined(separator: "; "))"
        case .lowered:
            return "the game lowered \(words.joined(separator: ", "))\(more > 0 ? ", and \(more) more" : "")"
                + "; if it means that, give the place another rule"
        case .overridden:
            let others = remarks.count > 1 ? " and \(remarks.count - 1) more" : ""
            return "progress made apart from a reset or restore was put aside (\(words[0])\(others)); "
                + "it is in the backups"
        case .notRead:
            let places = words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return "the rule of \(places) does not take what the game wrote there, and keeps what was there; "
                + "if the game means it, give the place another rule"
        case .startedOver, .quarantined, .unread, .corrected:
            return words.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
        }
    }
}
