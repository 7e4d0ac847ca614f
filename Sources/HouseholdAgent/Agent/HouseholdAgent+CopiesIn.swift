import MergeCore
import ProfileKeeping
import SyncProtocol

/// Copies of other devices' daily backups, where this device was told to keep them.
///
/// Each device lists what it has; what is lacking here is fetched a part at a time, one copy of a device after the
/// other, and goes on where a link was cut. Nothing a device says takes away what is kept: see ``CopyPlan``. Copies
/// stay when their device is removed from the household, when the profile's file is forgotten here, and when this
/// device stops keeping them.
extension HouseholdAgent {
    /// The device's configuration was read anew.
    mutating func keepCopies(_ keeps: Bool, now: Int64) {
        guard keeps != copies.keeps else { return }
        copies.keeps = keeps
        if !keeps {
            copies.intakes = [:]
            (copies.trouble, copies.retryAt) = (nil, .min)
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
        guard copies.keeps, copies.wrong[owner, default: 0] < CopyState.wrongLimit else { return }
        guard keeper.profiles[profile] != nil || !live.link.peerVector(profile).entries.isEmpty else {
            // Not even the one who lists them has said anything of it.
            if copies.strange.insert(owner).inserted {
                log(
                    .warning, "a device lists backups of a profile that it does not have",
                    ["device": name(of: live.peerKey), "profile": "\(profile)"])
            }
            return
        }
        live.copies.want(list, of: profile)
    }

    mutating func tickCopiesIn(now: Int64) {
        guard copies.keeps, copies.retryAt <= now else { return }
        copies.retryAt = .min
        for (id, live) in links.sorted(by: { $0.key < $1.key }) where live.isUp && !live.copies.isWaiting {
            guard let intake = nextIntake(live, now: now) else { continue }
            copies.intakes[live.peerKey.id] = intake
            live.copies.isWaiting = true
            perform(live.link.askForCopy(of: intake.profile, intake.facts, from: intake.received), on: id, now: now)
        }
    }

    /// What to fetch next: what was begun, else the oldest of the first profile that lacks any.
    private mutating func nextIntake(_ live: LiveLink, now: Int64) -> CopyIntake? {
        let owner = live.peerKey.id
        if let begun = copies.intakes[owner], live.copies.wants(begun), mayKeepCopies(of: begun.profile) {
            return begun
        }
        var index = 0
        while index < live.copies.wanted.count {
            let profile = live.copies.wanted[index].profile
            guard mayKeepCopies(of: profile) else {
                index += 1
                continue
            }
            guard let kept = try? keeper.files.copies(of: profile) else { return nil }
            let lacking = live.copies.wanted[index].copies.filter { facts in
                LocalDay(number: facts.day).map {
                    CopyPlan.lacks($0, of: owner, in: kept, today: copies.today)
                } ?? false
            }
            live.copies.want(lacking, of: profile)
            guard let facts = lacking.first else { continue }
            if copies.begin(owner, profile, now: now) { return CopyIntake(profile: profile, facts: facts) }
            live.copies.want([], of: profile)
        }
        return nil
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
        guard !content.isEmpty else { return live.copies.done(intake.profile, intake.facts) }
        do throws(StorageFault) {
            try keeper.files.stageCopy(content, at: intake.received, from: owner)
            intake.received += content.count
            guard intake.received == intake.facts.size else {
                copies.intakes[owner] = intake
                return
            }
            try keepCopy(intake, of: live)
            copies.trouble = nil
        } catch {
            guard error.reason != .damaged else { return copyIsWrong(intake, live) }
            if copies.trouble != error.message {
                log(.warning, "a copy of another device's backup cannot be kept", ["why": error.message])
            }
            // Nothing is staged any more; this one is still the next.
            copies.intakes[owner] = CopyIntake(profile: intake.profile, facts: intake.facts)
            copies.trouble = error.message
            copies.retryAt = now + CopyState.retry
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

    /// It is not what was listed: it is gone, what was kept stays, and a device that goes on so is not asked any more.
    private mutating func copyIsWrong(_ intake: CopyIntake, _ live: LiveLink) {
        let owner = live.peerKey.id
        live.copies.done(intake.profile, intake.facts)
        copies.wrong[owner, default: 0] += 1
        if copies.wrong[owner]! >= CopyState.wrongLimit { live.copies.wanted = [] }
        guard copies.wrong[owner] == 1 else { return }
        log(
            .warning, "a daily backup of another device is not what it said, and was not kept",
            ["device": name(of: live.peerKey), "profile": keeper.profiles[intake.profile]?.name ?? ""])
    }

    /// When copies have something to be done with.
    var copyDeadline: Int64? {
        var times: [Int64] = []
        for live in links.values where !live.copies.toList.isEmpty { times.append(live.copies.nextList) }
        if copies.keeps, copies.retryAt > .min { times.append(copies.retryAt) }
        return times.min()
    }
}
