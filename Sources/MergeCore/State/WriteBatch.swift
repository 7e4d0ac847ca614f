import LosslessJSON

/// A batch of atom contents made from the changes of a document. The state does not change while the batch is made.
struct WriteBatch {
    let state: ProfileState
    let context: WriteContext
    private(set) var contents: [(AtomKey, AtomContent)] = []
    private(set) var unreadable: [UnreadableLeaf] = []
    /// Places whose change belongs to an epoch that has ended since the game read its snapshot. Such a change is no
    /// operation.
    var overridden = Set<DocumentPath>()
    /// The causal lengths that this batch has set so far. Later changes of the batch count on from them.
    private(set) var lengths: [AtomKey: UInt64] = [:]
    /// Starts of counters that take the place of a larger one, see ``putCorrected(_:_:start:)``.
    var raised = Set<AtomKey>()
    /// The removals that this batch has written so far, by container.
    var removals: [DocumentPath: Removal] = [:]
    /// The arrays by position that this batch has cut off.
    var cut = Set<DocumentPath>()
    /// Whether removed containers were there again in the game's snapshot, for those that were looked up already.
    var returned: [DocumentPath: Bool] = [:]
    /// Registers that this batch has replaced by tombstones, since something else hid them.
    var buried = Set<DocumentPath>()
    /// The container that vanished last, while the changes of its leaves follow. `isContainer` is false for a keyed
    /// element.
    private var vanished: (path: DocumentPath, isContainer: Bool)?
    /// The stamp of registers while a document is adopted; `nil` at other times.
    var adoptionStamp: Stamp?
    /// The parts of counters into which amounts go, where that is not the one of this replica.
    var parts: [DocumentPath: [UInt8]] = [:]
    /// Whether the game's snapshot covers every declared epoch.
    private let knowsEveryEpoch: Bool

    init(state: ProfileState, context: WriteContext) {
        self.state = state
        self.context = context
        knowsEveryEpoch = state.epochRegistry.areAllSeen(by: context.base)
    }

    /// Adds a content to the batch. If a key has several, the last one counts.
    mutating func put(_ key: AtomKey, _ content: AtomContent) {
        // Only memberships are read again before the batch is written.
        if case .membership(let length, _) = content { lengths[key] = length }
        contents.append((key, content))
    }

    /// Ends the batch and returns its results. It releases the state, so that the state can change without a copy.
    consuming func finish() -> (contents: [(AtomKey, AtomContent)], [UnreadableLeaf], Set<DocumentPath>) {
        (contents, unreadable, overridden)
    }

    /// Values of a save that had not read a reset, at places that the state does not know yet, each with the epoch that
    /// the game had read. They are written all the same, but hidden. Without an atom, a projection would never remove
    /// them from the file, because it leaves unknown places alone.
    private(set) var late: [(AtomKey, AtomContent, EpochID?)] = []
    /// The places of ``late`` that have a register.
    private var lateRegisters: Set<DocumentPath> = []

    // MARK: Edits

    mutating func add(_ change: LeafChange) {
        if case .order = change.change, !isInForce(change.path) { return }
        guard isInForce(change.path) else {
            overridden.insert(change.path)
            let (count, former) = (contents.count, removals)
            apply(change)
            // A change that came too late removes nothing.
            removals = former
            let written = contents[count...]
            contents.removeSubrange(count...)
            for (key, content) in written where !isInForce(key.path) { writeLate(key, content) }
            return
        }
        apply(change)
    }

    /// Writes a value that came too late, if nothing is known of its place.
    private mutating func writeLate(_ key: AtomKey, _ content: AtomContent) {
        guard key.kind != .removal, state.atom(key) == nil else { return }
        let epoch = state.epochRegistry.inForce(key.path, seen: context.base)
        // A value that does not count under the rule, such as an empty list under `union`, is written as a register.
        let kind = key.kind == .latest ? state.rules.rule(for: key.path).kind ?? .latest : key.kind
        switch kind.base {
        case .counter, .flag, .union, .set:
            // These kinds show a value after a reset (0, say), which no game wrote here. A register without a value
            // shows none.
            let register = AtomKey(key.path, .latest)
            if state.holdsAtoms(key.path, kind) || !lateRegisters.insert(key.path).inserted { return }
            guard let former = state.atom(register)?.content else {
                return late.append((register, .register(stamp(key.path), nil), epoch))
            }
            if case .register(_, nil) = former { return }
            late.append((key, content, epoch))
        default: late.append((key, content, epoch))
        }
    }

    /// Adds a change of a save that its game took to another version. A counter's difference is added to the counter's
    /// start.
    mutating func addMigrated(_ change: LeafChange) {
        if change.rule.merge == .counter, isInForce(change.path) { start(change) } else { add(change) }
    }

