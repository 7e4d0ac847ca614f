/// Where an atom belongs: the place, the join it obeys, and which part of it.
public struct AtomKey: Hashable, Comparable, Sendable {
    /// The place in the document, or one of Hearth's own notes.
    public let path: DocumentPath
    /// The join it obeys, and how it reads values.
    public let kind: AtomKind
    /// The replica (16 bytes) for a counter's tally or a candidate, the element's canonical bytes for a set, else
    /// empty.
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
/// It is kept in its encoded form, which is small, compared by bytes and relayed as it came; ``content`` reads it.
public struct Atom: Hashable, Sendable {
    /// The form that ``AtomContent/encoded`` describes.
    public let encoded: [UInt8]
    /// The write it came with.
    public let dot: Dot
    /// `nil` before the first reset, restore or undo that covers the place.
    public let epoch: EpochID?
    let form: AtomForm

    /// Encodes a content. O(size).
    public init(_ content: AtomContent, _ dot: Dot, epoch: EpochID? = nil) {
        self.init(known: content.encoded, AtomForm(content), dot, epoch)
    }

    /// Takes bytes from outside, after a look whether they are what the key calls for.
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

    /// What it says. O(size).
    public var content: AtomContent { AtomContent(encoded[...], form) ?? .opaque(encoded) }
}

/// An atom with its key, as it travels and as it is stored.
public struct KeyedAtom: Hashable, Sendable {
    /// Where it belongs.
    public let key: AtomKey
    /// What it says.
    public let atom: Atom

    /// Puts the two together; that they fit is the caller's word.
    public init(_ key: AtomKey, _ atom: Atom) {
        self.key = key
        self.atom = atom
    }
}
