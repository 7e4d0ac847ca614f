extension RuleFileReader {
    /// The longest name of a program in bytes: that of a file's name.
    private static let programLimit = 255
    /// The most devices that can be listed.
    private static let deviceLimit = 1_000
    /// The most profiles that can be listed.
    private static let profileLimit = 10_000

    func deviceConfiguration(_ root: YAMLNode) throws(RuleFileError) -> DeviceConfiguration {
        var configuration = DeviceConfiguration()
        if isNothing(root) { return configuration }
        for (key, value) in try members(root, "a device configuration has fields such as \"profiles:\"") {
            switch try word(key, "a field needs a name").text {
            case "profiles": try profiles(value, into: &configuration)
            case "sharesBackups": configuration.sharesBackups = try devices(value)
            case "keepsBackupsOfOthers":
                configuration.keepsBackupsOfOthers = try yesOrNo(value, "keepsBackupsOfOthers")
            case let other:
                throw fault(key, unknown("the field", other, ["profiles", "sharesBackups", "keepsBackupsOfOthers"]))
            }
        }
        return configuration
    }

    private func devices(_ node: YAMLNode) throws(RuleFileError) -> [String] {
        if isNothing(node) { return [] }
        guard case .sequence(let list) = node.content else {
            throw fault(
                node,
                "\"sharesBackups\" takes the names or ids of the machines that may have copies, as 'hearth devices' lists "
                    + "them, such as [nas]")
        }
        guard list.count <= Self.deviceLimit else {
            throw fault(node, "\"sharesBackups\" lists \(list.count) machines; the most is \(Self.deviceLimit)")
        }
        var names: [String] = []
        for item in list { names.append(try name(item, "a machine")) }
        return names
    }

    private func yesOrNo(_ node: YAMLNode, _ field: String) throws(RuleFileError) -> Bool {
        if isNothing(node) { return false }
        let wanted = "\"\(field)\" takes true or false"
        switch try word(node, wanted).text {
        case "true": return true
        case "false": return false
        default: throw fault(node, wanted)
        }
    }

    private func profiles(_ node: YAMLNode, into configuration: inout DeviceConfiguration) throws(RuleFileError) {
        if isNothing(node) { return }
        let all = try members(
            node,
            "\"profiles\" takes profiles by name, such as \"Universe RPG: {process: universe-rpg}\""
        )
        guard all.count <= Self.profileLimit else {
            throw fault(node, "\"profiles\" lists \(all.count) profiles; the most is \(Self.profileLimit)")
        }
        for (key, value) in all {
            let profile = try name(key, "a profile")
            if isNothing(value) { continue }
            for (field, value) in try members(value, "a profile takes fields, such as {process: universe-rpg}") {
                switch try word(field, "a field needs a name").text {
                case "process": configuration.processes[profile] = try program(value)
                case let other: throw fault(field, unknown("the field", other, ["process"]))
                }
            }
        }
    }

    private func program(_ node: YAMLNode) throws(RuleFileError) -> String {
        let name = try word(node, "\"process\" needs the name of a program behind it, such as universe-rpg").text
        guard !name.isEmpty, name.utf8.count <= Self.programLimit else {
            throw fault(node, "a program's name has 1 to \(Self.programLimit) bytes, not \(name.utf8.count)")
        }
        guard !name.contains("/"), !name.contains("\\") else {
            throw fault(node, "\"process\" takes the program's name without its folder")
        }
        return name
    }
}
