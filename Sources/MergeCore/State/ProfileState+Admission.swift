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
