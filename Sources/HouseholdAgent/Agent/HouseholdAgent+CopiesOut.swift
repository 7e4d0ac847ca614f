import MergeCore
import ProfileKeeping
import SyncProtocol

/// This device's daily backups for those who keep copies, where this device was told to share them.
///
/// A backup is the whole save, with the fields that are `local`. So both sides have to be told: who is not told to
/// share lists nothing, and answers whatever is asked with nothing.
///
/// They are listed when a link comes up, when a new one is made, and when a pause ends; one profile at a time, so that
/// thousands of them hold nobody up. What is asked is answered last of all that an event brings about: deltas go first,
/// and one that comes later waits for a single part. Of a profile that is paused here nothing is listed and nothing is
/// sent.
extension HouseholdAgent {
    /// The device's configuration was read anew.
    mutating func shareBackups(_ shares: Bool) {
        guard shares != copies.shares else { return }
        copies.shares = shares
        if !shares { copies.sources = [:] }
        for live in links.values { live.copies.toList = [] }
        listCopiesAgain(of: keeper.ids)
    }

    /// A device says whether it keeps copies.
    mutating func peerKeepsCopies(_ keeps: Bool, _ live: LiveLink, on id: ConnectionID, now: Int64) {
        live.copies.toList = keeps && copies.shares ? Set(keeper.ids) : []
        guard !keeps, live.copies.question != nil else { return }
        // It no longer wants what it asked for. Unanswered, it could never ask again.
        live.copies.question = nil
        perform(live.link.answerCopy([]), on: id, now: now)
    }

    /// The daily backups of profiles are not what was listed.
    func listCopiesAgain(of profiles: some Sequence<ProfileID>) {
        guard copies.shares else { return }
        for live in links.values where live.link.peerKeepsCopies { live.copies.toList.formUnion(profiles) }
    }

    mutating func tickCopiesOut(now: Int64) {
        for (id, live) in links.sorted(by: { $0.key < $1.key }) {
            if let question = live.copies.question {
                live.copies.question = nil
                let part = part(question)
                // What nobody here knows is not kept in mind.
                if part.isEmpty, copies.shares, keeper.profiles[question.profile] != nil {
                    live.copies.toList.insert(question.profile)
                }
                perform(live.link.answerCopy(part), on: id, now: now)
            }
            guard live.copies.nextList <= now, let profile = live.copies.toList.min() else { continue }
            live.copies.toList.remove(profile)
            live.copies.nextList = now + CopyState.pace
            guard !paused.contains(profile), keeper.profiles[profile] != nil else { continue }
            let facts = copySources(profile)
            if !facts.isEmpty { perform(live.link.listCopies(of: profile, facts), on: id, now: now) }
        }
    }

    private mutating func copySources(_ profile: ProfileID) -> [CopyFacts] {
        do {
            let sources = try keeper.copySources(profile, known: copies.sources[profile] ?? [])
            copies.sources[profile] = sources
            return sources.filter { $0.fileSize <= Limits.copySize }.map {
                CopyFacts(day: $0.day.number, size: $0.fileSize, checksum: $0.checksum)
            }
        } catch {
            log(.warning, "the daily backups cannot be listed for other devices", ["why": error.message])
            return []
        }
    }

    /// The bytes that are asked for; none where there are none any more. A backup that is for more than its day by now,
    /// or pinned, is another file than was listed, and listed anew.
    private mutating func part(_ question: CopyQuestion) -> [UInt8] {
        guard copies.shares, !paused.contains(question.profile), keeper.profiles[question.profile] != nil else {
            return []
        }
        _ = copySources(question.profile)
        let source = copies.sources[question.profile]?.first { $0.checksum == question.checksum }
        guard let source else { return [] }
        let part = try? keeper.files.readStoredBackup(
            source.backup.name, of: question.profile, from: question.offset,
            limit: min(Limits.copyPart, max(0, source.fileSize - question.offset)))
        return part ?? []
    }
}
