/// The key of an atom: the place, the join that the atom obeys, and which part of the place it is.
public struct AtomKey: Hashable, Comparable, Sendable {
    /// The place in the document, or one of Hearth's own notes.
    public let path: DocumentPath
    /// The join that the atom obeys, and how values are read.
    public let kind: AtomKind
    /// The part of the place: the replica (16 bytes) for a counter's tally, a candidate or a removal, the step that was
    /// taken back (25 bytes) for what a counter got back, the element for a set, the id and the writer for an epoch (see
    /// ``AtomContent`` for each kind); empty for the place as a whole.
    public let sub: [UInt8]

    /// A key; without a sub it names the place as a whole.
    public init(_ path: DocumentPath, _ kind: AtomKind, sub: [UInt8] = []) {
        self.path = path
        self.kind = kind
        self.sub = sub
    }

    /// By path, then kind, then sub, each by its bytes.
    public static func < (a: Self, b: Self) -> Bool {
        if a.path != b.path { return a.path < b.path }
        if a.kind != b.kind { return a.kind < b.kind }
        return a.sub.lexicographicallyPrecedes(b.sub)
    }
}

/// The smallest mergeable thing: a value, the dot that wrote it, and the epoch it was written in.
///
/// It is kept in its encoded form, which is small, is compared by bytes and is relayed as it came. ``content`` decodes
/// it.
public struct Atom: Hashable, Sendable {
    /// The form that ``AtomContent/encoded`` describes.
    public let encoded: [UInt8]
    /// The dot of the write that made the atom.
    public let dot: Dot
    /// The epoch in which it was written; `nil` where no epoch covered the place yet.
    public let epoch: EpochID?
    let form: AtomForm

    /// Encodes a content. O(size).
    public init(_ content: AtomContent, _ dot: Dot, epoch: EpochID? = nil) {
        self.init(known: content.encoded, AtomForm(content), dot, epoch)
    }

    /// Takes bytes from outside.
    ///
    /// - Throws: ``AtomCodingError`` when the bytes are not what the key calls for.
    public init(encoded: [UInt8], key: AtomKey, _ dot: Dot, epoch: EpochID? = nil) throws(AtomCodingError) {
        try AtomContent.check(encoded, key: key)
        self.init(known: encoded, AtomForm(key.kind, isPart: !key.sub.isEmpty), dot, epoch)
    }

    /// Takes bytes that were checked before.
    init(known encoded: [UInt8], _ form: AtomForm, _ dot: Dot, _ epoch: EpochID?) {
        self.encoded = encoded
        self.form = form
        self.dot = dot
        self.epoch = epoch
    }

    /// The decoded content. O(size).
    public var content: AtomContent { AtomContent(encoded[...], form) ?? .opaque(encoded) }
}

/// An atom with its key, as it travels and as it is stored.
public struct KeyedAtom: Hashable, Sendable {
    /// Where the atom belongs.
    public let key: AtomKey
    /// The content with its dot and its epoch.
    public let atom: Atom

    /// Pairs a key with an atom. Nothing is checked: the caller must know that they fit.
    public init(_ key: AtomKey, _ atom: Atom) {
        self.key = key
        self.atom = atom
    }
}
