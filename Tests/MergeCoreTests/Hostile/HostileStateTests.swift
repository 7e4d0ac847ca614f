import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// A stored state as a damaged or hostile file may hold it.
@Suite struct HostileStateTests {
    /// Every byte changed in turn, and every truncation: refused, or read as some state that can be asked for all it
    /// has.
    @Test func damagedBytesNeverTrap() throws {
        var devices = Device.household(2, ResetTests.ruleSet, sharing: ResetTests.save)
        try devices[0].reset("/coins")
        devices[1].set("coins", 510)
        settle(&devices)
        let bytes = devices[0].state.encoded
        func look(_ bytes: [UInt8]) {
            guard let state = try? ProfileState(decoding: bytes) else { return }
            _ = (state.sortedAtoms.count, state.encoded.count, state.delta(beyond: VersionVector()).count)
            _ = Projection.newDocument(of: state)
        }
        for index in bytes.indices {
            for value in [bytes[index] ^ 1, bytes[index] ^ 0x80, 0, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                look(damaged)
            }
            look(Array(bytes[..<index]))
        }
        #expect(throws: StateCodingError.self) { try ProfileState(decoding: Array(bytes.dropLast())) }
        #expect(throws: StateCodingError.self) { try ProfileState(decoding: []) }
    }

    @Test func aReplicaThatTheFileDoesNotListIsRefused() {
        // No replicas, no epochs, no vector, one record: the place "/a" of latest with a dot of replica 0.
        let columns: [[UInt8]] = [[0, 2, 0x2F, 0x61], [0, 0], [1, 2, 0], [0], [1], [0x31]]
        let bytes = Array("HearthS".utf8) + [1, 0, 0, 0, 1] + columns.flatMap { [UInt8($0.count)] + $0 }
        #expect(throws: StateCodingError.self) { try ProfileState(decoding: bytes) }
    }
}
