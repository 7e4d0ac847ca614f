package import LosslessJSON

/// Repairs edits of this device in a container that another device concurrently removed and filled again.
///
/// The removed writes are gone for good then, so without help only the edit would show: an object with its `pay`, but
/// without its `name`. So this device writes the other members of the object again, once, when it learns of the
/// removal. Members that the removing device had written itself before it removed the container keep that device's
/// value.
///
/// Known limits: members that a third device removed meanwhile, around the edit or with it, come back if this device
/// learns of that removal later. An element that a third device made again also gets the other members of the former
/// one, because no removal of that device shows that it is new. Edits that this device made as a former replica are not
/// repaired.
extension ProfileState {
    /// The writes that repair the parts in which this device made such edits.
    ///
    /// - Parameters:
    ///   - own: The replica that wrote for this device.
    ///   - former: The state before the removals came in.
    /// - Complexity: O(records · depth) if a container was filled again since `former`; else O(removals).
    func wholeAgain(
        by own: ReplicaID, since former: ProfileState, _ context: WriteContext
    ) -> [(AtomKey, AtomContent)] {
        let begun = Set(removals.begunAnew.filter { former.removals[$0.key]?.final != $0.value }.keys)
        guard !begun.isEmpty, case let parts = editedParts(by: own, since: former, in: begun), !parts.isEmpty else {
            return []
        }
        return again(parts, among: former, for: context.replica) { former.shows($0) }
    }

    /// Writes again the values of a save around its changes, in containers that another device had removed and filled
    /// again without the save's game having read it. The result is as if the game had saved before the removal came in.
    ///
    /// - Parameters:
    ///   - changes: The changes of the save, which are written already.
    ///   - context: Who writes, and what the game of the save had read.
    /// - Complexity: O(removals + changes); if there is such a change, O(records · depth + size of the save).
    package mutating func makeWhole(
        _ changes: [LeafChange], of save: JSONDocument, _ context: WriteContext
    ) -> WriteResult {
        let unread = removals.begunAnew.keys.filter { container in
            removals(at: container).contains { removal in
                removal.replica != context.replica && !removal.removal.final.isEmpty
                    && !context.base.covers(removal.dot)
            }
        }
        guard !unread.isEmpty else { return WriteResult() }
        var edits: [DocumentPath: Set<DocumentPath>] = [:]
        for change in changes {
            let around = unread.filter { change.path != $0 && change.path.isAtOrBelow($0) }
            if !around.isEmpty { edits[change.path, default: []].formUnion(around) }
        }
        let parts = parts(of: edits, since: context.base)
        guard !parts.isEmpty else { return WriteResult() }
        let held = HeldPlaces(DocumentDiff(from: nil, to: save, rules: rules), in: Set(parts.keys))
        let contents = again(parts, among: self, for: context.replica) { held.contains($0, candidateOf: self) }
        return WriteResult(atoms: write(contents, as: context.replica))
    }

