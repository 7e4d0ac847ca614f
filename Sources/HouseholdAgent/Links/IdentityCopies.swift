import MergeCore

/// The machines that were met lately with this device's own key: each runs with a copy of its disk, or of Hearth's folder.
///
/// The games of both are safe: a record that was copied gets writers of its own (``ProfileKeeping/ProfileEngine``). But a
/// device is its key, so neither can be the peer of the other, and every other device takes the two for one that keeps
/// coming back.
struct IdentityCopies {
    /// How long a machine is told of after it was met: longer than the longest time between two dials.
    static let memory = Duration.seconds(60)
    /// The largest number of machines that are remembered.
    static let limit = 8

    private var met: [String: MonotonicTime] = [:]

    mutating func note(_ host: String, now: MonotonicTime) {
        met = met.filter { now < $0.value + Self.memory }
        if met.count < Self.limit || met[host] != nil { met[host] = now }
    }

    /// A sentence for each machine that was met lately.
    ///
    /// - Parameter home: The path of Hearth's folder.
    func troubles(home: String, now: MonotonicTime) -> [String] {
        met.filter { now < $0.value + Self.memory }.keys.sorted().map {
            "the machine at \($0) runs with a copy of this machine's Hearth folder (or a router leads this machine's own "
                + "connections back to it), so the two cannot sync; on the copy: take each save along with 'hearth export', "
                + "end the agent, move \(home) away, and pair it as a new machine"
        }
    }
}
