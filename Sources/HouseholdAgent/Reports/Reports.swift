/// A profile as status and commands show it.
package struct ProfileReport: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// The path of the profile's file on this device.
    package var file: String?
    /// `good`, `missing`, `paused`, `behind` where its game is of an earlier version than the household's, `bad`, or
    /// `relayed` where this device has no file of it.
    package var state: String
    /// What is wrong and what to do about it, where something is wrong.
    package var reason: String?
    /// The remark about the last saves with all details (one was guessed, put aside or kept). It stays until the player
    /// answers it.
    package var remark: String?
    /// The remark in short sentences for the player, mostly one for each kind. Lines after the first are commands.
    package var remarks: [String]? = nil
    /// Places where the file holds a value that its rule cannot read, while the other devices keep their value: `PLACE:
    /// reason`, see ``UnreadWords``.
    package var unreadable: [String]
    /// Whether the merged state still has to be written to the file.
    package var pending: Bool
    /// The running game for which the file is left alone.
    package var held: String?
    /// The id of the profile into which this one was joined.
    package var joinedInto: String?
    /// The last time at which a device of the household confirmed to have everything of the profile; milliseconds since
    /// 1970.
    package var lastSync: Int64?
    /// The reason why the last backup that was due could not be made.
    package var backupTrouble: String? = nil
    /// The word by which commands name the profile, if its name is not that word.
    package var handle: String? = nil
    /// Rules that match no place of the save, or cannot read what is there; one sentence each.
    package var ruleFindings: [String]? = nil
    /// The decisions that wait for the player, one sentence each with what to do; none where nothing waits.
    package var decisions: [String]? = nil
    /// Devices that are connected (also through others) and that lack some writes of the profile, or whose own file
    /// does not show everything.
    package var behind: [String]? = nil
}

/// A device of the household.
package struct DeviceReport: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    package var isThisDevice: Bool
    /// Whether this device has a link to it; of this device in a status, whether its agent runs.
    package var connected: Bool
    package var address: String?
    /// The reason why the device is not connected, or why its last connection ended.
    package var reason: String?
    /// True on the report of another device that may have copies of this device's daily backups.
    package var sharesBackups: Bool? = nil
    /// True where the device is known to keep copies of other devices' daily backups.
    package var keepsBackups: Bool? = nil
    /// The ids of the devices that paired with it; none on this device's own report.
    package var broughtInBy: [String]? = nil
    /// The name that it was paired under and that `sharesBackups` takes, where it has another one by now.
    package var pairedAs: String? = nil
    /// The last time at which something came from it over a link of its own; milliseconds since 1970. None on this
    /// device's own report, and where it is connected.
    package var lastSeen: Int64? = nil
    /// How a connected device was found: `discovery` where it is seen on the network, `address` where this device dialled
    /// an address that it was told or remembers, `itself` where only the other one dialled.
    package var found: String? = nil
    /// The ids of the devices that are linked with it and pass on how far it is, while this device has no link to it.
    package var reachedThrough: [String]? = nil

    /// Whether it can be reached now, directly or through others.
    package var isReachable: Bool { connected || reachedThrough != nil }
}

/// The result of a sync.
package struct SyncReport: Codable, Hashable, Sendable {
    /// Devices whose files show the same as the files here. None if a file here is not in step; where one only waits for
    /// its game to end, see ``held``, those whose files show what it will show.
    package var inStep: [String]
    /// Devices that were not reached, not even through others, or that were not in step in time.
    package var behind: [String]
    /// Devices that have everything, but whose own files do not show it yet.
    package var filesBehind: [String]? = nil
    /// The reasons why files of this device do not show what the household has, one sentence each.
    package var troubles: [String]? = nil
    /// The decisions that wait for the player, one sentence each.
    package var decisions: [String]? = nil
    /// Changes that are written into a file of this device only when its game ends, one sentence each. Until then it is
    /// not in step.
    package var held: [String]? = nil
    /// Names of profiles that were left out because they are paused here.
    package var paused: [String]? = nil
}

/// The state of a profile when its game may start.
package struct PlayReport: Codable, Hashable, Sendable {
    /// The number that an ``EndPlayRequest`` takes.
    package var play: Int
    /// Devices whose files show the same of the profile as the file here.
    package var inStep: [String]
    package var behind: [String]
    /// What is wrong with the file, where something is wrong.
    package var trouble: String?
}

