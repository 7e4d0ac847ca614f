import MergeCore
import SyncProtocol

/// What other devices say of who is in the household, and of its secret.
extension HouseholdAgent {
    /// Merges roster statements, takes the household's secret, and reports which devices came and which left.
    ///
    /// - Parameter source: The link over which they came.
    /// - Returns: Whether a statement was new.
    @discardableResult mutating func takeRoster(
        _ statements: [RosterStatement], secret: HouseholdSecret? = nil, from source: ConnectionID? = nil
    ) -> Bool {
        let former = household.secrets.present
        let change = household.take(statements, by: signer)
        if let secret, let source, let peer = links[source]?.peerKey, household.roster.contains(peer) {
            household.take(secret, from: peer.id)
        }
        guard let change else { return false }
        // No newer secret came with the removal, so the removed device knows this one.
        if !change.left.isEmpty, household.secrets.present == former {
            household.renewSecret(freshBytes(HouseholdSecret.size))
        }
        for member in change.joined {
            let by = household.roster.introducers(of: member.key).map { name(of: $0) }.joined(separator: ", ")
            log(.notice, "a device joined the household", ["device": member.name, "by": by])
        }
        for member in change.left {
            log(.notice, "another device removed a device from the household", ["device": member.name])
        }
        return true
    }

    func name(of key: DeviceKey) -> String { household.roster.name(of: key.id) }

    /// The name of a device that is, or ever was, in the household.
    func name(of device: DeviceID) -> String { household.roster.name(of: device) }
}
