import MergeCore

/// Writing into the file, in one go, what has just been joined.
extension ProfileEngine {
    /// A projection whose intent is stored together with what it shows.
    struct PlannedWrite {
        let path: String
        let intent: Intent
        /// What the file holds, and what it is to hold.
        let expected, bytes: [UInt8]
        /// The same bytes on their way to the disk.
        let draft: (any FileDraft)?
    }

    /// Plans to write the state of a profile that is not stored yet into its file: steps 1 to 3 of a projection. `nil`
    /// where anything stands against it, or is out of the ordinary: ``project(_:tag:like:now:)`` deals with that.
    func planWrite(_ profile: inout KeptProfile, tag: UInt64, now: Moment) -> PlannedWrite? {
        guard let path = profile.file.path, profile.file.intent == nil, profile.file.status == .good,
            profile.state.joinedInto == nil, profile.state.rules.versionAt == nil, wantsProjection(profile),
            RestoredCopy.names(beside: path, files).isEmpty, contentBeforeSetAside(profile) == nil
        else { return nil }
        var planned = profile
        do throws(StorageFault) {
            guard let expected = planned.baseHistory.newest?.bytes,
                let content = try files.read(path, limit: Self.fileLimit), Bytes.equal(content.bytes, expected),
                let (bytes, isOrderAlone) = try merged(&planned, onto: expected)
            else { return nil }
            planned.noteUnreadWhereTouched()
            if !isOrderAlone { try scheduleBackup(&planned, now: now) }
            profile = planned
            return PlannedWrite(
                path: path, intent: intent(planned, expected, with: bytes, tag: tag), expected: expected, bytes: bytes,
                draft: files.draft(bytes, for: path))
        } catch {
            return nil
        }
    }

    /// Does what was planned, once its intent is stored.
    mutating func carryOut(_ write: PlannedWrite, of id: ProfileID, now: Moment) -> ProjectOutcome {
        // What came in may have led to more, which is stored as well by now.
        guard var profile = profiles[id], profile.file.intent == write.intent else { return .postponed }
        do {
            let isWritten = try carryOut(
                write.intent, &profile, write.path, write.expected, with: write.bytes, write.draft, now: now)
            if profiles[id]?.state.vector != write.intent.vector { profiles[id]?.file.compareAll() }
            return isWritten ? .written : .fileChanged
        } catch {
            profiles[id]?.trouble = error.message
            return .postponed
        }
    }
}
