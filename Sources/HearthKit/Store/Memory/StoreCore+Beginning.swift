import DiskStore
import LosslessJSON
import Synchronization

/// Whether a save began empty here, so that all its counters hold was earned on this device. An agent that takes it up
/// counts that in full, beside what other devices have. What is found there (a save from before, a copy of another
/// device's file) may be counted already, and raises a sum to the larger total only.
extension StoreCore {
    /// When the store was opened.
    ///
    /// - Parameter isNothingThere: There was no file.
    func noteBeginning(_ entry: SlotIndex.Entry, isNothingThere: Bool) throws {
        if isNothingThere {
            // A save that an agent had was counted; that it is gone makes it no new one.
            let isNew = entry.rules == nil && entry.household == nil
            state.withLock { $0.beganEmpty = isNew }
            return
        }
        guard let noted = entry.beganEmpty else { return }
        // What was saved last may have been lost on the way to the note; then nobody knows whose the file is.
        let isOwn = saveSession.document.flatMap { slotIndex.beginning(of: $0) } == noted
        if isOwn {
            state.withLock { $0.beganEmpty = true }
        } else {
            try slotIndex.note(beganEmpty: nil, of: place.name)
        }
    }

    /// After a save. What somebody else wrote in between was not earned here.
    func noteSteps(_ steps: [SaveSession<Subject>.Step], isFirst: Bool) {
        guard state.withLock({ $0.beganEmpty }) else { return }
        if steps.contains(where: { !$0.isOwn }) { return forgetBeginning() }
        if isFirst { noteEnd() }
    }

    /// What the save holds when nobody plays any more: only that, and nothing else, began empty.
    func noteEnd() {
        guard state.withLock({ $0.beganEmpty }), let document = saveSession.document else { return }
        try? slotIndex.note(beganEmpty: slotIndex.beginning(of: document), of: place.name)
    }

    /// When the process ends.
    func saveLast() {
        try? saveNow()
        noteEnd()
    }

    /// An agent has the save, or somebody else wrote it.
    func forgetBeginning() {
        state.withLock { $0.beganEmpty = false }
        try? slotIndex.note(beganEmpty: nil, of: place.name)
    }
}
