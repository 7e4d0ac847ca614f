import Crypto
package import MergeCore

/// What a device covers of each profile, with a hash of each range of profiles: by these two devices find what differs
/// without a list of all.
///
/// A profile whose vector no link would accept is not in it.
package struct CoveredProfiles: Sendable {
    private struct Entry: Sendable {
        let profile: ProfileID
        var vector: VersionVector
    }

    /// By the number of the smallest range, profiles in ascending order. No list is empty.
    private var leaves: [Int: [Entry]] = [:]
    private var counts: [ProfileRange: Int] = [:]
    /// The hashes that were asked for and still hold.
    private var hashes: [ProfileRange: [UInt8]] = [:]

    package init(_ profiles: [ProfileID: VersionVector] = [:]) {
        for profile in profiles.keys.sorted() { self[profile] = profiles[profile] }
    }

    /// The vector of a profile; `nil` where it is not covered at all. O(log profiles of its smallest range).
    package subscript(profile: ProfileID) -> VersionVector? {
        get {
            guard let leaf = leaves[Self.leaf(of: profile)] else { return nil }
            let index = Self.index(of: profile, in: leaf)
            return index < leaf.count && leaf[index].profile == profile ? leaf[index].vector : nil
        }
        set {
            let vector = newValue.flatMap { $0.entries.count <= Limits.vectorEntries ? $0 : nil }
            let difference = put(vector, profile)
            for range in ProfileRange.all(of: profile) {
                hashes[range] = nil
                if difference != 0 { counts[range, default: 0] += difference }
            }
        }
    }

    package var count: Int { count(in: .whole) }

    /// Whether there are so few that a link lists them all, and hashes nothing.
    package var areListed: Bool { count <= Limits.listedProfiles }

    func count(in range: ProfileRange) -> Int { counts[range] ?? 0 }

    /// The profiles of a range with their vectors, in ascending order.
    func all(in range: ProfileRange) -> [(profile: ProfileID, vector: VersionVector)] {
        let isFew = leaves.count < range.leaves.count
        let numbers = isFew ? leaves.keys.filter(range.leaves.contains).sorted() : Array(range.leaves)
        return numbers.flatMap { number in (leaves[number] ?? []).map { ($0.profile, $0.vector) } }
    }

    /// Puts a profile's vector in, or takes it out; returns how many profiles there are more.
    private mutating func put(_ vector: VersionVector?, _ profile: ProfileID) -> Int {
        let number = Self.leaf(of: profile)
        var leaf = leaves.removeValue(forKey: number) ?? []
        defer { if !leaf.isEmpty { leaves[number] = leaf } }
        let index = Self.index(of: profile, in: leaf)
        let isKnown = index < leaf.count && leaf[index].profile == profile
        switch (vector, isKnown) {
        case (let vector?, true): leaf[index].vector = vector
        case (let vector?, false): leaf.insert(Entry(profile: profile, vector: vector), at: index)
        case (nil, true): leaf.remove(at: index)
        case (nil, false): break
        }
        return (vector == nil ? 0 : 1) - (isKnown ? 1 : 0)
    }

    private static func leaf(of profile: ProfileID) -> Int {
        ProfileRange(of: profile, digits: ProfileRange.depth).leaves.lowerBound
    }

    private static func index(of profile: ProfileID, in leaf: [Entry]) -> Int {
        var (low, high) = (0, leaf.count)
        while low < high {
            let middle = (low + high) / 2
            if leaf[middle].profile < profile { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Hashes

    /// What the wire has for a range: 8 bytes that nobody can foretell, because of the salt; zeros for no profile. So
    /// nobody can make up two vectors that give the same.
    mutating func fingerprint(of range: ProfileRange, salt: [UInt8]) -> [UInt8] {
        if count(in: range) == 0 { return Self.nothing }
        var text = CanonicalBytes(label: "hearth fingerprint 1")
        text.add(salt)
        text.add(hash(of: range))
        return Array(SHA256.hash(data: text.bytes).prefix(Self.nothing.count))
    }

    /// The fingerprint of a range without profiles.
    static let nothing = [UInt8](repeating: 0, count: 8)

    /// Computes all hashes that do not hold any more, so that every copy made from now on has them.
    package mutating func computeHashes() { if !areListed { _ = hash(of: .whole) } }

    /// The hash over all that is covered in a range. O(what has changed since it was asked for last).
    private mutating func hash(of range: ProfileRange) -> [UInt8] {
        if count(in: range) == 0 { return [] }
        if let known = hashes[range] { return known }
        var text: CanonicalBytes
        if range.isSmallest {
            text = CanonicalBytes(label: "hearth profiles 1")
            for (profile, vector) in all(in: range) {
                text.add(profile.bytes)
                text.add(Self.bytes(of: vector))
            }
        } else {
            text = CanonicalBytes(label: "hearth range 1")
            for part in range.parts { text.add(hash(of: part)) }
        }
        let hash = Array(SHA256.hash(data: text.bytes))
        hashes[range] = hash
        return hash
    }

    /// For each replica, ascending: its id, its sequence number and its history, in 32 bytes.
    private static func bytes(of vector: VersionVector) -> [UInt8] {
        vector.sortedReplicas.flatMap { replica -> [UInt8] in
            guard let entry = vector.entries[replica] else { return [] }
            return replica.bytes + ProfileID(high: entry.sequence, low: entry.history).bytes
        }
    }
}

extension CoveredProfiles: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral profiles: (ProfileID, VersionVector)...) {
        self.init(Dictionary(uniqueKeysWithValues: profiles))
    }
}
