public import LosslessJSON

extension ProfileState {
    /// Starts a part of the profile over, on every device and for good.
    ///
    /// Values that were written there before are hidden from then on, whichever device they come from: a maximum, a
    /// union and a counter start from nothing. Equal resets that are made concurrently are one epoch: progress made
    /// after either of them stays.
    ///
    /// - Parameters:
    ///   - selector: The places, with all below them.
    ///   - scope: The name of the scope in the rule file, if the reset is one of a scope.
    ///   - document: The values with which the places start; `nil` for nothing.
    ///   - context: Who writes, and when.
    public mutating func reset(
        _ selector: PathSelector, scope: String? = nil, to document: JSONDocument? = nil, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        var hash = HistoryHash(0)
        hash.add(text: EpochText.identity(selector, document, rules))
        let origin = ReplicaID(high: hash.value, low: HistoryHash(hash.value).value)
        return try begin(
            .reset,
            selector,
            scope: scope,
            from: document,
            stamp: document == nil ? EpochID.fromNothing : EpochID.fromDocument,
            origin: origin,
            context
        )
    }

    /// Puts a former document back, on every device and for good. Places it does not hold are removed.
    public mutating func restore(
        _ document: JSONDocument, in selector: PathSelector = .everything, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        try begin(
            .restore, selector, scope: nil, from: document, stamp: .live(context.now),
            origin: context.replica, context)
    }

    /// Gives exactly these places, with all below them, the values of a former document again: a new operation, which
    /// is sent to every device.
    public mutating func undo(
        _ places: [DocumentPath], to former: JSONDocument, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        try restore(former, in: PathSelector(places: places), context)
    }

    /// Gives each of some leaves a value, `nil` for none, with an epoch that covers exactly these leaves. An empty
    /// container around other places is added or removed by an ordinary write: an epoch would also cover the places
    /// below it. Where a value is to give way to a container, that is meant: all below it comes back with its own value.
    mutating func restore(
        values: [(path: DocumentPath, value: JSONValue?)], _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        let containers = values.contains { $0.value?.isEmptyContainer ?? true } ? knownContainers : []
        var reader = PlaceReader(self)
        func isAround(_ path: DocumentPath, _ value: JSONValue?) -> Bool {
            containers.contains(path) && value?.isEmptyContainer ?? true && !path.endsInElement
                && reader.value(at: path)?.isEmptyContainer ?? true
        }
        let around = values.filter(isAround).map { path, value in
            LeafChange(path: path, rule: .standard, change: .value(old: self.value(at: path), new: value))
        }
        let values = values.filter { !isAround($0.path, $0.value) }
        let former = self
        guard !values.isEmpty else { return write(former.removing(around, beside: [], self, context), context) }
        var changes: [LeafChange] = []
        for (path, value) in values {
            guard let value, let document = value.document(at: path, rules) else { continue }
            let selector = PathSelector(places: [path])
            changes += DocumentDiff(from: nil, to: document, rules: rules).writes.filter { selector.covers($0.path) }
        }
        // The other values of an open choice come back together with this one.
        var open: [(AtomKey, AtomContent)] = []
        changes.removeAll { change in
            guard change.rule.merge == .choice, case .value(_, let value?) = change.change else { return false }
            let slots = slotsOfOpenChoice(change.path, with: value, own: context.replica)
            open += slots
            return !slots.isEmpty
        }
        var result = try begin(
            .restore, PathSelector(places: values.map(\.path)), scope: nil, from: changes, beside: open,
            stamp: .live(context.now), origin: context.replica, context)
        let written = write(former.removing(around, beside: values.map(\.path), self, context), context)
        result.atoms += written.atoms
        result.unreadable += written.unreadable
        return result
    }

