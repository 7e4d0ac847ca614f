import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// The keys of the notes that the parts of an agent keep in the record.
@Suite struct NoteKeyTests {
    /// A device finds under these keys what its former versions have written. None of them may change.
    @Test func theKeysInARecordStay() {
        let spaces = [
            PausedProfiles.notes, ReleasedFiles.notes, SyncTimes.notes, ReplicaOrigins.notes, SignedHeads.notes,
            Household.notes, Writers.notes, GameNote.notes, GameSessions.readingNotes,
            Hearsay.notes, LastSeen.notes,
        ]
        #expect(
            spaces.map(\.prefix) == [
                "paused/", "released/", "in-step/", "replica/", "head/", "household/", "writer/", "game/",
                "reads-its-file/", "hearsay/", "last-seen/",
            ])
    }
}