    /// The contents that write again the values that are gone for good in some parts.
    ///
    /// - Parameters:
    ///   - former: The state whose atoms are written again.
    ///   - isWanted: Whether to write the atom under a key again.
    private func again(
        _ parts: [DocumentPath: Set<DocumentPath>], among former: ProfileState, for own: ReplicaID,
        where isWanted: (AtomKey) -> Bool
    ) -> [(AtomKey, AtomContent)] {
        let edited = Set(parts.keys)
        var contents: [AtomKey: AtomContent] = [:]
        for record in 0..<former.table.recordCount where former.table[record].sequence > 0 {
            let path = former.path(at: record)
            guard path.nearest(in: edited) != nil, let key = former.keyedAtom(at: record)?.key, isWanted(key),
                let current = live(key), isTaken(path, current.dot, within: parts), isWritable(key)
            else { continue }
            if key.kind.base == .counter {
                // A counter shows all that was ever earned in it once any of its amounts is not gone for good.
                guard isRemoved(path, key.kind) else { continue }
                let amount = AtomKey(path, key.kind, sub: own.bytes)
                contents[amount] = live(amount)?.content ?? .tally(earned: .zero, spent: .zero)
            } else {
                contents[key] = KeyedAtom(key, current).contentAgain
            }
        }
        return contents.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The parts of containers that this device had edited, each with the containers that another device removed and
    /// filled again around them.
    private func editedParts(
        by own: ReplicaID, since former: ProfileState, in begun: Set<DocumentPath>
    ) -> [DocumentPath: Set<DocumentPath>] {
        guard let number = former.replicaNumbers[own] else { return [:] }
        var edits: [DocumentPath: Set<DocumentPath>] = [:]
        for record in 0..<former.table.recordCount
        where former.table[record].sequence > 0 && former.table[record].replica == number {
            let kind = former.table[record].kind
            guard kind == .removal || kind.keepsAlive, case let path = former.path(at: record), !path.isReserved,
                // A removal inside a container is an edit of the container around it.
                let edited = kind == .removal ? path.parent : path
            else { continue }
            let dot = former.dot(at: record)
            let above = removals.above(edited)
            // A device that had read the edit and still removed the container meant to remove the edit too.
            if above.isEmpty || above.contains(where: { $0.entry.seen.covers(dot) }) { continue }
            for (container, _) in above where begun.contains(container) && path != container {
                edits[path, default: []].insert(container)
            }
        }
        return parts(of: edits, since: former.vector)
    }

    /// The parts that are to be written again around edits, each with the containers that were removed around it.
    ///
    /// A part is the element of a keyed array around the edit, or else the value directly below the container. Where the
    /// removing device wrote in it again itself, it holds that device's values, and nothing of the former ones; then the
    /// part is the value inside it that is around the edit, and so on. An edited value alone is no part.
    ///
    /// - Parameters:
    ///   - edits: The edited places, each with the containers around it that were removed and filled again.
    ///   - vector: The writes before the removals were known.
    private func parts(
        of edits: [DocumentPath: Set<DocumentPath>], since vector: VersionVector
    ) -> [DocumentPath: Set<DocumentPath>] {
        guard !edits.isEmpty else { return [:] }
        let containers = edits.values.reduce(into: Set<DocumentPath>()) { $0.formUnion($1) }
        let madeAnew = placesMadeAnew(in: containers, since: vector)
        var parts: [DocumentPath: Set<DocumentPath>] = [:]
        for (edit, around) in edits {
            for container in around {
                guard let part = edit.parts(of: container).first(where: { madeAnew[container]?.contains($0) != true })
                else { continue }
                parts[part, default: []].insert(container)
            }
        }
        return parts
    }

    /// The places in and around which the device that removed a container wrote when it filled it again, for each
    /// container.
    private func placesMadeAnew(
        in containers: Set<DocumentPath>, since vector: VersionVector
    ) -> [DocumentPath: Set<DocumentPath>] {
        var places: [DocumentPath: Set<DocumentPath>] = [:]
        for record in 0..<table.recordCount where table[record].sequence > 0 && table[record].kind.keepsAlive {
            let dot = dot(at: record)
            guard !vector.covers(dot) else { continue }
            var (place, below): (DocumentPath?, [DocumentPath]) = (path(at: record), [])
            while let here = place {
                if containers.contains(here), wroteAnew(dot, in: here) { places[here, default: []].formUnion(below) }
                below.append(here)
                place = here.parent
            }
        }
        return places
    }

    /// Whether a write is by a replica that had removed a container and filled it again.
    private func wroteAnew(_ dot: Dot, in container: DocumentPath) -> Bool {
        removals[container]?.final.covers(dot) == false
            && removals(at: container).contains { $0.replica == dot.replica && !$0.removal.final.isEmpty }
    }

    /// Whether a write is gone for good with the containers of the parts around it, and no other removal hides it.
    private func isTaken(_ path: DocumentPath, _ dot: Dot, within parts: [DocumentPath: Set<DocumentPath>]) -> Bool {
        var containers = Set<DocumentPath>()
        var place: DocumentPath? = path
        while let here = place {
            containers.formUnion(parts[here] ?? [])
            place = here.parent
        }
        let taking = removals.above(path).filter { place, entry in
            (removals.isAlive(place, entry) ? entry.final : entry.seen).covers(dot)
        }
        return !taking.isEmpty && taking.allSatisfy { containers.contains($0.place) && $0.entry.final.covers(dot) }
    }

    /// Whether an atom is part of what its place shows.
    private func shows(_ key: AtomKey) -> Bool {
        switch key.kind.base {
        case .element: membership(key.path)?.present == true
        case .choice, .furthest:
            candidates(key.path, key.kind).contains { $0.dot.replica.bytes == key.sub }
        default: visible(key) != nil
        }
    }

    /// Whether other devices would accept a write under a key: an epoch too far above a declared one is refused, see
    /// `ProfileState+Admission.swift`.
    private func isWritable(_ key: AtomKey) -> Bool {
        epoch(for: key, besides: Dot(replica: ReplicaID(high: 0, low: 0), sequence: 0)).map { isWritable($0) } ?? true
    }

    /// Whether other devices would accept a write in an epoch.
    func isWritable(_ next: EpochID) -> Bool {
        next.isStep(above: EpochID(after: nil)) || epochRegistry.known.contains { next.isStep(above: $0.id) }
    }

    private func path(at record: AtomTable.Number) -> DocumentPath {
        DocumentPath(encoded: Array(table.keyBytes(table.placeNumber(of: record))))
    }
}

extension KeyedAtom {
    /// The content that makes this atom count again although it is gone for good; `nil` for an amount of a counter, and
    /// for an atom that shows no value.
    fileprivate var contentAgain: AtomContent? {
        switch atom.content {
        case .register(let stamp, let value?): return .register(stamp.successor, value)
        // The epoch that such a write gets is above the epoch of the atom that is gone.
        case .extremum, .flag, .member: return atom.content
        // The edit in an element of a keyed array brings the element back, even if the removing device had raised
        // the causal length.
        case .membership(let length, let element) where key.kind == .element:
            return .membership(after: length, adding: length % 2 == 1 ? 2 : 1, element)
        case .membership(let length, let element) where length % 2 == 1:
            return .membership(after: length, adding: 2, element)
        case .candidate(let stamp, .some, _):
            guard case .candidate(_, let value, let replaced) = contentWithOrigin else { return nil }
            return .candidate(stamp.successor, value, replaced: replaced)
        case .position(let stamp, let position): return .position(stamp.successor, position)
        default: return nil
        }
    }
}

extension DocumentPath {
    /// The values around this place, the outermost first, from the element of a keyed array below a container, or else
    /// from the value directly below the container, and without this place itself; none if this place is not below it.
    fileprivate func parts(of container: DocumentPath) -> [DocumentPath] {
        guard self != container, isAtOrBelow(container), let steps, let above = container.steps?.count else {
            return []
        }
        let element = steps.indices.first { index in
            guard index >= above, case .element = steps[index] else { return false }
            return true
        }
        return (((element ?? above) + 1)..<max(steps.count, (element ?? above) + 1)).map {
            DocumentPath(Array(steps.prefix($0)))
        }
    }
}
