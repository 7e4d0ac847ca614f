import MergeCore
import ProfileKeeping
import SyncProtocol

/// Copies of other devices' daily backups, where this device was told to keep them.
///
/// Each device lists what it has; what is lacking here is fetched a part at a time, one copy of a device after the
/// other, and goes on where a link was cut. The disk keeps room for everything else (``DiskRoom``), and no device takes
/// up more than its share. Nothing a device says takes away what is kept: see ``CopyPlan``. Copies stay when their
/// device is removed from the household, when the profile's file is forgotten here, and when this device stops keeping
/// them.
extension HouseholdAgent {
    /// The device's configuration was read anew.
    mutating func keepCopies(_ keeps: Bool, now: Int64) {
        guard keeps != copies.keeps else { return }
        copies.keeps = keeps
        if !keeps {
            copies.intakes = [:]
            copies.setbacks = [:]
            keeper.files.sweepCopies()
        }
        for (id, live) in links.sorted(by: { $0.key < $1.key }) {
            if !keeps { live.copies.wanted = [] }
            perform(live.link.keepCopies(keeps), on: id, now: now)
        }
    }

    /// A device lists its daily backups of a profile.
    mutating func copiesListed(_ profile: ProfileID, _ list: [CopyFacts], _ live: LiveLink) {
        let owner = live.peerKey.id
        guard copies.keeps, copies.wrong[owner]?.isEnough != true else { return }
        guard keeper.profiles[profile] != nil || !live.link.peerVector(profile).entries.isEmpty else {
            // Not even the one who lists them has said anything of it.
            if copies.strange.insert(owner).inserted {
                log(
                    .warning, "a device lists backups of a profile that it does not have",
                    ["device": name(of: live.peerKey), "profile": "\(profile)"])
            }
            return
        }
        copies.wrong[owner]?.list(list, of: profile)
        live.copies.want(list, of: profile)
    }

    mutating func tickCopiesIn(now: Int64) {
        guard copies.keeps else { return }
        for (id, live) in links.sorted(by: { $0.key < $1.key }) where live.isUp && !live.copies.isWaiting {
            let owner = live.peerKey.id
            guard !live.copies.wanted.isEmpty else {
                // What it listed is here, or is not to be had: nothing is left to be tried again.
                if live.copies.hasWanted { copies.setbacks[owner] = nil }
                continue
            }
            if let setback = copies.setbacks[owner], setback.retryAt > now { continue }
            var next: CopyIntake?
            do throws(StorageFault) {
                next = try nextIntake(live, now: now)
                // What waits for a pause to end is not tried again either.
                if next == nil { copies.setbacks[owner] = nil }
            } catch {
                cannotKeep(error, of: owner, now: now)
            }
            guard let intake = next else { continue }
            copies.intakes[owner] = intake
            live.copies.isWaiting = true
            perform(live.link.askForCopy(of: intake.profile, intake.facts, from: intake.received), on: id, now: now)
        }
    }

    /// What to fetch next: what was begun, else the oldest of the first profile that lacks any.
    private mutating func nextIntake(_ live: LiveLink, now: Int64) throws(StorageFault) -> CopyIntake? {
        let owner = live.peerKey.id
        if let begun = copies.intakes[owner], live.copies.wants(begun), mayKeepCopies(of: begun.profile) {
            if begun.received == 0 {
                try checkRoom(begun, of: owner, in: try keeper.files.copies(of: begun.profile))
            }
            return begun
        }
        var index = 0
        while index < live.copies.wanted.count {
            let profile = live.copies.wanted[index].profile
            guard mayKeepCopies(of: profile) else {
                index += 1
                continue
            }
            let kept = try keeper.files.copies(of: profile)
            let wrong = copies.wrong[owner]
            let lacking = live.copies.wanted[index].copies.filter { facts in
                guard let day = LocalDay(number: facts.day), wrong?.contains(profile, facts) != true else {
                    return false
                }
                return CopyPlan.lacks(day, of: owner, in: kept, today: copies.today)
            }
            live.copies.want(lacking, of: profile)
            guard let facts = lacking.first else { continue }
            let intake = CopyIntake(profile: profile, facts: facts)
            try checkRoom(intake, of: owner, in: kept)
            if copies.begin(owner, profile, now: now) { return intake }
            live.copies.want([], of: profile)
        }
        return nil
    }

    /// Nothing is written where the disk would not keep its reserve, nor where one device would take up more than its
    /// share.
    private mutating func checkRoom(
        _ intake: CopyIntake, of owner: DeviceID, in kept: [StoredCopy]
    ) throws(StorageFault) {
        let room = try keeper.files.copyRoom()
        guard room.takes(intake.facts.size) else {
            throw StorageFault(
                .noSpace, "the disk is nearly full: \(room.reserve >> 20) MiB of it stay free for everything else")
        }
        guard let day = LocalDay(number: intake.facts.day) else { return }
        let growth = CopyPlan.growth(intake.facts.size, on: day, of: owner, in: kept)
        func fits(_ held: Int64) -> Bool { held <= settings.copiesLimit - growth }
        if let held = copies.held[owner], fits(held) { return }
        let held = try keeper.files.copiesSize(of: owner)
        copies.held[owner] = held
        guard fits(held) else {
            let limit = "\(settings.copiesLimit >> 20) MiB are kept of \(name(of: owner)) at most"
            throw StorageFault(.tooLarge, "\(limit); remove some of its copies from the folder copies")
        }
    }

