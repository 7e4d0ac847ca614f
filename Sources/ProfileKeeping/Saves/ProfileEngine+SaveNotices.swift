import LosslessJSON
package import MergeCore

/// Questions about saves and their answers.
extension ProfileEngine {
    static var noticeNotes: NoteSpace { NoteSpace("notices") }

    /// Whether a save equals, at all synced places, a snapshot of the base history or a backup. O(size of these).
    /// Called only for saves that lowered something.
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

    /// Opens a question. Amounts of a purse are added to those that are open already. A question about a save that was
    /// set aside replaces an earlier one of this kind, because an answer is about the newer save.
    ///
    /// A question about a save that was set aside keeps the newest backup, as long as the record names that backup in
    /// the open question. The backup itself has no mark that a crash could leave behind or remove. Backups of saves
    /// that were set aside before are kept too, unless the new save holds the same: a save that went on from one of
    /// them only leads to a question where it lost something of it.
    ///
    /// - Parameter bytes: The save.
    mutating func ask(_ question: SaveQuestion, of bytes: [UInt8], _ profile: inout KeptProfile) {
        var question = question
        switch question.reason {
        case .purse(let amounts):
            if let open = profile.notices.purse, case .purse(let former) = open.reason {
                let places = Set(open.choices.map(\.path))
                let new = question.choices.filter { !places.contains($0.path) }
                question = SaveQuestion(
                    .purse(Self.added(former, amounts)), time: question.time, vector: question.vector, lowered: [])
                question.choices = open.choices + new
            }
            profile.notices.purse = question
            // The newest save is not the one that was set aside any more.
            profile.notices.setAside?.isOvertaken = true
        case .heldLess:
            if let newest = try? files.backups(of: profile.id).last { question.backup = newest.name }
            if let former = profile.notices.setAside {
                let others = former.backups.filter { name in
                    name != question.backup && !files.backup(name, of: profile.id, holds: bytes)
                }
                question.earlierBackups = others.suffix(SaveQuestion.keptBackups)
            }
            profile.notices.setAside = question
        case .savedTwice: profile.notices.savedTwice = question
        }
    }

    /// The content of the file before the save that was set aside, while that save is still what the file holds; `nil` where
    /// there is none, or no backup of it can be read. A backup of it was made before that of the save. Backups of saves that
    /// were set aside before are passed over.
    func contentBeforeSetAside(_ profile: KeptProfile) -> [UInt8]? {
        guard let newest = profile.baseHistory.newest, newest.kind == .game else { return nil }
        return content(before: newest.bytes, profile)
    }

    /// That content as what a game may have read: the game of a save that was set aside may still have in memory what was
    /// there before, and go on from that.
    func unshownSnapshot(_ profile: KeptProfile) -> BaseHistory.Snapshot? {
        guard let newest = profile.baseHistory.newest, let bytes = contentBeforeSetAside(profile) else { return nil }
        return BaseHistory.Snapshot(kind: .projected, bytes: bytes, vector: newest.vector)
    }

    /// The content of the file before a save that was set aside, as long as its game has not gone on and the save was not
    /// accepted; `nil` for any other save, and where the backup of that content cannot be read.
    func content(before save: [UInt8], _ profile: KeptProfile) -> [UInt8]? {
        var names = profile.notices.setAsideBackups
        if let asked = profile.notices.setAside {
            let isAside = asked.reason != .heldLess(.takenBack) && asked.backup != nil
            names = asked.isOvertaken || asked.isFollowed || !isAside ? [] : asked.backups
        }
        guard let name = names.last, files.backup(name, of: profile.id, holds: save),
            let stored = try? files.backups(of: profile.id), let index = stored.firstIndex(where: { $0.name == name })
        else { return nil }
        for former in stored[..<index].reversed().prefix(SaveQuestion.keptBackups) where !names.contains(former.name) {
            guard former.condition == .good,
                let bytes = try? files.readBackup(former.name, of: profile.id, limit: Self.fileLimit)
            else { return nil }
            let isSetAside = names.dropLast().contains { files.backup($0, of: profile.id, holds: bytes) }
            if !isSetAside, (try? profile.parse(bytes)) != nil { return bytes }
        }
        return nil
    }

    /// Keeps the household's document, and answers the question whose turn it is, and every remark.
    package mutating func keepState(_ id: ProfileID) throws(StorageFault) {
        guard var profile = profiles[id], !profile.notices.isEmpty else { return }
        let former = profile.notices
        var notices = former.settled(isAccepted: false)
        notices.isLastSaveSetAside = former.isLastSaveSetAside
        notices.lastSaveHoldsEmptied = former.lastSaveHoldsEmptied
        notices.setAsideBackups = former.setAsideBackups
        switch former.question?.reason {
        case .heldLess:
            if let asked = former.question, !asked.isOvertaken, !asked.isFollowed {
                notices.isLastSaveSetAside = true
                // A save that goes on from what was taken back was not set aside.
                let isAside = asked.reason != .heldLess(.takenBack) && asked.backup != nil
                notices.setAsideBackups = isAside ? asked.backups : []
            }
            notices.purse = former.purse
            notices.savedTwice = former.savedTwice
        case .purse: (notices.setAside, notices.savedTwice) = (former.setAside, former.savedTwice)
        case .savedTwice: (notices.setAside, notices.purse) = (former.setAside, former.purse)
        case nil: break
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
        notices.remarks.isEmpty ? nil : notices.sentences.joined(separator: "; ")
    }
}
