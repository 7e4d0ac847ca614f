import MergeCore
import ProfileKeeping
import SyncProtocol

/// Copies of daily backups: connects the links with ``CopySender`` and ``CopyReceiver``.
extension HouseholdAgent {
    mutating func configureCopies(sharesBackups: [String], keepsBackupsOfOthers: Bool, now: Moment) {
        copySender.share(sharesBackups, profiles: engine.ids)
        guard copyReceiver.keep(keepsBackupsOfOthers, in: engine.files) else { return }
        tellAll(now: now) { $0.keepCopies(keepsBackupsOfOthers) }
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
        let around = copySurroundings
        perform(copyReceiver.came(question, content, on: id, &engine, around, now: now.monotonic), now: now)
    }

    mutating func tickCopies(now: Moment) {
        let (links, members) = (links, otherMembers)
        let sender = copySender
        let isNamed = { (id: ConnectionID) in
            links[id].map { sender.names($0.peerKey.id, among: members) } ?? false
        }
        perform(copySender.tick(engine, paused: paused.ids, isNamed: isNamed, now: now.monotonic), now: now)
        let around = copySurroundings
        perform(copyReceiver.tick(engine, around, now: now.monotonic), now: now)
    }

    private var copySurroundings: CopyReceiver.Surroundings {
        let roster = household.roster
        return CopyReceiver.Surroundings(paused: paused.ids, today: today) { roster.name(of: $0) }
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

    private mutating func perform(_ effects: [CopyReceiver.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .ask(let id, let intake):
                tell(id, now: now) { $0.askForCopy(of: intake.profile, intake.facts, from: intake.received) }
            case .log(let line): act(.log(line))
            }
        }
    }
}