    /// Removes containers that an undo emptied. If a container around them holds nothing else and did not exist before
    /// the step, that container is removed as a whole instead; otherwise it would stay as an empty object.
    ///
    /// - Parameters:
    ///   - around: The writes one by one, as changes from a value to nothing, or to an empty container.
    ///   - places: The other places that the undo takes back.
    ///   - state: The state after the undo.
    private func removing(
        _ around: [LeafChange], beside places: [DocumentPath], _ state: ProfileState, _ context: WriteContext
    ) -> [LeafChange] {
        guard around.contains(where: \.isRemoval) else { return around }
        var (after, before) = (state, self)
        _ = after.write(around, context)
        // The content before the step: an epoch over these places hides what the step wrote.
        let all = PathSelector(places: places + around.filter(\.isRemoval).map(\.path))
        guard
            let (epoch, key) = try? announce(
                .restore, all, scope: nil, stamp: .live(context.now), origin: context.replica, context)
        else { return around }
        _ = before.write([(key, .epoch(epoch))], as: context.replica)
        let (left, former) = (ViewNode(after), ViewNode(before))
        var gone = Set<DocumentPath>()
        for change in around where change.isRemoval {
            let shell = change.path.containers.first { path in
                guard !path.endsInElement, let node = left[path] else { return false }
                return node.isEmptied && former[path]?.life ?? ViewNode.Life.none == ViewNode.Life.none
            }
            if let shell { gone.insert(shell) }
        }
        let kept = around.filter { change in !gone.contains { change.path.isAtOrBelow($0) } }
        return kept + gone.sorted().map { LeafChange(path: $0, rule: .standard, change: .containerVanished) }
    }

    /// Whether one of a replica's writes beyond a sequence number began an epoch.
    public func beganEpoch(_ replica: ReplicaID, after sequence: UInt64) -> Bool {
        epochRegistry.known.contains { $0.dots.contains { $0.replica == replica && $0.sequence > sequence } }
    }

    /// Whether something that a game wrote would be put aside if it had read no more than a vector: it changed a place
    /// since whose newest reset, restore or undo it did not know.
    ///
    /// It may be so as well where it wrote nothing beside such places, measured against the newest content of the file: a
    /// game that came to the same once more.
    ///
    /// - Parameters:
    ///   - changes: What the game wrote if it had read no more. Only called where there is such an epoch at all.
    ///   - others: What it wrote if it had read the newest content.
    package func putsAside(
        _ changes: () -> [LeafChange], read vector: VersionVector, others: () -> [LeafChange]
    ) -> Bool {
        guard !epochRegistry.areAllSeen(by: vector) else { return false }
        func isAside(_ change: LeafChange) -> Bool { !epochRegistry.isCurrent(change.path, seen: vector) }
        return changes().contains(where: isAside) || others().allSatisfy(isAside)
    }

    /// Every epoch that began in the profile, the largest first.
    public var epochs: [(id: EpochID, epoch: Epoch)] { epochRegistry.known.map { ($0.id, $0.epoch) } }

    // MARK: Parts

    private mutating func begin(
        _ kind: EpochID.Kind, _ selector: PathSelector, scope: String?, from document: JSONDocument?, stamp: Stamp,
        origin: ReplicaID, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        var (changes, unreadable): ([LeafChange], [UnreadableLeaf]) = ([], [])
        if let document {
            let diff = DocumentDiff(from: nil, to: document, rules: rules)
            unreadable = diff.unreadable
            changes = diff.writes.filter { selector.covers($0.path) }
        }
        var result = try begin(kind, selector, scope: scope, from: changes, stamp: stamp, origin: origin, context)
        result.unreadable = unreadable + result.unreadable
        return result
    }

