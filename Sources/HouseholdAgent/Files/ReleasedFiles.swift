import MergeCore

/// The files of profiles that another device has forgotten, until the player has heard of it.
struct ReleasedFiles {
    static let prefix = "released/"

    private var paths: [ProfileID: String] = [:]

    /// Reads the files from the record's notes whose keys begin with ``prefix``.
    init(_ notes: [String: [UInt8]]) {
        for (key, path) in notes {
            guard let id = ProfileID(hex: String(key.dropFirst(Self.prefix.count))) else { continue }
            paths[id] = String(decoding: path, as: UTF8.self)
        }
    }

    /// All files, ascending by the id of their profile.
    var all: [(id: ProfileID, path: String)] { paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    func contains(_ id: ProfileID) -> Bool { paths[id] != nil }

    /// Adds a file that is about to be released. `store` makes its note durable first.
    mutating func add<Fault: Error>(
        _ id: ProfileID, _ path: String, store: ([String: [UInt8]?]) throws(Fault) -> Void
    ) throws(Fault) {
        try store([Self.prefix + id.hex: Array(path.utf8)])
        paths[id] = path
    }

    /// Removes a file of which the player knows. Returns the notes to be deleted.
    mutating func heard(of id: ProfileID) -> [String: [UInt8]?] {
        paths[id] = nil
        return [Self.prefix + id.hex: [UInt8]?.none]
    }
}
