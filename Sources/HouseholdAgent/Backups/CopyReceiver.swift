import MergeCore
import ProfileKeeping
import SyncProtocol

/// Keeps copies of other devices' daily backups, if this device is configured to do so.
///
/// Each device lists its backups. Copies that are missing here are fetched part by part, one copy of a device after the
/// other; after a broken link fetching continues where it stopped. The disk keeps room for everything else, and no
/// device takes up more than its share (``CopySpace``). No message of a device removes a kept copy: see ``CopyPlan``.
/// Copies stay when their device is removed from the household, when the profile's file is forgotten here, and when
/// this device stops keeping copies.
///
/// The receiver itself reads and writes nothing. Effects ask for it, and each is answered by one event before any other
/// event comes.
struct CopyReceiver {
    /// Whether this device keeps copies.
    private(set) var keeps: Bool
    private var peers: [ConnectionID: CopyPeer] = [:]
    /// The copies of each device's backups. They stay when its link ends, and are continued over its next one.
    private var owners: [DeviceID: CopyOwner] = [:]
    private var space: CopySpace
    private var allowance = CopyAllowance()
    /// The search that awaits an answer about the disk.
    private var search: CopySearch?
    /// The links over which nothing was searched since the last tick.
    private var queue: ArraySlice<ConnectionID> = []

    /// - Parameter limit: Bytes that the copies of one other device may take up.
    init(keeps: Bool, limit: Int64) { (self.keeps, space) = (keeps, CopySpace(limit: limit)) }

    /// Whether no copy is partly fetched.
    var isIdle: Bool { owners.values.allSatisfy(\.isIdle) }

    /// Takes the changed configuration.
    mutating func keep(_ keeps: Bool) -> [Effect] {
        guard keeps != self.keeps else { return [] }
        self.keeps = keeps
        guard !keeps else { return [.announce(true)] }
        (search, queue) = (nil, [])
        for owner in owners.keys { owners[owner]?.stop() }
        for id in peers.keys { peers[id]?.listed.removeAll() }
        return [.sweep, .announce(false)]
    }

    // MARK: Links

    /// Takes the list of a device's daily backups of a profile.
    ///
    /// - Parameter isKnown: Whether this device or the sender has the profile.
    mutating func listed(
        _ profile: ProfileID, _ list: [CopyFacts], by owner: DeviceID, on id: ConnectionID, isKnown: Bool,
        name: (DeviceID) -> String
    ) -> [Effect] {
        guard keeps, owners[owner]?.wrong.isEnough != true else { return [] }
        guard isKnown else {
            guard owners[owner]?.isStrange != true else { return [] }
            owners[owner, default: CopyOwner()].listedUnknown()
            return [.log(.unknownProfile(profile, listedBy: name(owner)))]
        }
        owners[owner, default: CopyOwner()].listed(list, of: profile)
        peers[id, default: CopyPeer(owner: owner)].listed.list(list, of: profile)
        return []
    }

    mutating func closed(_ id: ConnectionID) {
        peers[id] = nil
        if search?.link == id { search = nil }
    }

    /// Forgets devices that are no longer in the household, and removes their partly fetched copies.
    mutating func forget(allBut members: Set<DeviceID>) -> [Effect] {
        let gone = Set(owners.keys).subtracting(members).sorted()
        for owner in gone {
            owners[owner] = nil
            space.forget(owner)
        }
        return gone.map { .drop($0) }
    }

    // MARK: Fetching

    /// Asks every device that has listed copies for the next part of one. Where that takes an answer about the disk, the
    /// search goes on with it, and with the other devices after it.
    mutating func tick(_ around: Surroundings, now: MonotonicTime) -> [Effect] {
        guard keeps, search == nil else { return [] }
        queue = peers.keys.sorted()[...]
        return searchOn(around, now: now)
    }