    /// Says it once, and tries again later.
    private mutating func cannotKeep(_ fault: StorageFault, of owner: DeviceID, now: Int64) {
        let last = copies.setbacks[owner]
        if last?.fault.reason != fault.reason {
            log(.warning, "a copy of another device's backup cannot be kept", ["why": fault.message])
        }
        copies.setbacks[owner] = CopySetback(fault, after: last, now: now)
    }

    /// A device that is in the household no more: what it began is swept.
    mutating func forgetCopies(ofAllBut members: Set<DeviceID>) {
        for owner in copies.owners.subtracting(members).sorted() {
            copies.forget(owner)
            keeper.files.dropStagedCopy(from: owner)
        }
    }

    /// Nothing is fetched of a profile that is paused here, or that has not come yet.
    private func mayKeepCopies(of profile: ProfileID) -> Bool {
        keeper.profiles[profile] != nil && !paused.contains(profile)
    }

    /// A part of a copy came.
    mutating func copyCame(_ question: CopyQuestion, _ content: [UInt8], _ live: LiveLink, now: Int64) {
        live.copies.isWaiting = false
        let owner = live.peerKey.id
        guard copies.keeps, var intake = copies.intakes[owner], intake.isAnswered(by: question) else { return }
        copies.intakes[owner] = nil
        guard !content.isEmpty else {
            keeper.files.dropStagedCopy(from: owner)
            return live.copies.done(intake.profile, intake.facts)
        }
        do throws(StorageFault) {
            try keeper.files.stageCopy(content, at: intake.received, from: owner)
            intake.received += content.count
            guard intake.received == intake.facts.size else {
                copies.intakes[owner] = intake
                return
            }
            try keepCopy(intake, of: live)
            copies.setbacks[owner] = nil
            copies.wrong[owner]?.goodOneCame()
            if let held = copies.held[owner] { copies.held[owner] = held + Int64(intake.facts.size) }
        } catch {
            guard error.reason != .damaged else { return copyIsWrong(intake, live) }
            // Nothing is staged any more; this one is still the next.
            copies.intakes[owner] = CopyIntake(profile: intake.profile, facts: intake.facts)
            cannotKeep(error, of: owner, now: now)
        }
    }

    private mutating func keepCopy(_ intake: CopyIntake, of live: LiveLink) throws(StorageFault) {
        guard let day = LocalDay(number: intake.facts.day) else { return }
        try keeper.keepCopy(intake.profile, from: live.peerKey.id, day: day, checksum: intake.facts.checksum)
        live.copies.done(intake.profile, intake.facts)
        log(
            .info, "a daily backup of another device was copied",
            ["device": name(of: live.peerKey), "profile": keeper.profiles[intake.profile]?.name ?? "", "day": "\(day)"])
    }

    /// It is not what was listed: it is gone, what was kept stays, and it is not asked for again. A device that goes on
    /// so is not asked any more.
    private mutating func copyIsWrong(_ intake: CopyIntake, _ live: LiveLink) {
        let owner = live.peerKey.id
        live.copies.done(intake.profile, intake.facts)
        let isFirst = copies.wrong[owner, default: WrongCopies()].add(intake.profile, intake.facts)
        if copies.wrong[owner]?.isEnough == true { live.copies.wanted = [] }
        guard isFirst else { return }
        log(
            .warning, "a daily backup of another device is not what it said, and was not kept",
            ["device": name(of: live.peerKey), "profile": keeper.profiles[intake.profile]?.name ?? ""])
    }

    /// When copies have something to be done with.
    var copyDeadline: Int64? {
        var times: [Int64] = []
        for live in links.values where !live.copies.toList.isEmpty { times.append(live.copies.nextList) }
        if copies.keeps {
            for live in links.values where live.isUp && !live.copies.isWaiting && !live.copies.wanted.isEmpty {
                if let setback = copies.setbacks[live.peerKey.id] { times.append(setback.retryAt) }
            }
        }
        return times.min()
    }

    /// What is wrong with copies, for people to read.
    var copyTroubles: [String] {
        var troubles: [String] = []
        for (_, live) in links.sorted(by: { $0.key < $1.key }) where copies.keeps && !live.copies.wanted.isEmpty {
            guard let fault = copies.setbacks[live.peerKey.id]?.fault else { continue }
            let trouble = "a copy of another device's backup cannot be kept; it is tried again: \(fault.message)"
            if !troubles.contains(trouble) { troubles.append(trouble) }
        }
        for (owner, wrong) in copies.wrong.sorted(by: { $0.key < $1.key }) where copies.keeps {
            guard wrong.count > 0 || wrong.isEnough else { continue }
            let what = wrong.count == 1 ? "a daily backup" : "daily backups"
            let rest = wrong.isEnough ? "; nothing more is copied from there until Hearth starts anew here" : ""
            troubles.append(
                "\(what) of \(name(of: owner)) came otherwise than listed and cannot be copied; its disk may be damaged"
                    + rest)
        }
        return troubles
    }
}
