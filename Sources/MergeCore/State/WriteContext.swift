import LosslessJSON

/// The circumstances under which a difference is written.
public struct WriteContext: Sendable {
    /// The replica that writes.
    public var replica: ReplicaID
    /// The date, by this device's clock.
    public var now: WallTime
    /// The date at which the file was last changed.
    public var fileTime: WallTime
    /// The writes that the base snapshot contains. The difference was taken against that snapshot.
    public var base: VersionVector
    /// Whether the base is a save about which the player was asked, or one made from it. It holds values that are set
    /// aside and that no state has.
    package var baseHoldsSetAside = false

    /// The circumstances of one save.
    public init(replica: ReplicaID, now: WallTime, fileTime: WallTime, base: VersionVector) {
        self.replica = replica
        self.now = now
        self.fileTime = fileTime
        self.base = base
    }
}

/// The result of a write.
public struct WriteResult: Sendable {
    /// The atoms that were written, each as it is now in the state. They are to be stored and sent.
    public var atoms: [KeyedAtom] = []
    /// Places whose value the rule could not read; nothing was written for them.
    public var unreadable: [UnreadableLeaf] = []
    /// Places whose change came too late: the game had not read the reset, restore or undo that happened there since.
    /// The change does not count; if nothing is known of the place, it is stored hidden.
    public var overridden = Set<DocumentPath>()

    /// Adds the result of another write.
    package mutating func add(_ other: WriteResult) {
        atoms += other.atoms
        unreadable += other.unreadable
        overridden.formUnion(other.overridden)
    }
}
