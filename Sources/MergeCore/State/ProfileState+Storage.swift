/// How a state stores atoms: the table holds what shows. Once there are atoms of several versions, ``written`` also
/// holds every atom as it was written.
extension ProfileState {
    func atom(at number: AtomTable.Number) -> Atom? { atom(at: number, of: table) }

    func atom(at number: AtomTable.Number, of table: AtomTable) -> Atom? {
        let record = table[number]
        guard record.sequence > 0 else { return nil }
        return Atom(
            known: Array(table.content(number)), AtomForm(record.kind, isPart: record.place != AtomTable.none),
            Dot(replica: replicas[Int(record.replica)], sequence: record.sequence), epochRegistry.id(record.epoch))
    }

    func keyedAtom(at number: AtomTable.Number) -> KeyedAtom? { keyedAtom(at: number, of: table) }

    func keyedAtom(at number: AtomTable.Number, of table: AtomTable) -> KeyedAtom? {
        guard let atom = atom(at: number, of: table) else { return nil }
        return KeyedAtom(table.key(number), atom)
    }

    func dot(at number: AtomTable.Number) -> Dot {
        let record = table[number]
        return Dot(replica: replicas[Int(record.replica)], sequence: record.sequence)
    }

    /// Joins one atom in its stored form; returns whether it is new.
    ///
    /// - Parameters:
    ///   - own: The dot that is being written. An atom with this dot is replaced in any case.
    ///   - result: Collects the keys that may show something else now, and the progress that an epoch hides.
    mutating func insert(_ new: KeyedAtom, replacing own: Dot? = nil, _ result: inout JoinResult) -> Bool {
        let isOwn = upcasters.isOwn(new.key.path)
        if written == nil {
            if isOwn {
                if new.key.path.isReserved, let named = new.named { return show(named, nil, replacing: own, &result) }
                return show(new, nil, replacing: own, &result)
            }
            keepWritten(writtenAtoms)
        }
        let (replica, epoch) = (number(of: new.atom.dot.replica), epochRegistry.number(new.atom.epoch))
        let (replicas, epochs) = (replicas, epochRegistry)
        let isNew = written!.join(new, replica: replica, epoch: epoch, replacing: own) {
            Self.view($0, $1, replicas, epochs)
        }
        let upcaster = isOwn ? nil : upcasters.upcaster(from: new.key.path.version.label)
        for upcast in upcasts(of: new) { _ = show(upcast, upcaster, replacing: own, &result) }
        return isNew
    }

    /// The atoms that a stored atom becomes in the version of the rules in force: none, one or several.
    func upcasts(of atom: KeyedAtom) -> [KeyedAtom] {
        if upcasters.isOwn(atom.key.path) { return [atom.named ?? atom] }
        return upcasters.upcaster(from: atom.key.path.version.label).upcasts(of: atom.named ?? atom)
    }

    /// Whether a reset, a restore or a removal hides everything that a stored atom could show.
    func isHidden(_ atom: KeyedAtom) -> Bool {
        let numbers = upcasts(of: atom).compactMap { table.number($0.key) }
        return !numbers.isEmpty && numbers.allSatisfy { isHidden($0) || isRemoved($0) }
    }

    /// Whether the rules in force can show a stored atom.
    func canShow(_ atom: KeyedAtom) -> Bool {
        upcasts(of: atom).contains { rules.shows($0.key) }
    }

    /// The versions at which the atoms of this state were written, and that of the rules. O(n).
    var labels: Set<VersionLabel> {
        var labels: Set<VersionLabel> = [upcasters.own]
        guard let table = written?.table else { return labels }
        for number in 0..<table.recordCount where table[number].place == AtomTable.none {
            let path = DocumentPath(encoded: Array(table.keyBytes(number)))
            if path.dependsOnVersion || path.namesVersion { labels.insert(path.version.label) }
        }
        return labels
    }

    /// Begins to keep atoms as they were written, beside the table of what shows.
    mutating func keepWritten(_ atoms: [KeyedAtom]) {
        var kept = WrittenAtoms()
        for atom in atoms {
            kept.put(
                atom, replica: number(of: atom.atom.dot.replica), epoch: epochRegistry.number(atom.atom.epoch))
        }
        written = kept
        log = DotLog()
    }

    /// Builds the table again from the atoms as they were written. Needed when the rules describe another version, or
    /// lead to it by other steps.
    mutating func rebuild(_ atoms: [KeyedAtom]) {
        table = AtomTable()
        table.reserve(atoms.count)
        epochRegistry.forgetDeclared()
        (containers, lastContainer) = ([], nil)
        (written, log) = (nil, DotLog())
        removals = RemovalIndex()
        if !atoms.allSatisfy({ upcasters.isOwn($0.key.path) }) { keepWritten(atoms) }
        var result = JoinResult(isKept: false)
        for atom in Self.inJoinOrder(atoms) {
            let upcaster = upcasters.isOwn(atom.key.path) ? nil : upcasters.upcaster(from: atom.key.path.version.label)
            for upcast in upcasts(of: atom) { _ = show(upcast, upcaster, replacing: nil, &result) }
        }
        beginDeclared(&result)
        settleRemovals()
    }

    /// A state with the same atoms under the migrations of another state.
    func upcasted(like other: ProfileState) -> ProfileState {
        guard upcasters != other.upcasters else { return self }
        var result = self
        result.upcasters = other.upcasters
        result.rebuild(writtenAtoms)
        return result
    }