/// The result of a play, after the game has ended. What it says of the devices is what a sync of the profile says, see
/// ``SyncReport``.
package struct PlayedReport: Codable, Hashable, Sendable {
    /// The number of places of the save that the game changed.
    package var changed: Int
    /// Devices whose files show the same as the file here. None if the file here is not in step.
    package var inStep: [String]
    /// Devices that were not reached, not even through others, or that were not in step in time.
    package var behind: [String]
    /// Devices that have everything, but whose own file does not show it yet.
    package var filesBehind: [String]? = nil
    /// The saves whose file here gets what other devices wrote only when another game ends, one sentence each.
    package var held: [String]? = nil
    package var trouble: String?
    /// Whether the profile is paused: then the game's save stays in its file only, for now.
    package var isPaused: Bool? = nil
}

/// The state of a profile that its game holds open.
package struct SubscriptionReport: Codable, Hashable, Sendable {
    /// The number that a ``PullRequest`` takes.
    package var subscription: Int
    /// The number of this report to the game. If two reports cross each other, the one with the higher number is
    /// current.
    package var number: Int
    /// The name of this device.
    package var device: String
    /// The profile's id; none while there is nothing to keep in step.
    package var profile: String?
    /// One sentence that says why the game's rules are not in force; none where they are.
    package var rulesTrouble: String?
    /// A profile of the same name that the household has and that has no file here.
    package var offer: SummaryReport?
    package var isPaused: Bool
    /// The last time at which a device of the household confirmed to have everything of the profile; milliseconds since
    /// 1970.
    package var lastSync: Int64?
    /// What is wrong with the file or the record, where something is wrong.
    package var trouble: String?
    /// How many choices wait for the player.
    package var choices: Int
    /// The steps since the last report, the newest first, without saves on this device.
    package var steps: [HistoryReport]
}

package struct StatusReport: Codable, Hashable, Sendable {
    package var device: DeviceReport
    package var port: Int?
    package var discovery: String
    package var household: [DeviceReport]
    package var profiles: [ProfileReport]
    /// The problems at the moment, one sentence each.
    package var troubles: [String]
    /// The devices that other members let into the household, one sentence each, until the player knows of them.
    package var newcomers: [String]? = nil
}

/// The explanation of why a place shows its value.
package struct ExplainReport: Codable, Hashable, Sendable {
    package struct Part: Codable, Hashable, Sendable {
        /// What was done, such as `earned 200` or `wrote "Ada"`.
        package var text: String
        package var device: String
        /// Milliseconds since 1970; none where the rule keeps no time.
        package var time: Int64?
        /// Whether this part counts for the value that is shown.
        package var counts: Bool
    }

    package var place: String
    package var rule: String
    /// The sum in words, such as `480 = 300 + laptop earned 200 − deck spent 20`.
    package var sentence: String
    package var contributions: [Part]
}

/// A choice that waits for the player.
package struct ConflictReport: Codable, Hashable, Sendable {
    package struct Candidate: Codable, Hashable, Sendable {
        /// The value as JSON text.
        package var value: String
        package var device: String
        /// Milliseconds since 1970.
        package var time: Int64
    }

    /// The profile's name.
    package var profile: String
    package var id: String
    package var place: String
    /// The values to choose from, in the order in which a ``ResolveRequest`` counts them.
    package var candidates: [Candidate]
    /// What happened and what is in force, if there is nothing to choose. Then there are no candidates.
    package var information: String? = nil
    /// The word by which commands name the profile, if its name is not that word.
    package var handle: String? = nil
}

/// One backup of a profile on this device.
package struct BackupReport: Codable, Hashable, Sendable {
    /// The backup's name, which `hearth restore PROFILE --backup NAME` takes.
    package var name: String
    /// When the backup was made, milliseconds since 1970.
    package var time: Int64
    /// The pools that hold it: `changes`, `sessions`, `daily`, with commas; empty if only a pin keeps it.
    package var pools: String
    package var isPinned: Bool
    /// Bytes of the save; none where the size is not known.
    package var size: Int?
    /// The reason why the backup cannot be used, where it cannot.
    package var damage: String?
    /// The name of the device that made the backup, if this is a copy; none for a backup made here.
    package var device: String? = nil
}
