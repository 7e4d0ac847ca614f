import MergeCore
import ProfileKeeping
import SyncProtocol

/// Copies of daily backups: connects the links with ``CopySender`` and ``CopyReceiver``.
extension HouseholdAgent {
    mutating func configureCopies(sharesBackups: [String], keepsBackupsOfOthers: Bool, now: Moment) {
        copySender.share(sharesBackups, profiles: engine.ids)
        perform(copyReceiver.keep(keepsBackupsOfOthers), now: now)
    }

    /// Takes the list of a device's daily backups of a profile.
    mutating func copiesListed(
        _ profile: ProfileID, _ list: [CopyFacts], _ live: LiveLink, on id: ConnectionID, now: Moment
    ) {
        let isKnown = engine.profiles[profile] != nil || !live.link.peerVector(profile).entries.isEmpty
        let roster = household.roster
        perform(
            copyReceiver.listed(profile, list, by: live.peerKey.id, on: id, isKnown: isKnown) { roster.name(of: $0) },
            now: now)
    }

    mutating func copyCame(_ question: CopyQuestion, _ content: [UInt8], on id: ConnectionID, now: Moment) {
        perform(copyReceiver.came(question, content, on: id), now: now)
    }

    mutating func tickCopies(now: Moment) {
        let (links, members) = (links, otherMembers)
        let sender = copySender
        let isNamed = { (id: ConnectionID) in
            links[id].map { sender.names($0.peerKey.id, among: members) } ?? false
        }
        perform(copySender.tick(engine, paused: paused.ids, isNamed: isNamed, now: now.monotonic), now: now)
        let around = copySurroundings
        perform(copyReceiver.tick(around, now: now.monotonic), now: now)
    }

    private var copySurroundings: CopyReceiver.Surroundings {
        let (roster, profiles) = (household.roster, engine.profiles)
        return CopyReceiver.Surroundings(
            paused: paused.ids, today: today, profile: { profiles[$0]?.name }, name: { roster.name(of: $0) })
    }

    mutating func perform(_ effects: [CopySender.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .answer(let id, let part): tell(id, now: now) { $0.answerCopy(part) }
            case .list(let id, let profile, let facts): tell(id, now: now) { $0.listCopies(of: profile, facts) }
            case .log(let line): act(.log(line))
            }
        }
    }

    /// Performs effects of the receiver, and those that follow from their results. A loop and not a recursion, because a
    /// device may list thousands of profiles.
    mutating func perform(_ effects: [CopyReceiver.Effect], now: Moment) {
        var effects = effects[...]
        while let effect = effects.popFirst() { effects += perform(effect, now: now) }
    }

    /// Performs one effect. Returns what follows from its result.
    private mutating func perform(_ effect: CopyReceiver.Effect, now: Moment) -> [CopyReceiver.Effect] {
        switch effect {
        case .ask(let id, let intake):
            tell(id, now: now) { $0.askForCopy(of: intake.profile, intake.facts, from: intake.received) }
        case .find(let question):
            return copyReceiver.found(answer(question), copySurroundings, now: now.monotonic)
        case .stage(let bytes, let offset, let owner):
            do throws(StorageFault) {
                try engine.files.stageCopy(bytes, at: offset, from: owner)
                return copyReceiver.staged(bytes.count, of: owner)
            } catch {
                return copyReceiver.failed(error, of: owner, copySurroundings, now: now.monotonic)
            }
        case .keep(let profile, let owner, let day, let checksum):
            do throws(StorageFault) {
                try engine.keepCopy(profile, from: owner, day: day, checksum: checksum)
                return copyReceiver.kept(of: owner, copySurroundings)
            } catch {
                return copyReceiver.failed(error, of: owner, copySurroundings, now: now.monotonic)
            }
        case .drop(let owner): engine.files.dropStagedCopy(from: owner)
        case .sweep: engine.files.sweepCopies()
        case .announce(let keeps): tellAll(now: now) { $0.keepCopies(keeps) }
        case .log(let line): act(.log(line))
        }
        return []
    }

    private func answer(_ question: DiskQuestion) -> DiskAnswer {
        do throws(StorageFault) {
            switch question {
            case .copies(let profile): return .copies(try engine.files.copies(of: profile))
            case .room: return .room(try engine.files.copyRoom())
            case .size(let owner): return .size(try engine.files.copiesSize(of: owner))
            }
        } catch {
            return .failed(error)
        }
    }
}