    /// Joins an atom that is in the version of the rules already; returns whether it is new.
    ///
    /// - Parameter upcaster: The upcast that made the atom, if any. An epoch needs it, because its places are those of
    ///   the version it began in.
    private mutating func show(
        _ new: KeyedAtom, _ upcaster: Upcaster?, replacing own: Dot?, _ result: inout JoinResult
    ) -> Bool {
        if !epochRegistry.isSettled, new.key.path != .epochs { beginDeclared(&result) }
        let (number, place, isNewPlace) = table.make(new.key)
        if isNewPlace {
            if new.key.kind == .latest { noteContainers(of: new.key.path) }
            if !epochRegistry.known.isEmpty { table.setInForce(place, epochRegistry.inForce(new.key.path)) }
        }
        if table[number].sequence > 0 {
            let current = Self.view(table, number, replicas, epochRegistry)
            if current.dot != own {
                let isNewer = current.precedes(AtomView(new.atom), new.key.kind)
                if new.key == AtomKey(.rules, .rules) { result.lostRules = isNewer ? atom(new.key) : new.atom }
                guard isNewer else {
                    let isOfSet = new.key.kind == .set && current.epoch == new.atom.epoch
                    if isOfSet, AtomView(new.atom).isMember, !current.isMember { result.outrun.append(new.key) }
                    // The atom loses against one that came with the epoch in force, or against a hidden one. It may
                    // hold progress all the same, if it was written concurrently with that epoch.
                    let isAside =
                        table[place].inForce != 0
                        && (current.epoch != new.atom.epoch || isHidden(number)) && isUnseen(new, at: place)
                    if isAside || isOutrun(AtomView(new.atom), by: current, new.key, place) {
                        result.overridden.append(new)
                    }
                    return false
                }
                if isOutrun(current, by: AtomView(new.atom), new.key, place), let current = keyedAtom(at: number) {
                    result.overridden.append(current)
                }
            }
        }
        store(new.atom, at: number)
        if result.isKept { result.changed.append(new.key) }
        if new.key.path.isReserved {
            if new.key.path == .rules { reloadRules() }
            if new.key.path == .epochs { declare(new, upcaster) }
        } else if isHidden(number), isUnseen(new, at: place) {
            result.overridden.append(new)
        }
        return true
    }

    /// Whether one of two atoms of a key would win by the rule of its place, and loses to the step of the other one alone:
    /// a game had removed the container and filled it again (``EpochID/init(after:)``), and no reset or restore began in
    /// between. The start of a counter is not meant: a step makes it smaller, so that what was removed counts no more. Nor
    /// is a membership that could not become longer, see ``AtomContent/lastLength``.
    private func isOutrun(
        _ atom: AtomView, by winner: AtomView, _ key: AtomKey, _ place: AtomTable.Number
    ) -> Bool {
        guard key.kind.base != .counter, let step = winner.epoch, atom.epoch.map({ $0 < step }) ?? true,
            atom.outweighs(winner, key.kind),
            atom.form != .membership || atom.leadingInteger < AtomContent.lastLength
        else {
            return false
        }
        return epochRegistry.id(table[place].inForce).map { inForce in atom.epoch.map { inForce <= $0 } ?? false }
            ?? true
    }

    static func view(
        _ table: AtomTable, _ number: AtomTable.Number, _ replicas: [ReplicaID], _ epochs: EpochRegistry
    ) -> AtomView {
        let record = table[number]
        return AtomView(
            content: table.content(number), form: AtomForm(record.kind, isPart: record.place != AtomTable.none),
            dot: Dot(replica: replicas[Int(record.replica)], sequence: record.sequence),
            epoch: epochs.id(record.epoch))
    }

    /// Whether the writer of the epoch in force at a place had not read the write of an atom.
    func isUnseen(_ atom: KeyedAtom, at place: AtomTable.Number) -> Bool {
        let inForce = epochRegistry.declared(epochRegistry.id(table[place].inForce))
        return inForce.map { !$0.epoch.hasSeen(atom.atom.dot) } ?? false
    }

    mutating func store(_ atom: Atom, at number: AtomTable.Number) {
        let replica = self.number(of: atom.dot.replica)
        let former = removals.isEmpty || table[number].sequence == 0 ? nil : dot(at: number)
        table.set(
            number, atom.encoded, sequence: atom.dot.sequence, replica: replica,
            epoch: epochRegistry.number(atom.epoch))
        if written == nil { note(atom.dot.sequence, number, replica) }
        noteRemoval(former, atom.dot, at: number)
    }

    mutating func note(_ sequence: UInt64, _ number: AtomTable.Number, _ replica: UInt32) {
        guard log.add(sequence, number, of: Int(replica)) else { return }
        let table = table
        log.tidy(Int(replica)) {
            table[Int($0.number)].sequence == $0.sequence && table[Int($0.number)].replica == replica
        }
    }

    mutating func number(of replica: ReplicaID) -> UInt32 {
        if let number = replicaNumbers[replica] { return number }
        let number = UInt32(replicas.count)
        replicas.append(replica)
        replicaNumbers[replica] = number
        return number
    }

    mutating func reloadRules() {
        guard case .register(_, let json?)? = atom(AtomKey(.rules, .rules))?.content else { return }
        do {
            let replicated = try ReplicatedRules(json: json)
            rules = replicated.rules
            rulesHeld = nil
            let next = UpcasterTable(rules, former: replicated.former)
            guard next != upcasters else { return }
            let atoms = writtenAtoms
            upcasters = next
            rebuild(atoms)
        } catch {
            rulesHeld = error
        }
    }
}
