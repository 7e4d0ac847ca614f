import MergeCore
import ProfileKeeping
import SyncProtocol

/// Whom this device trusts, and where it met them last: the household part of the record.
struct Household {
    /// 32 random bytes that members share; the tag in our DNS-SD announcement is made with it. Empty while this device
    /// is in no household.
    private(set) var secret: [UInt8]
    private(set) var roster: Roster
    /// Where a device of the household was last met.
    private(set) var addresses: [DeviceID: PeerAddress] = [:]

    static let prefix = "household/"
    private static let secretKey = "household/secret"
    private static let idKey = "household/id"
    private static let rosterKey = "household/roster"
    private static let addressPrefix = "household/address/"

    /// Reads the record's notes. A device without any is alone in a household of its own.
    ///
    /// - Parameter fresh: The id of that household.
    init(notes: [String: [UInt8]], me: DeviceKey, name: String, fresh: HouseholdID) throws(StorageFault) {
        secret = notes[Self.secretKey] ?? []
        let id = notes[Self.idKey].flatMap { HouseholdID(bytes: $0) } ?? fresh
        do {
            let statements = try RosterArchive.statements(notes[Self.rosterKey] ?? [])
            roster = Roster(me: me, name: name, household: id).merging(statements).roster
        } catch {
            throw StorageFault(
                .record,
                "\(error); restore the record from a backup, or pair the devices again from a new home"
            )
        }
        for (key, value) in notes where key.hasPrefix(Self.addressPrefix) {
            guard let device = DeviceID(hex: String(key.dropFirst(Self.addressPrefix.count))),
                let address = PeerAddress(parsing: String(decoding: value, as: UTF8.self))
            else { continue }
            addresses[device] = address
        }
    }

    /// What the record holds of a household that was just joined or founded with a device.
    func notes(with device: DeviceID) -> [String: [UInt8]?] {
        var notes: [String: [UInt8]?] = [Self.secretKey: secret, Self.idKey: roster.household.bytes]
        notes.merge(rosterNote) { $1 }
        if let address = addresses[device] { notes.merge(note(address, of: device)) { $1 } }
        return notes
    }

    var rosterNote: [String: [UInt8]?] { [Self.rosterKey: RosterArchive.bytes(roster.statements)] }

    /// A device was met at an address; the note that remembers it, or `nil` where it is known.
    mutating func met(_ device: DeviceID, at address: PeerAddress) -> [String: [UInt8]?]? {
        guard addresses[device] != address else { return nil }
        addresses[device] = address
        return note(address, of: device)
    }

    private func note(_ address: PeerAddress, of device: DeviceID) -> [String: [UInt8]?] {
        [Self.addressPrefix + device.hex: Array(address.description.utf8)]
    }

    /// Merges what a member said, and vouches for whom it introduced; true where something is new.
    mutating func take(_ statements: [RosterStatement], by signer: any DeviceSigner) -> Bool {
        let merged = roster.merging(statements)
        guard merged.changed else { return false }
        roster = merged.roster.vouching(by: signer).roster
        return true
    }

    /// - Parameter address: Where the other device was reached, if this one dialled it.
    mutating func take(_ result: PairingResult, at address: PeerAddress?) {
        secret = result.secret
        roster = result.roster
        if let address { addresses[result.peer.id] = address }
    }

    mutating func replace(_ roster: Roster) { self.roster = roster }
}

extension Roster {
    /// What people call a device that is, or ever was, in the household.
    func name(of device: DeviceID) -> String {
        members.first { $0.id == device }?.name
            ?? statements.first { $0.subject.id == device && !$0.name.isEmpty }?.name ?? "\(device)"
    }
}
