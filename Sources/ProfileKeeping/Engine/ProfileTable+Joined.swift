package import MergeCore

/// Which profile stands for one that a device joined into another.
extension ProfileTable {
    /// The longest chain of joined profiles that is followed. Players join two profiles, rarely a third one; a bad
    /// member could make a chain of all.
    private static var longestChain: Int { 32 }

    /// The profile that stands for another one on this device; `nil` where that one stands for itself: no device joined
    /// it, or it has a file here, see ``askedTarget(of:)``. O(length of the chain).
    package func target(of id: ProfileID) -> ProfileID? { self[id]?.file.path == nil ? end(of: id) : nil }

    /// The profile that stands for another one, or that one itself.
    package func canonicalID(_ id: ProfileID) -> ProfileID { target(of: id) ?? id }

    /// The profile into which another device joined one that has a file here. It is for the player of this device to
    /// say whether that file follows.
    package func askedTarget(of id: ProfileID) -> ProfileID? {
        guard let profile = self[id], profile.file.path != nil, !profile.state.isForgotten else { return nil }
        return end(of: id)
    }

    /// Whether commands find a profile by its name: no other one stands for it, and it was not forgotten.
    package func isOffered(_ id: ProfileID) -> Bool {
        target(of: id) == nil && self[id]?.state.isForgotten != true
    }

    /// The last profile of the chain of joined profiles that begins with one; `nil` where that is this one itself. A
    /// profile that is not known here is in no chain. A profile with a file here ends it, unless it is part of a ring: of
    /// a ring the smallest id is the end, on every device. Players of two devices may join the same two profiles each
    /// way at once.
    private func end(of id: ProfileID) -> ProfileID? {
        var chain = [id]
        var ring: ArraySlice<ProfileID> = []
        while ring.isEmpty, chain.count <= Self.longestChain,
            let next = chain.last.flatMap({ self[$0] })?.state.joinedInto,
            self[next] != nil
        {
            if let start = chain.firstIndex(of: next) { ring = chain[start...] } else { chain.append(next) }
        }
        let end = chain.indices.first { index in
            index == chain.count - 1 || ring.indices.contains(index)
                || index > 0 && self[chain[index]]?.file.path != nil
        }
        let last = end.flatMap { ring.indices.contains($0) ? ring.min() : chain[$0] }
        return last == id ? nil : last
    }
}
