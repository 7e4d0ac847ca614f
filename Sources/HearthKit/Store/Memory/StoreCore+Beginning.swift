import DiskStore
import LosslessJSON
import Synchronization

/// Tracks whether a save began empty on this device, so that everything its counters hold was earned here. An agent
/// adds such sums in full to those of other devices. A save that was found (from before Hearth, or copied from another
/// device) may have been counted already, so it only raises a sum to the larger total.
extension StoreCore {
    /// Called when the store is opened.
    ///
    /// - Parameter isNothingThere: Whether there was no file.
    func noteBeginning(_ entry: SlotIndex.Entry, isNothingThere: Bool) throws {
        if isNothingThere {
            // An agent has counted this save before. That the file is gone now does not make it a new one.
            let isNew = entry.rules == nil && entry.household == nil
            state.withLock { $0.beganEmpty = isNew }
            return
        }
        guard let noted = entry.beganEmpty else { return }
        // The file must be what a store here wrote last. After a crash between save and note this fails, and the save
        // counts as found.
        let isOwn = saveSession.document.flatMap { slotIndex.beginning(of: $0) } == noted
        if isOwn {
            state.withLock { $0.beganEmpty = true }
        } else {
            try slotIndex.note(beganEmpty: nil, of: place.name)
        }
    }

    /// Called after a save. Content that another program wrote in between was not earned here.
    func noteSteps(_ steps: [SaveSession<Subject>.Step], isFirst: Bool) {
        guard state.withLock({ $0.beganEmpty }) else { return }
        if steps.contains(where: { !$0.isOwn }) { return forgetBeginning() }
        if isFirst { noteEnd() }
    }

    /// Notes the content of the save when the game ends, to recognise it at the next start.
    func noteEnd() {
        guard state.withLock({ $0.beganEmpty }), let document = saveSession.document else { return }
        try? slotIndex.note(beganEmpty: slotIndex.beginning(of: document), of: place.name)
    }

    /// The last save when the process ends.
    func saveLast() {
        try? saveNow()
        noteEnd()
    }

    /// Called when an agent has the save, or another program wrote it.
    func forgetBeginning() {
        state.withLock { $0.beganEmpty = false }
        try? slotIndex.note(beganEmpty: nil, of: place.name)
    }
}
