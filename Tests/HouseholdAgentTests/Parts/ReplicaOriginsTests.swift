import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// Whose each replica is, as the record keeps it.
@Suite struct ReplicaOriginsTests {
    private let save = ProfileID(high: 1, low: 2)
    private let other = ProfileID(high: 3, low: 4)
    private let deck = SeededSigner(seed: 2).key

    private func origin(_ slot: Int, in profile: ProfileID) throws -> ReplicaOrigin {
        try #require(ReplicaOrigin(device: deck, profile: profile, slot: slot))
    }

    private func notes(_ origins: [ReplicaOrigin]) -> [String: [UInt8]] {
        ReplicaOrigins.notes(of: origins).changes.compactMapValues { $0 }
    }

    @Test func originsComeBackFromTheirNotes() throws {
        let all = [try origin(0, in: save), try origin(Limits.slots - 1, in: save), try origin(3, in: other)]
        let stored = notes(all)
        #expect(stored.count == 3 && stored.keys.allSatisfy { ReplicaOrigins.notes.name($0) != nil })
        let read = try ReplicaOrigins(stored)
        for origin in all { #expect(read[origin.replica] == origin) }
        #expect(read[try origin(1, in: save).replica] == nil)
        #expect(ReplicaOrigins.notes(of: []).isEmpty)
    }

    @Test func anAddedOriginIsKnown() throws {
        let (one, two) = (try origin(0, in: save), try origin(1, in: save))
        var origins = try ReplicaOrigins(notes([one]))
        origins.add(two)
        #expect(origins[one.replica] == one && origins[two.replica] == two)
    }

    /// A damaged note could say that a replica is another device's: nobody would take what this device sends of it.
    @Test func aDamagedNoteIsNoOrigin() throws {
        let (one, two) = (try origin(0, in: save), try origin(1, in: save))
        let (key, bytes) = try #require(notes([one]).first)
        let otherKey = try #require(notes([two]).keys.first)
        let damaged: [(String, [UInt8])] = [
            (key, []), (key, Array(bytes.prefix(17))), (key, Array(bytes.dropLast())), (key, bytes + [0]),
            (otherKey, bytes), (key, [1] + bytes.dropFirst()), (key, [UInt8(Limits.slots)] + bytes.dropFirst()),
            (ReplicaOrigins.notes.key("odd"), bytes),
        ]
        for (number, note) in damaged.enumerated() {
            #expect(throws: StorageFault.self, "\(number)") { try ReplicaOrigins([note.0: note.1]) }
        }
        for position in bytes.indices {
            var changed = bytes
            changed[position] ^= 1
            #expect(throws: StorageFault.self, "byte \(position)") { try ReplicaOrigins([key: changed]) }
        }
    }

    @Test func thePersonIsToldWhatToDo() throws {
        let key = ReplicaOrigins.notes.key("odd")
        let fault = #expect(throws: StorageFault.self) { try ReplicaOrigins([key: []]) }
        #expect(fault?.reason == .record && fault?.message.contains(key) == true, "\(fault?.message ?? "")")
        #expect(fault?.message.contains("backup") == true)
    }
}
