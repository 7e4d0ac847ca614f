import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// A start survives whatever the record holds. Rows whose checksums are right may still be strange: they come from a
/// newer Hearth, from memory that failed, or from a device of the household that turned bad.
///
/// The agent may refuse to start, with a sentence. If it starts, it answers, and what the game saves is not lost.
@Suite struct FuzzedRecordTests {
    private let path = "/saves/player.json"
    private let start =
        #"{"coins":100,"level":1,"name":"Ada","items":[{"id":"a","n":1},{"id":"b","n":2}],"keys":["x","y"]}"#

    /// Two devices with a history: edits of both, a reset, an undo, an open choice, a guess, a profile that is paused.
    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 29)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([
            ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/items/[id]/n", MergeRule(.counter)),
            ("/keys", MergeRule(.union)), ("/name", MergeRule(.choice)),
        ])
        try home.add(path, start, rules: rules, on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 2_000)
        home.household.part(a, b)
        home.household.save(start.replacing("Ada", with: "Bo").replacing("100", with: "140"), to: path, on: a)
        let without = start.replacing("Ada", with: "Cy").replacing(#"{"id":"a","n":1},"#, with: "")
        home.household.save(without, to: path, on: b)
        home.household.run(milliseconds: 3_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 30_000)
        for request in [
            ResetRequest(profile: "game") as any AgentRequest, UndoRequest(profile: "game"),
            PlayRequest(profile: "game", game: "rpg", since: nil),
        ] {
            _ = home.household.ask(request, on: a)
            home.household.run(milliseconds: 1_000)
        }
        let lower = start.replacing("100", with: "90").replacing(#""level":1"#, with: #""level":0"#)
        home.household.save(lower, to: path, on: a)
        home.household.run(milliseconds: 2_000)
        return (home, a, b)
    }

    /// Each seed begins with the same household, so a seed alone gives the same again.
    @Test func aStartSurvivesIt() throws {
        var (refused, started) = (0, 0)
        for seed in 0..<UInt64(TestDepth.count(quick: 20, usual: 60, all: 1_000)) {
            let (home, a, b) = try household()
            var random = SeededRandom(seed: seed)
            home.household.kill(a)
            let what = "seed \(seed), \(try fuzz(a.record, &random))"
            // The game plays before the start, and after it; no sum of the test reaches these amounts.
            home.household.save(save(coins: 70_001), to: path, on: a)
            guard try starts(a, home, what) else {
                refused += 1
                continue
            }
            started += 1
            home.household.run(milliseconds: 3_000)
            expectKept(70_001, home, a, what)
            home.household.save(save(coins: 900_001), to: path, on: a)
            home.household.run(milliseconds: 40_000)
            expectKept(900_001, home, a, what)
            let status = home.household.ask(StatusRequest(), on: a)
            #expect(a.replies[status]?.last?.message(StatusReport.self) != nil, "\(what)")
            // The other device, which got what was strange, goes on: it takes a save, and starts again.
            home.household.save(save(coins: 3_000_001), to: path, on: b)
            home.household.run(milliseconds: 5_000)
            home.household.kill(b)
            #expect(try starts(b, home, what), "\(what)")
            expectKept(3_000_001, home, b, what)
            // What the first start wrote can be started from.
            home.household.kill(a)
            #expect(try starts(a, home, what), "\(what)")
            home.household.run(milliseconds: 3_000)
        }
        #expect(started > refused, "\(started) starts, \(refused) refusals")
    }

    private func save(coins: Int) -> String { start.replacing("100", with: "\(coins)") }

    /// Starts the agent. A refusal says that the record is damaged, and what to do.
    private func starts(_ device: SimulatedDevice, _ home: Home, _ what: String) throws -> Bool {
        do {
            try home.household.start(device)
            return true
        } catch let fault as StorageFault {
            let isAdvice = ["restore", "remove", "backup"].contains { fault.message.contains($0) }
            #expect(isAdvice, "\(what): \(fault.message)")
            return false
        }
    }

    /// What the game saved is in the file, or in a sum there, or aside: in a backup, or in quarantine.
    private func expectKept(_ coins: Int, _ home: Home, _ device: SimulatedDevice, _ what: String) {
        let profiles = (try? device.record.profiles()) ?? []
        let kept = profiles.flatMap { device.files.backupContents(of: $0) + device.files.quarantined(of: $0) }
        let texts = [home.household.text(of: path, on: device) ?? ""] + kept.map { String(decoding: $0, as: UTF8.self) }
        let amounts = texts.compactMap { text -> Int? in
            guard let document = try? JSONValue(parsing: Array(text.utf8)),
                case .number(let number)? = document["coins"]
            else { return nil }
            return Int(number.text)
        }
        #expect(amounts.contains { ($0 - coins).magnitude < 10_000 }, "\(what): \(coins) in \(amounts)")
    }

    // MARK: Strange rows

    /// Returns what was put in, for a report.
    private func fuzz(_ record: MemoryRecord, _ random: inout SeededRandom) throws -> String {
        var words: [String] = []
        for profile in try record.profiles() {
            guard let stored = try record.load(profile) else { continue }
            var change = RecordChange()
            var own = RecordChange.ProfileChange(profile)
            for _ in 0...random.below(3) {
                switch random.below(11) {
                case 10: own.baseHistoryFrom = random.pick([.max, 1, stored.baseHistory.last?.number ?? 1])
                case 0, 1: own.atoms += strangeValue(stored, &random)
                case 2: own.atoms += strangePlace(stored, &random)
                case 3: own.vector = strangeVector(stored, &random)
                case 4: own.baseHistory += strangeSnapshot(stored, &random)
                case 5: own.intent = .set(strangeIntent(stored, &random))
                case 6, 7: change.notes.add(try strangeNote(record, profile, &random))
                case 8: own.file = .some(random.pick(["", "player.json", "/saves/../etc/x", "/saves", path]))
                default: own.replica = random.pick(stored.vector.sortedReplicas + [replica(&random)])
                }
            }
            change.profiles = [own]
            try record.commit(change)
            words += own.atoms.map { "\($0.key.path) \($0.key.kind) \($0.atom.dot) \($0.atom.epoch as Any)" }
            words += own.baseHistory.map { "snapshot \($0.number) \($0.kind)" }
            words += change.notes.changes.map { "\($0.key) = \(String(decoding: $0.value ?? [], as: UTF8.self))" }
            if own.vector != nil { words.append("vector") }
            if let first = own.baseHistoryFrom { words.append("snapshots from \(first)") }
            if let file = own.file { words.append("file \(file ?? "none")") }
            if let replica = own.replica { words.append("replica \(replica)") }
            if case .set(let intent) = own.intent { words.append("\(intent)") }
        }
        return words.joined(separator: ", ")
    }

    private func replica(_ random: inout SeededRandom) -> ReplicaID {
        ReplicaID(high: random.next(), low: random.next())
    }

    private func number(_ random: inout SeededRandom) -> UInt64 {
        random.pick([0, 1, 2, 1 << 31, 1 << 32, 1 << 62, .max - 1, .max, random.next()])
    }

    /// The bytes with some of them changed, removed or added.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) {
            let place = random.below(bytes.count + 1)
            switch random.below(4) {
            case 0: bytes.insert(contentsOf: random.bytes(1 + random.below(9)), at: place)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(4)))
            case 2 where place < bytes.count: bytes[place] = random.pick([0, 0x22, 0x7B, 0x7F, 0x80, 0xFF])
            default: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
            }
        }
        return bytes
    }

    private func dot(_ old: Dot, _ random: inout SeededRandom) -> Dot {
        Dot(replica: random.chance(70) ? old.replica : replica(&random), sequence: number(&random))
    }

    private func epoch(_ old: EpochID?, _ random: inout SeededRandom) -> EpochID? {
        if random.chance(40) { return old }
        if random.chance(20) { return nil }
        return EpochID(
            number: number(&random), kind: random.pick(EpochID.Kind.allCases), stamp: Stamp(rawValue: number(&random)),
            origin: replica(&random))
    }

    /// A value under a key of the record, where its bytes can be read at all.
    private func strangeValue(_ stored: StoredProfile, _ random: inout SeededRandom) -> [KeyedAtom] {
        let one = random.pick(stored.atoms)
        let bytes = random.pick([
            mutated(one.atom.content.encoded, &random), random.pick(stored.atoms).atom.content.encoded, [],
            Array(repeating: UInt8(ascii: "["), count: 600),
        ])
        let dot = random.chance(50) ? one.atom.dot : dot(one.atom.dot, &random)
        guard let atom = try? Atom(encoded: bytes, key: one.key, dot, epoch: epoch(one.atom.epoch, &random)) else {
            return []
        }
        return [KeyedAtom(one.key, atom)]
    }

    private func strangePlace(_ stored: StoredProfile, _ random: inout SeededRandom) -> [KeyedAtom] {
        let one = random.pick(stored.atoms)
        let path = DocumentPath(encoded: mutated(one.key.path.encoded, &random))
        let kind = random.chance(50) ? one.key.kind : AtomKind(rawValue: UInt8(random.below(256)))
        let key = AtomKey(path, kind, sub: random.chance(50) ? one.key.sub : mutated(one.key.sub, &random))
        let bytes = random.chance(70) ? one.atom.content.encoded : mutated(one.atom.content.encoded, &random)
        guard let atom = try? Atom(encoded: bytes, key: key, dot(one.atom.dot, &random), epoch: one.atom.epoch) else {
            return []
        }
        return [KeyedAtom(key, atom)]
    }

    private func strangeVector(_ stored: StoredProfile, _ random: inout SeededRandom) -> VersionVector {
        var entries = stored.vector.entries
        let one = random.chance(70) ? random.pick(stored.vector.sortedReplicas) : replica(&random)
        entries[one] = random.chance(30) ? nil : .init(sequence: number(&random), history: number(&random))
        return VersionVector(entries)
    }

    private func strangeSnapshot(_ stored: StoredProfile, _ random: inout SeededRandom) -> [BaseHistoryRow] {
        guard var row = stored.baseHistory.last else { return [] }
        row.number = random.pick([row.number, 0, -1, .max, .min, row.number - 1])
        row.kind = random.pick([.game, .projected, .dropped])
        row.byteDiff.prefix = random.pick([row.byteDiff.prefix, -1, .min, .max, 5])
        row.byteDiff.suffix = random.pick([row.byteDiff.suffix, -1, .max, 3])
        row.byteDiff.middle = mutated(row.byteDiff.middle, &random)
        if random.chance(40) { row.vector = strangeVector(stored, &random) }
        return [row]
    }

    private func strangeIntent(_ stored: StoredProfile, _ random: inout SeededRandom) -> Intent {
        Intent(
            temporary: random.pick([
                ".player.json.hearth", "", "../x", "player.json", String(repeating: "n", count: 300),
            ]),
            byteDiff: ByteDiff(
                prefix: Int(truncatingIfNeeded: number(&random)), suffix: random.below(9), middle: random.bytes(9)),
            vector: strangeVector(stored, &random), targetWasAbsent: random.chance(50))
    }

    /// A note that is there with other bytes, or one of any kind with bytes of nobody.
    private func strangeNote(
        _ record: MemoryRecord, _ profile: ProfileID, _ random: inout SeededRandom
    ) throws -> NoteChange {
        let notes = try record.notes(prefix: "").sorted { $0.key < $1.key }
        if random.chance(60) {
            let note = random.pick(notes)
            return NoteChange(note.key, mutated(note.value, &random))
        }
        let spaces = [
            "notices", "pending-backup", "joined", "displaced", "joining", "restored", "waits-for-others", "replica",
            "head", "household", "household/address", "released", "paused", "in-step", "writer", "game", "record",
            "reads-its-file", "set-aside", "household/arrival",
        ]
        let id = profile.hex
        let name = random.pick([
            id, "", "x", "\(id)/x", "\(id)/\(id)", "secret", "secretSerial", "formerSecrets", "roster",
        ])
        let bytes = random.pick([
            [], random.bytes(40), Array("{}".utf8), Array("[]".utf8), Array("-1".utf8), Array(id.utf8),
            random.pick(notes).value,
        ])
        return NoteChange(NoteSpace(random.pick(spaces)).key(name), bytes)
    }
}
