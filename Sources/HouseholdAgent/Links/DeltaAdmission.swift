import MergeCore
import SyncProtocol

/// The part of a delta that may be joined: the writes of replicas whose device is or was in the household, up to the
/// last write that the device signed.
struct DeltaAdmission {
    enum Verdict: Hashable {
        case taken
        /// It begins beyond what is known here.
        case gap
        /// No correct device sends this delta; the text is a sentence.
        case refused(String)
    }

    private(set) var verdict = Verdict.taken
    /// The delta without the replicas that are left out.
    private(set) var delta: IncomingDelta
    /// How far the whole delta goes.
    let offered: VersionVector
    /// The replicas for which the profile has no room. All other replicas are joined without them.
    private(set) var leftOut: Set<ReplicaID> = []
    /// The replicas of former members whose new writes are left out, because the sender does not say that it had them
    /// before it learned that their device is no member any more.
    private(set) var beyondCut: Set<ReplicaID> = []
    /// The origins that were not known before. They are stored in one transaction with the delta, as ``heads`` are.
    private(set) var origins: [ReplicaOrigin] = []
    private(set) var heads: [ReplicaID: SignedHeads.Head] = [:]
    /// The runs of writes that come from another device than their writer, which is a member or was one.
    private(set) var hearsay: [WriteSpan] = []
    /// Whom they come from.
    let relay: DeviceKey?
    private var owners: [ReplicaID: ReplicaOrigin] = [:]

    /// - Parameters:
    ///   - covered: What this device covers of the profile.
    ///   - former: The replicas that were left out before: their origins are not announced a second time, and writes
    ///     that follow the left-out ones are left out as well.
    ///   - asksAgain: Whether it is time to check all of that once more.
    ///   - relay: The device that sent the delta, or signed the file with it.
    init(
        _ incoming: IncomingDelta, from relay: DeviceKey? = nil, covered: VersionVector, known: ReplicaOrigins,
        roster: Roster, leftOut former: LeftOutReplicas = LeftOutReplicas(), asksAgain: Bool = true
    ) {
        delta = incoming
        self.relay = relay
        offered = incoming.to
        for origin in incoming.origins where known[origin.replica] == nil {
            guard roster.wasMember(origin.device) else {
                verdict = .refused("a delta holds writes of a device that was never in this household")
                return
            }
            origins.append(origin)
        }
        owners = Dictionary(origins.map { ($0.replica, $0) }) { first, _ in first }
        var room: ReplicaRoom?
        for replica in incoming.to.sortedReplicas {
            if let origin = known[replica] { owners[replica] = origin }
            // On one link an origin is announced once, and it may have been with writes that were left out.
            let announced = owners[replica] == nil ? former.origin(of: replica, in: incoming.profile) : nil
            if let device = (owners[replica] ?? announced)?.device,
                isBeyondCut(replica, of: device, incoming, covered, roster)
            {
                beyondCut.insert(replica)
                continue
            }
            guard covered.sequence(of: replica) == 0 else {
                let isBehind = covered.sequence(of: replica) < incoming.from.sequence(of: replica)
                if isBehind, !asksAgain, former.contains(replica, of: incoming.profile),
                    !incoming.cut.contains(replica)
                {
                    leftOut.insert(replica)
                }
                continue
            }
            if asksAgain, let announced, roster.wasMember(announced.device) {
                owners[replica] = announced
                origins.append(announced)
            }
            guard let origin = owners[replica] else {
                guard former.contains(replica, of: incoming.profile) else {
                    verdict = .refused("a delta holds writes of a replica of which nobody said whose it is")
                    return
                }
                leftOut.insert(replica)
                continue
            }
            var left = room ?? ReplicaRoom(incoming.profile, covered, known)
            if !left.takes(origin) { leftOut.insert(replica) }
            room = left
        }
        let without = leftOut.union(beyondCut)
        delta = incoming.without(without)
        origins.removeAll { without.contains($0.replica) }
        guard covered.covers(delta.from) else {
            verdict = .gap
            return
        }
        for (replica, entry) in delta.to.entries {
            guard entry.sequence >= covered.sequence(of: replica), entry != covered.entries[replica] else { continue }
            guard let signature = delta.signatures[replica], let device = owners[replica]?.device,
                ReplicaHead.isValid(signature, of: replica, at: entry, by: device)
            else {
                verdict = .refused("a delta says of a device that it wrote what it did not sign")
                return
            }
            // A former member is asked as well, should it come back.
            if let relay, device != relay, device != roster.me, roster.contains(device) || roster.isGone(device),
                let span = WriteSpan(replica, after: covered.sequence(of: replica), upTo: entry)
            {
                hearsay.append(span)
            }
            let former = covered.entries[replica]
            if former == nil || former!.sequence < entry.sequence || former!.history < entry.history {
                heads[replica] = SignedHeads.Head(entry: entry, signature: signature)
            }
        }
    }

    /// Whether a replica's device is no member any more, and wrote what is new here, as far as anybody says, after the
    /// members had learned of that.
    private func isBeyondCut(
        _ replica: ReplicaID, of device: DeviceKey, _ incoming: IncomingDelta, _ covered: VersionVector,
        _ roster: Roster
    ) -> Bool {
        guard roster.isGone(device), !incoming.cut.contains(replica) else { return false }
        return incoming.to.sequence(of: replica) > covered.sequence(of: replica)
    }

    /// The device that owns a replica of the delta.
    func owner(of replica: ReplicaID) -> ReplicaOrigin? { owners[replica] }

    /// The same delta without some replicas.
    func without(_ replicas: Set<ReplicaID>) -> DeltaAdmission {
        var rest = self
        rest.delta = delta.without(replicas)
        rest.origins.removeAll { replicas.contains($0.replica) }
        rest.heads = heads.filter { !replicas.contains($0.key) }
        rest.hearsay.removeAll { replicas.contains($0.replica) }
        return rest
    }
}
