import MergeCore
import ProfileKeeping

/// The files of profiles that another device has forgotten, until the player knows of it.
struct ReleasedFiles {
    static let notes = NoteSpace("released")

    private var paths: [ProfileID: String] = [:]
    private var unstored = NoteChange()

    /// Reads the files from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) {
        for (key, path) in notes {
            guard let id = Self.notes.profile(key) else { continue }
            paths[id] = String(decoding: path, as: UTF8.self)
        }
    }

    /// All files, ascending by the id of their profile.
    var all: [(id: ProfileID, path: String)] { paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    func contains(_ id: ProfileID) -> Bool { paths[id] != nil }

    /// Adds a file that is about to be released. `store` makes its note durable first.
    mutating func add<Fault: Error>(
        _ id: ProfileID, _ path: String, store: (NoteChange) throws(Fault) -> Void
    ) throws(Fault) {
        // The player may just have heard of a former file of the profile.
        var notes = unstored
        notes.set(Self.notes.key(id), Array(path.utf8))
        try store(notes)
        unstored = NoteChange()
        paths[id] = path
    }

    /// Removes a file that the player knows of.
    mutating func acknowledged(_ id: ProfileID) {
        paths[id] = nil
        unstored.delete(Self.notes.key(id))
    }

    /// The notes to be deleted.
    mutating func takeUnstored() -> NoteChange { unstored.take() }
}
