/// The configuration of one device, in `config.yaml` of Hearth's home. It never travels to other devices.
///
/// ```yaml
/// profiles:
///   Universe RPG:                 # a profile's name, or its id
///     process: universe-rpg       # while such a process runs, nothing is written into the save
/// sharesBackups: [nas]            # devices that may copy this one's daily backups: whole saves, with local fields
/// keepsBackupsOfOthers: true      # this device keeps copies of the daily backups of those that share theirs
/// ```
package struct DeviceConfiguration: Hashable, Sendable {
    /// The name of the program that plays a profile, by the profile's name or id.
    package var processes: [String: String] = [:]

    /// The names or ids of the devices of the household that may copy this device's daily backups; none by default. A
    /// backup is the whole save, including the fields that are `local`.
    package var sharesBackups: [String] = []

    /// Whether this device keeps copies of the daily backups of those devices of the household that share them.
    package var keepsBackupsOfOthers = false

    package init() {}

    /// Reads the file's bytes: YAML of at most 256 KiB. Aliases, anchors and tags are refused, as in a rule file. An
    /// empty file configures nothing.
    ///
    /// - Throws: The first error, with line and column. An unknown field is an error.
    package init(yaml bytes: [UInt8]) throws(RuleFileError) {
        let title = "device configuration"
        let text = try RuleFileText(RuleFileText.string(bytes, title: title), title: title)
        if let root = try text.composeIfAny() { self = try RuleFileReader().deviceConfiguration(root) }
    }
}
