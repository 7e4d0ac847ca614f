import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping

/// What can be seen in an image: the plays in its record and in every whole save on its disk.
struct Visible: CustomStringConvertible {
    var plays: UInt32 = 0
    /// What stands at the path, where that is no JSON.
    var broken: [UInt8]?
    /// What the record holds, whatever the order in lists.
    var document: [UInt8]?
    /// Some file is JSON and a mixture of saves, as a write over a save may leave it: nobody can tell what was played.
    var isMixture = false
    var description = ""
}

/// Reads saves, each of them once.
struct SaveReader {
    private enum Reading { case broken, mixture, save(TallySave) }

    private let kind: TallySave.Kind
    private var readings: [[UInt8]: Reading] = [:]
    private var records: [Int: Visible] = [:]

    init(_ kind: TallySave.Kind) { self.kind = kind }

    /// - Parameter digest: Tells records apart.
    mutating func look(at image: MemoryDisk, _ record: MemoryRecord, _ digest: Int) throws -> Visible {
        var visible = try look(in: record, digest)
        for (path, inode) in image.names where path == Stage.path || path.contains("/.hearth-") {
            guard let bytes = image.files[inode]?.bytes else { continue }
            switch read(bytes) {
            case .broken:
                if path == Stage.path { visible.broken = bytes }
            case .mixture: visible.isMixture = true
            case .save(let save):
                visible.plays |= save.plays
                visible.description += ", \(path) \(TallySave.bits(save.plays))"
            }
        }
        return visible
    }

    private mutating func read(_ bytes: [UInt8]) -> Reading {
        if let known = readings[bytes] { return known }
        let reading: Reading
        if (try? JSONDocument(parsing: bytes)) == nil {
            reading = .broken
        } else {
            reading = TallySave(bytes, kind).map { .save($0) } ?? .mixture
        }
        readings[bytes] = reading
        return reading
    }

    private mutating func look(in record: MemoryRecord, _ digest: Int) throws -> Visible {
        if let known = records[digest] { return known }
        var visible = Visible()
        for id in try record.profiles() {
            guard let stored = try record.load(id),
                let document = Projection.newDocument(
                    of: ProfileState(restoring: stored.atoms, vector: stored.vector))
            else { continue }
            if id == CrashScene.profile { visible.document = TallySave.shape(document.jsonBytes) }
            // After a reset of some of it a document is none that a game would write.
            guard let save = TallySave(document.jsonBytes, kind) else { continue }
            visible.plays |= save.plays
            visible.description += "record \(TallySave.bits(save.plays))"
        }
        records[digest] = visible
        return visible
    }
}
