import LosslessJSON
import MergeCore

/// The remarks as the player reads them.
extension SaveNotices {
    /// How the sentence about guesses begins.
    package static var guessWords: String { "which state the game had read before " }

    /// The remarks for the player, one sentence for each kind, without full stops. All guesses are one kind in this.
    package var sentences: [String] { sentences { [Remark.sentence($0)] } }

    /// The remarks for the player, where the guesses are said in other words.
    ///
    /// - Parameter guesses: The sentences for all remarks that are guesses.
    package func sentences(guesses: ([Remark]) -> [String]) -> [String] {
        var said: [[Remark]] = []
        for remark in remarks {
            let isGuess = remark.kind.isGuess
            if let index = said.firstIndex(where: { isGuess ? $0[0].kind.isGuess : $0[0].kind == remark.kind }) {
                said[index].append(remark)
            } else {
                said.append([remark])
            }
        }
        return said.flatMap { $0[0].kind.isGuess ? guesses($0) : [Remark.sentence($0)] }
    }

    /// The first ``SaveQuestion/shown`` places, and how many more there are.
    static func named(_ places: [DocumentPath]) -> String {
        let more = places.count - SaveQuestion.shown
        let named = places.prefix(SaveQuestion.shown).map { $0 == .root ? "the whole save" : $0.description }.joined(
            separator: ", ")
        return more > 0 ? "\(named) and \(more) more" : named
    }
}

extension SaveNotices.Kind {
    /// Whether the remark is about what the game had read before a save.
    fileprivate var isGuess: Bool { self == .guessed || self == .takenForCopy || self == .leftOut }
}

extension SaveNotices.Remark {
    /// One sentence for remarks of one kind. It names ``SaveQuestion/shown`` of them and says how many more there are.
    fileprivate static func sentence(_ remarks: [Self]) -> String {
        let more = remarks.count - SaveQuestion.shown
        let words = remarks.prefix(SaveQuestion.shown).map(\.words)
        switch remarks[0].kind {
        case .guessed, .takenForCopy, .leftOut:
            let saves = remarks.count > 1 ? "some of its last saves" : "its last save"
            return SaveNotices.guessWords + "\(saves) was \(words.joined(separator: "; "))"
        case .lowered:
            return "the game changed \(words.joined(separator: ", "))\(more > 0 ? ", and \(more) more" : "")"
                + "; if it means that, give the place another rule"
        case .overridden:
            let places = words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return "progress made apart from a reset, a restore or an undo was put aside (\(places)); "
                + "it is in the backups"
        case .notRead:
            let places = words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return "the rule of \(places) does not take what the game wrote there, and keeps what was there; "
                + "if the game means it, give the place another rule"
        case .uncounted:
            let places = words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return
                "another machine changed the rule of \(places); what was played there meanwhile cannot be told from what "
                + "counts there already, so it may not count in full; the save is in the backups"
        case .rulesLost:
            let places = words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return "another machine changed the same rules later, and so these are not in force any more: \(places); "
                + "if this one is right, change it here again"
        case .madeLocal:
            let places = words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return "rules of another machine keep \(places) on each machine for itself, so they are in step no more; "
                + "if that is not meant, change the rules here"
        case .startedOver, .quarantined, .unread, .corrected:
            return words.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
        }
    }
}
