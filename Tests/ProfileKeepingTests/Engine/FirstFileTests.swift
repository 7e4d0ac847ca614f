import HouseholdSimulation
import MergeCore
import Testing

@testable import ProfileKeeping

/// A first file is made once, when the form of another device's save has come, and written unless the state changed since.
@Suite struct FirstFileTests {
    private typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    private let path = "/a/save.json"
    private let form = TestSave.bytes(coins: 1, level: 1)

    /// A device that is to get its first file, and the one that has the save: 100 coins, level 1.
    private func devices() throws -> (device: Device, other: Device, id: ProfileID) {
        let (files, others) = (MemoryFiles(), MemoryFiles())
        var other = try Device(others, MemoryRecord(power: others.power), path: "/b/save.json", number: 2)
        others.saveByRename(TestSave.bytes(coins: 100, level: 1), at: other.path)
        let id = try other.add()
        var device = try Device(files, MemoryRecord(power: files.power), path: path, number: 1)
        try device.join(id, from: other)
        try device.engine.bind(id, to: path, now: device.now)
        #expect(device.engine.wantsFirstFile(id))
        return (device, other, id)
    }

    private func made(_ device: Device, _ id: ProfileID) -> [UInt8]? {
        device.engine.profiles[id]?.file.firstFile?.bytes
    }

    private func make(_ device: inout Device, _ id: ProfileID) {
        let isOfUse = device.engine.makeFirstFile(id, like: form)
        #expect(isOfUse)
    }

    private func write(_ device: inout Device, _ id: ProfileID, like form: [UInt8]?) -> [UInt8]? {
        let outcome = device.engine.project(id, tag: 1, like: form, now: device.now)
        #expect(outcome == .written)
        #expect(made(device, id) == nil, "what is written is let go")
        return device.engine.files.bytes(at: path)
    }

    @Test func whatWasMadeIsWritten_andNotMadeAgain() throws {
        var (device, _, id) = try devices()
        let changed = device.engine.takeChanged()
        #expect(changed == [id])
        make(&device, id)
        let told = device.engine.takeChanged()
        #expect(told == [], "no other device has to be told")
        #expect(made(device, id) == TestSave.bytes(coins: 100, level: 1))
        // Bytes that nobody would make from the form show where the file comes from.
        let marked = FirstFile(form: form, bytes: Array("{\"level\":1,\"coins\":100,\"mark\":0}".utf8))
        device.engine.profiles.updateSilently(id) { $0.file.madeFirstFile(marked) }
        #expect(write(&device, id, like: form) == marked.bytes)
    }

    @Test func whatComesInMeanwhileIsInTheFile() throws {
        var (device, other, id) = try devices()
        make(&device, id)
        other.engine.files.saveByRename(TestSave.bytes(coins: 140, level: 5), at: other.path)
        other.now += 1_000
        try other.settle(id)
        try device.join(id, from: other)
        #expect(made(device, id) == nil)
        #expect(write(&device, id, like: form) == TestSave.bytes(coins: 140, level: 5))
    }

    @Test func anotherFormMakesAnotherFile() throws {
        var (device, _, id) = try devices()
        make(&device, id)
        let other = Array(#"{"level":9,"name":"","lap":0,"coins":9}"#.utf8)
        #expect(write(&device, id, like: other) == Array(#"{"level":1,"name":"Ada","lap":1.50,"coins":100}"#.utf8))
    }

    @Test func whatNobodyCanUseIsNotKept() throws {
        var (device, _, id) = try devices()
        let isOfUse = device.engine.makeFirstFile(id, like: Array("[".utf8))
        #expect(!isOfUse)
        #expect(made(device, id) == nil)
        make(&device, id)
        try device.engine.unbind(id)
        #expect(made(device, id) == nil)
    }
}
