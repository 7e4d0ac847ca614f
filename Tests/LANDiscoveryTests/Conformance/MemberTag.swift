import SyncProtocol

/// The tag of a member's announcement.
enum MemberTag {
    static func text(_ secret: [UInt8], instance: String, port: UInt16) -> String {
        let nonce = [UInt8](repeating: 1, count: 8)
        return HouseholdTag(nonce: nonce, secret: secret, instance: instance, port: port, hour: 9).text
    }
}
