/// The checks that atoms of another device must pass before they are joined. Atoms that were joined cannot be taken out
/// again, so the writes of a bad member are refused here.
///
/// If two states pass the checks, their union passes them too, but for what one replica declares. So devices that got
/// different atoms from a bad member still accept each other; see ``crowded(by:)`` for declarations.
extension ProfileState {
    /// The largest distance between the number of an epoch and the next lower one that is known. Epochs are numbered
    /// one after the other; devices without a connection for years differ by the number of epochs that they began in
    /// that time.
    package static let epochGap: UInt64 = 1 << 20

    /// The largest number of epochs that a device begins as one replica. Every one of them stays for good, and what is
    /// written or read later is compared with them. A device whose replica has begun so many goes on as another one, of
    /// which it has 16; saves need no epoch.
    package static let epochsOfReplica = 1_024

    /// The largest number of epochs of one replica that are taken from other devices. It is larger than what a device
    /// begins: a replica may have begun more before that was limited, and may declare again what a repair took back.
    package static let epochsTaken = 4_096

    /// The reason why a delta may not be joined, as the end of a sentence; `nil` where it may. O(atoms + epochs log
    /// epochs).
    package func refusal(of atoms: [KeyedAtom]) -> String? {
        refusalOfEpochs(in: atoms) ?? refusalOfDeclarations(in: atoms) ?? refusalOfRules(in: atoms)
            ?? refusalOfExtremes(in: atoms)
    }

    /// Whether atoms of a delta belong to an epoch that no device declared, neither here nor in the delta. A correct
    /// device sends such a delta where this one was told the truth about the epoch less than the sender: see
    /// ``declareAgain(_:as:_:)``.
    package func lacksDeclaration(of atoms: [KeyedAtom]) -> Bool {
        let (declared, named) = epochs(in: atoms)
        return Self.undeclared(named, declared) != nil
    }

    /// The epochs that are declared here or by atoms, and those that the atoms name.
    private func epochs(in atoms: [KeyedAtom]) -> (declared: Set<EpochID>, named: Set<EpochID>) {
        var (declared, named) = (Set(epochRegistry.known.map(\.id)), Set<EpochID>())
        for atom in atoms {
            if atom.key.kind == .epoch, let key = EpochKey(atom.key.sub) { declared.insert(key.id) }
            if let epoch = atom.atom.epoch { named.insert(epoch) }
            // The next write of such an element is in the epoch just above, for which there has to be room.
            if atom.atom.isLastMembership { named.insert(EpochID(halfwayFrom: atom.atom.epoch)) }
        }
        return (declared, named)
    }

    private func refusalOfEpochs(in atoms: [KeyedAtom]) -> String? {
        let (declared, named) = epochs(in: atoms)
        // The largest epoch is in force. A number far beyond all others would leave no room for a later epoch.
        var last: UInt64 = 0
        for number in declared.map(\.number).sorted() {
            guard number <= last || number - last <= Self.epochGap else {
                return "an epoch has the number \(number), far beyond the last one (\(last))"
            }
            last = number
        }
        // An atom in an undeclared epoch would win against every reset, and its writer would not be known.
        if let unknown = Self.undeclared(named, declared) {
            return "a write belongs to the epoch \(unknown), which no device declared"
        }
        return nil
    }

    /// Every epoch's patterns are compared with every place, so their number is limited, and so is that of epochs. The
    /// limits are for each replica, not for all together: otherwise a bad member could send different epochs to two honest
    /// devices, and each would reject the other. A pattern counts once, because a player may start the same part over
    /// again and again. (How many places one epoch names is limited where it is read: ``PathSelector/placeLimit``.)
    private func refusalOfDeclarations(in atoms: [KeyedAtom]) -> String? {
        for (replica, new) in Self.declarations(in: atoms) {
            if let excess = Self.excess(of: new, with: epochRegistry.declared(by: replica)) { return excess }
        }
        return nil
    }

    /// The replicas whose declarations in a delta are too many only together with what is held of them here. Neither the
    /// sender nor this device took too many then: the writer told them different things, or one of them was told untruths
    /// by a device that relayed its writes. So nobody can say which delta no correct device sends. O(atoms + epochs).
    package func crowded(by atoms: [KeyedAtom]) -> Set<ReplicaID> {
        Set(
            Self.declarations(in: atoms).filter { replica, new in
                Self.excess(of: new) == nil && Self.excess(of: new, with: epochRegistry.declared(by: replica)) != nil
            }.keys)
    }

