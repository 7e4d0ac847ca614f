import LosslessJSON
import MergeCore

extension ReadSave {
    /// The last reset, restore or undo, where the newest snapshot shows it and an older one does not: what it took back may
    /// be in the memory of a game that runs, and a game that read the file since may come by the same values again.
    struct WayBack {
        /// The candidates from before.
        let takenBack: Set<Int>
        /// The first one that shows it. On top of that, the newest may hold what another machine played since.
        private let first: Int
        /// The steps of the history before it, the newest first.
        private let before: ArraySlice<HistoryEntry>
        private let isCertain: Bool

        /// - Parameters:
        ///   - candidates: The snapshots that the game may have read, the oldest first.
        ///   - steps: The last steps of the history, the newest first.
        init?(shownBy candidates: [Candidate], _ steps: [HistoryEntry]) {
            guard let newest = candidates.last, newest.snapshot.kind == .projected,
                let back = steps.indices.first(where: { steps[$0].isWayBack(after: steps[($0 + 1)...]) })
            else { return nil }
            func shows(_ candidate: Candidate) -> Bool {
                steps[back].changes.allSatisfy { candidate.snapshot.vector.covers($0.dot) }
            }
            guard shows(newest), let first = candidates.firstIndex(where: shows) else { return nil }
            self.first = first
            takenBack = Set(candidates.indices.filter { !shows(candidates[$0]) })
            before = steps[(back + 1)...]
            isCertain = steps[back].origin != .merge || steps[back].changes.count > 1
        }

        /// Whether a program opened the file since, so that it may have read what the way back left. Never where another machine
        /// changed one place back and forth, which looks like an undo.
        func isOpened(_ sightings: BaseChoice.Sightings) -> Bool {
            isCertain && sightings.openedAfterSwap.contains { $0 >= max(first, 1) && !takenBack.contains($0) }
        }

        /// The candidates from before, where the save seems to go on from them because its game plays the same stretch again.
        func playedAgain(_ save: JSONDocument, _ candidates: [Candidate], _ rules: RuleSet) -> Set<Int> {
            let again = PlayedAgain(after: before, rules: rules)
            return takenBack.filter {
                again.isSeen(in: save, since: candidates[first].document, takenBack: candidates[$0].document)
            }
        }
    }
}
