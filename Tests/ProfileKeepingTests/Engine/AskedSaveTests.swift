import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// A save that the player is asked about is kept for as long as the question is open, and no longer: one record says
/// both, so that neither a crash nor a full disk comes between them.
@Suite struct AskedSaveTests {
    typealias TestEngine = ProfileEngine<MemoryFiles, MemoryRecord>

    /// One device: an engine over a disk and a record in memory, which lose their power together.
    struct Device {
        let files: MemoryFiles
        let record: MemoryRecord
        var engine: TestEngine
        var now: Moment = 1_700_000_000_000

        init(_ files: MemoryFiles, _ record: MemoryRecord) throws {
            (self.files, self.record) = (files, record)
            engine = try TestEngine(files: files, store: record)
        }
    }

    private let path = "/saves/player.json"
    private let id = ProfileID(high: 1, low: 2)
    private let less = #"{"coins":1,"level":1,"themes":[]}"#

    private func save(_ coins: Int) -> String { #"{"coins":\#(coins),"level":9,"themes":["day","night"]}"# }

    /// Where the last save stands in the file and was not looked at yet.
    private func device(_ last: String) throws -> Device {
        let power = PowerSwitch()
        var device = try Device(MemoryFiles(power: power), MemoryRecord(power: power))
        let rules = try RuleSet([
            RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter)),
            RuleSet.Entry(try RulePattern(parsing: "/level"), MergeRule(.max)),
        ])
        device.files.saveByRename(Array(save(100).utf8), at: path)
        _ = try device.engine.add(
            file: path, name: "game", rules: rules, ids: FreshIDs(profile: id, replica: ReplicaID(high: 1, low: 1)),
            now: device.now)
        try play(101...103, &device)
        device.now = device.now + .seconds(1)
        device.files.saveByRename(Array(last.utf8), at: path)
        return device
    }

    /// One save a second, each taken up, and its backup made.
    private func play(_ coins: ClosedRange<Int>, _ device: inout Device) throws {
        for coins in coins {
            device.now = device.now + .seconds(1)
            device.files.saveByRename(Array(save(coins).utf8), at: path)
            _ = try device.engine.ingest(id, now: device.now)
            device.engine.makePendingBackups(id, now: device.now)
        }
    }

    /// Writes what the household has over the save that is asked about.
    private func bringBack(_ device: inout Device) {
        device.now = device.now + .seconds(1)
        _ = device.engine.project(id, tag: UInt64(device.now.wall.milliseconds), now: device.now)
    }

    private func question(_ device: Device) -> SaveQuestion? { device.engine.profiles[id]?.notices.question }

    private func pinned(_ device: Device) throws -> [String] {
        try device.engine.backups(id).filter(\.note.isPinned).map(\.name)
    }

    private func isKept(_ text: String, _ device: Device) throws -> Bool {
        try device.engine.backups(id).contains { device.engine.readBackup(id, $0.name) == .document(Array(text.utf8)) }
    }

    @Test func aKillAtAnyStepLeavesNoBackupWithoutItsQuestion() throws {
        var whole = try device(less)
        whole.files.power.restart()
        #expect(try whole.engine.ingest(id, now: whole.now) == .questioned)
        let steps = whole.files.power.operations.count
        try #require(steps > 3)
        for step in 1...steps + 1 {
            var device = try device(less)
            device.files.power.restart()
            device.files.power.cut(before: step)
            _ = try? device.engine.ingest(id, now: device.now)
            device.files.power.restart()
            var next = try Device(device.files, device.record)
            next.now = device.now + .seconds(1)
            _ = next.engine.recover(now: next.now)
            #expect(try pinned(next) == [question(next)?.backup].compactMap { $0 }, "killed before step \(step)")
            // What was cut short is done at the next look.
            _ = try next.engine.ingest(id, now: next.now)
            #expect(question(next) != nil, "killed before step \(step)")
            #expect(try pinned(next) == [question(next)?.backup].compactMap { $0 }, "killed before step \(step)")
            bringBack(&next)
            try play(104...120, &next)
            #expect(try isKept(less, next), "killed before step \(step)")
        }
    }

    @Test(arguments: [false, true]) func anAnswerThatCannotBeWrittenAnswersNothing(isAccepted: Bool) throws {
        var device = try device(less)
        _ = try device.engine.ingest(id, now: device.now)
        let asked = try #require(question(device))
        bringBack(&device)
        device.files.power.setHook { operation throws(StorageFault) in
            if operation == .commit { throw StorageFault(.noSpace, "the disk is full") }
        }
        func answer(_ device: inout Device) throws {
            guard isAccepted else { return try device.engine.keepState(id) }
            let document = try JSONDocument(parsing: Array(less.utf8))
            try device.engine.perform(.reset(.everything, to: document), on: id, now: device.now)
        }
        #expect(throws: (any Error).self) { try answer(&device) }
        device.files.power.setHook(nil)
        #expect(question(device) == asked)
        #expect(try pinned(device) == [try #require(asked.backup)])
        try play(104...120, &device)
        #expect(try isKept(less, device))
        // Once it is answered, it leaves with the others of its age.
        try answer(&device)
        #expect(question(device) == nil)
        #expect(try pinned(device) == [])
        if !isAccepted {
            try play(121...140, &device)
            #expect(try !isKept(less, device))
        }
    }

    /// The player's own pin is none of the question's.
    @Test func aPinOfThePlayerOutlivesTheAnswer() throws {
        var device = try device(less)
        _ = try device.engine.ingest(id, now: device.now)
        let name = try #require(question(device)?.backup)
        try device.engine.pinBackup(id, name, true)
        try device.engine.keepState(id)
        #expect(try pinned(device) == [name])
    }

    // MARK: The stored form

    private var note: String { "notices/" + id.hex }

    /// What a restart finds where something else stands in the record.
    private func restarted(_ device: Device, with bytes: [UInt8]) throws -> Device {
        var change = RecordChange()
        change.notes.set(note, bytes)
        try device.record.commit(change)
        var next = try Device(device.files, device.record)
        next.now = device.now + .seconds(1)
        return next
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"question\":{}}", "{\"question\":7,\"remarks\":[]}", "{\"remarks\":[[]]}", "\u{0}",
        #"{"question":{"time":1,"stands":{},"lowered":[],"purse":[]}}"#,
        #"{"question":{"time":1,"stands":{"xy":1},"lowered":[],"heldLess":"olderCopy"}}"#,
        #"{"question":{"time":1e400,"stands":{},"lowered":[],"heldLess":"olderCopy"}}"#,
        #"{"question":{"time":1,"stands":{},"lowered":[],"purse":[["/coins","1","2",false],["/x","a","2",false]]}}"#,
    ])
    func garbageInItsPlaceIsSaid(_ text: String) throws {
        var device = try device(less)
        _ = try device.engine.ingest(id, now: device.now)
        var next = try restarted(device, with: Array(text.utf8))
        #expect(question(next) == nil)
        #expect(next.engine.profiles[id]?.remark?.contains("cannot be read any more") == true, "\(text)")
        #expect(try isKept(less, next))
        try next.engine.keepState(id)
        #expect(next.engine.profiles[id]?.notices.isEmpty == true)
        #expect(try Device(device.files, device.record).engine.profiles[id]?.notices.isEmpty == true)
    }

    /// Whatever became of some of its bytes: it can be asked, answered and played on, and the save is there.
    @Test(arguments: [false, true]) func damagedBytesLoseNoSave(isPurse: Bool) throws {
        var device = try device(less)
        _ = try device.engine.ingest(id, now: device.now)
        var whole = try #require(try device.record.notes(prefix: note)[note])
        if isPurse {
            let asked =
                #"{"time":1700000000000,"stands":{"\#(ReplicaID(high: 1, low: 1).hex)":3},"lowered":["/a"],"#
                + #""purse":[["/coins","-300","100",false],["/gems","7","1e9",true]]}"#
            whole = Array(#"{"remarks":[["lowered","/best","/best from 9 to 8"]],"question":\#(asked)}"#.utf8)
            #expect(try question(restarted(device, with: whole)) != nil)
        }
        let (disk, record) = (device.files.disk, device.record.copy)
        var random = SeededRandom(seed: isPurse ? 11 : 7)
        for round in 0..<400 {
            var bytes = whole
            for _ in 0...random.next() % 3 {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 5 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(Array(#"{}[]",:-09ex/#~"#.utf8)[Int(random.next() % 15)], at: place)
                case 3: bytes.removeSubrange(place...)
                default: bytes[place] ^= 1 << UInt8(random.next() % 8)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let files = MemoryFiles(disk, swapping: .exchange)
            let fresh = MemoryRecord()
            fresh.restore(record)
            var start = try Device(files, fresh)
            start.now = device.now
            var next = try restarted(start, with: bytes)
            let words = try #require(next.engine.profiles[id]?.notices)
            _ = words.question?.sentence("game")
            #expect(!words.isEmpty, "round \(round): \(String(decoding: bytes, as: UTF8.self))")
            if let question = words.question, case .purse = question.reason, round.isMultiple(of: 2) {
                _ = try? next.engine.perform(.settle(question, isRead: true), on: id, now: next.now)
            }
            bringBack(&next)
            try play(104...104, &next)
            #expect(try isKept(less, next), "round \(round): \(String(decoding: bytes, as: UTF8.self))")
            if next.engine.profiles[id]?.notices.isEmpty == false { try next.engine.keepState(id) }
            #expect(try Device(files, fresh).engine.profiles[id]?.notices.isEmpty == true, "round \(round)")
        }
    }
}
