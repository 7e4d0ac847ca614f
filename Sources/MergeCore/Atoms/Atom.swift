/// Where an atom belongs: the place, the join it obeys, and which part of it.
public struct AtomKey: Hashable, Comparable, Sendable {
    public let path: DocumentPath
    public let kind: AtomKind
    /// The replica (16 bytes) for a counter's tally, the element's canonical bytes for a set, else empty.
    public let sub: [UInt8]

    public init(_ path: DocumentPath, _ kind: AtomKind, sub: [UInt8] = []) {
        self.path = path
        self.kind = kind
        self.sub = sub
    }

    public static func < (a: Self, b: Self) -> Bool {
        if a.path != b.path { return a.path < b.path }
        if a.kind != b.kind { return a.kind < b.kind }
        return a.sub.lexicographicallyPrecedes(b.sub)
    }
}

/// The smallest mergeable thing: a value and the dot that wrote it.
public struct Atom: Hashable, Sendable {
    public let content: AtomContent
    public let dot: Dot

    public init(_ content: AtomContent, _ dot: Dot) {
        self.content = content
        self.dot = dot
    }
}

/// An atom with its key, as it travels and as it is stored.
public struct KeyedAtom: Hashable, Sendable {
    public let key: AtomKey
    public let atom: Atom

    public init(_ key: AtomKey, _ atom: Atom) {
        self.key = key
        self.atom = atom
    }
}
