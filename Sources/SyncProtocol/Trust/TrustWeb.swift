/// The members and removals that follow from a set of valid statements, seen from one device.
///
/// A pure function of the set, so the order in which statements arrive does not matter.
struct TrustWeb {
    /// The members: devices that are reached from `me` over statements of members, each newer than every removal of its
    /// subject. The value is the statement that counts; `me` has none unless somebody vouches for it.
    private(set) var members: [DeviceKey: RosterStatement?]
    /// The devices that would be reached if there were no removals. A removal by one of these counts.
    private(set) var everMembers: Set<DeviceKey>
    /// The highest serial under which a device was removed.
    private(set) var removals: [DeviceKey: UInt64] = [:]

    init(_ statements: some Collection<RosterStatement>, me: DeviceKey) {
        let vouches = Dictionary(grouping: statements.filter { $0.purpose == .member }, by: \.issuer)
        everMembers = [me]
        var queue = [me]
        while let issuer = queue.popLast() {
            for vouch in vouches[issuer] ?? [] where everMembers.insert(vouch.subject).inserted {
                queue.append(vouch.subject)
            }
        }
        for removal in statements where removal.purpose == .removed && everMembers.contains(removal.issuer) {
            removals[removal.subject] = max(removals[removal.subject] ?? 0, removal.serial)
        }
        members = [me: nil]
        queue = [me]
        while let issuer = queue.popLast() {
            for vouch in vouches[issuer] ?? [] where vouch.serial > removals[vouch.subject] ?? 0 {
                switch members[vouch.subject] {
                case nil: queue.append(vouch.subject)
                case .some(let old?) where !Self.precedes(vouch, old): continue
                default: break
                }
                members[vouch.subject] = .some(vouch)
            }
        }
    }

    /// Of two vouches for one device the newer one counts; then the device's own (it knows its name); then that of the
    /// issuer with the lower key.
    private static func precedes(_ a: RosterStatement, _ b: RosterStatement) -> Bool {
        if a.serial != b.serial { return a.serial > b.serial }
        let own = (a.issuer == a.subject, b.issuer == b.subject)
        if own.0 != own.1 { return own.0 }
        return a.issuer < b.issuer
    }
}
