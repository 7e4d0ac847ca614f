/// Notes to be written into the record, or deleted there, by key. Each key is named once.
package struct NoteChange: Hashable, Sendable {
    /// The bytes to write; `nil` for a note to be deleted.
    package private(set) var changes: [String: [UInt8]?] = [:]

    package init() {}

    /// Notes to be written, or to be deleted where their bytes are `nil`.
    package init(_ changes: [String: [UInt8]?]) { self.changes = changes }

    /// One note to be written, or to be deleted where the bytes are `nil`.
    package init(_ key: String, _ bytes: [UInt8]?) { set(key, bytes) }

    package var isEmpty: Bool { changes.isEmpty }

    /// Whether a note is written or deleted.
    package func names(_ key: String) -> Bool { changes.keys.contains(key) }

    /// Writes a note, or deletes it where the bytes are `nil`.
    package mutating func set(_ key: String, _ bytes: [UInt8]?) { changes.updateValue(bytes, forKey: key) }

    package mutating func delete(_ key: String) { set(key, nil) }

    /// Adds other changes. Where both name a note, the other counts.
    package mutating func add(_ other: NoteChange) {
        guard !other.isEmpty else { return }
        changes.merge(other.changes) { $1 }
    }
}
