import MergeCore
import ProfileKeeping
import SyncProtocol

/// The household part of the record: the devices that this device trusts, and the address of the last connection to
/// each.
struct Household {
    private(set) var secrets: HouseholdSecrets
    private(set) var roster: Roster
    /// The address of the last connection to each device of the household.
    private(set) var addresses: [DeviceID: PeerAddress] = [:]
    /// The names that devices said of themselves when they were connected last.
    private var names: [DeviceID: String] = [:]
    /// The devices that other members let in, and that the player here has not been seen to know of.
    private var arrivals: Set<DeviceID> = []
    /// The statements that the linked devices were told.
    private var told: [RosterStatement] = []
    private var isUnsettled = false
    private var unstored = NoteChange()

    static let notes = NoteSpace("household")
    private static let idKey = notes.key("id")
    private static let rosterKey = notes.key("roster")
    private static let addressNotes = NoteSpace("household/address")
    private static let nameNotes = NoteSpace("household/name")
    private static let arrivalNotes = NoteSpace("household/arrival")

    /// Reads the household from the record's notes. A device without notes is alone in a household of its own; one whose
    /// notes cannot be read is not, so it does not go on as if it were.
    ///
    /// - Parameter fresh: The id of that new household.
    init(notes: [String: [UInt8]], me: DeviceKey, name: String, fresh: HouseholdID) throws(StorageFault) {
        secrets = HouseholdSecrets(notes: notes)
        var id = fresh
        if let note = notes[Self.idKey] {
            guard let stored = HouseholdID(bytes: note) else {
                throw StorageFault(
                    .record,
                    "the record holds an unreadable id of the household (\(Self.idKey)); restore it from a backup, or pair "
                        + "the devices again from a new home")
            }
            id = stored
        }
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
            let name = String(decoding: value, as: UTF8.self)
            if let device = Self.nameNotes.name(key).flatMap({ DeviceID(hex: $0) }), DisplayName.isClean(name) {
                names[device] = name
            }
            if let device = Self.arrivalNotes.name(key).flatMap({ DeviceID(hex: $0) }) { arrivals.insert(device) }
            guard let device = Self.addressNotes.name(key).flatMap({ DeviceID(hex: $0) }),
                let address = PeerAddress(parsing: String(decoding: value, as: UTF8.self))
            else { continue }
            addresses[device] = address
        }
        if !names.isEmpty { roster = roster.calling(names) }
        told = roster.statements
    }

    // MARK: What follows from a change

    /// The statements that were not there at the last call, none where the household's secret alone is another one; `nil`
    /// where nothing has changed.
    mutating func takeNews() -> RosterNews? {
        guard isUnsettled else { return nil }
        let news = RosterNews(of: roster, since: told)
        (told, isUnsettled) = (roster.statements, false)
        return news
    }

    /// The notes that the record does not have yet.
    mutating func takeUnstored() -> NoteChange {
        unstored.add(secrets.takeUnstored())
        return unstored.take()
    }

    /// Takes back notes that could not be stored: they are stored with the next ones.
    mutating func notStored(_ notes: NoteChange) {
        var all = notes
        all.add(unstored)
        unstored = all
    }

    private mutating func rosterChanged() {
        unstored.set(Self.rosterKey, RosterArchive.bytes(roster.statements))
        secrets.forgetFormer(members: others)
        isUnsettled = true
    }

    /// Notes the address at which a device was connected. Returns whether it is new.
    mutating func connected(_ device: DeviceID, at address: PeerAddress) -> Bool {
        guard addresses[device] != address else { return false }
        setAddress(address, of: device)
        return true
    }

    /// Notes the name that a connected device says of itself. Returns whether it had another one.
    mutating func greeted(_ device: DeviceKey, as name: String) -> Bool {
        guard let member = roster.members.first(where: { $0.key == device }), member.name != name else { return false }
        names[device.id] = name
        unstored.set(Self.nameNotes.key(device.id.hex), Array(name.utf8))
        roster = roster.calling(names)
        return true
    }

    /// Gives this device another name, for good.
    mutating func rename(to name: String) {
        roster = roster.renamed(name)
        unstored.set(DeviceNameNote.key, Array(roster.name.utf8))
    }

    private mutating func setAddress(_ address: PeerAddress, of device: DeviceID) {
        addresses[device] = address
        unstored.set(Self.addressNotes.key(device.hex), Array(address.description.utf8))
    }

    // MARK: Changes

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
        rosterChanged()
        let now = roster
        let change = Change(
            joined: now.members.filter { !former.contains($0.key) },
            left: former.members.filter { !now.contains($0.key) })
        for member in change.joined where !now.introducers(of: member.key).contains(now.me) {
            arrivals.insert(member.id)
            unstored.set(Self.arrivalNotes.key(member.id.hex), [1])
        }
        return change
    }

    /// The members that others let in since the player was last seen to know who is in the household.
    var newcomers: [Roster.Member] { roster.members.filter { arrivals.contains($0.id) } }

    /// The player knows of them.
    mutating func knowNewcomers() {
        for device in arrivals { unstored.delete(Self.arrivalNotes.key(device.hex)) }
        arrivals = []
    }

    /// Takes the result of a pairing into the household.
    ///
    /// - Parameter address: The address at which this device reached the peer, if it dialled.
    mutating func take(_ result: PairingResult, at address: PeerAddress?) {
        let secret = HouseholdSecret(result.secret, serial: result.secretSerial)
        secrets.take(secret, isSame: roster.household == result.household)
        roster = result.roster.calling(names)
        unstored.set(Self.idKey, roster.household.bytes)
        if let address { setAddress(address, of: result.peer.id) }
        rosterChanged()
    }

    mutating func replace(_ roster: Roster) {
        self.roster = roster.calling(names)
        rosterChanged()
    }

    // MARK: The secret

    /// The household's secret: 32 random bytes that all members share. The tag in the DNS-SD announcement is made with
    /// it. Empty while this device is in no household.
    var secret: [UInt8] { secrets.present?.bytes ?? [] }

    /// Reads the tags of this household.
    var tagReader: TagReader { TagReader(secret: secret, former: secrets.former) }

    /// Renews the secret, because a device was removed that knows the present one. All linked devices are told.
    ///
    /// - Parameter fresh: 32 random bytes.
    mutating func renewSecret(_ fresh: [UInt8]) {
        secrets.renew(fresh, members: others)
        isUnsettled = true
    }

    /// Takes a member's word of the secret. If it is news, all linked devices are told, the one that said it as well: it
    /// waits for that to forget the former one.
    mutating func take(_ secret: HouseholdSecret, from member: DeviceID) {
        if secrets.take(secret, from: member, members: others) { isUnsettled = true }
    }

    /// All devices of the household but this one.
    private var others: Set<DeviceID> { Set(roster.members.filter { $0.key != roster.me }.map(\.id)) }
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
