import MergeCore

/// The writes that devices said they cannot answer for: they lost them, or wrote too much since. Whether somebody else
/// changed such writes cannot be found out, so nobody is asked about them again.
///
/// The newest are known for as long as the agent runs, and on one link all that was said there: a device that cannot
/// answer for more than that is asked once a link, and not without end.
struct DisownedWrites {
    /// Most runs that are known beyond their link. The oldest go.
    static let limit = 4_096

    /// A run of one replica's writes, by its end: the writer answers for all up to that, or for nothing.
    private struct Run: Hashable {
        let device: DeviceID
        let replica: ReplicaID
        let end: VersionVector.Entry

        init(_ span: WriteSpan, _ device: DeviceID) {
            (self.device, replica, end) = (device, span.replica, span.end)
        }
    }

    private var known: Set<Run> = []
    /// The known runs in the order in which they came, beginning at ``oldest``.
    private var order: [Run] = []
    private var oldest = 0
    private var onLinks: [ConnectionID: Set<Run>] = [:]

    func contains(_ span: WriteSpan, of device: DeviceID, on id: ConnectionID) -> Bool {
        let run = Run(span, device)
        return known.contains(run) || onLinks[id]?.contains(run) == true
    }

    mutating func insert(_ span: WriteSpan, of device: DeviceID, on id: ConnectionID) {
        let run = Run(span, device)
        onLinks[id, default: []].insert(run)
        guard known.insert(run).inserted else { return }
        guard order.count == Self.limit else { return order.append(run) }
        known.remove(order[oldest])
        order[oldest] = run
        oldest = (oldest + 1) % Self.limit
    }

    mutating func closed(_ id: ConnectionID) { onLinks[id] = nil }
}
