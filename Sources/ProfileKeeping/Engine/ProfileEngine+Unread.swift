package import MergeCore

/// Places of a profile's file with a value that the rule cannot read.
extension ProfileEngine {
    /// The places where the file holds a value that the rule cannot read, so that the other devices show another value,
    /// or none. While there are any, the file is not in step with the files of other devices.
    ///
    /// They are found in the newest snapshot, so another save or a restart does not change them.
    ///
    /// - Complexity: O(unread and changed places); O(document) where ``noteUnread(_:)`` was not called after the last
    ///   change at places that are not known.
    package func unread(_ id: ProfileID) -> [UnreadableLeaf] {
        guard let profile = profiles[id], profile.file.path != nil, profile.file.status == .good,
            profile.file.versionStatus == .current,
            profile.rulesHeld == nil, profile.rules.mayLeaveUnread,
            profile.knownUnread?.isEmpty != true || !profile.touched.isEmpty,
            let newest = profile.baseHistory.newest, let document = profile.document(newest)
        else { return [] }
        var unread = profile.knownUnread ?? UnreadPlaces(in: document, profile.rules)
        unread.add(profile.touched, in: document, profile.state)
        return unread.unshared(in: document, profile.state)
    }

    /// Searches the file for such places where they are not known, so that the next save has to name only those that it
    /// changes.
    package mutating func noteUnread(_ id: ProfileID) {
        guard let profile = profiles[id], profile.knownUnread == nil, profile.file.path != nil,
            profile.rules.mayLeaveUnread, let newest = profile.baseHistory.newest,
            let document = profile.document(newest)
        else { return }
        profiles[id]?.file.noteUnread(UnreadPlaces(in: document, profile.rules))
    }
}

extension KeptProfile {
    /// The unread places, if they are known under the rules in force.
    fileprivate var knownUnread: UnreadPlaces? {
        guard let unread = file.unread, !unread.isOutdated(state) else { return nil }
        return unread
    }

    /// The places that changed since file and state agreed, as far as they are known.
    fileprivate var touched: [DocumentPath] { state.places(of: file.lag.compared ?? []) }

    /// Takes the places that the file does not show yet into the unread ones, before a projection makes the file agree
    /// there.
    mutating func noteUnreadWhereTouched() {
        guard rules.mayLeaveUnread, var unread = knownUnread, let newest = baseHistory.newest,
            let document = document(newest)
        else { return file.noteUnread(nil) }
        unread.add(touched, in: document, state)
        file.noteUnread(unread)
    }
}