    private mutating func searchOn(_ around: Surroundings, now: MonotonicTime) -> [Effect] {
        var effects: [Effect] = []
        while search == nil, let id = queue.popFirst() {
            guard let owner = peers[id]?.owner, peers[id]?.isWaiting == false else { continue }
            if peers[id]?.listed.isEmpty == true {
                // Everything that the device listed has arrived or cannot be fetched: there is nothing to try again.
                if peers[id]?.listed.wasAnyListed == true { owners[owner]?.nothingIsLeft() }
            } else if owners[owner]?.setback.map({ $0.retryAt <= now }) ?? true {
                effects += next(id, owner, around)
            }
        }
        return effects
    }

    /// Chooses the copy to fetch next: the one that was begun, else the oldest missing copy of the first profile that
    /// has missing copies.
    private mutating func next(_ id: ConnectionID, _ owner: DeviceID, _ around: Surroundings) -> [Effect] {
        if let begun = owners[owner]?.begun, peers[id]?.listed.contains(begun) == true, around.mayKeep(begun.profile) {
            return begun.received == 0 ? find(.begun(begun), id, owner) : ask(begun, on: id, owner)
        }
        if let profile = peers[id]?.listed.profiles.first(where: { around.mayKeep($0.profile) })?.profile {
            return find(.missing(profile), id, owner)
        }
        // Copies that only wait for the end of a pause are not tried again either.
        owners[owner]?.nothingIsLeft()
        return []
    }

    private mutating func find(_ step: CopySearch.Step, _ id: ConnectionID, _ owner: DeviceID) -> [Effect] {
        let search = CopySearch(link: id, owner: owner, step: step)
        self.search = search
        return [.find(search.question)]
    }

    private mutating func ask(_ intake: CopyIntake, on id: ConnectionID, _ owner: DeviceID) -> [Effect] {
        owners[owner, default: CopyOwner()].begin(intake)
        peers[id]?.isWaiting = true
        return [.ask(id, intake)]
    }

    /// Takes the answer to the last ``Effect/find(_:)``.
    mutating func found(_ answer: DiskAnswer, _ around: Surroundings, now: MonotonicTime) -> [Effect] {
        // The link of the search may be gone since; the other devices have their turn all the same.
        guard let search else { return searchOn(around, now: now) }
        self.search = nil
        let effects: [Effect]
        do throws(StorageFault) {
            effects = try continueSearch(search, answer, around, now: now)
        } catch {
            effects = owners[search.owner, default: CopyOwner()].cannotKeep(error, now: now)
        }
        return effects + searchOn(around, now: now)
    }

    private mutating func continueSearch(
        _ search: CopySearch, _ answer: DiskAnswer, _ around: Surroundings, now: MonotonicTime
    ) throws(StorageFault) -> [Effect] {
        let (id, owner) = (search.link, search.owner)
        switch (search.step, answer) {
        case (_, .failed(let fault)): throw fault
        case (.begun(let intake), .copies(let kept)):
            return find(.room(CopySearch.Candidate(intake, isBegun: true, of: owner, in: kept)), id, owner)
        case (.missing(let profile), .copies(let kept)):
            let listed = peers[id]?.listed.copies(of: profile) ?? []
            let lacking = CopyPlan.lacking(listed, of: owner, in: kept, today: around.today).filter {
                owners[owner]?.wrong.contains(profile, $0) != true
            }
            peers[id]?.listed.list(lacking, of: profile)
            guard let facts = lacking.first else { return next(id, owner, around) }
            let intake = CopyIntake(profile: profile, facts: facts)
            return find(.room(CopySearch.Candidate(intake, isBegun: false, of: owner, in: kept)), id, owner)
        case (.room(let candidate), .room(let room)):
            try space.check(candidate.intake.facts.size, in: room)
            guard space.isKnownToFit(candidate.growth, of: owner) else { return find(.size(candidate), id, owner) }
            return begin(candidate, id, owner, around, now: now)
        case (.size(let candidate), .size(let size)):
            try space.measured(size, of: owner, growth: candidate.growth, name: around.name)
            return begin(candidate, id, owner, around, now: now)
        default: return []
        }
    }