    private typealias Declarations = (ids: Set<EpochID>, patterns: Set<RulePattern>)

    private static func declarations(in atoms: [KeyedAtom]) -> [ReplicaID: Declarations] {
        var new: [ReplicaID: Declarations] = [:]
        for atom in atoms where atom.atom.form == .epoch {
            guard case .epoch(let epoch) = atom.atom.content, let key = EpochKey(atom.key.sub) else { continue }
            new[atom.atom.dot.replica, default: ([], [])].ids.insert(key.id)
            new[atom.atom.dot.replica, default: ([], [])].patterns.formUnion(epoch.selector.patterns)
        }
        return new
    }

    /// A sentence on the limit that one replica's declarations exceed; `nil` where they exceed none.
    private static func excess(of new: Declarations, with known: Declarations = ([], [])) -> String? {
        guard new.ids.union(known.ids).count <= epochsTaken else {
            return "one replica began more than \(epochsTaken) epochs"
        }
        guard !new.patterns.isEmpty else { return nil }
        var budget = PatternBudget()
        budget.add(new.patterns.union(known.patterns))
        return budget.excess.map { "the paths of one replica's epochs have more than \($0)" }
    }

    /// Whether a replica of this device may begin one more epoch. O(epochs).
    package func hasRoomForEpoch(of replica: ReplicaID) -> Bool {
        epochRegistry.known.count < Self.epochsOfReplica
            || epochRegistry.declared(by: replica).ids.count < Self.epochsOfReplica
    }

    /// Refuses rules that no version could use: they would stop the profile on every device. Rules with words that this
    /// version does not know are accepted: they may come from a newer version.
    private func refusalOfRules(in atoms: [KeyedAtom]) -> String? {
        for atom in atoms where atom.key == AtomKey(.rules, .rules) {
            // A generation far beyond all that any save had would leave no room for one above it. The limit is fixed: one
            // above what is known here could be kept by one honest device and not by another.
            guard RulesOrder.generation(of: atom.atom.encoded[...]) <= RulesOrder.generationLimit else {
                return "its rules come after more than \(RulesOrder.generationLimit) versions"
            }
            guard case .register(_, let json?) = atom.atom.content else { continue }
            do {
                _ = try ReplicatedRules(json: json)
            } catch {
                if error.isForEveryVersion { return "its rules cannot be used: \(error)" }
            }
        }
        return nil
    }

    /// Refuses values with stamps that no device makes, see ``Stamp/last``, and elements with causal lengths that none
    /// makes. O(atoms).
    private func refusalOfExtremes(in atoms: [KeyedAtom]) -> String? {
        for atom in atoms {
            switch AtomForm(atom.key.kind, isPart: !atom.key.sub.isEmpty) {
            case .register, .candidate, .position: break
            case .membership:
                guard AtomView(atom.atom).leadingInteger > AtomContent.lengthLimit else { continue }
                let place = atom.key.path.description.prefix(80)
                return "an element of \(place) was put in and taken out more often than any is"
            case .opaque, .extremum, .flag, .tally, .baseline, .member, .epoch, .removal: continue
            }
            let stamp = Stamp(rawValue: atom.atom.encoded.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
            guard stamp <= .last else {
                return "the value of \(atom.key.path.description.prefix(80)) has a time later than any clock shows"
            }
        }
        return nil
    }

    /// The least of these epochs that is neither declared nor a step above one that is, see ``EpochID/init(after:)``;
    /// `nil` where there is none. O((named + declared) log declared).
    private static func undeclared(_ named: Set<EpochID>, _ declared: Set<EpochID>) -> EpochID? {
        let known = declared.sorted()
        var index = 0
        for id in named.sorted() {
            while index < known.count, known[index] <= id { index += 1 }
            // Epoch 0 is below all others and nobody declares it: it holds the writes that a removal left behind.
            if id.isStep(above: EpochID(after: nil)) { continue }
            // A step is between its epoch and the next larger one.
            guard index > 0, id.isStep(above: known[index - 1]) else { return id }
        }
        return nil
    }
}

extension Atom {
    /// Whether this is a membership that cannot become longer, see ``AtomContent/lastLength``.
    fileprivate var isLastMembership: Bool {
        form == .membership && AtomView(self).leadingInteger >= AtomContent.lastLength
    }
}
