public import LosslessJSON

extension ProfileState {
    /// Writes what a game did, as one batch under the replica's next dot.
    ///
    /// A change at a place that was reset, restored or undone since the game read its image is no operation: its old
    /// progress does not come back. The join decides what comes of the others: a `max` below what is known is no
    /// operation, a counter adds its difference, a removal is undone where the rule only grows.
    ///
    /// - Parameter asMigrated: The game took its save to another version by itself. How much of a counter's difference
    ///   it played and how much it converted cannot be told, so that difference is one of the start: it counts once,
    ///   also where every device's game converts the same.
    public mutating func write(
        _ changes: [LeafChange], _ context: WriteContext, asMigrated: Bool = false
    ) -> WriteResult {
        var batch = WriteBatch(state: self, context: context)
        for change in changes { asMigrated ? batch.addMigrated(change) : batch.add(change) }
        let late = batch.late
        let (contents, unreadable, overridden) = batch.finish()
        return WriteResult(
            atoms: write(contents, late: late, as: context.replica), unreadable: unreadable, overridden: overridden)
    }

    /// Takes a document up as where the profile starts from: counters become baselines, which join by the larger value
    /// and never add up, and every `latest` value orders below anything a game writes later.
    public mutating func adopt(_ document: JSONDocument, _ context: WriteContext) -> WriteResult {
        let diff = DocumentDiff(from: nil, to: document, rules: rules)
        var batch = WriteBatch(state: self, context: context)
        for change in diff.writes { batch.adopt(change) }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: diff.unreadable + batch.unreadable)
    }

    /// Puts other rules in force for the whole household, and writes baselines from `document` wherever the kind of a
    /// place changed.
    ///
    /// Rules of a later version lift what the state holds. What their steps cannot do on single atoms (a default, a
    /// compensation, another kind) is done on the document, lifted as a whole, and written as baselines: those join by
    /// the larger value, so that a grant counts once also where two devices lift the same save apart.
    ///
    /// - Parameter document: What the device's file holds, or is about to hold. Of an earlier version than the rules it
    ///   is lifted; one that cannot be lifted counts as none.
    public mutating func changeRules(
        to rules: RuleSet, document: JSONDocument?, _ context: WriteContext
    ) -> WriteResult {
        let former = self.rules
        var stamp = Stamp.live(milliseconds: context.now)
        if case .register(let last, _)? = atom(AtomKey(.rules, .rules))?.content { stamp = max(stamp, last.successor) }
        var travelling = TravellingRules(rules, seen: vector)
        travelling.generation = RulesOrder.generation(of: rules, after: travellingRules)
        travelling.former = formers(under: rules, document)
        let change = (AtomKey(.rules, .rules), AtomContent.register(stamp, travelling.json))
        guard VersionLabel(former) == VersionLabel(rules) else {
            return raise(change, document?.lifted(to: rules), context)
        }
        var batch = WriteBatch(state: self, context: context)
        batch.put(change.0, change.1)
        if let document, atomCount > 0 { batch.rebase(document, RuleChange(former: former, current: rules)) }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: batch.unreadable)
    }

    /// After rules came from another device: writes this replica's own values again under the new kinds, where the
    /// writer of the rules had not seen them.
    ///
    /// - Parameters:
    ///   - former: The rules that were in force until then.
    ///   - document: What this device's file holds. Of an earlier version than the rules it is lifted.
    ///   - own: The replicas this device ever wrote as in this profile.
    ///   - context: Who writes, and when.
    public mutating func reissue(
        after former: RuleSet, document: JSONDocument, own: Set<ReplicaID>, _ context: WriteContext
    ) -> WriteResult {
        guard let travelling = travellingRules else { return WriteResult() }
        let unseen = unseen(own, after: travelling.seen)
        guard VersionLabel(former) == VersionLabel(rules) else {
            return reissueWaiting(unseen, after: former, document, context)
        }
        var batch = WriteBatch(state: self, context: context)
        let places = PlaceSet(unseen.flatMap { lifts.shown($0.key).map(\.path) })
        for change in RuleChange(former: former, current: rules).moved(document) {
            if former.rule(for: change.path).kind == nil || places.isNear(change.path) { batch.adopt(change) }
        }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: batch.unreadable)
    }

    /// The rules as they came.
    var travellingRules: TravellingRules? {
        guard case .register(_, let json?)? = atom(AtomKey(.rules, .rules))?.content else { return nil }
        return try? TravellingRules(json: json)
    }

    /// Writes one of Hearth's own notes (`#name`, `#joined`, `#forgotten`). Of the last two none is ever taken back.
    public mutating func note(_ path: DocumentPath, _ value: JSONValue, _ context: WriteContext) -> [KeyedAtom] {
        var batch = WriteBatch(state: self, context: context)
        if path == .joined || path == .forgotten {
            batch.put(AtomKey(path, .min), .extremum(value))
        } else {
            batch.put(AtomKey(path, .latest), .register(batch.stamp(path), value))
        }
        return write(batch.contents, as: context.replica)
    }

    /// The profile's name.
    public var name: String? {
        guard case .register(_, .string(let text)?)? = atom(AtomKey(.name, .latest))?.content else { return nil }
        return text.string
    }

    /// The profile into which this one was joined.
    public var joinedInto: ProfileID? {
        guard case .extremum(.string(let text))? = atom(AtomKey(.joined, .min))?.content else { return nil }
        return ProfileID(hex: text.string)
    }

    /// Whether somebody of the household has said that it is kept no more.
    public var isForgotten: Bool { atom(AtomKey(.forgotten, .min)) != nil }

    /// Who said so; the first by the order of joins, where several did.
    public var forgottenBy: ReplicaID? { atom(AtomKey(.forgotten, .min))?.dot.replica }
}

extension ProfileState {
    /// Writes atoms of a former replica of this device again under another one, for devices that cover the former's
    /// dots from another history. Counter tallies stay with their replica: what they hold cannot be told apart. What a
    /// reset or restore put aside stays aside.
    public mutating func reissue(
        _ atoms: [KeyedAtom], from former: ReplicaID, _ context: WriteContext
    ) -> [KeyedAtom] {
        let own = atoms.filter { atom in
            if atom.key.sub == former.bytes, atom.key.kind.base == .counter { return false }
            return !isHidden(atom)
        }
        return rewrite(own.map(asItStands), as: context.replica)
    }
}

extension ProfileState {
    /// The atoms of some replicas beyond a sequence number.
    private func unseen(_ replicas: Set<ReplicaID>, after seen: [ReplicaID: UInt64]) -> [KeyedAtom] {
        var covered = vector
        for replica in replicas {
            covered.advance(replica, to: VersionVector.Entry(sequence: seen[replica] ?? 0, history: 0))
        }
        return delta(beyond: covered)
    }
}

/// Places of a document, asked by nearness: rules may cut the same content at another depth than before.
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

    /// Whether the place itself, one above or one below is among them.
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
