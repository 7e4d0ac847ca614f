/// The part of a path that names the version of the save to whose places the path belongs.
///
/// A place of one version means nothing in another: `/hp` of version 1 may be what version 2 calls `/health`, and
/// version 2 may have an `/hp` of its own. So a path that is stored or sent names its version: `#v/1.0/hp` is the place
/// `/hp` of a save of version 1.0, and `#v/1.0#epochs` are the epochs that began in such a save. Under rules that name
/// no version, a path has no such part.
extension DocumentPath {
    private static let mark = Array("#v/".utf8)

    /// Whether the path has another meaning in another version. True for every place of the document, and for
    /// `#epochs`, because an epoch covers places.
    var dependsOnVersion: Bool {
        encoded.isEmpty || encoded[0] == UInt8(ascii: "/") || self == .epochs
    }

    /// Whether it names a version.
    var namesVersion: Bool { isReserved && !version.label.isNone }

    /// The path of this place with the name of a version in front. O(length).
    func of(_ version: VersionLabel) -> DocumentPath {
        guard !version.isNone, dependsOnVersion else { return self }
        return DocumentPath(encoded: Self.mark + version.bytes + encoded)
    }

    /// The version that the path names, and the place in that version. A path that names none is its own place; so is a
    /// malformed one, which may come from a peer. O(length).
    var version: (label: VersionLabel, place: DocumentPath) {
        guard isReserved, encoded.starts(with: Self.mark) else { return (.none, self) }
        let rest = encoded[Self.mark.count...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
        let place = DocumentPath(encoded: Array(rest[end...]))
        guard end > rest.startIndex, place.dependsOnVersion else { return (.none, self) }
        return (VersionLabel(bytes: Array(rest[..<end])), place)
    }
}

extension KeyedAtom {
    /// The atom at the place that its path names in a version; `nil` where the path names no version.
    var named: KeyedAtom? { key.path.namesVersion ? at(key.path.version.place) : nil }

    /// The same atom at another path.
    func at(_ path: DocumentPath) -> KeyedAtom { KeyedAtom(AtomKey(path, key.kind, sub: key.sub), atom) }
}
