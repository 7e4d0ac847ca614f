import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping

/// What a save and a projection cost until they are durable, beside one write + fsync + rename of the same bytes.
struct SaveCost {
    private let name: String
    private let folder: String
    private let path: String
    private let rounds: Int
    private var save: Save
    private var desk: Desk
    private let id: ProfileID

    private init(_ name: String, folder: String, sections: Int, rounds: Int) throws {
        try Files.makeFolder(folder)
        (self.name, self.folder, self.rounds) = (name, folder, rounds)
        path = folder + "/save.json"
        save = Save(sections: sections, leaves: 60)
        try Files.write(save.bytes, to: path)
        desk = try Desk(folder + "/home")
        id = try desk.add(path, number: 1)
    }

    static func run(_ report: inout Report, _ name: String, folder: String, sections: Int, rounds: Int) throws {
        var cost = try SaveCost(name, folder: folder, sections: sections, rounds: rounds)
        report.title("\(name): \(cost.save.bytes.count) bytes, \(cost.save.count) leaves, 5 changed a time")
        try cost.saves(&report)
        try cost.projections(&report)
        try cost.backups(&report)
    }

    private mutating func play(_ round: Int) -> [UInt8] {
        for step in 0..<5 { save.raise((round * 31 + step * 97 * 31) % save.count, by: 1 + step) }
        desk.wait(.seconds(60))
        return save.bytes
    }

    private func floor(_ bytes: [UInt8]) throws -> Double {
        try time { try Files.saveDurably(bytes, to: folder + "/floor.json") } * 1_000
    }

    /// The game saves again and again; each time until the record has it.
    private mutating func saves(_ report: inout Report) throws {
        var (least, parse, taken, ratio, later) = (Series(), Series(), Series(), Series(), Series())
        for round in 0..<(rounds + 2) {
            let bytes = play(round)
            try Files.saveDurably(bytes, to: path)
            let spent =
                try time {
                    guard try desk.engine.ingest(id, now: desk.now) == .edited else {
                        throw Trouble("the save was not seen")
                    }
                } * 1_000
            let floor = try floor(bytes)
            let backup = time { desk.engine.makePendingBackups(id, now: desk.now) } * 1_000
            guard round >= 2 else { continue }
            least.add(floor)
            later.add(backup)
            parse.add(try time { _ = try JSONDocument(parsing: bytes) } * 1_000)
            taken.add(spent)
            ratio.add(spent / floor)
        }
        report.add("\(name): floor, write + fsync + rename", least, "ms")
        report.add("\(name): parse, once", parse, "ms")
        report.add("\(name): save -> record", taken, "ms")
        report.add("\(name): save -> record, ratio of the medians", taken.median / least.median, "x", goal: 3)
        report.add("\(name): save -> record, ratio, each time", ratio, "x")
        report.add("\(name): its backup, a moment later", later, "ms")
    }

    /// Another device plays again and again; each time until the file has it.
    private mutating func projections(_ report: inout Report) throws {
        var friend = try Friend(of: desk, id, save.bytes)
        var (least, written, ratio) = (Series(), Series(), Series())
        for round in 0..<(rounds + 2) {
            let bytes = play(round)
            try friend.save(bytes, id, to: &desk)
            let spent = try time { try desk.project(id) } * 1_000
            guard Files.read(path) == bytes else { throw Trouble("the file is not what was merged") }
            desk.wait(.seconds(60))
            try desk.engine.clearDisplaced(id, now: desk.now)
            let floor = try floor(bytes)
            guard round >= 2 else { continue }
            least.add(floor)
            written.add(spent)
            ratio.add(spent / floor)
        }
        report.add("\(name): projection", written, "ms")
        report.add("\(name): projection, ratio of the medians", written.median / least.median, "x", goal: 3)
        report.add("\(name): projection, ratio, each time", ratio, "x")
    }

    private mutating func backups(_ report: inout Report) throws {
        let (files, other) = (DiskFiles(home: folder + "/home"), ProfileID(random: 5, 5))
        var (kept, beyond) = (Series(), Series())
        for round in 0..<(rounds + 2) {
            let bytes = play(round)
            let spent =
                try time {
                    _ = try files.keepBackup(bytes, of: other, as: BackupNote(time: desk.now.wall, pools: [.changes]))
                } * 1_000
            files.removeBackups(try files.backups(of: other).map(\.name), of: other)
            let floor = try floor(bytes)
            guard round >= 2 else { continue }
            kept.add(spent)
            beyond.add(spent - floor)
        }
        report.add("\(name): one backup", kept, "ms")
        report.add("\(name): one backup, beyond the floor", beyond, "ms", goal: name == "1 MB" ? 20 : nil)
    }
}
