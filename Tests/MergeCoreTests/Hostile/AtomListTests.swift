import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// The atoms with which a profile came, as the record keeps them.
@Suite struct AtomListTests {
    private func atoms() throws -> [KeyedAtom] {
        var devices = Device.household(2, ResetTests.ruleSet, sharing: ResetTests.save)
        try devices[0].reset("/coins")
        settle(&devices)
        devices[1].set("coins", 510)
        settle(&devices)
        return devices[0].state.delta(beyond: VersionVector())
    }

    @Test func theyComeBackAsTheyWere() throws {
        let atoms = try atoms()
        #expect(Set(atoms.map(\.atom.dot.replica)).count > 1 && atoms.contains { $0.atom.epoch != nil })
        #expect(try AtomList.decode(AtomList.encode(atoms)) == atoms)
        #expect(try AtomList.decode(AtomList.encode([])) == [])
    }

    /// Every byte changed in turn, and every truncation: refused, or read as some atoms.
    @Test func damagedBytesNeverTrap() throws {
        let bytes = AtomList.encode(try atoms())
        for index in bytes.indices {
            for value in [bytes[index] ^ 1, bytes[index] ^ 0x80, 0, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                guard let atoms = try? AtomList.decode(damaged) else { continue }
                _ = ProfileState(restoring: atoms, vector: VersionVector())
            }
            #expect(throws: StateCodingError.self) { try AtomList.decode(Array(bytes[..<index])) }
        }
        #expect(throws: StateCodingError.self) { try AtomList.decode(bytes + [0]) }
        #expect(throws: StateCodingError.self) { try AtomList.decode([2] + bytes.dropFirst()) }
    }
}
