package import MergeCore

/// The roster of a household, as one of its devices sees it: the signed statements, and the members that follow from
/// them.
///
/// - A statement counts while its issuer is a member; neither vouches nor removals by removed devices count. For each
///   device the highest serial decides, and among equal serials the removal.
/// - Trust starts at this device's own key: its own statements stay when other members leave. Call ``vouching(by:)``
///   after merging new statements. Otherwise a member is lost when the device that introduced it is removed, and a
///   removed device comes back when the one that removed it is removed. So a removal lasts if some member confirmed it
///   before its issuer was removed.
/// - A device can join only by pairing, and another member can bring in ``Limits/broughtIn`` devices at most.
/// - A removed device can come back only by pairing, because only pairing makes a statement with a higher serial. What a
///   device says of itself raises none.
///
/// Merging is commutative, associative and idempotent, as long as the limits are not reached.
package struct Roster: Hashable, Sendable {
    /// A device that is in the household.
    package struct Member: Hashable, Sendable {
        package let key: DeviceKey
        /// What it is called: by its own word, or as in its statement.
        package let name: String
        /// The name under which this device came to know it: that of this device's own statement about it, made when a
        /// person paired the two, or when another member brought it in. Where a name gives a right, only this one does:
        /// by its own word a device can call itself anything, on a link and in statements.
        package let pairedName: String

        package var id: DeviceID { key.id }

        /// - Parameter pairedName: The name under which it came to be known, where it has another one by now.
        package init(key: DeviceKey, name: String, pairedName: String? = nil) {
            (self.key, self.name, self.pairedName) = (key, name, pairedName ?? name)
        }
    }

    package let me: DeviceKey
    package private(set) var name: String
    package let household: HouseholdID
    /// Sorted by subject, issuer, purpose. At most ``Limits/statements``.
    package private(set) var statements: [RosterStatement] = []
    /// Which statements those are. Each was verified before it came among them.
    private var held: Set<StatementHash> = []
    /// Sorted by key; this device is always among them.
    package private(set) var members: [Member] = []
    private(set) var serials: [DeviceKey: UInt64] = [:]
    private(set) var everMembers: Set<DeviceKey> = []
    private var writers: Set<DeviceKey> = []
    private(set) var removals: [DeviceKey: UInt64] = [:]
    /// The names that devices said of themselves on a link. They count before those in statements, which are of the time
    /// of a pairing.
    private var ownNames: [DeviceID: String] = [:]

    /// A household in which this device is alone. Merge in what is known of other devices.
    package init(me: DeviceKey, name: String, household: HouseholdID) {
        self.me = me
        self.name = DisplayName.cleaned(name)
        self.household = household
        adopt([])
    }

    // MARK: Reading

    /// Whether a device is a member now.
    package func contains(_ key: DeviceKey) -> Bool { serials[key] != nil }

    /// Whether the writes of a device's replicas are accepted: it is or ever was a member, or was paired by one that was,
    /// or wrote in a save before that came into the household.
    package func wasMember(_ key: DeviceKey) -> Bool { everMembers.contains(key) || writers.contains(key) }

    /// Whether a device was a member, or was paired by one that was, and is no member now: it was removed, or nobody
    /// that is left vouched for it. Members take no more of its writes than some of them had before they learned of that.
    package func isGone(_ key: DeviceKey) -> Bool { everMembers.contains(key) && !contains(key) }

    /// Whether a device was removed and has not come back. The answer is also right for this device.
    package func isRemoved(_ key: DeviceKey) -> Bool {
        guard let removal = removals[key] else { return false }
        return removal >= serials[key] ?? 0
    }

    /// Whether this device is the only member.
    package var isAlone: Bool { members.count == 1 }

    // MARK: Names

    /// The roster with the names that devices said of themselves; of every other device the name in its statement counts.
    package func calling(_ names: [DeviceID: String]) -> Roster {
        var result = self
        result.ownNames = names
        result.adopt(statements)
        return result
    }

    /// The roster with another name of this device.
    package func renamed(_ name: String) -> Roster {
        var result = self
        result.name = DisplayName.cleaned(name)
        result.adopt(statements)
        return result
    }

    // MARK: Merging

    /// The result of a merge.
    package struct Merge: Sendable {
        package let roster: Roster
        /// Whether anything was new.
        package var changed: Bool { !newStatements.isEmpty }
        package let newStatements: [RosterStatement]
        /// How many statements were refused: of another household, badly signed, or beyond the limits.
        package let refused: Int
    }

    /// Merges statements from any source. Those that are held already, to the byte, are not verified again, which takes
    /// about 0.1 ms each.
    package func merging(_ all: [RosterStatement]) -> Merge {
        let others = all.filter { !held.contains($0.hash) }
        guard !others.isEmpty else { return Merge(roster: self, newStatements: [], refused: 0) }
        var table = Dictionary(uniqueKeysWithValues: statements.map { (Slot($0), $0) })
        var highest = Dictionary(statements.map { ($0.subject, $0.serial) }) { max($0, $1) }
        var refused = max(0, others.count - Limits.statements)
        var touched: Set<Slot> = []
        for statement in others.prefix(Limits.statements).sorted(by: { $0.serial < $1.serial }) {
            let slot = Slot(statement)
            if let old = table[slot], !Self.precedes(statement, old) { continue }
            let known = highest[statement.subject] ?? 0
            guard statement.serial <= known || statement.serial - known <= Limits.serialGap,
                statement.household == household, statement.isValid
            else {
                refused += 1
                continue
            }
            highest[statement.subject] = max(known, statement.serial)
            table[slot] = statement
            touched.insert(slot)
        }
        guard !touched.isEmpty else { return Merge(roster: self, newStatements: [], refused: refused) }
        var result = self
        result.adopt(Array(table.values))
        let new = result.statements.filter { touched.contains(Slot($0)) }
        return Merge(roster: result, newStatements: new, refused: refused + touched.count - new.count)
    }

    private mutating func adopt(_ all: [RosterStatement]) {
        var web = TrustWeb(all, me: me)
        statements = all
        if all.count > Limits.statements {
            statements = Array(
                all.sorted { Self.weight($0, web, me) > Self.weight($1, web, me) }.prefix(Limits.statements)
            )
            web = TrustWeb(statements, me: me)
        }
        statements.sort { Slot($0) < Slot($1) }
        held = Set(statements.map(\.hash))
        (everMembers, writers) = (web.everMembers, web.writers)
        removals = web.removals
        serials = web.members.mapValues { $0?.serial ?? 0 }
        let known = knownNames
        members = web.members.map { key, statement in
            guard key != me else { return Member(key: key, name: name) }
            let stated = statement?.name ?? "unnamed"
            return Member(key: key, name: ownNames[key.id] ?? stated, pairedName: known[key] ?? stated)
        }.sorted { $0.key < $1.key }
    }

    /// The names of devices in this device's own statements about them, without those that were removed since.
    private var knownNames: [DeviceKey: String] {
        let own = statements.filter {
            $0.issuer == me && $0.isOfMember && $0.serial > removals[$0.subject] ?? 0
        }
        let newest = Dictionary(own.map { ($0.subject, $0) }) { $0.serial >= $1.serial ? $0 : $1 }
        return newest.mapValues(\.name)
    }

    /// The weight of a statement when there are too many: this device's own statements first, then pairings, then
    /// removals by members and statements about writers, then vouches of members.
    private static func weight(_ statement: RosterStatement, _ web: TrustWeb, _ me: DeviceKey) -> Int {
        if statement.issuer == me { return 5 }
        if web.pairings.contains(statement) { return 4 }
        if statement.purpose == .wrote { return web.writers.contains(statement.subject) ? 3 : 0 }
        guard web.members[statement.issuer] != nil, web.everMembers.contains(statement.subject) else { return 0 }
        return statement.purpose == .removed ? 3 : 2
    }

    /// Of two statements of one issuer about one device and purpose only the newer counts. Equal serials are ordered by
    /// their bytes.
    private static func precedes(_ a: RosterStatement, _ b: RosterStatement) -> Bool {
        if a.serial != b.serial { return a.serial > b.serial }
        if a.name != b.name { return a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
        return a.signature.lexicographicallyPrecedes(b.signature)
    }

    private struct Slot: Hashable, Comparable {
        let subject: DeviceKey
        let issuer: DeviceKey
        let purpose: UInt8

        init(_ statement: RosterStatement) {
            subject = statement.subject
            issuer = statement.issuer
            purpose = statement.purpose.rawValue
        }

        static func < (a: Slot, b: Slot) -> Bool {
            if a.subject != b.subject { return a.subject < b.subject }
            return a.issuer != b.issuer ? a.issuer < b.issuer : a.purpose < b.purpose
        }
    }
}