    private mutating func begin(
        _ kind: EpochID.Kind, _ selector: PathSelector, scope: String?, from start: [LeafChange],
        beside others: [(AtomKey, AtomContent)] = [], stamp: Stamp, origin: ReplicaID, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        let (epoch, key) = try announce(kind, selector, scope: scope, stamp: stamp, origin: origin, context)
        // The start values are written against the profile as it is once the epoch is in force.
        var afterwards = self
        _ = afterwards.write([(key, .epoch(epoch))], as: context.replica)
        var batch = WriteBatch(state: afterwards, context: context)
        // A container that an edit had brought back is not a new one, though the epoch hides that edit.
        for place in removals.revived { batch.returned[place] = true }
        for change in start { batch.adopt(change) }
        let (contents, refused, _) = batch.finish()
        let atoms = write([(key, .epoch(epoch))] + contents + others, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: refused)
    }

    /// The declaration of an epoch, and the key of its atom.
    ///
    /// - Throws: ``EpochError`` when the selector is beyond its limits, or the epoch numbers are used up.
    func announce(
        _ kind: EpochID.Kind, _ selector: PathSelector, scope: String?, stamp: Stamp, origin: ReplicaID,
        _ context: WriteContext
    ) throws(EpochError) -> (Epoch, AtomKey) {
        guard selector.isBounded else {
            throw EpochError(
                "more than \(PathSelector.patternLimit) patterns, \(PatternBudget.anyDepthLimit) steps \"**\" or "
                    + "\(PathSelector.placeLimit) places at once; take a place above them"
            )
        }
        // Other devices refuse more than `epochsTaken`, and more patterns; see `ProfileState+Admission.swift`.
        let declared = epochRegistry.declared(by: context.replica)
        guard declared.ids.count < Self.epochsOfReplica else {
            throw EpochError(
                "this device has started over, restored and undone as often as it may in one save; do it on another "
                    + "device, or export the save and start a new one")
        }
        var budget = PatternBudget()
        budget.add(declared.patterns.union(selector.patterns))
        if let excess = budget.excess {
            throw EpochError(
                "the parts that this device has started over so far have paths with more than \(excess); restore "
                    + "a backup or name a place above them")
        }
        let last = epochRegistry.known.first?.id.number ?? 0
        guard last < .max else {
            throw EpochError("the profile's epochs are used up; export it and start a new profile")
        }
        let id = EpochID(number: last + 1, kind: kind, stamp: stamp, origin: origin)
        let epoch = Epoch(selector: selector, seen: vector.entries.mapValues(\.sequence), scope: scope)
        return (epoch, EpochKey(id, context.replica).atomKey)
    }
}

extension DocumentPath {
    /// The containers around a place, the outermost first, without the document itself.
    fileprivate var containers: [DocumentPath] {
        guard let steps, !steps.isEmpty else { return [] }
        return (1..<max(1, steps.count)).map { DocumentPath(Array(steps.prefix($0))) }
    }
}

extension JSONValue {
    /// The largest number of elements that are made to reach a place in arrays.
    private static var gapLimit: Int { 100_000 }

    /// A document that holds only this value at a place, and the keys of the elements around it; `nil` if no parser
    /// would read it.
    fileprivate func document(at path: DocumentPath, _ rules: RuleSet) -> JSONDocument? {
        let steps = path.steps ?? []
        var matchers = [RuleMatcher(rules)]
        for step in steps { matchers.append(matchers[matchers.count - 1].stepping(step)) }
        var (value, gaps) = (self, 0)
        for (step, matcher) in zip(steps, matchers).reversed() {
            switch step {
            case .member(let name): value = .object([JSONMember(key: name, value: value)])
            case .element(let id):
                // Without its key the element could not be told from others.
                if case .keyed(let name) = matcher.arrayShape, case .object(let members) = value,
                    !members.contains(where: { $0.key == name }), let key = try? JSONValue(parsing: id)
                {
                    value = .object([JSONMember(key: name, value: key)] + members)
                }
                value = .array([value])
            case .index(let index):
                // So many elements are made to reach it, and each of them takes memory. A path may have hundreds of indexes.
                guard index < Self.gapLimit - gaps else { return nil }
                gaps += index
                value = .array(Array(repeating: .null, count: index) + [value])
            }
        }
        return try? JSONDocument(parsing: value.jsonBytes)
    }
}
