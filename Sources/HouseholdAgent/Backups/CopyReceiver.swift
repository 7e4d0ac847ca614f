import MergeCore
import ProfileKeeping
import SyncProtocol

/// Keeps copies of other devices' daily backups, if this device is configured to do so.
///
/// Each device lists its backups. Copies that are missing here are fetched part by part, one copy of a device after the
/// other; after a broken link fetching continues where it stopped. The disk keeps room for everything else
/// (``DiskRoom``), and no device takes up more than its share. No message of a device removes a kept copy: see
/// ``CopyPlan``. Copies stay when their device is removed from the household, when the profile's file is forgotten
/// here, and when this device stops keeping copies.
struct CopyReceiver {
    /// An effect that the rest of the agent carries out.
    enum Effect {
        /// Ask for a part of a copy over a link.
        case ask(ConnectionID, CopyIntake)
        case log(LogLine)
    }

    /// The parts of the agent's state that the receiver needs to read.
    struct Surroundings {
        var paused: Set<ProfileID>
        /// The local day at this device, once it is known.
        var today: LocalDay?
        /// Gives the name of a device.
        var name: (DeviceID) -> String
    }

    /// The device at the other end of a link.
    private struct Peer {
        let owner: DeviceID
        var listed = ListedCopies()
        /// Whether a question for a part is open.
        var isWaiting = false
    }

    /// Whether this device keeps copies.
    private(set) var keeps: Bool
    /// Bytes that the copies of one other device may take up.
    private let limit: Int64
    private var peers: [ConnectionID: Peer] = [:]
    /// The copy that is being fetched of each device. It continues over the device's next link.
    private var intakes: [DeviceID: CopyIntake] = [:]
    /// The last failure to keep a copy, by device.
    private var setbacks: [DeviceID: CopySetback] = [:]
    /// The copies that did not match their listing, by device.
    private var wrong: [DeviceID: WrongCopies] = [:]
    /// For each device that was measured, an upper bound of the bytes that its kept copies take up.
    private var held: [DeviceID: Int64] = [:]
    /// Devices that listed backups of profiles that no device of the household knows.
    private var strange: Set<DeviceID> = []
    private var allowance = CopyAllowance()

    init(keeps: Bool, limit: Int64) { (self.keeps, self.limit) = (keeps, limit) }

    /// Whether no copy is partly fetched.
    var isIdle: Bool { intakes.isEmpty }

    /// Takes the changed configuration. Returns whether it changed, so that the other devices must be told.
    mutating func keep(_ keeps: Bool, in files: some ProfileFiles) -> Bool {
        guard keeps != self.keeps else { return false }
        self.keeps = keeps
        if !keeps {
            intakes = [:]
            setbacks = [:]
            files.sweepCopies()
            for id in peers.keys { peers[id]?.listed.removeAll() }
        }
        return true
    }

    // MARK: Links

    /// Takes the list of a device's daily backups of a profile.
    ///
    /// - Parameter isKnown: Whether this device or the sender has the profile.
    mutating func listed(
        _ profile: ProfileID, _ list: [CopyFacts], by owner: DeviceID, on id: ConnectionID, isKnown: Bool,
        name: (DeviceID) -> String
    ) -> [Effect] {
        guard keeps, wrong[owner]?.isEnough != true else { return [] }
        guard isKnown else {
            guard strange.insert(owner).inserted else { return [] }
            let message = "a device lists backups of a profile that it does not have"
            return [.log(LogLine(.warning, message, ["device": name(owner), "profile": "\(profile)"]))]
        }
        wrong[owner]?.list(list, of: profile)
        peers[id, default: Peer(owner: owner)].listed.list(list, of: profile)
        return []
    }

    mutating func closed(_ id: ConnectionID) { peers[id] = nil }

    /// Forgets devices that are no longer in the household, and removes their partly fetched copies.
    mutating func forget(allBut members: Set<DeviceID>, in files: some ProfileFiles) {
        let known = strange.union(intakes.keys).union(setbacks.keys).union(wrong.keys).union(held.keys)
        for owner in known.subtracting(members).sorted() {
            intakes[owner] = nil
            setbacks[owner] = nil
            wrong[owner] = nil
            held[owner] = nil
            strange.remove(owner)
            files.dropStagedCopy(from: owner)
        }
    }

    // MARK: Fetching

