/// When "All is well" may be said.
extension StatusReport {
    /// Whether every save is in step with every device of the household, nothing waits for the player, and nothing is said of
    /// rules. A device that is switched off is no trouble, but then nobody knows what it has. A finding about the rules asks
    /// nothing of the player, but saves may merge otherwise than the rules' author meant.
    package var isWell: Bool {
        port != nil && household.allSatisfy(\.isReachable) && troubles.isEmpty && newcomers == nil
            && profiles.allSatisfy(\.isWell)
    }

    /// The saves with which a device that can be reached is behind, by the device's name, in the order of the saves.
    package var savesBehind: [(device: String, saves: [ProfileReport])] {
        var found: [(device: String, saves: [ProfileReport])] = []
        for profile in profiles where profile.state != "paused" {
            for device in profile.behind ?? [] {
                if let index = found.firstIndex(where: { $0.device == device }) {
                    found[index].saves.append(profile)
                } else {
                    found.append((device, [profile]))
                }
            }
        }
        return found
    }
}

extension ProfileReport {
    /// Whether its file here, where it has one, and those of all devices that can be reached hold the same, and nothing
    /// is asked or said about it.
    fileprivate var isWell: Bool {
        let isInStep =
            switch state {
            case "good": lastSync != nil && !pending
            case "relayed": true
            default: false
            }
        let words = [reason, remark, backupTrouble]
        return isInStep && behind == nil && decisions == nil && unreadable.isEmpty && ruleFindings == nil
            && words.allSatisfy { $0 == nil }
    }
}
