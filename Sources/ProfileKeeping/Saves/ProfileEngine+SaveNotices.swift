import LosslessJSON
package import MergeCore

/// Questions about saves and their answers.
extension ProfileEngine {
    static var saidPrefix: String { "said/" }

    func saidNote(_ id: ProfileID) -> String { Self.saidPrefix + id.hex }

    /// Whether a save equals, at all synced places, something that is still held from earlier: a snapshot of the base
    /// history, or a backup. O(size of what is held). Only asked for saves that lowered something.
    func isOlderCopy(_ save: JSONDocument, of profile: KeptProfile) -> Bool {
        func isSame(_ bytes: [UInt8]) -> Bool {
            guard let held = try? JSONDocument(parsing: bytes) else { return false }
            return DocumentDiff(from: held, to: save, rules: profile.state.rules).changes.isEmpty
        }
        if profile.baseHistory.held.contains(where: isSame) { return true }
        let stored = (try? files.backups(of: profile.id)) ?? []
        return stored.contains { backup in
            guard backup.condition == .good,
                let bytes = try? files.readBackup(backup.name, of: profile.id, limit: Self.fileLimit)
            else { return false }
            return isSame(bytes)
        }
    }

    /// Opens a question. It replaces an earlier question, since an answer is about the newer save. Where both are about
    /// a purse, their amounts are added.
    ///
    /// A question about a save that holds less keeps the newest backup, for as long as the record names that backup in
    /// the open question. The backup itself has no mark that a crash could leave behind or remove.
    mutating func ask(_ question: SaveQuestion, _ profile: inout KeptProfile) {
        var question = question
        if case .purse(let amounts) = question.reason, case .purse(let open)? = profile.notices.question?.reason {
            let choices = profile.notices.question?.choices ?? []
            let new = question.choices.filter { !choices.contains($0) }
            question = SaveQuestion(
                .purse(Self.added(open, amounts)), time: question.time, stands: question.stands, lowered: [])
            question.choices = choices + new
        }
        if case .heldLess = question.reason, let newest = try? files.backups(of: profile.id).last {
            question.backup = newest.name
        }
        profile.notices.question = question
    }

    /// Keeps what the household has, and settles everything that was asked or said about saves.
    package mutating func keepState(_ id: ProfileID) throws(StorageFault) {
        guard var profile = profiles[id], !profile.notices.isEmpty else { return }
        var notices = profile.notices.settled(isAccepted: false)
        notices.isLastSaveSetAside = profile.notices.isLastSaveSetAside
        if let question = profile.notices.question, case .heldLess = question.reason, !question.isOvertaken {
            notices.isLastSaveSetAside = true
        }
        profile.notices = notices
        try commit(&profile)
    }

    /// The open amounts of two saves of one session, added up by place.
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
    /// The remarks to the player about saves as one text; `nil` where there are none.
    package var remark: String? {
        notices.remarks.isEmpty ? nil : notices.remarks.map(\.sentence).joined(separator: "; ")
    }
}
