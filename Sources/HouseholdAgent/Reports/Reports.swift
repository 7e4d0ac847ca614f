/// A profile as status and commands show it.
package struct ProfileReport: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// Where its file is on this device.
    package var file: String?
    /// `good`, `missing`, `paused`, `behind` where its game is of an earlier version than the household's, `bad`, or
    /// `relayed` where this device has no file of it.
    package var state: String
    /// What is wrong and what to do, where something is.
    package var reason: String?
    /// What was guessed, put aside or kept of the last saves, until it is settled.
    package var remark: String?
    /// Places whose value their rule cannot read.
    package var unreadable: [String]
    /// Whether the merged state still has to be written to the file.
    package var pending: Bool
    /// The game that runs, while which the file is left alone.
    package var held: String?
    /// The profile this one was joined into.
    package var joinedInto: String?
    /// When a device of the household last confirmed to have all of it; milliseconds since 1970.
    package var lastSync: Int64?
    /// Why the last backup that was due could not be made.
    package var backupTrouble: String? = nil
    /// What commands take for it, where that is not its name.
    package var handle: String? = nil
    /// Rules that match no place of the save, or cannot read what is there; one sentence each.
    package var ruleFindings: [String]? = nil
    /// What waits for the player to decide, one sentence each with what to do; none where nothing does.
    package var decisions: [String]? = nil
    /// Devices that are heard, be it through others, and lack something of it, or whose own file does not show it all.
    package var behind: [String]? = nil
}

/// A device of the household.
package struct DeviceReport: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    package var isThisDevice: Bool
    package var connected: Bool
    package var address: String?
    /// Why it is not connected, or what its last connection ended with.
    package var reason: String?
    /// True for this device where it shares its daily backups with those who keep copies.
    package var sharesBackups: Bool? = nil
    /// True where it is known to keep copies of the others' daily backups.
    package var keepsBackups: Bool? = nil
}

/// What a sync came to.
package struct SyncReport: Codable, Hashable, Sendable {
    /// Devices whose files hold what the files here hold. None where a file here is not what it should be.
    package var inStep: [String]
    /// Devices of the household that were not reached, be it through others, or not brought into step in time.
    package var behind: [String]
    /// Devices that have all of it, and whose own files do not show it yet.
    package var filesBehind: [String]? = nil
    /// Why files of this device do not hold what the household holds, one sentence each.
    package var troubles: [String]? = nil
    /// What waits for the player to decide, one sentence each.
    package var decisions: [String]? = nil
    /// What comes into a file only when its game ends, one sentence each.
    package var held: [String]? = nil
    /// Names of profiles that were left out because they are paused here.
    package var paused: [String]? = nil
}

/// How things are when a game may start.
package struct PlayReport: Codable, Hashable, Sendable {
    /// What ``AgentRequest/endPlay(_:)`` takes.
    package var play: Int
    /// Devices that have all of it, as this one has all of theirs.
    package var inStep: [String]
    package var behind: [String]
    /// What is wrong with the file, where something is.
    package var trouble: String?
}

/// What came of a game.
package struct PlayedReport: Codable, Hashable, Sendable {
    /// Places of the save that the game changed.
    package var changed: Int
    package var inStep: [String]
    package var behind: [String]
    package var trouble: String?
    /// Whether the profile is paused: what the game saved stays in its file alone for now.
    package var isPaused: Bool? = nil
}

/// How things are with a profile whose game holds it open.
package struct AttachmentReport: Codable, Hashable, Sendable {
    /// What ``AgentRequest/bring(_:hurry:)`` takes.
    package var attachment: Int
    /// Counts the reports to this game: of two that cross, the higher one is how things are.
    package var number: Int
    /// What people call this device.
    package var device: String
    /// The profile's id; none while there is nothing to keep in step.
    package var profile: String?
    /// The rules in force differ from those of the game: their version, and why the game's were not taken.
    package var rulesTrouble: String?
    /// A profile of the same name that the household has, and that has no file here.
    package var offer: SummaryReport?
    package var isPaused: Bool
    /// When a device of the household last confirmed to have all of it; milliseconds since 1970.
    package var lastSync: Int64?
    /// What is wrong with file or record, where something is.
    package var trouble: String?
    /// How many choices wait for the player.
    package var choices: Int
    /// What happened since the last report, the newest first; steps that only this game made are left out.
    package var steps: [HistoryReport]
}

package struct StatusReport: Codable, Hashable, Sendable {
    package var device: DeviceReport
    package var port: Int?
    package var discovery: String
    package var household: [DeviceReport]
    package var profiles: [ProfileReport]
    /// One sentence each about what does not work at the moment.
    package var troubles: [String]
}

/// Why a place shows what it shows.
package struct ExplainReport: Codable, Hashable, Sendable {
    package struct Part: Codable, Hashable, Sendable {
        /// `earned 200`, `wrote "Ada"`.
        package var text: String
        package var device: String
        /// Milliseconds since 1970; none where the rule keeps no time.
        package var time: Int64?
        /// Whether it is part of what shows.
        package var counts: Bool
    }

    package var place: String
    package var rule: String
    /// `480 = 300 + laptop earned 200 − deck spent 20`
    package var sentence: String
    package var contributions: [Part]
}

/// A choice that waits for the player.
package struct ConflictReport: Codable, Hashable, Sendable {
    package struct Candidate: Codable, Hashable, Sendable {
        /// JSON text.
        package var value: String
        package var device: String
        /// Milliseconds since 1970.
        package var time: Int64
    }

    /// The profile's name.
    package var profile: String
    package var id: String
    package var place: String
    /// In the order in which ``AgentRequest/resolve(profile:pointer:choice:)`` counts them.
    package var candidates: [Candidate]
    /// Where nothing is to be chosen: what happened, and what holds. Then there are no candidates.
    package var information: String? = nil
    /// What commands take for the profile, where that is not its name.
    package var handle: String? = nil
}

/// One backup of a profile on this device.
package struct BackupReport: Codable, Hashable, Sendable {
    /// What `hearth restore PROFILE --backup NAME` takes.
    package var name: String
    /// When it was made, milliseconds since 1970.
    package var time: Int64
    /// The pools that hold it: `changes`, `sessions`, `daily`, with commas; empty where only a pin does.
    package var pools: String
    package var isPinned: Bool
    /// Bytes of the save; none where that is not known.
    package var size: Int?
    /// Why it cannot be used, where it cannot.
    package var damage: String?
    /// The device whose backup it is a copy of; none for one made here.
    package var device: String? = nil
}
