import DiskStore
import MergeCore
import ProfileKeeping

/// How long a start takes when a crash left a projection of each of 100 profiles half way.
enum StartCost {
    static func run(_ report: inout Report, folder: String, rounds: Int) throws {
        let count = 100
        report.title("Start with \(count) profiles of 10 KB")
        var (clean, crashed) = (Series(), Series())
        for round in 0..<rounds {
            let place = "\(folder)-\(round)"
            try Files.makeFolder(place)
            var desk = try Desk(place + "/home")
            var ids: [ProfileID] = []
            var save = Save(sections: 10, leaves: 60)
            for number in 0..<count {
                let path = "\(place)/\(number).json"
                try Files.write(save.bytes, to: path)
                ids.append(try desk.add(path, number: UInt64(number + 1)))
            }
            desk.record.close()
            clean.add(try time { _ = try start(place, ids) } * 1_000)

            desk = try Desk(place + "/home")
            let former = save.bytes
            save.raise(7, by: 1)
            for id in ids {
                var friend = try Friend(of: desk, id, former)
                try friend.save(save.bytes, id, to: &desk)
                try cut(&desk, id, save.bytes)
            }
            desk.record.close()
            var recovered = 0
            crashed.add(try time { recovered = try start(place, ids) } * 1_000)
            guard recovered == count else { throw Trouble("\(recovered) of \(count) projections were half way") }
        }
        report.add("start, nothing to recover", clean, "ms")
        report.add("start, \(count) projections to finish or undo", crashed, "ms", goal: 1_000)
    }

    /// What is there when the power goes between the staged file and the swap.
    private static func cut(_ desk: inout Desk, _ id: ProfileID, _ bytes: [UInt8]) throws {
        let profile = desk.engine.profiles[id]!
        let name = ProfileEngine<DiskFiles, SQLiteRecord>.temporaryPrefix + id.hex
        var change = RecordChange.ProfileChange(id)
        change.intent = .set(
            Intent(
                temporary: name, byteDiff: ByteDiff(from: profile.baseHistory.newest!.bytes, to: bytes),
                vector: profile.state.vector, targetWasAbsent: false))
        try desk.record.commit(RecordChange(change))
        try DiskFiles(home: desk.home).stage(bytes, as: name, beside: profile.file.path!)
    }

    /// Opens the record, takes up what a crash left, looks at every file. Returns how many had to be finished.
    private static func start(_ place: String, _ ids: [ProfileID]) throws -> Int {
        var desk = try Desk(place + "/home")
        let recovered = desk.engine.recover(now: desk.now)
        for id in ids { _ = try desk.engine.ingest(id, now: desk.now) }
        desk.record.close()
        return recovered.count
    }
}
