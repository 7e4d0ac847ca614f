public import LosslessJSON

extension ProfileState {
    /// Writes a game's changes, as one batch under the replica's next dot.
    ///
    /// A change at a place that was reset, restored or undone since the game read its snapshot is no operation: the old
    /// progress does not come back. For the other changes the join decides: a `max` below the known value is no
    /// operation, a counter adds its difference, and a removal has no effect where the rule only grows.
    ///
    /// If the value that the game replaces has the last possible stamp, no stamp is later: a device with a wrong clock,
    /// or one that lies, could freeze the place. Then the write begins an epoch of this place alone.
    ///
    /// - Parameter asMigrated: Whether the game took its save to another version by itself. Then it is not known how
    ///   much of a counter's difference was played and how much was converted. So the difference is added to the
    ///   counter's start. It counts once, even if every device's game makes the same conversion.
    public mutating func write(
        _ changes: [LeafChange], _ context: WriteContext, asMigrated: Bool = false
    ) -> WriteResult {
        write(changes, context, asMigrated: asMigrated, countingIn: [:])
    }

    /// The same, where the amounts of some counters go into other parts than this replica's own, see ``UndoPart``.
    mutating func write(
        _ changes: [LeafChange], _ context: WriteContext, asMigrated: Bool = false,
        countingIn parts: [DocumentPath: [UInt8]]
    ) -> WriteResult {
        var batch = WriteBatch(state: self, context: context)
        batch.parts = parts
        var frozen: [(path: DocumentPath, value: JSONValue?)] = []
        for change in changes {
            if case .value(_, let value) = change.change, batch.isFrozen(change.path) {
                frozen.append((change.path, value))
            } else {
                asMigrated ? batch.addMigrated(change) : batch.add(change)
            }
        }
        let late = batch.late
        let (contents, unreadable, overridden) = batch.finish()
        var result = WriteResult(
            atoms: write(contents, late: late, as: context.replica), unreadable: unreadable, overridden: overridden)
        // A new epoch of these places alone: its stamps begin again.
        if !frozen.isEmpty, let thawed = try? restore(values: frozen, context) {
            result.atoms += thawed.atoms
            result.unreadable += thawed.unreadable
        }
        return result
    }