    /// Asks for a copy that there is room for, unless the device has offered too many.
    private mutating func begin(
        _ candidate: CopySearch.Candidate, _ id: ConnectionID, _ owner: DeviceID, _ around: Surroundings,
        now: MonotonicTime
    ) -> [Effect] {
        let intake = candidate.intake
        if candidate.isBegun || allowance.begin(owner, intake.profile, now: now) { return ask(intake, on: id, owner) }
        peers[id]?.listed.list([], of: intake.profile)
        return next(id, owner, around)
    }

    // MARK: Parts

    /// Takes a part of a copy that has arrived.
    mutating func came(_ question: CopyQuestion, _ content: [UInt8], on id: ConnectionID) -> [Effect] {
        guard let owner = peers[id]?.owner else { return [] }
        peers[id]?.isWaiting = false
        guard keeps, let intake = owners[owner]?.begun, intake.isAnswered(by: question) else { return [] }
        guard !content.isEmpty else {
            owners[owner]?.end()
            peers[id]?.listed.done(intake)
            return [.drop(owner)]
        }
        owners[owner]?.write(over: id)
        return [.stage(content, at: intake.received, of: owner)]
    }

    /// The bytes of the last ``Effect/stage(_:at:of:)`` are staged.
    mutating func staged(_ count: Int, of owner: DeviceID) -> [Effect] {
        guard let (whole, day) = owners[owner]?.staged(count) else { return [] }
        return [.keep(whole.profile, of: owner, day: day, checksum: whole.facts.checksum)]
    }

    /// The copy of the last ``Effect/keep(_:of:day:checksum:)`` is kept.
    mutating func kept(of owner: DeviceID, _ around: Surroundings) -> [Effect] {
        guard let (intake, id) = owners[owner]?.writing else { return [] }
        peers[id]?.listed.done(intake)
        owners[owner]?.kept()
        space.added(intake.facts.size, of: owner)
        return [.log(.copied(intake, of: around.name(owner), around.profile(intake.profile) ?? ""))]
    }

    /// A part or a copy could not be written; nothing of it is staged any more.
    ///
    /// A copy that does not match its listing is removed and not asked for again, and earlier copies stay. A device that
    /// keeps sending such copies is not asked any more.
    mutating func failed(
        _ fault: StorageFault, of owner: DeviceID, _ around: Surroundings, now: MonotonicTime
    ) -> [Effect] {
        guard let (intake, id) = owners[owner]?.writing else { return [] }
        guard fault.reason == .damaged else {
            owners[owner]?.begin(CopyIntake(profile: intake.profile, facts: intake.facts))
            return owners[owner]?.cannotKeep(fault, now: now) ?? []
        }
        peers[id]?.listed.done(intake)
        let isFirst = owners[owner]?.isWrong(intake) ?? false
        if owners[owner]?.wrong.isEnough == true { peers[id]?.listed.removeAll() }
        return isFirst ? [.log(.wrongCopy(of: around.name(owner), around.profile(intake.profile) ?? ""))] : []
    }

    // MARK: Looking

    /// The time at which a copy that could not be kept is tried again.
    var deadline: MonotonicTime? {
        guard keeps else { return nil }
        return peers.values.filter { !$0.isWaiting && !$0.listed.isEmpty }
            .compactMap { owners[$0.owner]?.setback?.retryAt }.min()
    }

    /// The problems with copies, as sentences for people.
    func troubles(name: (DeviceID) -> String) -> [String] {
        guard keeps else { return [] }
        var troubles: [String] = []
        for (_, peer) in peers.sorted(by: { $0.key < $1.key }) where !peer.listed.isEmpty {
            guard let trouble = owners[peer.owner]?.setback?.trouble, !troubles.contains(trouble) else { continue }
            troubles.append(trouble)
        }
        return troubles + owners.sorted { $0.key < $1.key }.compactMap { $1.wrong.trouble(of: name($0)) }
    }
}
