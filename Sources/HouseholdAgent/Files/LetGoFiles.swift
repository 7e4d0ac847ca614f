import MergeCore

/// Files of profiles that another device has forgotten, until the player has heard of it.
struct LetGoFiles {
    static let prefix = "let-go/"

    private var paths: [ProfileID: String] = [:]

    /// Reads the record's notes that ``prefix`` begins.
    init(_ notes: [String: [UInt8]]) {
        for (key, path) in notes {
            guard let id = ProfileID(hex: String(key.dropFirst(Self.prefix.count))) else { continue }
            paths[id] = String(decoding: path, as: UTF8.self)
        }
    }

    /// All of them, in a fixed order.
    var all: [(id: ProfileID, path: String)] { paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    func contains(_ id: ProfileID) -> Bool { paths[id] != nil }

    /// A file is about to be let go; `store` makes that durable first.
    mutating func add<Fault: Error>(
        _ id: ProfileID, _ path: String, store: ([String: [UInt8]?]) throws(Fault) -> Void
    ) throws(Fault) {
        try store([Self.prefix + id.hex: Array(path.utf8)])
        paths[id] = path
    }

    /// The player knows; the notes to be dropped.
    mutating func heard(of id: ProfileID) -> [String: [UInt8]?] {
        paths[id] = nil
        return [Self.prefix + id.hex: [UInt8]?.none]
    }
}
