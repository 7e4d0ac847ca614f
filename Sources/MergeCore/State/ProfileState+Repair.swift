/// What a repair made of a state; see ``ProfileState/repaired(by:spans:as:own:)``.
package struct StateRepair: Sendable {
    /// The state afterwards. It covers what it covered before.
    package var state: ProfileState
    /// The atoms that were put in, to be stored.
    package fileprivate(set) var put: [KeyedAtom] = []
    /// The keys that have no atom any more.
    package fileprivate(set) var gone: [AtomKey] = []
    /// The keys under which the state held another value than the writer says, or none.
    package fileprivate(set) var differing: [AtomKey] = []
    /// What the atoms that were put in changed, as if a join had brought them.
    package fileprivate(set) var joined = JoinResult()

    package var isEmpty: Bool { put.isEmpty && gone.isEmpty }
}

extension ProfileState {
    /// Takes a writer's own word for what it wrote, in place of what another device said of it.
    ///
    /// Some of the writer's writes came from another device, and may have been changed or left out on the way. The writer
    /// itself sends every atom that it holds. Then, for each key:
    ///
    /// - If the atom here is one of those writes, the writer's atom takes its place, or it goes where the writer has
    ///   none. The writer covers the write, so what it holds is that write or what replaced it. (What a made-up write had
    ///   replaced here is not known any more.)
    /// - If the writer's atom is one of those writes, both are joined as ever: it had been left out.
    /// - Every other atom stays. So a writer changes only what bears its own name.
    ///
    /// An atom of the writer that this state does not cover is not looked at: it comes with a delta, or is not wanted.
    /// One that bears the name of this device is written anew: it may be what this device wrote, before a made-up write
    /// replaced it, and only this device says what it wrote.
    ///
    /// What is put in may be a reset or a removal of which this device's game knew nothing, so the caller does
    /// afterwards what it does after a join.
    ///
    /// - Parameters:
    ///   - whole: Every atom that the writer holds.
    ///   - spans: The writes that came from others. The writer covers them, and so does this state.
    ///   - replica: Who declares an epoch again that the writer never declared, where other writes already belong to it.
    ///     An epoch that nobody declares would make every other device refuse them.
    ///   - own: The replicas as which this device ever wrote.
    package func repaired(
        by whole: [KeyedAtom], spans: [WriteSpan], as replica: ReplicaID, own: Set<ReplicaID> = []
    ) -> StateRepair {
        let runs = Dictionary(spans.map { ($0.replica, $0) }) { $0.joined(with: $1) }
        func isTold(_ atom: Atom) -> Bool { runs[atom.dot.replica]?.contains(atom.dot) == true }
        let said = Dictionary(whole.map { ($0.key, $0.atom) }) { $1 }
        var (rest, gone, again): ([KeyedAtom], [KeyedAtom], [KeyedAtom]) = ([], [], [])
        var repair = StateRepair(state: self)
        var known = Set<AtomKey>()
        for held in writtenAtoms {
            known.insert(held.key)
            let theirs = said[held.key]
            guard isTold(held.atom) || theirs.map(isTold) == true, theirs != held.atom,
                theirs.map({ vector.covers($0.dot) }) ?? true
            else {
                rest.append(held)
                continue
            }
            guard let theirs else {
                gone.append(held)
                repair.gone.append(held.key)
                repair.differing.append(held.key)
                continue
            }
            guard isTold(held.atom) || held.atom.joined(with: theirs, kind: held.key.kind) == theirs else {
                rest.append(held)
                continue
            }
            if own.contains(theirs.dot.replica) {
                again.append(KeyedAtom(held.key, theirs))
            } else {
                repair.put.append(KeyedAtom(held.key, theirs))
            }
            if !held.atom.says(theirs) { repair.differing.append(held.key) }
        }
        for atom in whole where !known.contains(atom.key) && isTold(atom.atom) && vector.covers(atom.atom.dot) {
            guard known.insert(atom.key).inserted else { continue }
            repair.put.append(atom)
            repair.differing.append(atom.key)
        }
        guard !repair.isEmpty || !again.isEmpty else { return repair }
        repair.state = ProfileState(restoring: rest, vector: vector)
        repair.joined = repair.state.put(repair.put)
        repair.put += repair.state.rewrite(again, as: replica)
        repair.put += repair.state.declareAgain(gone, as: replica, &repair.joined)
        return repair
    }

    /// Whether this state holds of a run of writes what their writer holds: nothing else, and all of it but what writes
    /// that the writer does not cover replaced here. A writer may cover less for long: its disk is full, or it leaves out
    /// what fills its profile.
    ///
    /// - Parameters:
    ///   - whole: Every atom that the writer holds.
    ///   - writer: The full vector of the writer.
    package func agrees(with whole: [KeyedAtom], on span: WriteSpan, writer: VersionVector) -> Bool {
        let (ours, theirs) = (Set(atoms(of: span)), span.atoms(among: whole))
        guard ours.isSubset(of: theirs) else { return false }
        return theirs.allSatisfy { said in
            ours.contains(said) || atom(said.key).map { !writer.covers($0.dot) } == true
        }
    }

    /// Declares those epochs of a writer's atoms that are not declared here, and to which atoms belong all the same. As
    /// many as others take of one replica.
    ///
    /// - Parameters:
    ///   - replica: Who declares them.
    ///   - result: Collects what that changed.
    package mutating func declareAgain(
        _ atoms: [KeyedAtom], as replica: ReplicaID, _ result: inout JoinResult
    ) -> [KeyedAtom] {
        let declared = Set(epochRegistry.known.map(\.id))
        let lacking = atoms.compactMap { atom -> (EpochID, Epoch)? in
            guard let key = EpochKey(atom.key.sub), case .epoch(let epoch) = atom.atom.content,
                !declared.contains(key.id)
            else { return nil }
            return (key.id, epoch)
        }
        guard !lacking.isEmpty else { return [] }
        // A member can declare epochs without number, all of one number and with one pattern. So both lists are walked
        // once: the steps above an epoch follow it in their order.
        let named = Set(writtenAtoms.compactMap(\.atom.epoch)).sorted()
        var (index, contents): (Int, [(AtomKey, AtomContent)]) = (0, [])
        var (own, patterns) = epochRegistry.declared(by: replica)
        for (id, epoch) in lacking.sorted(by: { $0.0 < $1.0 }) {
            while index < named.count, named[index] < id { index += 1 }
            guard index < named.count, named[index].isStep(above: id) else { continue }
            own.insert(id)
            guard own.count <= Self.epochsTaken else { break }
            if !patterns.isSuperset(of: epoch.selector.patterns) {
                patterns.formUnion(epoch.selector.patterns)
                var budget = PatternBudget()
                budget.add(patterns)
                if budget.excess != nil { break }
            }
            contents.append((EpochKey(id, replica).atomKey, .epoch(epoch)))
        }
        return write(contents, as: replica, &result)
    }
}

extension Atom {
    /// Whether both say the same, whoever wrote it.
    fileprivate func says(_ other: Atom) -> Bool { encoded == other.encoded && epoch == other.epoch }
}
