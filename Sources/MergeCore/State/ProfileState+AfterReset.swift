import LosslessJSON

/// Why a place that was reset shows nothing, or a register's value, in place of its rule's start.
extension ProfileState {
    /// The epoch that hides such a register, if the register is all that was ever written at a place of another kind;
    /// else `nil`.
    func hiddenRegister(_ path: DocumentPath, _ rule: MergeRule, _ kind: AtomKind) -> EpochID? {
        guard kind != .latest, let epoch = hiddenBy(path, .latest), liveParts(path, kind).isEmpty,
            case .register(_, let value?)? = atom(AtomKey(path, .latest))?.content, rule.isToldByRegister(value)
        else { return nil }
        return epoch
    }

    /// Whether the last value at a place that was reset is one the rule cannot start from, such as an empty object
    /// under a counter. A reset removes it like any other object. Otherwise files that hold it would keep it, while all
    /// other files would show 0.
    func wasNoValueOfItsRule(_ path: DocumentPath, _ rule: MergeRule, _ kind: AtomKind) -> Bool {
        guard let register = atom(AtomKey(path, .latest)), case .register(_, let value?) = register.content,
            rule.isToldByRegister(value), !rule.startsFrom(value), let place = table.place(path, .latest)
        else { return false }
        // An atom of the rule's own kind, written in a later epoch than the register, had replaced this value.
        let parts = table.place(path, kind).map { [$0] + Array(table.parts(of: $0)) } ?? []
        return parts.allSatisfy { part in
            table[part].sequence == 0 || epochRegistry.isBelow(table[part].epoch, table[place].epoch)
        }
    }

    /// Whether a place was already missing when the last reset came: an earlier restore or undo had left it empty, or a
    /// game had removed the 0 that an earlier reset put there. No atom holds that 0, so the earlier reset's epoch is
    /// used as its write.
    func wasTakenAway(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        let places = [kind, .latest].compactMap { table.place(path, $0) }
        let written = places.flatMap { [$0] + Array(table.parts(of: $0)) }.filter { table[$0].sequence > 0 }
        let newest = written.compactMap { epochRegistry.id(table[$0].epoch) }.max()
        let removed = removals.hiding(path)
        let later = epochRegistry.known.lazy.prefix { known in newest.map { $0 < known.id } ?? true }
        return later.contains { known in
            let isGone =
                !known.id.isFromNothing || removed.contains { gone in known.dots.contains { gone.covers($0) } }
            return isGone && known.covers(path)
        }
    }

    /// Whether a game had removed a place before a reset came: then it left a register without a value there. A set
    /// that only lost its elements has no such register, and is still there, empty.
    func wasEmptied(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        func isBelow(_ a: AtomTable.Number, _ b: AtomTable.Number) -> Bool {
            epochRegistry.isBelow(table[a].epoch, table[b].epoch)
        }
        let own = table.place(path, kind).map { [$0] + Array(table.parts(of: $0)) } ?? []
        let parts = own.filter { table[$0].sequence > 0 }
        guard let register = table.place(path, .latest), table[register].sequence > 0,
            case .register(_, nil)? = atom(at: register)?.content
        else { return false }
        guard let newest = parts.max(by: isBelow), !isBelow(newest, register) else { return true }
        guard kind.base == .set, !isBelow(register, newest) else { return false }
        return parts.allSatisfy { isBelow($0, newest) || atom(at: $0).flatMap(Self.element) == nil }
    }

    /// Whether only a register without a value was ever written at a place of another kind, and its removal belongs to
    /// an epoch that has ended.
    func wasRemovedBefore(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        guard kind != .latest, hiddenBy(path, .latest) != nil, !holdsAtoms(path, kind),
            case .register(_, nil)? = atom(AtomKey(path, .latest))?.content
        else { return false }
        return true
    }
}
