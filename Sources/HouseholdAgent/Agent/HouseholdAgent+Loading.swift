import MergeCore
import ProfileKeeping
import SyncProtocol

extension HouseholdAgent {
    /// The parts of an agent as the record and the disk held them at the start.
    struct Loaded {
        let engine: ProfileEngine<Files, Store>
        let household: Household
        let lastSeen: LastSeen
        let origins: ReplicaOrigins
        let heads: SignedHeads
        let hearsay: Hearsay
        let paused: PausedProfiles
        let releasedFiles: ReleasedFiles
        let syncTimes: SyncTimes
        let games: GameSessions
        let writers: Writers

        init(
            _ settings: Settings, _ signer: any DeviceSigner, _ fresh: HouseholdID, _ files: Files, _ store: Store
        ) throws(StorageFault) {
            engine = try ProfileEngine(files: files, store: store)
            household = try Household(
                notes: try store.notes(in: Household.notes),
                me: signer.key,
                name: settings.deviceName,
                fresh: fresh
            )
            lastSeen = LastSeen(try store.notes(in: LastSeen.notes), members: household.roster.members.map(\.id))
            origins = try ReplicaOrigins(try store.notes(in: ReplicaOrigins.notes))
            heads = try SignedHeads(try store.notes(in: SignedHeads.notes))
            hearsay = try Hearsay(try store.notes(in: Hearsay.notes), origins)
            paused = PausedProfiles(try store.notes(in: PausedProfiles.notes))
            releasedFiles = ReleasedFiles(try store.notes(in: ReleasedFiles.notes))
            games = GameSessions(
                lines: settings.processes, games: try store.notes(in: GameNote.notes),
                reading: try store.notes(in: GameSessions.readingNotes))
            writers = Writers(try store.notes(in: Writers.notes))
            syncTimes = SyncTimes(try store.notes(in: SyncTimes.notes))
        }
    }
}
