/// Atoms that are written again as they are.
extension ProfileState {
    /// Writes atoms again under the next dot of `replica`, at the versions at which they were written, even if an equal
    /// content is there under another dot.
    mutating func rewrite(_ atoms: [KeyedAtom], as replica: ReplicaID) -> [KeyedAtom] {
        guard !atoms.isEmpty, vector.sequence(of: replica) < .max else { return [] }
        let dot = Dot(replica: replica, sequence: vector.sequence(of: replica) + 1)
        var history = HistoryHash(vector.entries[replica]?.history ?? 0)
        var written: [KeyedAtom] = []
        var result = JoinResult(isKept: false)
        for former in atoms {
            let content = former.contentWithOrigin
            let atom = KeyedAtom(former.key, Atom(content, dot, epoch: former.atom.epoch))
            history.add(atom)
            // A join prefers neither of two equal contents because of its writer. Here the new dot must win, so that
            // peers get the atom.
            if insert(atom, replacing: dot, &result) || force(atom) { written.append(atom) }
        }
        beginDeclared(&result)
        settleRemovals()
        vector.advance(replica, to: VersionVector.Entry(sequence: dot.sequence, history: history.value))
        return written
    }

    /// Replaces an atom by one with the same content and epoch; false where another content or epoch is there.
    private mutating func force(_ new: KeyedAtom) -> Bool {
        guard let current = writtenNumber(new.key).flatMap({ keyedAtom(at: $0, of: writtenTable) }),
            current.atom.encoded == new.atom.encoded, current.atom.epoch == new.atom.epoch
        else { return false }
        let (replica, epoch) = (number(of: new.atom.dot.replica), epochRegistry.number(new.atom.epoch))
        written?.put(new, replica: replica, epoch: epoch)
        for upcast in upcasts(of: new) {
            guard let number = table.number(upcast.key), atom(at: number)?.encoded == upcast.atom.encoded else {
                continue
            }
            store(upcast.atom, at: number)
        }
        return true
    }

    private func writtenNumber(_ key: AtomKey) -> AtomTable.Number? {
        guard written == nil else { return writtenTable.number(key) }
        return upcasters.isOwn(key.path) ? table.number(AtomKey(key.path.version.place, key.kind, sub: key.sub)) : nil
    }
}
