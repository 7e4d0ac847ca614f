/// Which epochs cover a place, found without a walk over all epochs: a member may declare many, and a profile may have
/// many places.
struct EpochPlaces: Sendable {
    /// For each place and each pattern that epochs name: those epochs, ascending.
    private var places: [DocumentPath: [EpochID]] = [:]
    private var patterns: [RulePattern: [EpochID]] = [:]
    /// The epochs that began in another version of the save, ascending. Their places are worked out one by one.
    private var former: [EpochRegistry.Known] = []

    /// Adds an epoch, or one that is here in a further version.
    mutating func add(_ epoch: EpochRegistry.Known) {
        if epoch.upcasters.contains(nil) {
            for place in epoch.epoch.selector.places { places[place, default: []].insert(ascending: epoch.id) }
            for pattern in epoch.epoch.selector.patterns { patterns[pattern, default: []].insert(ascending: epoch.id) }
        }
        guard epoch.upcasters.contains(where: { $0 != nil }) else { return }
        let index = former.firstIndex { $0.id >= epoch.id } ?? former.count
        if index < former.count, former[index].id == epoch.id {
            former[index] = epoch
        } else {
            former.insert(epoch, at: index)
        }
    }

    /// The largest epoch that covers a place, of those that are wanted. O(depth + patterns · steps + epochs there that are
    /// not wanted + epochs of other versions).
    func largest(covering path: DocumentPath, where isWanted: (EpochID) -> Bool = { _ in true }) -> EpochID? {
        var found: EpochID?
        visit(path) { epochs in
            for id in epochs.reversed() {
                if let found, id <= found { break }
                guard isWanted(id) else { continue }
                found = id
                break
            }
        }
        for epoch in former.reversed() {
            if let found, epoch.id <= found { break }
            if isWanted(epoch.id), epoch.covers(path) { return epoch.id }
        }
        return found
    }

    /// The smallest epoch above another one that covers a place.
    func smallest(covering path: DocumentPath, above floor: EpochID?) -> EpochID? {
        var found: EpochID?
        visit(path) { epochs in
            let index = floor.map { epochs.index(behind: $0) } ?? 0
            if index < epochs.count, found.map({ epochs[index] < $0 }) ?? true { found = epochs[index] }
        }
        for epoch in former where floor.map({ $0 < epoch.id }) ?? true {
            if let found, epoch.id >= found { break }
            if epoch.covers(path) { return epoch.id }
        }
        return found
    }

    /// Calls `body` with the epochs of each place and each pattern that covers a place.
    private func visit(_ path: DocumentPath, _ body: ([EpochID]) -> Void) {
        if path.isReserved { return }
        if let all = places[.root] { body(all) }
        if !places.isEmpty {
            var place: DocumentPath? = path
            while let here = place, here != .root {
                if let epochs = places[here] { body(epochs) }
                place = here.parent
            }
        }
        guard !patterns.isEmpty, let steps = path.steps else { return }
        for (pattern, epochs) in patterns where pattern.matchesPrefix(of: steps) { body(epochs) }
    }
}

extension [EpochID] {
    /// The index behind an epoch in an ascending list, whether it is there or not. O(log count).
    fileprivate func index(behind id: EpochID) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if id < self[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }

    fileprivate mutating func insert(ascending id: EpochID) {
        let index = self.index(behind: id)
        if index == 0 || self[index - 1] != id { insert(id, at: index) }
    }
}
