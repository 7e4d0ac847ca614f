/// The result of an export.
package struct ExportReport: Codable, Hashable, Sendable {
    /// The profile's name and id.
    package var profile: String
    package var id: String
    /// A warning that the game was still writing, so that its last save is not in the file.
    package var note: String?
}

/// The changes that an import made, or would make.
package struct ImportReport: Codable, Hashable, Sendable {
    /// The source of the imported data.
    package enum Source: String, CaseIterable, Codable, Hashable, Sendable {
        /// A device of the household.
        case member
        /// A device that was removed from the household, or wrote in a save before that came into it.
        case removedMember
        /// A device that was never in the household.
        case unknownSigner
        /// A plain document.
        case document
    }

    /// One place whose value changes by the import.
    package struct Change: Codable, Hashable, Sendable {
        package var place: String
        /// The former value as JSON text, or in words for a list; none if there was nothing.
        package var old: String?
        /// The new value; none if there is nothing any more.
        package var new: String?
    }

    /// The profile's name and id.
    package var profile: String
    package var id: String
    /// The path of the profile's file on this device.
    package var file: String?
    package var source: Source
    /// The name of the device that exported the file. ``exported`` is the time by that device's clock, in milliseconds
    /// since 1970.
    package var device: String?
    package var exported: Int64?
    /// Whether the profile was not known here before.
    package var isNew: Bool
    /// Whether this was only a preview and nothing was changed.
    package var isDryRun: Bool
    /// The first places that change, numbers before all else.
    package var changes: [Change]
    /// The number of further places that change.
    package var more: Int
    package var note: String?
    /// The word by which commands name the profile, if its name is not that word.
    package var handle: String? = nil
}
