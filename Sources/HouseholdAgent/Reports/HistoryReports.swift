/// One place that shows, or would show, something else than before.
package struct ChangeReport: Codable, Hashable, Sendable {
    package var place: String
    /// JSON text; none for nothing.
    package var old: String?
    /// JSON text; none for nothing.
    package var new: String?
}

/// One step of a profile's history.
package struct HistoryReport: Codable, Hashable, Sendable {
    /// What `hearth undo PROFILE NUMBER` takes.
    package var number: Int
    /// When it happened on this device, milliseconds since 1970.
    package var time: Int64
    /// `save`, `merge`, `reset`, `restore`, `undo`, `adopt`, `decision` or `rules`.
    package var origin: String
    /// Whose writes it is made of, the one with the most first.
    package var devices: [String]
    package var changes: [ChangeReport]
    /// How many more places changed.
    package var more: Int
}

/// What an act would change.
package struct PreviewReport: Codable, Hashable, Sendable {
    /// The profile's name.
    package var profile: String
    package var id: String
    /// For an undo the step that is meant.
    package var step: Int?
    package var changes: [ChangeReport]
    /// How many more places would change.
    package var more: Int
    /// Places that an undo leaves as they are, because they show something else by now.
    package var movedOn: Int
    /// For a restore, the backup that is put back: which one "newest" is.
    package var backup: String? = nil
    /// Where it is a copy: of what.
    package var copy: CopyReport? = nil
    /// Where two saves become one: the sums that depend on whether they were played apart.
    package var sums: [SumReport]? = nil
}

/// What a counter comes to where two saves become one. Numbers as text, of any size.
package struct SumReport: Codable, Hashable, Sendable {
    package var place: String
    /// What the household has, and what the file holds.
    package var household: String
    package var here: String
    /// What it comes to, since one may be a copy of the other.
    package var together: String
    /// What it comes to where the player says that they were played apart.
    package var apart: String
}

/// What a copy of another device's backup is.
package struct CopyReport: Codable, Hashable, Sendable {
    /// The device's name.
    package var device: String
    /// The day it stands for, such as 2026-11-21.
    package var day: String
}

/// A profile at a glance.
package struct SummaryReport: Codable, Hashable, Sendable {
    package struct Field: Codable, Hashable, Sendable {
        package var place: String
        /// JSON text, or how many entries there are.
        package var value: String
    }

    /// The profile's name.
    package var profile: String
    package var id: String
    /// Where it was played last, as far as its rules keep times.
    package var device: String?
    /// Milliseconds since 1970.
    package var lastPlayed: Int64?
    package var fields: [Field]
}
