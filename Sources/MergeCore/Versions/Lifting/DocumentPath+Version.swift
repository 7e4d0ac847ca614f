/// How a path names the version of the save whose places it means.
///
/// Places of one version mean nothing in another: `/hp` of version 1 may be what version 2 calls `/health`, and version
/// 2 may have an `/hp` of its own. So what is stored and sent says which it means: `#v/1.0/hp` is the place `/hp` of a
/// save of version 1.0, `#v/1.0#epochs` the epochs that began in one. Under rules that name no version a path stands
/// alone, as it always did.
extension DocumentPath {
    private static let mark = Array("#v/".utf8)

    /// Whether it means another thing in another version: every place of the document, and what an epoch covers.
    var dependsOnVersion: Bool {
        encoded.isEmpty || encoded[0] == UInt8(ascii: "/") || self == .epochs
    }

    /// Whether it names a version.
    var namesVersion: Bool { isReserved && !version.label.isNone }

    /// The place, as one of a version's. O(length).
    func of(_ version: VersionLabel) -> DocumentPath {
        guard !version.isNone, dependsOnVersion else { return self }
        return DocumentPath(encoded: Self.mark + version.bytes + encoded)
    }

    /// The version that is named, and the place in it. What names none, or is no such path (it may come from a peer),
    /// is its own place. O(length).
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
    /// The atom at the place that its path names in a version; `nil` where it names none.
    var named: KeyedAtom? { key.path.namesVersion ? at(key.path.version.place) : nil }

    /// The same atom at another path.
    func at(_ path: DocumentPath) -> KeyedAtom { KeyedAtom(AtomKey(path, key.kind, sub: key.sub), atom) }
}