    mutating func apply(_ change: LeafChange) {
        if goesAlong(change) { return }
        if change.isNew || change.appears && context.baseHoldsSetAside {
            noteReturn(change.path, isNew: change.isNew)
        }
        switch change.change {
        case .value(let old, let new): value(change.path, change.rule, old, new)
        case .elements(let added, let removed):
            if change.rule.merge == .union {
                for element in added { insert(element, change.path, change.rule.kind ?? .union) }
            } else {
                let register = AtomKey(change.path, .latest)
                if !added.isEmpty, case .register(_, nil)? = state.live(register)?.content {
                    put(register, .register(adoptionStamp ?? stamp(change.path), .array([])))
                }
                for element in added {
                    setMembership(true, element, AtomKey(change.path, .set, sub: element.canonicalBytes))
                }
                for element in removed {
                    setMembership(false, element, AtomKey(change.path, .set, sub: element.canonicalBytes))
                }
                if added.isEmpty { removeBeyondLimit(change.path, change.rule, removed) }
            }
        case .elementAppeared(let key):
            let membership = AtomKey(change.path, .element)
            // An element that comes back holds what the game wrote, not the values of a former element of that key.
            if case .membership(let length, _)? = state.live(membership)?.content, length % 2 == 0,
                state.membership(change.path)?.present == false
            {
                removeForGood(change.path)
            }
            setMembership(true, key, membership)
        case .elementVanished(let key):
            setMembership(false, key, AtomKey(change.path, .element))
            if mayOutrunEdits(change.path) { remove(change.path) }
            vanished = (change.path, false)
        case .elementTouched(let key): touch(key, AtomKey(change.path, .element))
        case .containerVanished where change.rule.takesElements:
            let register = AtomKey(change.path, .latest)
            // Only a register can record that a set is gone and not just empty.
            var isTold = change.rule.merge == .set
            if case .register(_, .some)? = state.live(register)?.content { isTold = true }
            if isTold { put(register, .register(stamp(change.path), nil)) }
        case .order(let before, let after): arrange(change.path, from: before, to: after)
        case .containerVanished:
            vanished = (change.path, true)
            remove(change.path)
            keepNeeded(before: change.path)
        }
    }

    /// Whether a change belongs to a container that vanished before it, and needs no operation of its own. A counter
    /// inside spends nothing, so that it is complete if the container comes back. If another value takes the
    /// container's place, the container's content is gone for good.
    private mutating func goesAlong(_ change: LeafChange) -> Bool {
        guard let (path, isContainer) = vanished, change.path.isAtOrBelow(path) else {
            vanished = nil
            return false
        }
        guard change.appears else { return true }
        vanished = nil
        if isContainer { removeForGood(path) }
        return false
    }

    /// The stamp of a new write: max(min(now, file time), the stamp that the base snapshot held there + 1).
    func stamp(_ path: DocumentPath) -> Stamp {
        let stamp = Stamp.live(min(context.now, context.fileTime))
        return stampRead(path).map { max(stamp, $0.successor) } ?? stamp
    }

    /// Whether the value at a place, which the writer had read or wrote itself, has the last stamp there is.
    func isFrozen(_ path: DocumentPath) -> Bool {
        stampRead(path)?.isLast == true && state.hasRoomForEpoch(of: context.replica)
    }

    /// The stamp of the register at a place, if the writer had read that value or wrote it itself.
    private func stampRead(_ path: DocumentPath) -> Stamp? {
        guard let (stamp, dot) = state.liveStamp(path) else { return nil }
        return context.base.covers(dot) || dot.replica == context.replica ? stamp : nil
    }

    mutating func refuse(_ path: DocumentPath, _ reason: String) {
        unreadable.append(UnreadableLeaf(path: path, reason: reason))
    }

    // MARK: Epochs

    /// Whether the snapshot that a game had read covers the epoch in force at a place.
    func isInForce(_ path: DocumentPath) -> Bool {
        if knowsEveryEpoch || path.isReserved { return true }
        return state.epochRegistry.isCurrent(path, seen: context.base)
    }
}

extension LeafChange {
    /// Whether the change leaves a new or changed value at its place.
    fileprivate var appears: Bool {
        switch change {
        case .value(_, .some), .elementAppeared, .elementTouched: true
        case .elements(let added, _): !added.isEmpty
        default: false
        }
    }

    /// Whether the change adds a value where the game's snapshot had nothing.
    fileprivate var isNew: Bool {
        if case .value(.some, _) = change { return false }
        if case .elementTouched = change { return false }
        return appears
    }
}
