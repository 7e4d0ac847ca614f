import MergeCore
import ProfileKeeping
import SyncProtocol

/// The household's secret, and the former ones under which a member may still announce itself.
///
/// A member that was away when the secret was renewed has a former one. So those are kept until every member is known to
/// have the present one: nobody is cut off by having been away, however long, and no clock decides. Devices that were
/// removed know them as well. An announcement under a former secret is therefore only tried, without haste.
struct HouseholdSecrets {
    /// The largest number of former secrets.
    static let formerLimit = 8

    /// `nil` while this device is in no household.
    private(set) var present: HouseholdSecret?
    /// The newest first.
    private(set) var former: [[UInt8]] = []
    /// The devices that have said the present secret. Not stored: they say it again on their next links.
    private var holders: Set<DeviceID> = []
    private var unstored = NoteChange()

    private static let secretKey = Household.notes.key("secret")
    private static let serialKey = Household.notes.key("secretSerial")
    private static let formerKey = Household.notes.key("formerSecrets")

    init(notes: [String: [UInt8]]) {
        let size = HouseholdSecret.size
        guard let bytes = notes[Self.secretKey], bytes.count == size else { return }
        let serial = (notes[Self.serialKey] ?? []).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        present = HouseholdSecret(bytes, serial: serial)
        let stored = notes[Self.formerKey] ?? []
        former = (0..<min(stored.count / size, Self.formerLimit)).map { Array(stored[$0 * size..<($0 + 1) * size]) }
    }

    mutating func takeUnstored() -> NoteChange { unstored.take() }

    /// Puts a fresh secret in place of the present one, because a device was removed that knows that one.
    ///
    /// - Parameter fresh: 32 random bytes.
    mutating func renew(_ fresh: [UInt8], members: Set<DeviceID>) {
        guard let present, present.serial < Limits.serial else { return }
        replace(by: HouseholdSecret(fresh, serial: present.serial + 1))
        forgetFormer(members: members)
    }

    /// Takes a member's word of the secret. Returns whether it is news.
    mutating func take(_ theirs: HouseholdSecret, from device: DeviceID, members: Set<DeviceID>) -> Bool {
        guard let mine = present else { return false }
        let isNews =
            theirs != mine && theirs.isNewer(than: mine) && theirs.serial - mine.serial <= Limits.serialGap
        if isNews {
            replace(by: theirs)
        } else if theirs.bytes != mine.bytes, theirs.serial <= mine.serial {
            // It was renewed apart from here. Another member may have it as well, and announce itself under it.
            holders.remove(device)
            keepFormer(theirs.bytes)
        }
        if theirs.bytes == present?.bytes { holders.insert(device) }
        forgetFormer(members: members)
        return isNews
    }

    /// Takes the secret that a pairing brought.
    ///
    /// - Parameter isSame: Whether this device was in that household before.
    mutating func take(_ paired: HouseholdSecret, isSame: Bool) {
        if let mine = present, isSame {
            // A device that comes back after it was away, or was removed, may have a former one.
            if paired.isNewer(than: mine) { replace(by: paired) }
        } else {
            (present, former, holders) = (paired, [], [])
            store()
        }
    }

    /// Drops the former secrets once all members have the present one.
    ///
    /// - Parameter members: All devices of the household but this one.
    mutating func forgetFormer(members: Set<DeviceID>) {
        guard !former.isEmpty, members.isSubset(of: holders) else { return }
        former = []
        store()
    }

    /// Keeps a secret that was never present here, where there is room: no member can push out those that were.
    private mutating func keepFormer(_ bytes: [UInt8]) {
        guard !former.contains(bytes), former.count < Self.formerLimit else { return }
        former.append(bytes)
        store()
    }

    private mutating func replace(by new: HouseholdSecret) {
        if let present, present.bytes != new.bytes {
            let kept = [present.bytes] + former.filter { $0 != present.bytes }
            former = Array(kept.filter { $0 != new.bytes }.prefix(Self.formerLimit))
            holders = []
        }
        present = new
        store()
    }

    private mutating func store() {
        guard let present else { return }
        unstored.set(Self.secretKey, present.bytes)
        unstored.set(
            Self.serialKey,
            present.serial == 0 ? nil : (0..<8).map { UInt8(truncatingIfNeeded: present.serial >> (56 - 8 * $0)) })
        unstored.set(Self.formerKey, former.isEmpty ? nil : former.flatMap { $0 })
    }
}