    /// Asks every device that has listed copies for the next part of one.
    mutating func tick(
        _ engine: ProfileEngine<some ProfileFiles, some Record>, _ around: Surroundings, now: MonotonicTime
    ) -> [Effect] {
        guard keeps else { return [] }
        var effects: [Effect] = []
        for (id, peer) in peers.sorted(by: { $0.key < $1.key }) where !peer.isWaiting {
            let owner = peer.owner
            guard !peer.listed.isEmpty else {
                // Everything that the device listed has arrived or cannot be fetched: there is nothing to try again.
                if peer.listed.wasAnyListed { setbacks[owner] = nil }
                continue
            }
            if let setback = setbacks[owner], setback.retryAt > now { continue }
            var next: CopyIntake?
            do throws(StorageFault) {
                next = try nextIntake(id, owner, engine, around, now: now)
                // Copies that only wait for the end of a pause are not tried again either.
                if next == nil { setbacks[owner] = nil }
            } catch {
                effects += cannotKeep(error, of: owner, now: now)
            }
            guard let intake = next else { continue }
            intakes[owner] = intake
            peers[id]?.isWaiting = true
            effects.append(.ask(id, intake))
        }
        return effects
    }

    /// The copy to fetch next: the one that was begun, else the oldest missing copy of the first profile that has
    /// missing copies.
    private mutating func nextIntake(
        _ id: ConnectionID, _ owner: DeviceID, _ engine: ProfileEngine<some ProfileFiles, some Record>,
        _ around: Surroundings, now: MonotonicTime
    ) throws(StorageFault) -> CopyIntake? {
        // Nothing is fetched of a profile that is paused here, or that has not arrived yet.
        func mayKeep(_ profile: ProfileID) -> Bool {
            engine.profiles[profile] != nil && !around.paused.contains(profile)
        }
        guard var listed = peers[id]?.listed else { return nil }
        defer { peers[id]?.listed = listed }
        if let begun = intakes[owner], listed.contains(begun), mayKeep(begun.profile) {
            if begun.received == 0 {
                try checkRoom(begun, of: owner, engine.files, in: try engine.files.copies(of: begun.profile), around)
            }
            return begun
        }
        var index = 0
        while index < listed.profiles.count {
            let (profile, copies) = listed.profiles[index]
            guard mayKeep(profile) else {
                index += 1
                continue
            }
            let kept = try engine.files.copies(of: profile)
            let wrong = wrong[owner]
            let lacking = copies.filter { facts in
                guard let day = LocalDay(number: facts.day), wrong?.contains(profile, facts) != true else {
                    return false
                }
                return CopyPlan.lacks(day, of: owner, in: kept, today: around.today)
            }
            listed.list(lacking, of: profile)
            guard let facts = lacking.first else { continue }
            let intake = CopyIntake(profile: profile, facts: facts)
            try checkRoom(intake, of: owner, engine.files, in: kept, around)
            if allowance.begin(owner, profile, now: now) { return intake }
            listed.list([], of: profile)
        }
        return nil
    }

    /// Checks the room for a copy: throws if the disk would not keep its reserve, or if one device would take up more
    /// than its share.
    private mutating func checkRoom(
        _ intake: CopyIntake, of owner: DeviceID, _ files: some ProfileFiles, in kept: [StoredCopy],
        _ around: Surroundings
    ) throws(StorageFault) {
        let room = try files.copyRoom()
        guard room.takes(intake.facts.size) else {
            throw StorageFault(
                .noSpace, "the disk is nearly full: \(room.reserve >> 20) MiB of it stay free for everything else")
        }
        guard let day = LocalDay(number: intake.facts.day) else { return }
        let growth = CopyPlan.growth(intake.facts.size, on: day, of: owner, in: kept)
        if let size = held[owner], size <= limit - growth { return }
        let size = try files.copiesSize(of: owner)
        held[owner] = size
        guard size <= limit - growth else {
            let most = "\(limit >> 20) MiB are kept of \(around.name(owner)) at most"
            throw StorageFault(.tooLarge, "\(most); remove some of its copies from the folder copies")
        }
    }

    /// Notes a failure to keep a copy: it is logged once, and tried again later.
    private mutating func cannotKeep(_ fault: StorageFault, of owner: DeviceID, now: MonotonicTime) -> [Effect] {
        let last = setbacks[owner]
        setbacks[owner] = CopySetback(fault, after: last, now: now)
        guard last?.fault.reason != fault.reason else { return [] }
        let message = "a copy of another device's backup cannot be kept"
        return [.log(LogLine(.warning, message, ["why": fault.message]))]
    }

