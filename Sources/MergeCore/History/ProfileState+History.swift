public import LosslessJSON

extension ProfileState {
    /// The step of the history from a former state to this one: the places that show something else than before.
    ///
    /// - Parameters:
    ///   - former: The state before.
    ///   - keys: The keys whose atoms changed; everything else is taken to show the same. The key of an epoch means all
    ///     places that the epoch covers, and the key of the rules means every place.
    ///   - time: When it happened on this device, milliseconds since 1970.
    ///   - origin: The event that caused the step. A merge that brings a reset or a restore counts as that.
    ///   - files: The file before and after, if the keys touch an open choice. Until a choice is decided, a file keeps
    ///     its own one of the open values, so that value is what the file shows.
    /// - Complexity: O(keys · log); O(places · log) where epochs or rules are among them.
    public func history(
        since former: ProfileState, touching keys: [AtomKey], at time: WallTime, as origin: HistoryEntry.Origin = .save,
        files: (before: JSONDocument?, after: JSONDocument?) = (nil, nil)
    ) -> HistoryEntry {
        let touched = touched(by: keys, since: former)
        var (before, after) = (PlaceReader(former, in: files.before), PlaceReader(self, in: files.after))
        var fitting = FittingChanges()
        var elements = Set<DocumentPath>()
        let areRulesAlike = former.rules == rules
        let version = upcasters.version?.place
        let undoParts = areRulesAlike && touched.origin == nil ? Self.undoParts(among: upcasters.shown(keys)) : [:]
        for (path, dot) in touched.places.sorted(by: { $0.key < $1.key }) {
            // The change of an element that came or went includes all that is in the element.
            if !elements.isEmpty, path.isBelow(oneOf: elements) { continue }
            // An element that stayed has no change of its own, unless it is one value: the changes inside it are listed.
            let isMadeOfParts = path.endsInElement && !rules.rule(for: path).isWhole
            if areRulesAlike, isMadeOfParts, before.holdsElement(path), after.holdsElement(path) { continue }
            let (old, new) = (before.value(at: path), after.value(at: path))
            guard old != new, path.steps != nil else { continue }
            // No file loses the version that its game wrote.
            if new == nil, path == version { continue }
            // New rules may leave a place to each device: no file shows it otherwise for that.
            if !areRulesAlike, rules.rule(for: path).merge == .local { continue }
            if path.endsInElement {
                if isMadeOfParts, old != nil, new != nil { continue }
                elements.insert(path)
            }
            fitting.offer(
                HistoryEntry.Change(path: path, old: old, new: new, dot: dot, undoPart: undoParts[path]))
        }
        let changes = fitting.changes
        var entry = HistoryEntry(
            time: time, origin: origin == .merge ? touched.origin ?? origin : origin, changes: changes,
            more: fitting.left)
        guard !changes.isEmpty else { return entry }
        // An epoch or a removal may also change orders in what it covers, without keys for these.
        let isWide = touched.origin != nil || keys.contains { $0.kind == .removal }
        let lists = orderedPlaces(keys, isWide ? touched.places : [:], since: former)
        entry.orders = Self.orders(
            from: &before, to: &after, at: lists.subtracting(changes.filter(\.holdsList).map(\.path)),
            isEpoch: touched.origin != nil, within: HistoryEntry.byteLimit - fitting.bytes)
        return entry
    }

    /// The arrays whose order may have changed: by a write of some keys, or because an epoch or a removal covers them.
    private func orderedPlaces(
        _ keys: [AtomKey], _ covered: [DocumentPath: Dot], since former: ProfileState
    ) -> Set<DocumentPath> {
        var lists = Set(places(of: keys.filter { $0.kind == .order }))
        guard !covered.isEmpty else { return lists }
        for (path, kind) in former.places where covered[path] != nil && kind == .order { lists.insert(path) }
        return lists
    }

    /// What a place shows in a file that has nothing there yet: a leaf's value, or a keyed element as a whole.
    ///
    /// - Complexity: O(1) for a leaf, O(places) for an element.
    public func value(at path: DocumentPath) -> JSONValue? {
        var reader = PlaceReader(self)
        return reader.value(at: path)
    }

    /// Whether one of these keys is of a place that shows something, so that their history since a state without atoms is
    /// not empty. O(1) where the first of them is.
    package func showsSomething(at keys: [AtomKey]) -> Bool {
        var reader = PlaceReader(self)
        return upcasters.shown(keys).contains { key in
            !key.path.isReserved && key.kind != .order && key.path.steps != nil && reader.value(at: key.path) != nil
        }
    }

    /// Whether a file of the profile would hold anything at all, besides the version of the save. O(places).
    public var showsSomething: Bool {
        let version = upcasters.version?.path[...]
        return Projection.newDocument(of: self)?.holdsSomething(besides: version) ?? false
    }

