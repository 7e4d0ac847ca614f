/// What an export came to.
package struct ExportReport: Codable, Hashable, Sendable {
    /// The profile's name and id.
    package var profile: String
    package var id: String
    /// Set where the game was still writing, so that its last save is not in it.
    package var note: String?
}

/// What an import brought, or would bring.
package struct ImportReport: Codable, Hashable, Sendable {
    /// Whose word it is.
    package enum Source: String, Codable, Hashable, Sendable {
        /// A device of the household, or one that was.
        case member
        /// A device that was never in the household.
        case stranger
        /// A plain document.
        case document
    }

    /// One place that reads otherwise afterwards.
    package struct Change: Codable, Hashable, Sendable {
        package var place: String
        /// JSON text, or words where it is a list; none where nothing stood there.
        package var old: String?
        /// None where nothing stands there any more.
        package var new: String?
    }

    /// The profile's name and id.
    package var profile: String
    package var id: String
    /// Where its file is on this device.
    package var file: String?
    package var source: Source
    /// What people call the device that exported it, and when it did by its own clock, milliseconds since 1970.
    package var device: String?
    package var exported: Int64?
    /// Whether the profile was not known here before.
    package var isNew: Bool
    /// Whether nothing was done.
    package var isDryRun: Bool
    /// The first places that change, numbers before all else.
    package var changes: [Change]
    /// How many more there are.
    package var more: Int
    package var note: String?
}