    /// Reads a document as the starting point of the profile. Counters become baselines, which join by the larger value
    /// and never add up. Every `latest` value is ordered before any later write of a game.
    public mutating func adopt(_ document: JSONDocument, _ context: WriteContext) -> WriteResult {
        let diff = DocumentDiff(from: nil, to: document, rules: rules)
        var batch = WriteBatch(state: self, context: context)
        for change in diff.writes { batch.adopt(change) }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: diff.unreadable + batch.unreadable)
    }

    /// Puts other rules in force on all devices, and writes baselines from `document` wherever the kind of a place
    /// changed.
    ///
    /// Rules of a later version upcast the atoms of the state. Some steps of a migration cannot be done on single atoms
    /// (a default, a compensation, another kind). They are done on the whole document, and their results are written as
    /// baselines. Baselines join by the larger value, so a grant counts once even where two devices upcast the same
    /// save concurrently.
    ///
    /// - Parameter document: The content that the device's file has or is about to get. A document of an earlier
    ///   version than the rules is upcast; one that cannot be upcast is treated as none.
    public mutating func changeRules(
        to rules: RuleSet, document: JSONDocument?, _ context: WriteContext
    ) -> WriteResult {
        let former = self.rules
        var stamp = Stamp.live(context.now)
        var replicated = ReplicatedRules(rules, seen: vector)
        replicated.generation = RulesOrder.generation(of: rules, after: replicatedRules)
        if let known = atom(AtomKey(.rules, .rules)), case .register(let last, _) = known.content {
            stamp = max(stamp, last.successor)
            let least = RulesOrder.generation(above: known.encoded[...], isLast: last.isLast)
            replicated.generation = max(replicated.generation, least)
        }
        replicated.former = formers(under: rules, document)
        replicated.writes = writesOfRules.following(former, to: rules, by: nextDot(of: context.replica))
        let change = (AtomKey(.rules, .rules), AtomContent.register(stamp, replicated.json))
        guard VersionLabel(former) == VersionLabel(rules) else {
            return raise(change, document?.upcasted(to: rules), context)
        }
        var batch = WriteBatch(state: self, context: context)
        batch.put(change.0, change.1)
        if let document, atomCount > 0 {
            batch.rebase(
                settlingChoices(in: document, under: rules), RuleChange(former: former, current: rules))
        }
        let atoms = write(batch.contents, raised: batch.raised, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: batch.unreadable)
    }

    /// Writes this replica's own values again under the new kinds, after rules came from another device. Only values
    /// are written that those who changed these lines had not seen.
    ///
    /// - Parameters:
    ///   - before: The state before the rules came. Of what came with them, something may stand where this replica's own
    ///     values were.
    ///   - document: The content of this device's file. One of an earlier version than the rules is upcast.
    ///   - own: The replicas as which this device ever wrote in this profile.
    ///   - context: Who writes, and when.
    public mutating func reissue(
        since before: ProfileState, document: JSONDocument, own: Set<ReplicaID>, _ context: WriteContext
    ) -> WriteResult {
        // This device had not read a reset, a restore or an undo of these places: its values there stay put aside, and are
        // not written again under another rule. The player is told of them by the join.
        reissue(since: before, document: document, own: own, context) { state, path in
            !state.epochRegistry.isCurrent(path, seen: before.vector)
        }
    }

    private mutating func reissue(
        since before: ProfileState, document: JSONDocument, own: Set<ReplicaID>, isOfProfiles: Bool = false,
        _ context: WriteContext, isPutAside: (ProfileState, DocumentPath) -> Bool
    ) -> WriteResult {
        let former = before.rules
        guard let replicated = replicatedRules else { return WriteResult() }
        let (held, holds, writes) = (former.lines, rules.lines, writesOfRules)
        let formerWrites = before.writesOfRules
        let lines = Set(held.keys).union(holds.keys)
        let changed = lines.filter { held[$0] != holds[$0] }
        func seen(by subjects: Set<RuleSubject>) -> [ReplicaID: UInt64] {
            writes.seen(by: subjects, last: replicated.seen)
        }
        guard VersionLabel(former) == VersionLabel(rules) else {
            let unseen = unseen(after: seen(by: changed)).filter { own.contains($0.atom.dot.replica) }
            return reissueWaiting(unseen, after: former, document, context)
        }
        var batch = WriteBatch(state: self, context: context)
        var near: [Set<RuleSubject>: (own: PlaceSet, undone: Set<DocumentPath>)] = [:]
        let ruleChange = RuleChange(former: former, current: rules)
        // Of two profiles neither's elements are the other's under another name.
        var (document, formerPlaces) = (document, isOfProfiles ? [:] : ruleChange.formerPlaces(in: document))
        if formerPlaces.contains(where: { $0.value.endsInElement }), let shown = Projection.document(of: self) {
            document = ruleChange.arranged(document, like: shown)
            formerPlaces = ruleChange.formerPlaces(in: document)
        }
        for change in ruleChange.moved(document) {
            let place = formerPlaces[change.path] ?? change.path
            let array = change.path.shared(with: place)
            var (about, isUndone) = (changed, false)
            if former.rule(for: place).kind != nil {
                // The lines that this place was taken from or came to.
                about = changed.concerning(array)
                if near[about] == nil {
                    let unseen = before.unseen(after: seen(by: about))
                    func paths(_ atoms: [KeyedAtom]) -> [DocumentPath] {
                        atoms.flatMap { upcasters.shown($0.key).map(\.path) }
                    }
                    near[about] = (
                        PlaceSet(paths(unseen.filter { own.contains($0.atom.dot.replica) })),
                        Set(paths(unseen.filter { UndoPart.isName($0.key.sub) }))
                    )
                }
                let (places, undone) = near[about]!
                let isNear =
                    places.isNear(change.path) || places.isNear(place)
                    // Of an element that came to a position all goes along, also what is as it was in the one before it.
                    || place.keyMember(unlike: change.path, under: rules).map { places.isNear($0) } == true
                // A counter with the part of an undo that the writer of the rules had not seen is carried to its other
                // name, also where another device wrote that part. Its element's other values are not.
                isUndone =
                    !isNear && place != change.path && undone.contains(place)
                    && former.rule(for: place).kind == change.rule.kind
                guard isNear || isUndone else { continue }
            }
            if isPutAside(batch.state, change.path) || isPutAside(batch.state, place) { continue }
            if place != change.path {
                let rewritten = lines.concerning(array).filter { writes[$0] != formerWrites[$0] }
                let later = Set(rewritten.map { writes[$0] })
                let isAtOnce = later.count == 1 && later != [nil]
                if batch.carry(
                    change, from: place, before: before, own: own, seen: isAtOnce ? seen(by: about) : nil)
                {
                    continue
                }
            }
            if isUndone { continue }
            batch.adoptUnderOtherRules(change, seen: before.vector, isOfProfiles: isOfProfiles)
            if ruleChange.joined(change), batch.isBeaten(change) { batch.overridden.insert(change.path) }
        }
        let atoms = write(batch.contents, raised: batch.raised, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: batch.unreadable, overridden: batch.overridden)
    }

    /// Writes this device's values of a joined profile again under the rules that are in force after the join. Nothing
    /// is written if these are the profile's own rules.
    ///
    /// - Parameters:
    ///   - former: One of the two profiles, before the join.
    ///   - document: The content of its file; `nil` if it has none. Then the values come from its state.
    ///   - own: The replicas as which this device ever wrote in either profile.
    package mutating func reissue(
        joined former: ProfileState, document: JSONDocument?, own: Set<ReplicaID>, _ context: WriteContext
    ) -> [KeyedAtom] {
        guard former.rules != rules, let document = document ?? Projection.document(of: former) else { return [] }
        // A reset of one profile says nothing of the other's progress.
        return reissue(since: former, document: document, own: own, isOfProfiles: true, context) { _, _ in false }.atoms
    }

    /// The content of the `#rules` atom, as its writer sent it; `nil` where there is none or this version cannot read
    /// it.
    var replicatedRules: ReplicatedRules? {
        guard case .register(_, let json?)? = atom(AtomKey(.rules, .rules))?.content else { return nil }
        return try? ReplicatedRules(json: json)
    }

    /// Who wrote the lines of the rules in force, and what each of these writers had seen.
    private var writesOfRules: RuleWrites { WrittenRules(atom(AtomKey(.rules, .rules)))?.writes ?? RuleWrites() }

    /// For an array whose elements the rules before called otherwise: which writes those had not seen who put the rules in
    /// force that are about to change. Where these rules did not come in one write, that is not known of any.
    func lateWrites(_ change: RuleChange) -> (_ array: DocumentPath) -> (Dot) -> Bool {
        let lines = Set(change.former.lines.keys).union(change.current.lines.keys)
        guard let replicated = replicatedRules, case let writes = writesOfRules else { return { _ in { _ in false } } }
        return { array in
            let about = lines.concerning(array)
            guard Set(about.map { writes[$0] }).count == 1 else { return { _ in false } }
            let seen = writes.seen(by: about, last: replicated.seen)
            return { $0.sequence > seen[$0.replica, default: 0] }
        }
    }

    /// Names a profile that begins, in one write.
    ///
    /// - Parameter file: What its file is called here, without its folder; `nil` where it has none or that is no name to
    ///   share.
    package mutating func noteNames(_ name: String, file: String?, _ context: WriteContext) -> [KeyedAtom] {
        var batch = WriteBatch(state: self, context: context)
        for (path, text) in [(DocumentPath.name, name), (.fileName, file)] {
            guard let text else { continue }
            batch.put(AtomKey(path, .latest), .register(batch.stamp(path), .string(JSONString(text))))
        }
        return write(batch.contents, as: context.replica)
    }

    /// Writes one of Hearth's own notes (`#name`, `#joined`, `#forgotten`). `#forgotten` is never taken back; of the
    /// other notes the newest counts.
    public mutating func note(_ path: DocumentPath, _ value: JSONValue, _ context: WriteContext) -> [KeyedAtom] {
        var batch = WriteBatch(state: self, context: context)
        if path == .forgotten {
            batch.put(AtomKey(path, .min), .extremum(value))
        } else {
            batch.put(AtomKey(path, .latest), .register(batch.stamp(path), value))
        }
        return write(batch.contents, as: context.replica)
    }

    /// The profile's name.
    public var name: String? { text(at: .name) }

    /// The name of the save's file on the device that added it, as that device says: any text. `nil` where no device
    /// said it.
    package var fileName: String? { text(at: .fileName) }

    private func text(at place: DocumentPath) -> String? {
        guard case .register(_, .string(let text)?)? = atom(AtomKey(place, .latest))?.content else { return nil }
        return text.string
    }

    /// The profile into which a device joined this one; `nil` if none did, or if a player took that back. The engine of
    /// each device decides what follows from it.
    public var joinedInto: ProfileID? { target(at: .joined) }

    /// `taken` was joined into this profile. Returns the profile that `taken` itself named as its target before; `nil`
    /// for none.
    package func target(of taken: ProfileID) -> ProfileID? { target(at: DocumentPath.joined.note(of: taken)) }

    private func target(at place: DocumentPath) -> ProfileID? {
        guard case .register(_, .string(let text)?)? = atom(AtomKey(place, .latest))?.content else { return nil }
        return ProfileID(hex: text.string)
    }

    /// The profile that this one was joined into before a player took that back, see ``takeBackJoined(_:)``.
    package var leftApartFrom: ProfileID? {
        guard case .register(_, let value?)? = atom(AtomKey(.joined, .latest))?.content,
            case .string(let text)? = value["apart"]
        else { return nil }
        return ProfileID(hex: text.string)
    }

    /// Takes back that the profile was joined into another one. The note still names that profile, because amounts that
    /// were counted for the join may have to be taken back as well.
    package mutating func takeBackJoined(_ context: WriteContext) -> [KeyedAtom] {
        guard let kept = joinedInto else { return [] }
        return note(.joined, ["apart": .string(JSONString(kept.description))], context)
    }

    /// The replica that wrote ``joinedInto``.
    public var joinedBy: ReplicaID? { atom(AtomKey(.joined, .latest))?.dot.replica }

    /// Whether a device noted that the profile is not kept any more.
    public var isForgotten: Bool { atom(AtomKey(.forgotten, .min)) != nil }

    /// The replica that noted it; if several did, the one whose note wins the join.
    public var forgottenBy: ReplicaID? { atom(AtomKey(.forgotten, .min))?.dot.replica }
}

