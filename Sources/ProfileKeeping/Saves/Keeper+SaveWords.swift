import LosslessJSON
package import MergeCore

/// Questions about saves and their answers.
extension Keeper {
    static var saidPrefix: String { "said/" }

    func saidNote(_ id: ProfileID) -> String { Self.saidPrefix + id.hex }

    /// Whether a save equals, at all synced places, what is still held from earlier: an image of the lineage, or a
    /// backup. O(what is held); asked only of saves that lowered something.
    func isOlderCopy(_ save: JSONDocument, of profile: KeptProfile) -> Bool {
        func isSame(_ bytes: [UInt8]) -> Bool {
            guard let held = try? JSONDocument(parsing: bytes) else { return false }
            return DocumentDiff(from: held, to: save, rules: profile.state.rules).changes.isEmpty
        }
        if profile.lineage.held.contains(where: isSame) { return true }
        let stored = (try? files.backups(of: profile.id)) ?? []
        return stored.contains { backup in
            guard backup.condition == .good,
                let bytes = try? files.readBackup(backup.name, of: profile.id, limit: Self.fileLimit)
            else { return false }
            return isSame(bytes)
        }
    }

    /// Opens a question. What was asked before of the same session of play gives way to it: the newer save is the one
    /// that an answer is about.
    ///
    /// Its backup, the newest, is kept for as long as the record names it in an open question: there is no mark beside
    /// the backup that a crash could leave behind or take away.
    mutating func ask(_ question: SaveQuestion, _ profile: inout KeptProfile) {
        var question = question
        if case .purse(let new) = question.reason, case .purse(let open)? = profile.words.question?.reason {
            question = SaveQuestion(
                .purse(Self.added(open, new)), time: question.time, stands: question.stands, lowered: [])
        }
        if case .heldLess = question.reason, let newest = try? files.backups(of: profile.id).last {
            question.backup = newest.name
        }
        profile.words.question = question
    }

    /// What the household has stays; whatever was said about saves is settled.
    package mutating func keepState(_ id: ProfileID) throws(StorageFault) {
        guard var profile = profiles[id], !profile.words.isEmpty else { return }
        var words = SaveWords()
        words.isLastSaveSetAside = profile.words.isLastSaveSetAside
        if let question = profile.words.question, case .heldLess = question.reason, !question.isOvertaken {
            words.isLastSaveSetAside = true
        }
        profile.words = words
        try commit(&profile)
    }

    /// Amounts that wait from two saves of one session.
    private static func added(_ open: [OpenAmount], _ new: [OpenAmount]) -> [OpenAmount] {
        var result = open
        for amount in new {
            guard let index = result.firstIndex(where: { $0.path == amount.path }),
                let read = try? result[index].ifRead.adding(amount.ifRead),
                let unread = try? result[index].ifUnread.adding(amount.ifUnread)
            else {
                result.append(amount)
                continue
            }
            result[index] = OpenAmount(path: amount.path, rule: amount.rule, ifRead: read, ifUnread: unread)
        }
        return result
    }
}

extension KeptProfile {
    /// A word to the player about saves; `nil` where there is none to say.
    package var remark: String? {
        words.remarks.isEmpty ? nil : words.remarks.map(\.sentence).joined(separator: "; ")
    }
}
