import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// The signatures that this device can show for what others wrote.
@Suite struct SignedHeadsTests {
    private let save = ProfileID(high: 0, low: 1)
    private let former = ProfileID(high: 0, low: 2)
    private let third = ProfileID(high: 0, low: 3)
    private let deck = SeededSigner(seed: 2)

    private func origin(_ slot: Int = 0, in profile: ProfileID? = nil) throws -> ReplicaOrigin {
        try #require(ReplicaOrigin(device: deck.key, profile: profile ?? save, slot: slot))
    }

    private func entry(_ sequence: UInt64, _ history: UInt64 = 7) -> VersionVector.Entry {
        VersionVector.Entry(sequence: sequence, history: history)
    }

    /// The deck's own word for an entry.
    private func head(_ origin: ReplicaOrigin, _ entry: VersionVector.Entry) -> SignedHeads.Head {
        let signature = ReplicaHead.signature(of: origin.replica, at: entry, by: deck)
        return SignedHeads.Head(entry: entry, signature: signature)
    }

    private func notes(_ heads: [ReplicaID: SignedHeads.Head], in profile: ProfileID) -> [String: [UInt8]] {
        SignedHeads.notes(of: heads, in: profile).changes.compactMapValues { $0 }
    }

    @Test func signaturesComeBackFromTheirNotes() throws {
        let (one, two) = (try origin(), try origin(1))
        let high = head(one, entry(.max - 1, 0x0102_0304_0506_0708))
        let (low, elsewhere) = (head(two, entry(1, .max)), head(one, entry(2)))
        let stored = notes([one.replica: high, two.replica: low], in: save)
            .merging(notes([one.replica: elsewhere], in: former)) { $1 }
        #expect(stored.count == 3 && stored.keys.allSatisfy { SignedHeads.notes.name($0) != nil })
        let read = try SignedHeads(stored)
        #expect(read[one.replica, in: save] == high && read[two.replica, in: save] == low)
        #expect(read[one.replica, in: former] == elsewhere && read[two.replica, in: former] == nil)
        #expect(read[one.replica, in: third] == nil)
        let signature = try #require(read[one.replica, in: save]?.signature)
        #expect(ReplicaHead.isValid(signature, of: one.replica, at: high.entry, by: deck.key))
    }

    @Test func theNewestSignatureTakesTheNoteOfTheOneBefore() throws {
        let one = try origin()
        let (old, new) = (head(one, entry(1)), head(one, entry(2)))
        #expect(Set(notes([one.replica: old], in: save).keys) == Set(notes([one.replica: new], in: save).keys))
        var heads = try SignedHeads(notes([one.replica: old], in: save))
        heads.add([one.replica: new], in: save)
        #expect(heads[one.replica, in: save] == new)
        heads.add([:], in: save)
        #expect(heads[one.replica, in: save] == new)
    }

    /// Of an entry with another number or history nothing was signed, and a wrong signature ends a link.
    @Test func aSignatureIsShownForItsEntryAlone() throws {
        let (one, two) = (try origin(), try origin(1))
        var heads = try SignedHeads([:])
        heads.add([one.replica: head(one, entry(5))], in: save)
        #expect(heads.signature(for: entry(5), of: one, in: save) == head(one, entry(5)).signature)
        for other in [entry(4), entry(6), entry(5, 8)] {
            #expect(heads.signature(for: other, of: one, in: save) == nil)
        }
        #expect(heads.signature(for: entry(5), of: two, in: save) == nil)
    }

    /// A replica's writes are the same in the profile where it began and in the one that this was joined into.
    @Test func aJoinedProfilesSignaturesCountToo() throws {
        let began = try origin(in: former)
        var heads = try SignedHeads([:])
        heads.add([began.replica: head(began, entry(5))], in: former)
        #expect(heads.signature(for: entry(5), of: began, in: save) == head(began, entry(5)).signature)
        // One that began elsewhere still and came by two joins.
        let other = try origin(in: third)
        heads.add([other.replica: head(other, entry(3))], in: former)
        #expect(heads.signature(for: entry(3), of: other, in: save) == nil, "nobody said that it was joined")
        #expect(heads.signature(for: entry(3), of: other, in: save, or: [former]) == head(other, entry(3)).signature)
        // Where the profiles know different entries, each is shown for its own.
        heads.add([began.replica: head(began, entry(6))], in: save)
        for number: UInt64 in [5, 6] {
            let signature = heads.signature(for: entry(number), of: began, in: save)
            #expect(signature == head(began, entry(number)).signature)
        }
    }

    @Test func aDamagedNoteIsNoSignature() throws {
        let one = try origin()
        let (key, bytes) = try #require(notes([one.replica: head(one, entry(5))], in: save).first)
        #expect(bytes.count == 16 + Limits.signature)
        let damaged: [(String, [UInt8])] = [
            (key, []), (key, Array(bytes.dropLast())), (key, bytes + [0]), (key + "/more", bytes),
            (key + "0", bytes), (SignedHeads.notes.key(save), bytes), (SignedHeads.notes.key("odd/odd"), bytes),
        ]
        for (number, note) in damaged.enumerated() {
            let fault = #expect(throws: StorageFault.self, "\(number)") { try SignedHeads([note.0: note.1]) }
            #expect(fault?.message.contains(note.0) == true && fault?.message.contains("backup") == true)
        }
    }
}
