import HouseholdSimulation
import LosslessJSON
import MergeCore
import TestSupport
import Testing

@testable import ProfileKeeping

/// Rules that tell the elements of an array apart by another member than before would make others of them.
@Suite struct OtherKeyTests {
    private typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    private func keyed(_ pattern: String?) throws -> RuleSet {
        try RuleSet(pattern.map { [RuleSet.Entry(try RulePattern(parsing: $0), MergeRule(.counter))] } ?? [])
    }

    private let save = #"{"inv":[{"id":"s","uid":"u1","n":2},{"id":"t","uid":"u2","n":5}],"hp":3}"#

    private func device(_ pattern: String?, _ save: String? = nil) throws -> (device: Device, id: ProfileID) {
        let save = save ?? self.save
        let files = MemoryFiles()
        files.saveByRename(Array(save.utf8), at: "/a/save.json")
        var device = try Device(files, MemoryRecord(), path: "/a/save.json", number: 1)
        let ids = FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: 1, low: 1))
        let id = try device.engine.add(
            file: device.path, name: "test", rules: keyed(pattern), ids: ids, now: device.now)
        try device.settle(id)
        return (device, id)
    }

    private func text(_ device: Device) -> String? {
        device.engine.files.bytes(at: device.path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func anotherKeyIsRefused() throws {
        var (device, id) = try device("/inv[id]/n")
        let rules = try #require(device.engine.profiles[id]).rules
        let fault = #expect(throws: AdoptFault.self) {
            try device.engine.changeRules(id, to: keyed("/inv[uid]/n"), now: device.now)
        }
        #expect(fault?.message.contains("those at /inv were told apart by another member before") == true)
        let seen = #expect(throws: AdoptFault.self) {
            try device.engine.preview(keyed("/inv[uid]/n"), of: id, now: device.now)
        }
        #expect(seen == fault)
        #expect(device.engine.profiles[id]?.rules == rules)
        try device.settle(id)
        #expect(text(device) == save)
    }

    /// By the other member each element has the name that another one had.
    @Test(arguments: [[], ["/hp"]]) func elementsThatChangeNamesAreNotTakenForOneAnother(between: [String]) throws {
        let save = #"{"inv":[{"id":"s","uid":"t","n":2},{"id":"t","uid":"s","n":5}],"hp":3}"#
        var (device, id) = try device("/inv[id]/n", save)
        for pattern in between { try device.engine.changeRules(id, to: keyed(pattern), now: device.now) }
        if between.isEmpty {
            #expect(throws: AdoptFault.self) {
                try device.engine.changeRules(id, to: keyed("/inv[uid]/n"), now: device.now)
            }
        } else {
            try device.engine.changeRules(id, to: keyed("/inv[uid]/n"), now: device.now)
        }
        try device.settle(id)
        #expect(text(device) == save)
    }

    /// As the refusal says.
    @Test(arguments: [nil, "/hp"]) func anotherKeyIsTakenAfterRulesWithoutOne(between: String?) throws {
        var (device, id) = try device("/inv[id]/n")
        for pattern in [between, "/inv[uid]/n"] {
            try device.engine.changeRules(id, to: keyed(pattern), now: device.now)
            try device.settle(id)
            #expect(text(device) == save)
        }
        device.engine.files.saveByRename(Array(save.replacing("\"n\":5", with: "\"n\":9").utf8), at: device.path)
        try device.settle(id)
        #expect(device.engine.profiles[id]?.merged?.bytes == Array(save.replacing("\"n\":5", with: "\"n\":9").utf8))
    }

    @Test func aFirstKeyIsTaken() throws {
        var (device, id) = try device("/hp")
        try device.engine.changeRules(id, to: keyed("/inv[uid]/n"), now: device.now)
        try device.settle(id)
        let rules = try keyed("/inv[uid]/n")
        #expect(text(device) == save && device.engine.profiles[id]?.rules == rules)
    }
}
