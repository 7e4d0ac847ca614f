import Crypto
package import MergeCore

/// The hashes by which two devices find out whether they hold the same of a writer's writes; see "Digests" in
/// Sync.proto.
package enum SpanDigest {
    /// The hash over the atoms of a span.
    ///
    /// - Parameter atoms: Those in the state, in key order (``MergeCore/ProfileState/atoms(of:)``).
    package static func hash(_ atoms: [KeyedAtom], of span: WriteSpan, in profile: ProfileID) -> [UInt8] {
        var head = CanonicalBytes(label: "hearth span 1")
        head.add(profile.bytes)
        head.add(span.replica.bytes)
        head.add(span.after)
        head.add(span.last)
        var hash = SHA256()
        hash.update(data: head.bytes)
        for atom in atoms {
            // Paths, subs and contents may be longer than a field of a signed text.
            add(atom.key.path.encoded, to: &hash)
            add([atom.key.kind.rawValue], to: &hash)
            add(atom.key.sub, to: &hash)
            var numbers = CanonicalBytes()
            numbers.add(atom.atom.dot.sequence)
            numbers.add(atom.atom.epoch?.bytes ?? [])
            hash.update(data: numbers.bytes)
            add(atom.atom.encoded, to: &hash)
        }
        return Array(hash.finalize())
    }

    private static func add(_ field: [UInt8], to hash: inout SHA256) {
        hash.update(data: CanonicalBytes.length(of: field))
        hash.update(data: field)
    }

    /// The hash over what a vector covers.
    package static func hash(_ vector: VersionVector) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: CanonicalBytes(label: "hearth vector 1").bytes)
        for replica in vector.sortedReplicas {
            var text = CanonicalBytes()
            text.add(replica.bytes)
            text.add(vector.sequence(of: replica))
            hash.update(data: text.bytes)
        }
        return Array(hash.finalize())
    }
}
