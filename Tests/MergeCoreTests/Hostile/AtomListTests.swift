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
        #expect(try AtomList.decode(#require(AtomList.encode(atoms))) == atoms)
        #expect(try AtomList.decode(#require(AtomList.encode([]))) == [])
    }

    /// Every byte changed in turn, and every truncation: refused, or read as some atoms.
    @Test func damagedBytesNeverTrap() throws {
        let bytes = try #require(AtomList.encode(try atoms()))
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

    /// A path takes the start of the one before, so few bytes could stand for any amount of memory.
    @Test func longPathsThatShareTheirStartAreBounded() throws {
        let stem = Array("/".utf8) + Array(repeating: UInt8(ascii: "a"), count: 1_000)
        let atoms = (0..<200).map { number in
            let key = AtomKey(DocumentPath(encoded: stem + Array("\(number)".utf8)), .latest)
            let dot = Dot(replica: ReplicaID(bytes: Array(repeating: 1, count: 16))!, sequence: UInt64(number + 1))
            return KeyedAtom(key, Atom(.register(Stamp(rawValue: 1), .null), dot))
        }
        let all = atoms.reduce(0) { $0 + $1.key.path.encoded.count }
        let bytes = try #require(AtomList.encode(atoms, pathLimit: all))
        #expect(bytes.count < all / 20)
        #expect(try AtomList.decode(bytes, pathLimit: all) == atoms)
        #expect(throws: StateCodingError.self) { try AtomList.decode(bytes, pathLimit: all - 1) }
        #expect(AtomList.encode(atoms, pathLimit: all - 1) == nil)
    }
}
