import LosslessJSON

/// Edits of this device that left no atom behind, though a concurrent removal must not win over them.
extension ProfileState {
    /// Marks the containers that this device had edited while another device concurrently removed them.
    ///
    /// A removal hides what its game had read, and a concurrent edit brings the container back. But where the removing
    /// game had written the same places before, its writes may have replaced the edit's atoms. Then nothing keeps the
    /// container alive. The mark is a removal atom at an edited place that names no write. It hides nothing, no other
    /// write can replace it, and a removal inside a container counts as an edit of the container around it.
    ///
    /// Elements of a set need the same help but have no such mark. An element that one device added, and another one
    /// concurrently added and removed, is gone, because its causal length is larger. Two cases can be told apart. An
    /// addition that comes in for the first time was not read by a removal that is known already. And an addition that
    /// is known was not read by a removal whose sender is known not to have it. In both cases the element is added once
    /// more.
    ///
    /// - Parameters:
    ///   - own: The replica that wrote for this device.
    ///   - former: The state before the removals came in.
    ///   - joined: The result of the join that brought the removals.
    ///   - sender: The full vector of the sender by its own words, with what came in; `nil` where that is not known.
    ///     The vector of a delta is not enough: it tells only what this device lacked.
    ///   - context: Who writes the marks, and when.
    /// - Returns: The marks, one for each container that would be gone without one, and the elements added again.
    /// - Complexity: O(records) where removals came in that hide a container; else O(removals + changed).
    public mutating func markEdits(
        by own: ReplicaID, since former: ProfileState, _ joined: JoinResult, from sender: VersionVector?,
        _ context: WriteContext
    ) -> [KeyedAtom] {
        let outrun =
            joined.outrun
            + joined.changed.filter { key in
                guard let sender, key.kind == .set, let atom = former.live(key), AtomView(atom).isMember else {
                    return false
                }
                return !sender.covers(atom.dot) && live(key)?.epoch == atom.epoch
            }
        let again = Set(outrun).sorted().compactMap { key -> (AtomKey, AtomContent)? in
            guard case .membership(let length, let element)? = live(key)?.content, length % 2 == 0, length < .max else {
                return nil
            }
            return (key, .membership(length: length + 1, element))
        }
        let hasRemovals = joined.changed.contains { $0.kind == .removal }
        let marks =
            hasRemovals ? marks(by: own, since: former, context) + wholeAgain(by: own, since: former, context) : []
        return write(marks + again, as: context.replica)
    }

    /// What this device had edited in a container that another device concurrently removed and began anew, as it stood
    /// around the edit. Without that the edit alone would show, for what the removal took is gone for good then: a
    /// member of a crew with his pay, and without his name.
    ///
    /// A counter shows all that was ever earned in it once any of its amounts is not gone for good, so only this
    /// device's own amount is written again.
    private func wholeAgain(
        by own: ReplicaID, since former: ProfileState, _ context: WriteContext
    ) -> [(AtomKey, AtomContent)] {
        guard let number = former.replicaNumbers[own] else { return [] }
        let begun = removals.begunAnew.filter { former.removals[$0.key]?.final != $0.value }
        guard !begun.isEmpty else { return [] }
        var edited = Set<DocumentPath>()
        for record in 0..<former.table.recordCount
        where former.table[record].sequence > 0 && former.table[record].replica == number {
            guard former.table[record].kind.keepsAlive, !former.isHidden(record) else { continue }
            let place = former.table.placeNumber(of: record)
            let path = DocumentPath(encoded: Array(former.table.keyBytes(place)))
            let dot = former.dot(at: record)
            for (container, final) in begun where !path.isReserved && !final.covers(dot) {
                guard let part = path.part(of: container), part != path else { continue }
                edited.insert(part)
            }
        }
        guard !edited.isEmpty else { return [] }
        var contents: [AtomKey: AtomContent] = [:]
        for record in 0..<former.table.recordCount where former.table[record].sequence > 0 {
            let place = former.table.placeNumber(of: record)
            let path = DocumentPath(encoded: Array(former.table.keyBytes(place)))
            guard path.nearest(in: edited) != nil, let held = former.keyedAtom(at: record),
                former.visible(held.key)?.dot == held.atom.dot, removals.isFinal(path, held.atom.dot),
                live(held.key)?.dot == held.atom.dot
            else { continue }
            if held.key.kind.base == .counter {
                let own = AtomKey(path, held.key.kind, sub: context.replica.bytes)
                guard isRemoved(path, held.key.kind) else { continue }
                contents[own] = live(own)?.content ?? .tally(earned: .zero, spent: .zero)
            } else if let (key, content) = held.writtenAgain(by: context.replica) {
                contents[key] = content
            }
        }
        return contents.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func marks(
        by own: ReplicaID, since former: ProfileState, _ context: WriteContext
    ) -> [(AtomKey, AtomContent)] {
        guard let number = former.replicaNumbers[own] else { return [] }
        let gone = goneContainers.filter { path in former.removals[path]?.seen != removals[path]?.seen }
        guard !gone.isEmpty else { return [] }
        var marks: [DocumentPath: DocumentPath] = [:]
        for record in 0..<former.table.recordCount
        where former.table[record].sequence > 0 && former.table[record].replica == number {
            let place = former.table.placeNumber(of: record)
            guard former.table[record].kind.keepsAlive else { continue }
            let path = DocumentPath(encoded: Array(former.table.keyBytes(place)))
            guard let around = path.parent, !path.isReserved, case let dot = former.dot(at: record) else { continue }
            // An edit of an epoch that has ended shows nowhere, so it must not bring the container back.
            let epoch = former.epochRegistry.id(former.table[record].epoch)
            if let inForce = inForce(AtomKey(path, former.table[record].kind)), epoch.map({ $0 < inForce }) ?? true {
                continue
            }
            for container in gone where marks[container] == nil && around.isAtOrBelow(container) {
                if removals[container]?.seen.covers(dot) == false { marks[container] = path }
            }
        }
        return Set(marks.values).sorted().map { path in
            var mark = removals(at: path).first { $0.replica == context.replica }?.removal ?? Removal()
            if mark.number < .max { mark.number += 1 }
            return (AtomKey(path, .removal, sub: context.replica.bytes), .removal(mark))
        }
    }
}

extension KeyedAtom {
    /// The write that makes this atom count again where it is gone for good; `nil` for an amount of a counter, and for
    /// what shows no value.
    fileprivate func writtenAgain(by replica: ReplicaID) -> (AtomKey, AtomContent)? {
        switch atom.content {
        case .register(let stamp, let value?): (key, .register(stamp.successor, value))
        // The epoch that such a write gets puts it above the one that is gone.
        case .extremum, .flag, .member: (key, atom.content)
        case .membership(let length, let element) where length % 2 == 1 && length < .max - 2:
            (key, .membership(length: length + 2, element))
        case .candidate(let stamp, let value?, _):
            (AtomKey(key.path, key.kind, sub: replica.bytes), .candidate(stamp.successor, value, replaced: [:]))
        case .position(let stamp, let position): (key, .position(stamp.successor, position))
        default: nil
        }
    }
}

extension DocumentPath {
    /// The place directly below a container at or around which this one lies; `nil` where it is not below the container.
    fileprivate func part(of container: DocumentPath) -> DocumentPath? {
        guard self != container, isAtOrBelow(container), let steps, let above = container.steps else { return nil }
        return DocumentPath(Array(steps.prefix(above.count + 1)))
    }
}
