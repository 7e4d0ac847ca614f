import HouseholdSimulation
import MergeCore
import Testing

@testable import ProfileKeeping

/// The keys of the record's notes, and changes of notes.
@Suite struct NoteTests {
    private let id = ProfileID(high: 1, low: 2)
    private let space = NoteSpace("paused")

    @Test func aKeyIsReadAsItWasMade() {
        #expect(space.key(id) == "paused/\(id.hex)" && space.profile(space.key(id)) == id)
        #expect(space.key("id") == "paused/id" && space.name("paused/id") == "id")
        let parts = space.parts(space.key(id, "0"))
        #expect(parts?.profile == id && parts?.name == "0")
    }

    @Test(arguments: ["", "paused", "paused/", "paused/zz", "paused/zz/0", "other/00", "paused/a/b/c"])
    func oddKeysNameNothing(key: String) {
        #expect(space.profile(key) == nil && space.parts(key) == nil)
    }

    /// A device finds under these keys what its former versions have written; `NoteKeyTests` has those of the agent. None of them may change.
    @Test func theKeysInARecordStay() {
        typealias Engine = ProfileEngine<MemoryFiles, MemoryRecord>
        let spaces = [
            RecordNotes.space, Engine.waitNotes, Engine.noticeNotes, PendingBackup.notes, Engine.joinedNotes,
            Engine.joiningNotes, Engine.displacedNotes, Engine.quarantineNotes,
            OwnSaves.notes,
        ]
        #expect(
            spaces.map(\.prefix) == [
                "record/", "waits-for-others/", "notices/", "pending-backup/", "joined/", "joining/", "displaced/",
                "set-aside/", "own-saves/",
            ])
    }

    @Test func theLastChangeOfANoteCounts() {
        var change = NoteChange("a", [1])
        change.delete("b")
        change.add(NoteChange(["a": nil, "c": [2]]))
        #expect(change == NoteChange(["a": nil, "b": nil, "c": [2]]))
        #expect(change.names("b") && !change.names("d") && !change.isEmpty && NoteChange().isEmpty)
        change.set("b", [3])
        #expect(change.changes["b"] == .some([3]))
    }
}
