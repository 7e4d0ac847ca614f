/// One place whose value has changed, or would change.
package struct ChangeReport: Codable, Hashable, Sendable {
    package var place: String
    /// The former value as JSON text; none where the place was empty.
    package var old: String?
    /// The new value as JSON text; none where the place is empty.
    package var new: String?
}

/// One step of a profile's history.
package struct HistoryReport: Codable, Hashable, Sendable {
    /// The step's number, which `hearth undo PROFILE NUMBER` takes.
    package var number: Int
    /// When it happened on this device, milliseconds since 1970.
    package var time: Int64
    /// `save`, `merge`, `reset`, `restore`, `undo`, `adopt`, `decision` or `rules`.
    package var origin: String
    /// The names of the devices whose writes make up the step, the one with the most writes first.
    package var devices: [String]
    package var changes: [ChangeReport]
    /// How many more places changed.
    package var more: Int
    /// Places that the save lowered and whose rules kept the former value, such as `/best from 90 to 80`; none if there
    /// are no such places.
    package var lowered: [String]? = nil
    /// How many more places the save lowered in that way; none where all are named.
    package var moreLowered: Int? = nil
}

/// The preview of an act: what it would change.
package struct PreviewReport: Codable, Hashable, Sendable {
    /// The profile's name.
    package var profile: String
    package var id: String
    /// For an undo: the number of the step to be taken back.
    package var step: Int?
    package var changes: [ChangeReport]
    /// How many more places would change.
    package var more: Int
    /// The number of places that an undo leaves as they are, because they have changed again since.
    package var movedOn: Int
    /// For a restore: the name of the backup, also where "newest" was asked for.
    package var backup: String? = nil
    /// For a backup that is a copy: the device and the day of the backup.
    package var copy: CopyReport? = nil
    /// For joining two saves: the sums that change by that, or depend on whether the saves were played apart.
    package var sums: [SumReport]? = nil
    /// For joining two saves: true where the household's was started over once. A file from before that brings back what it
    /// holds.
    package var wasReset: Bool? = nil
    /// For joining two saves: what the file holds and shows no more, each with what takes its place; without the places of
    /// the sums.
    package var replaced: [ChangeReport]? = nil
    /// How many more places of the file there may be.
    package var moreReplaced: Int? = nil
    /// For joining two saves: the rules of the household that change by that, such as `/coins: counter → latest`.
    package var rules: [String]? = nil
    /// For joining two saves: true where they have no member in common. They may be saves of two games.
    package var isUnlike: Bool? = nil
    /// For ``KeepRequest``: the question that it settles. The changes are then those that do not count by this answer.
    package var keeps: KeptReport? = nil
    /// The question about the last saves that is open: when its save was taken up, in milliseconds since 1970; 0 where
    /// none is open. The answer says which question it is for.
    package var question: Int64? = nil
    /// For ``AcceptRequest``: the subject of that question, where it is about amounts; none where it is about a save.
    package var asked: KeptReport.Kind? = nil
}

/// The question that `keep` settles, and what becomes of the saves that it is about.
package struct KeptReport: Codable, Hashable, Sendable {
    /// The subject of a question about the last saves.
    package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        /// A save that was set aside.
        case save
        /// Amounts of a purse; everything else of the save counts already.
        case amounts
        /// Amounts that this device and another one have each saved; both count.
        case savedTwice
    }

    /// The question; none where there are only remarks.
    package var question: Kind?
    /// The backups that hold the saves that were set aside, the oldest first.
    package var backups: [String]
    /// Whether another device's word that this save and another one are the same is taken back.
    package var staysApart: Bool
    /// The id of that other save, if the file here can become one with it by `restore` alone: the other save has no file here.
    package var joins: String? = nil

    /// Whether anything is asked, so that the player has to decide.
    package var isQuestion: Bool { question != nil || staysApart }
}

/// The possible totals of a counter when two saves become one. Numbers are text, of any size.
package struct SumReport: Codable, Hashable, Sendable {
    package var place: String
    /// The household's total; ``here`` is the total in the file.
    package var household: String
    package var here: String
    /// The total where one save may be a copy of the other.
    package var together: String
    /// The total where the player says that the saves were played apart.
    package var apart: String
}

/// The origin of a copy of another device's backup.
package struct CopyReport: Codable, Hashable, Sendable {
    /// The device's name.
    package var device: String
    /// The day of the backup, such as 2026-11-21.
    package var day: String
}

/// A short summary of a profile.
package struct SummaryReport: Codable, Hashable, Sendable {
    package struct Field: Codable, Hashable, Sendable {
        package var place: String
        /// The value as JSON text, or how many entries there are.
        package var value: String
    }

    /// The profile's name.
    package var profile: String
    package var id: String
    /// The name of the device that played last, as far as times and the history say.
    package var device: String?
    /// The time of the last play, milliseconds since 1970.
    package var lastPlayed: Int64?
    package var fields: [Field]
}
