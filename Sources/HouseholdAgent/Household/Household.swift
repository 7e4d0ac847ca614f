import MergeCore
import ProfileKeeping
import SyncProtocol

/// The household part of the record: the devices that this device trusts, and the address of the last connection to
/// each.
struct Household {
    /// The household's secret: 32 random bytes that all members share. The tag in the DNS-SD announcement is made with
    /// it. Empty while this device is in no household.
    private(set) var secret: [UInt8]
    private(set) var roster: Roster
    /// The address of the last connection to each device of the household.
    private(set) var addresses: [DeviceID: PeerAddress] = [:]

    static let notes = NoteSpace("household")
    private static let secretKey = notes.key("secret")
    private static let idKey = notes.key("id")
    private static let rosterKey = notes.key("roster")
    private static let addressNotes = NoteSpace("household/address")

    /// Reads the household from the record's notes. A device without notes is alone in a household of its own.
    ///
    /// - Parameter fresh: The id of that new household.
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
        for (key, value) in notes {
            guard let device = Self.addressNotes.name(key).flatMap({ DeviceID(hex: $0) }),
                let address = PeerAddress(parsing: String(decoding: value, as: UTF8.self))
            else { continue }
            addresses[device] = address
        }
    }

    /// The notes that store a household which this device just joined, or founded together with `device`.
    func notes(with device: DeviceID) -> NoteChange {
        var notes = NoteChange(Self.secretKey, secret)
        notes.set(Self.idKey, roster.household.bytes)
        notes.add(rosterNote)
        if let address = addresses[device] { notes.add(note(address, of: device)) }
        return notes
    }

    var rosterNote: NoteChange { NoteChange(Self.rosterKey, RosterArchive.bytes(roster.statements)) }

    /// Notes the address at which a device was connected. Returns the note that stores it, or `nil` if the address was
    /// known.
    mutating func connected(_ device: DeviceID, at address: PeerAddress) -> NoteChange? {
        guard addresses[device] != address else { return nil }
        addresses[device] = address
        return note(address, of: device)
    }

    private func note(_ address: PeerAddress, of device: DeviceID) -> NoteChange {
        NoteChange(Self.addressNotes.key(device.hex), Array(address.description.utf8))
    }

    /// The devices that came into the household, and those that left it, with new roster statements.
    struct Change {
        var joined: [Roster.Member]
        var left: [Roster.Member]
    }

    /// Merges roster statements of a member, and confirms the members and removals in force by statements of this
    /// device, so that they stay when that member leaves. Returns `nil` if nothing is new.
    mutating func take(_ statements: [RosterStatement], by signer: any DeviceSigner) -> Change? {
        let merged = roster.merging(statements)
        guard merged.changed else { return nil }
        let former = roster
        roster = merged.roster.vouching(by: signer).roster
        let now = roster
        return Change(
            joined: now.members.filter { !former.contains($0.key) },
            left: former.members.filter { !now.contains($0.key) })
    }

    /// Takes the result of a pairing into the household.
    ///
    /// - Parameter address: The address at which this device reached the peer, if it dialled.
    mutating func take(_ result: PairingResult, at address: PeerAddress?) {
        secret = result.secret
        roster = result.roster
        if let address { addresses[result.peer.id] = address }
    }

    mutating func replace(_ roster: Roster) { self.roster = roster }
}

extension Roster {
    /// The name of a device that is, or ever was, in the household. If another member has the same name, the beginning
    /// of the device's id is added. If no name is known, the id.
    func name(of device: DeviceID) -> String {
        let known =
            members.first { $0.id == device }?.name
            ?? statements.first { $0.subject.id == device && !$0.name.isEmpty }?.name
        guard let known else { return "\(device)" }
        let isShared = members.contains { $0.id != device && $0.name == known }
        return isShared ? "\(known) (\(device.hex.prefix(8)))" : known
    }
}
