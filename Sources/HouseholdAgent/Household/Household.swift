package import MergeCore
package import ProfileKeeping
package import SyncProtocol

/// Whom this device trusts, and where it met them last: the household part of the record.
package struct Household: Sendable {
    /// 32 random bytes that members share; the tag in our DNS-SD announcement is made with it.
    package var secret: [UInt8]
    package var roster: Roster
    /// Where a device of the household was last met, by device id.
    package var addresses: [DeviceID: PeerAddress] = [:]

    static let secretKey = "household/secret"
    static let idKey = "household/id"
    static let rosterKey = "household/roster"
    static let addressPrefix = "household/address/"

    /// Reads the record's notes; a device without any belongs to no household yet.
    init(notes: [String: [UInt8]], signer: any DeviceSigner, name: String) throws(StorageFault) {
        secret = notes[Self.secretKey] ?? []
        let statements = try Self.statements(notes[Self.rosterKey] ?? [])
        roster = Roster(signer: signer, household: notes[Self.idKey] ?? [], name: name, statements: statements)
        for (key, value) in notes where key.hasPrefix(Self.addressPrefix) {
            guard let device = DeviceID(hex: String(key.dropFirst(Self.addressPrefix.count))),
                let address = PeerAddress(parsing: String(decoding: value, as: UTF8.self))
            else { continue }
            addresses[device] = address
        }
    }
}