extension ProfileState {
    /// Writes atoms of a former replica of this device again under another replica. Needed for devices that cover the
    /// former replica's dots from another history. Counter tallies stay with their replica, since amounts of two
    /// histories cannot be told apart. Atoms that a reset or restore hides are not written again.
    public mutating func reissue(
        _ atoms: [KeyedAtom], from former: ReplicaID, _ context: WriteContext
    ) -> [KeyedAtom] {
        let own = atoms.filter { atom in
            if atom.key.sub == former.bytes, atom.key.kind.base == .counter { return false }
            return !isHidden(atom)
        }
        return rewrite(own.map(asWrittenAgain), as: context.replica)
    }
}

extension ProfileState {
    /// The atoms beyond the sequence numbers in `seen`.
    private func unseen(after seen: [ReplicaID: UInt64]) -> [KeyedAtom] {
        var covered = VersionVector()
        for (replica, sequence) in seen {
            covered.advance(replica, to: VersionVector.Entry(sequence: sequence, history: 0))
        }
        return delta(beyond: covered)
    }
}

/// A set of places that finds places near another one. Rules may take the same content apart at another depth than
/// before, so that an exact comparison would miss it.
struct PlaceSet {
    private var exact: Set<DocumentPath> = []
    private var above: Set<DocumentPath> = []

    init(_ paths: [DocumentPath]) {
        exact = Set(paths)
        for path in paths {
            var container = path.parent
            while let place = container, above.insert(place).inserted { container = place.parent }
        }
    }

    /// Whether the set holds the place itself, a place above it or a place below it.
    func isNear(_ path: DocumentPath) -> Bool {
        if exact.contains(path) || above.contains(path) { return true }
        var container = path.parent
        while let place = container {
            if exact.contains(place) { return true }
            container = place.parent
        }
        return false
    }
}
