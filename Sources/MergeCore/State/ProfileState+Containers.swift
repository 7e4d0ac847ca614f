/// The containers around the places of a state, known by the hashes of their paths.
extension ProfileState {
    mutating func noteContainers(of path: DocumentPath) {
        var parent: UInt64?
        Self.walk(path) { parent = $0 }
        // Neighbouring paths come one after the other, so this container was mostly noted by the path before.
        guard let parent, parent != lastContainer else { return }
        lastContainer = parent
        Self.walk(path) { containers.insert($0) }
    }

    /// Passes the hash (``FNV1a``) of every place above a path to `above`; returns the hash of the path itself.
    /// O(length).
    @discardableResult
    static func walk(_ path: DocumentPath, above: (UInt64) -> Void) -> UInt64 {
        var hash = FNV1a()
        for byte in path.encoded {
            if byte == UInt8(ascii: "/") { above(hash.value) }
            hash.add(byte)
        }
        return hash.value
    }
}
