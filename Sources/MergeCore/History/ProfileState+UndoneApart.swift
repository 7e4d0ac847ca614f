import LosslessJSON

/// Steps that several devices took back before they heard of each other.
///
/// To take back what a step did to a counter, a device writes the opposite amount as its own, see ``undo(_:force:_:)``.
/// Two devices that take the same step back apart would so take its amount off twice. Each notes the amount, and of which
/// writes the counter consisted before. Where a replica with a smaller id has noted the same, it was the same step, and the
/// device gives its own amount back.
extension ProfileState {
    /// What a device took back at one counter.
    struct Undone: Hashable {
        let amount: ExactDecimal
        /// The hash of the step's values and of the writes that the counter consisted of.
        let seen: String
        /// The hash of the id of the epoch in force at the counter; empty where there is none.
        let epoch: String
    }

    /// Most counters that a note lists, and most steps of each. What is beyond may be taken back twice.
    private static let undoneLimit = (counters: 256, steps: 8)

    /// What the counters among some changes consist of, before the changes are taken back.
    func undoing(_ changes: [HistoryEntry.Change], by opposites: [LeafChange?]) -> [Undoing] {
        zip(changes, opposites).compactMap { change, opposite in
            guard let rule = opposite?.rule, rule.merge == .counter, let kind = rule.kind else { return nil }
            // After a reset nothing is written there.
            let total = counterTotal(change.path, kind) ?? .zero
            var hash = FNV1a()
            for value in [change.old, change.new] { hash.add((value?.jsonBytes ?? []) + [0]) }
            for (sub, atom) in liveParts(change.path, kind) {
                hash.add(sub + [0] + atom.dot.replica.bytes + Array("\(atom.dot.sequence)".utf8) + [0])
            }
            return Undoing(path: change.path, kind: kind, total: total, seen: String(hash.value, radix: 16))
        }
    }

    /// A counter of which a change is about to be taken back.
    struct Undoing {
        let path: DocumentPath
        let kind: AtomKind
        let total: ExactDecimal
        let seen: String
    }

    /// Notes what this replica has just taken back. To be called right after the writes.
    mutating func note(undone all: [Undoing], _ context: WriteContext) -> [KeyedAtom] {
        var noted = undone(by: context.replica)
        for undoing in all {
            guard let total = counterTotal(undoing.path, undoing.kind),
                let amount = try? total.subtracting(undoing.total), amount != .zero
            else { continue }
            let undone = Undone(amount: amount, seen: undoing.seen, epoch: epoch(at: undoing.path, undoing.kind))
            noted[undoing.path] = Array((noted[undoing.path, default: []] + [undone]).suffix(Self.undoneLimit.steps))
        }
        // The counters of this step come first.
        let present = Set(all.map(\.path))
        let others = noted.keys.filter { !present.contains($0) }.sorted().dropFirst(
            max(0, Self.undoneLimit.counters - present.count))
        for path in others { noted[path] = nil }
        var batch = WriteBatch(state: self, context: context)
        put(noted, &batch)
        return write(batch.contents, as: context.replica)
    }

    /// Gives back what this replica took off for a step, where a replica with a smaller id took off the same before the two
    /// devices connected.
    ///
    /// - Parameter joined: The keys at which something came in.
    /// - Complexity: O(replicas + noted counters) where a note of such amounts came in; else O(keys).
    package mutating func giveBackUndoneTwice(_ joined: [AtomKey], _ context: WriteContext) -> [KeyedAtom] {
        let (own, place) = (context.replica, Self.undonePlace)
        guard joined.contains(where: { $0.path.encoded.starts(with: place) }) else { return [] }
        var noted = undone(by: own)
        guard !noted.isEmpty else { return [] }
        let others = vector.sortedReplicas.filter { $0 < own }.map { undone(by: $0) }
        var batch = WriteBatch(state: self, context: context)
        for (path, all) in noted.sorted(by: { $0.key < $1.key }) {
            let same = Set(others.flatMap { $0[path] ?? [] })
            let twice = all.filter(same.contains)
            guard !twice.isEmpty else { continue }
            noted[path] = all.filter { !same.contains($0) }
            guard case let rule = rules.rule(for: path), rule.merge == .counter, let kind = rule.kind else { continue }
            let present = epoch(at: path, kind)
            let back = twice.filter { $0.epoch == present }.reduce(ExactDecimal.zero) { sum, undone in
                (try? sum.subtracting(undone.amount)) ?? sum
            }
            if back != .zero { credit(back, AtomKey(path, kind, sub: own.bytes), &batch) }
        }
        guard noted != undone(by: own) else { return [] }
        put(noted, &batch)
        return write(batch.contents, as: own)
    }

    // MARK: The note

    private static let undonePlace = DocumentPath.beginning.encoded + Array("/undone/".utf8)

    private static func undoneNote(of replica: ReplicaID) -> AtomKey {
        AtomKey(DocumentPath(encoded: undonePlace + Array(replica.hex.utf8)), .latest)
    }

    private func epoch(at path: DocumentPath, _ kind: AtomKind) -> String {
        inForce(AtomKey(path, kind)).map { String(FNV1a($0.bytes).value, radix: 16) } ?? ""
    }

    /// What a replica noted; nothing where the note is none of these. It may come from any member.
    private func undone(by replica: ReplicaID) -> [DocumentPath: [Undone]] {
        guard case .register(_, .object(let members)?)? = atom(Self.undoneNote(of: replica))?.content,
            members.count <= Self.undoneLimit.counters
        else { return [:] }
        var all: [DocumentPath: [Undone]] = [:]
        for member in members {
            guard case .array(let steps) = member.value, steps.count <= Self.undoneLimit.steps else { continue }
            all[DocumentPath(encoded: member.key.bytes)] = steps.compactMap { step in
                guard case .array(let parts) = step, parts.count == 3, case .number(let number) = parts[0],
                    let amount = number.decimal, case .string(let seen) = parts[1], case .string(let epoch) = parts[2]
                else { return nil }
                return Undone(amount: amount, seen: seen.string, epoch: epoch.string)
            }
        }
        return all
    }

    private func put(_ noted: [DocumentPath: [Undone]], _ batch: inout WriteBatch) {
        let key = Self.undoneNote(of: batch.context.replica)
        let members = noted.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { path, steps in
            let steps = steps.map { step in
                JSONValue.array([
                    .number(JSONNumber(step.amount)), .string(JSONString(step.seen)), .string(JSONString(step.epoch)),
                ])
            }
            return JSONMember(key: JSONString(bytes: path.encoded), value: .array(steps))
        }
        batch.put(key, .register(batch.stamp(key.path), .object(members)))
    }
}
