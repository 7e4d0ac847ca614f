/// The members and removals that follow from a set of valid statements, seen from one device.
///
/// A pure function of the set, so the order in which statements arrive does not matter. Devices are handled level by
/// level: first this device, then those it vouches for, then those that these vouch for. Devices of a nearer level
/// decide about those of farther levels.
struct TrustWeb {
    /// The members: devices that can be reached from `me` over statements of members, each newer than every removal of
    /// its subject that counts. The value is the statement that counts: the newest of another device, or the member's own
    /// under the same serial, since it knows its name. `me` has none unless another member vouches for it.
    private(set) var members: [DeviceKey: RosterStatement?]
    /// The devices that could be reached by pairings alone, if there were no removals.
    private(set) var everMembers: Set<DeviceKey>
    /// The devices that wrote in saves of ``everMembers`` before these came into the household.
    private(set) var writers: Set<DeviceKey> = []
    /// The pairings by which those devices are reached.
    private(set) var pairings: Set<RosterStatement> = []
    /// The highest serial under which a device was removed.
    private(set) var removals: [DeviceKey: UInt64] = [:]

    private let me: DeviceKey
    /// The members of the levels that were handled.
    private var settled: Set<DeviceKey> = []
    private let removalsByIssuer: [DeviceKey: [RosterStatement]]

    init(_ statements: some Collection<RosterStatement>, me: DeviceKey) {
        self.me = me
        removalsByIssuer = Dictionary(grouping: statements.filter { $0.purpose == .removed }, by: \.issuer)
        let paired = Dictionary(
            grouping: statements.filter { $0.purpose == .paired && $0.issuer != $0.subject }, by: \.issuer)
        everMembers = [me]
        members = [me: nil]
        var queue = [me]
        while let issuer = queue.popLast() {
            for pairing in Self.counted(paired[issuer] ?? [], isOwn: issuer == me) {
                pairings.insert(pairing)
                if everMembers.insert(pairing.subject).inserted { queue.append(pairing.subject) }
            }
        }
        let wrote = Dictionary(grouping: statements.filter { $0.purpose == .wrote }, by: \.issuer)
        for issuer in everMembers {
            writers.formUnion(Self.counted(wrote[issuer] ?? [], isOwn: issuer == me).map(\.subject))
        }
        let vouches = Dictionary(
            grouping: statements.filter { $0.isOfMember && everMembers.contains($0.subject) }, by: \.issuer)
        var level = [me]
        while !level.isEmpty {
            level = settle(level)
            var next: Set<DeviceKey> = []
            for issuer in level {
                for vouch in vouches[issuer] ?? []
                where vouch.subject != issuer && vouch.serial > removals[vouch.subject] ?? 0 {
                    switch members[vouch.subject] {
                    case nil: next.insert(vouch.subject)
                    case .some(let old?) where !Self.precedes(vouch, old): continue
                    default: break
                    }
                    members[vouch.subject] = .some(vouch)
                }
            }
            level = next.sorted()
        }
        // A device's word about itself says what it is called, and never how new its membership is: a device that is
        // about to be removed could state itself under a serial that the removal does not reach.
        for word in vouches.values.joined() where word.subject == word.issuer && word.purpose == .vouched {
            guard let member = members[word.subject] ?? nil, member.serial == word.serial else { continue }
            members[word.subject] = .some(word)
        }
    }

    /// The statements of one issuer that count: for another device a limited number, those with the lowest serials and
    /// keys.
    private static func counted(_ statements: [RosterStatement], isOwn: Bool) -> ArraySlice<RosterStatement> {
        guard !isOwn, statements.count > Limits.broughtIn else { return statements[...] }
        return statements.sorted { ($0.serial, $0.subject) < ($1.serial, $1.subject) }.prefix(Limits.broughtIn)
    }

    /// Applies the removals by devices of one level, against devices of the same level and of later ones. Returns the
    /// devices that are left.
    ///
    /// A removal by a device that was removed itself does not count. If devices remove each other in a circle, the
    /// devices with the most removals against them go (of two devices, both). Their removals of other devices do not
    /// count, because one of them may be stolen.
    private mutating func settle(_ level: [DeviceKey]) -> [DeviceKey] {
        var (left, isCounted) = (level, Set<DeviceKey>())
        while true {
            let open = Set(left).subtracting(isCounted)
            guard !open.isEmpty else { break }
            var removers: [DeviceKey: Int] = [:]
            for subject in open.flatMap({ words(of: $0).map(\.subject) }) where open.contains(subject) {
                removers[subject, default: 0] += 1
            }
            let clear = open.filter { removers[$0] == nil }
            guard !clear.isEmpty else {
                // Only circles are left, and devices that only a device in a circle removed.
                let circle = open.filter { issuer in words(of: issuer).contains { open.contains($0.subject) } }
                let most = circle.compactMap { removers[$0] }.max()
                let out = circle.filter { removers[$0] == most }
                for issuer in circle { count(words(of: issuer).filter { out.contains($0.subject) }) }
                left = drop(from: left)
                continue
            }
            for issuer in clear { count(words(of: issuer)) }
            isCounted.formUnion(clear)
            left = drop(from: left)
        }
        settled.formUnion(left)
        return left
    }

    /// The removals by a device that can count. The removed device is this device, which has to know of it, or a device
    /// that is no member of an earlier level and was not paired again since.
    private func words(of issuer: DeviceKey) -> [RosterStatement] {
        (removalsByIssuer[issuer] ?? []).filter { word in
            guard word.subject != issuer else { return false }
            if word.subject == me { return true }
            return !settled.contains(word.subject) && word.serial >= (members[word.subject] ?? nil)?.serial ?? 0
        }
    }

    private mutating func count(_ words: [RosterStatement]) {
        for word in words { removals[word.subject] = max(removals[word.subject] ?? 0, word.serial) }
    }

    /// Takes the removed devices out of a level, and out of the members.
    private mutating func drop(from level: [DeviceKey]) -> [DeviceKey] {
        level.filter { key in
            guard key != me, let member = members[key] ?? nil, member.serial <= removals[key] ?? 0 else { return true }
            members[key] = nil
            return false
        }
    }

    /// Of two vouches of others for one device the newer one counts; then that of the issuer with the lower key.
    private static func precedes(_ a: RosterStatement, _ b: RosterStatement) -> Bool {
        a.serial != b.serial ? a.serial > b.serial : a.issuer < b.issuer
    }
}
