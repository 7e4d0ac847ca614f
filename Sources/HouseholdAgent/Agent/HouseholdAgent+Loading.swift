import MergeCore
import ProfileKeeping
import SyncProtocol

extension HouseholdAgent {
    /// The parts of an agent as the record and the disk held them at the start.
    struct Loaded {
        let engine: ProfileEngine<Files, Store>
        let household: Household
        let certificates: Certificates
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
                notes: try store.notes(prefix: Household.prefix),
                me: signer.key,
                name: settings.deviceName,
                fresh: fresh
            )
            certificates = try Certificates(try store.notes(prefix: Certificates.prefix))
            paused = PausedProfiles(try store.notes(prefix: PausedProfiles.prefix))
            releasedFiles = ReleasedFiles(try store.notes(prefix: ReleasedFiles.prefix))
            games = GameSessions(
                lines: settings.processes, games: try store.notes(prefix: GameNote.prefix),
                reading: try store.notes(prefix: GameSessions.readingPrefix))
            writers = Writers(try store.notes(prefix: Writers.prefix))
            syncTimes = SyncTimes(try store.notes(prefix: SyncTimes.prefix))
        }
    }
}
