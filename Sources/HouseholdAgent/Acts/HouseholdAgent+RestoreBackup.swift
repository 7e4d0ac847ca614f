import LosslessJSON
import MergeCore
import ProfileKeeping

/// Putting a backup back.
extension HouseholdAgent {
    /// Plans to put a backup back on every device. The present state is kept as a backup first.
    mutating func planRestore(_ id: RequestID, _ name: String, _ backup: String) -> PlannedAct? {
        guard let profile = one(named: name, for: id) else { return nil }
        let newest = engine.newestGoodBackup(profile) ?? engine.newestGoodCopy(profile, today: today)
        guard let backup = backup == "newest" ? newest : backup else {
            fail(id, .failed, "there is no backup of \(name) that can be used")
            return nil
        }
        switch engine.readBackup(profile, backup) {
        case .document(let bytes):
            if let document = try? JSONDocument(parsing: bytes) {
                return PlannedAct(profile: profile, act: .restore(document), backup: backup)
            }
            fail(id, .failed, "backup \(backup) is no document; restore another one")
        case .unusable(let fault, let next):
            let other = next.map { "; the next good one is \($0)" } ?? ""
            fail(id, fault.reason == .tooNew ? .tooOld : .failed, fault.message + other)
        }
        return nil
    }
}
