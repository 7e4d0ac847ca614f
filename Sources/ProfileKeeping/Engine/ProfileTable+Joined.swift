package import MergeCore

/// Which profile replaces one that a device joined into another.
extension ProfileTable {
    /// The longest chain of joined profiles that is followed. A chain has one link mostly; a bad member could make a
    /// chain of all profiles.
    private static var longestChain: Int { 32 }

    /// Most joined profiles that are looked at for one that stays. Only a bad member makes more.
    private static var mostJoined: Int { 256 }

    /// The profile that replaces `id` on this device, because a device joined `id` into it. `nil` if no device joined
    /// `id`, or if `id` has a file here: then the player is asked, see ``askedTarget(of:)``. O(length of the chain).
    package func target(of id: ProfileID) -> ProfileID? { self[id]?.file.path == nil ? end(of: id) : nil }

    /// The replacement of `id` (see ``target(of:)``), or `id` itself if it has none.
    package func canonicalID(_ id: ProfileID) -> ProfileID { target(of: id) ?? id }

    /// The profile into which another device joined `id`, although `id` has a file here. The player of this device
    /// decides whether that file is joined too.
    package func askedTarget(of id: ProfileID) -> ProfileID? {
        guard let profile = self[id], profile.file.path != nil, !profile.isForgotten else { return nil }
        return end(of: id)
    }

    /// Whether the player of this device is asked if another profile's file here goes to `id`. The household counts on it, and
    /// that file does not show what `id` holds. O(profiles joined into `id`).
    package func isAskedFor(_ id: ProfileID) -> Bool {
        var (waiting, seen) = ([id], Set([id]))
        while let kept = waiting.popLast() {
            for gone in joined(into: kept) where seen.insert(gone).inserted {
                if askedTarget(of: gone) == id { return true }
                guard seen.count < Self.mostJoined else { return false }
                waiting.append(gone)
            }
        }
        return false
    }

    /// Whether commands find a profile by its name: no other profile replaces it, and no device forgot it.
    package func isOffered(_ id: ProfileID) -> Bool {
        target(of: id) == nil && self[id]?.isForgotten != true
    }

    /// Follows the joins that start at `id` and returns the last profile; `nil` if that is `id` itself.
    ///
    /// A profile that is not known here is in no chain. A profile with a file here ends the chain, unless it is part of
    /// a ring. Joins form a ring if players of two devices join the same two profiles each way at once. Of a ring,
    /// every device takes the smallest id as the last profile.
    private func end(of id: ProfileID) -> ProfileID? {
        var chain = [id]
        var ring: ArraySlice<ProfileID> = []
        while ring.isEmpty, chain.count <= Self.longestChain,
            let next = chain.last.flatMap({ self[$0] })?.joinedInto,
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
