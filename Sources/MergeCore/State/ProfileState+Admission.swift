/// What another device's atoms must keep to before they are joined. What was joined once cannot be taken out again, so a
/// bad member is refused here.
///
/// The rules hold for the union of any two states that keep to them. So devices that were told different things by a bad
/// member still accept one another.
extension ProfileState {
    /// How far the number of an epoch may lie above the next lower one that is known. Epochs are numbered one after the
    /// other; devices that were apart for years differ by as many as they began meanwhile.
    package static let epochGap: UInt64 = 1 << 20

    /// The reason why a delta may not be joined, as the end of a sentence; `nil` where it may. O(atoms + epochs log
    /// epochs).
    package func refusal(of atoms: [KeyedAtom]) -> String? {
        refusalOfEpochs(in: atoms) ?? refusalOfPatterns(in: atoms) ?? refusalOfRules(in: atoms)
    }

    private func refusalOfEpochs(in atoms: [KeyedAtom]) -> String? {
        var (declared, named) = (Set(epochRegistry.known.map(\.id)), Set<EpochID>())
        for atom in atoms {
            if atom.key.kind == .epoch, let key = EpochKey(atom.key.sub) { declared.insert(key.id) }
            // Epoch 0 stands below all others: what a removal left behind is written in it.
            if let epoch = atom.atom.epoch, epoch.number > 0 { named.insert(epoch) }
        }
        // The largest epoch is in force. A number far beyond all others would leave no room for a later epoch.
        var last: UInt64 = 0
        for number in declared.map(\.number).sorted() {
            guard number <= last || number - last <= Self.epochGap else {
                return "an epoch has the number \(number), far beyond the last one (\(last))"
            }
            last = number
        }
        // An atom of an epoch that nobody declared would stand above every reset, and no one could say whose it is.
        if let unknown = Self.undeclared(named, declared) {
            return "a write belongs to the epoch \(unknown), which no device declared"
        }
        return nil
    }

    /// Every epoch's patterns are compared with every place. What one replica may declare is bounded, and not what all
    /// of them may: devices that were told different epochs by a bad member would refuse one another. A pattern counts
    /// once, since a player starts the same part over again and again.
    private func refusalOfPatterns(in atoms: [KeyedAtom]) -> String? {
        var new: [ReplicaID: Set<RulePattern>] = [:]
        for atom in atoms {
            guard case .epoch(let epoch) = atom.atom.content else { continue }
            new[atom.atom.dot.replica, default: []].formUnion(epoch.selector.patterns)
        }
        for (replica, patterns) in new where !patterns.isEmpty {
            var budget = PatternBudget()
            budget.add(patterns.union(epochRegistry.patterns(declaredBy: replica)))
            if let excess = budget.excess { return "the paths of one replica's epochs have more than \(excess)" }
        }
        return nil
    }

    /// Rules that no version could use would hold the profile on every device. Rules with words that this version does
    /// not know are taken: they may come from a newer one.
    private func refusalOfRules(in atoms: [KeyedAtom]) -> String? {
        for atom in atoms where atom.key == AtomKey(.rules, .rules) {
            guard case .register(_, let json?) = atom.atom.content else { continue }
            do {
                _ = try ReplicatedRules(json: json)
            } catch {
                if error.isForEveryVersion { return "its rules cannot be used: \(error)" }
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
            // A step stands between its epoch and the next larger one.
            guard index > 0, id.isStep(above: known[index - 1]) else { return id }
        }
        return nil
    }
}