    /// The places that a change of these keys touches, each with the write that touched it; and the kind of the step,
    /// if an epoch is among the keys.
    private func touched(
        by keys: [AtomKey], since former: ProfileState
    ) -> (places: [DocumentPath: Dot], origin: HistoryEntry.Origin?) {
        var places: [DocumentPath: Dot] = [:]
        var origin: HistoryEntry.Origin?
        let keys = upcasters.shown(keys)
        // A new order alone is no step.
        for key in keys where !key.path.isReserved && key.kind != .order {
            guard let dot = atom(key)?.dot else { continue }
            places[key.path] = max(places[key.path] ?? dot, dot)
        }
        addHidden(&places, since: former)
        // If a container went or came back, its content went or came back with it. The first of the keys counts.
        var turnedAt: [DocumentPath: (order: Int, dot: Dot)] = [:]
        for (order, key) in keys.enumerated() where !key.path.isReserved {
            let turned = removals.above(key.path).filter { place, entry in
                key.kind == .removal
                    || removals.isAlive(place, entry)
                        != (former.removals[place].map { former.removals.isAlive(place, $0) } ?? true)
            }
            guard let outermost = turned.last?.place, let dot = atom(key)?.dot else { continue }
            if turnedAt[outermost] == nil { turnedAt[outermost] = (order, dot) }
        }
        if !turnedAt.isEmpty {
            for (path, _) in self.places where places[path] == nil {
                // To look a place up takes its whole name, at each level, so a few are compared one by one.
                let around =
                    turnedAt.count <= 16
                    ? turnedAt.filter { path.isAtOrBelow($0.key) }.map(\.value)
                    : path.selfAndAbove.compactMap { turnedAt[$0] }
                places[path] = around.min { $0.order < $1.order }?.dot
            }
        }
        // The start values of an epoch are written with it. All other places that it covers count as touched by its
        // writer; where several cover a place, the largest counts.
        var (begun, dots): (EpochPlaces, [EpochID: Dot]) = (EpochPlaces(), [:])
        for key in keys where key.path == .epochs {
            guard let atom = atom(key), case .epoch(let epoch) = atom.content, let id = EpochKey(key.sub)?.id
            else { continue }
            origin = id.kind == .reset || origin == .reset ? .reset : .restore
            guard dots.updateValue(atom.dot, forKey: id) == nil else { continue }
            begun.add(EpochRegistry.Known(id: id, number: 0, epoch: epoch, dots: [atom.dot], upcasters: [nil]))
        }
        if !dots.isEmpty {
            for (path, _) in self.places where places[path] == nil {
                places[path] = begun.largest(covering: path).flatMap { dots[$0] }
            }
        }
        if keys.contains(where: { $0.path == .rules }), former.rules != rules,
            let dot = atom(AtomKey(.rules, .rules))?.dot
        {
            for (path, _) in self.places where places[path] == nil && !path.isReserved { places[path] = dot }
        }
        return (places, origin)
    }
}

extension ProfileState {
    /// Adds the places at which a touched place decides what shows: it cannot show both a value and what is below it, and
    /// the later write hides the other one.
    private func addHidden(_ places: inout [DocumentPath: Dot], since former: ProfileState) {
        var (now, before) = (ValuesAbove(self), ValuesAbove(former))
        var around: [DocumentPath: Dot] = [:]
        // In order, so that each path begins as the one before it does.
        for (path, dot) in places.sorted(by: { $0.key < $1.key }) {
            for above in now.places(above: path) + before.places(above: path) where places[above] == nil {
                around[above] = max(around[above] ?? dot, dot)
            }
        }
        // An element of an array has no value of its own, and most values have nothing below them.
        let containers = places.filter { path, _ in
            (hasBelow(path) || former.hasBelow(path)) && (holdsValue(path) || former.holdsValue(path))
        }
        places.merge(around) { own, _ in own }
        guard !containers.isEmpty else { return }
        let hashes = Set(containers.keys.map { Self.walk($0) { _ in } })
        for state in [self, former] {
            for (path, _) in state.places where places[path] == nil && !path.isReserved {
                // Most places are below none of them, which the hashes of the places above it tell.
                var isNear = false
                Self.walk(path) { if hashes.contains($0) { isNear = true } }
                if isNear, let above = path.selfAndAbove.first(where: { containers[$0] != nil }) {
                    places[path] = containers[above]
                }
            }
        }
    }

    private func holdsValue(_ path: DocumentPath) -> Bool { holdsValue(path, rules.rule(for: path)) }
}

extension HistoryEntry.Change {
    /// Whether the old value is a list with its elements in order. For a keyed array it is not: its old value can only
    /// say that the array was empty, and its elements are changes of their own.
    fileprivate var holdsList: Bool {
        guard case .array(let elements)? = old else { return false }
        return !elements.isEmpty
    }
}

extension DocumentPath {
    /// The place, and each one above it.
    fileprivate var selfAndAbove: some Sequence<DocumentPath> { sequence(first: self, next: \.parent) }

    fileprivate func isBelow(oneOf places: Set<DocumentPath>) -> Bool {
        var place = parent
        while let here = place {
            if places.contains(here) { return true }
            place = here.parent
        }
        return false
    }
}