    // MARK: Parts

    /// Takes a part of a copy that has arrived.
    mutating func came(
        _ question: CopyQuestion, _ content: [UInt8], on id: ConnectionID,
        _ engine: inout ProfileEngine<some ProfileFiles, some Record>, _ around: Surroundings, now: MonotonicTime
    ) -> [Effect] {
        guard let owner = peers[id]?.owner else { return [] }
        peers[id]?.isWaiting = false
        guard keeps, var intake = intakes[owner], intake.isAnswered(by: question) else { return [] }
        intakes[owner] = nil
        guard !content.isEmpty else {
            engine.files.dropStagedCopy(from: owner)
            peers[id]?.listed.done(intake)
            return []
        }
        do throws(StorageFault) {
            try engine.files.stageCopy(content, at: intake.received, from: owner)
            intake.received += content.count
            guard intake.received == intake.facts.size else {
                intakes[owner] = intake
                return []
            }
            guard let day = LocalDay(number: intake.facts.day) else { return [] }
            try engine.keepCopy(intake.profile, from: owner, day: day, checksum: intake.facts.checksum)
            peers[id]?.listed.done(intake)
            setbacks[owner] = nil
            wrong[owner]?.goodOneCame()
            held[owner]? += Int64(intake.facts.size)
            let facts = ["device": around.name(owner), "profile": Self.name(intake, engine), "day": "\(day)"]
            return [.log(LogLine(.info, "a daily backup of another device was copied", facts))]
        } catch {
            if error.reason == .damaged { return isWrong(intake, of: owner, on: id, Self.name(intake, engine), around) }
            // Nothing is staged any more, and this copy is fetched again from its beginning.
            intakes[owner] = CopyIntake(profile: intake.profile, facts: intake.facts)
            return cannotKeep(error, of: owner, now: now)
        }
    }

    /// Handles a copy that does not match its listing. It is removed, earlier copies stay, and it is not asked for
    /// again. A device that keeps sending such copies is not asked any more.
    private mutating func isWrong(
        _ intake: CopyIntake, of owner: DeviceID, on id: ConnectionID, _ profile: String, _ around: Surroundings
    ) -> [Effect] {
        peers[id]?.listed.done(intake)
        let isFirst = wrong[owner, default: WrongCopies()].add(intake.profile, intake.facts)
        if wrong[owner]?.isEnough == true { peers[id]?.listed.removeAll() }
        guard isFirst else { return [] }
        let message = "a daily backup of another device is not what it said, and was not kept"
        return [.log(LogLine(.warning, message, ["device": around.name(owner), "profile": profile]))]
    }

    private static func name(_ intake: CopyIntake, _ engine: ProfileEngine<some ProfileFiles, some Record>) -> String {
        engine.profiles[intake.profile]?.name ?? ""
    }

    // MARK: Looking

    /// The time at which a copy that could not be kept is tried again.
    var deadline: MonotonicTime? {
        guard keeps else { return nil }
        return peers.values.filter { !$0.isWaiting && !$0.listed.isEmpty }.compactMap { setbacks[$0.owner]?.retryAt }
            .min()
    }

    /// The problems with copies, as sentences for people.
    func troubles(name: (DeviceID) -> String) -> [String] {
        guard keeps else { return [] }
        var troubles: [String] = []
        for (_, peer) in peers.sorted(by: { $0.key < $1.key }) where !peer.listed.isEmpty {
            guard let fault = setbacks[peer.owner]?.fault else { continue }
            let trouble = "a copy of another device's backup cannot be kept; it is tried again: \(fault.message)"
            if !troubles.contains(trouble) { troubles.append(trouble) }
        }
        for (owner, wrong) in wrong.sorted(by: { $0.key < $1.key }) where wrong.count > 0 || wrong.isEnough {
            let what = wrong.count == 1 ? "a daily backup" : "daily backups"
            let rest = wrong.isEnough ? "; nothing more is copied from there until Hearth starts anew here" : ""
            troubles.append(
                "\(what) of \(name(owner)) came otherwise than listed and cannot be copied; its disk may be damaged"
                    + rest)
        }
        return troubles
    }
}
