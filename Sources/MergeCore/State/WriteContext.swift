import LosslessJSON

/// Under which circumstances a difference is written down.
public struct WriteContext: Sendable {
    /// Who writes.
    public var replica: ReplicaID
    /// This device's wall clock, milliseconds since 1970.
    public var now: Int64
    /// When the file was last changed, milliseconds since 1970.
    public var fileTime: Int64
    /// What the image stood for that the difference was taken against.
    public var base: VersionVector

    /// The circumstances of one save; times are milliseconds since 1970.
    public init(replica: ReplicaID, now: Int64, fileTime: Int64, base: VersionVector) {
        self.replica = replica
        self.now = now
        self.fileTime = fileTime
        self.base = base
    }
}

/// What a write did.
public struct WriteResult: Sendable {
    /// What was written, each atom as it now stands; to be stored and sent.
    public var atoms: [KeyedAtom] = []
    /// Places whose value its rule could not read; no operation was made of them.
    public var unreadable: [UnreadableLeaf] = []
    /// Places whose change came too late: the game had not read the reset, restore or undo that has happened there
    /// since. No operation was made of it.
    public var overridden = Set<DocumentPath>()
}
