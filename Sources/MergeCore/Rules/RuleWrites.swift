import LosslessJSON

/// For each subject of a rule set, the write that changed its line last, and what the writer had seen then; also for
/// subjects whose line that write took out. It tells what two writers changed apart (``RuleMerge``), and which values
/// were written under the former line of a place without a word from the new one.
///
/// Together with the vector of the set's writer (``ReplicatedRules/seen``) this is an observed-remove map of registers
/// (Shapiro, Preguiça, Baquero, Zawirski, 2011): a line that is absent was never known, or was taken out on purpose.
struct RuleWrites: Hashable {
    private(set) var dots: [RuleSubject: Dot] = [:]
    private var known: [Dot: Known] = [:]

    /// A write that changed lines: the vector of its writer, and its stamp.
    private struct Known: Hashable {
        /// For each replica, the sequence number of its last write that the writer had seen; `nil` where it was left out,
        /// see ``RuleWrites/seenLimit``.
        var seen: [ReplicaID: UInt64]?
        /// The stamp of the set that the write put in force. Of two changes of one line the later one wins by it, whatever
        /// else the two sets hold.
        var stamp: Stamp
    }

    /// Most subjects: as many as a set may have rules and resets, and 1,000 more. Of more than that, those without a line
    /// are left out; then a merge can bring back a rule that was taken out.
    static let limit = 3_100
    /// Most bytes of the stored form; beyond it, the same is left out.
    static let byteLimit = 512 << 10
    /// Most sequence numbers of what writers had seen. Of more than that, those of whole writes are left out. The last
    /// writer of the set stands in for them, who had seen more: then a value that was written under a former line without
    /// a word from the new one may not count.
    static let seenLimit = 2_000

    init() {}

    /// The write that changed a subject's line last; `nil` where none is known.
    subscript(subject: RuleSubject) -> Dot? { dots[subject] }

    /// The writes that each writer of these lines had seen: of every replica, the smallest sequence number in their vectors.
    ///
    /// - Parameter last: What the last writer of the set had seen. It stands in for writes that are not known.
    func seen(by subjects: some Sequence<RuleSubject>, last: [ReplicaID: UInt64]) -> [ReplicaID: UInt64] {
        let vectors = Set(subjects.map { dots[$0] }).map { $0.flatMap { known[$0]?.seen } ?? last }
        guard let first = vectors.first else { return last }
        return vectors.dropFirst().reduce(first) { least, vector in
            Dictionary(
                uniqueKeysWithValues: least.compactMap { replica, sequence in
                    vector[replica].map { (replica, min($0, sequence)) }
                })
        }
    }

    /// Whether the writer of a subject's line had seen a write.
    func hasSeen(_ dot: Dot, writing subject: RuleSubject, last: [ReplicaID: UInt64]) -> Bool {
        dots[subject] == dot || seen(by: [subject], last: last)[dot.replica, default: 0] >= dot.sequence
    }

    /// Whether a subject's line is a later change here than in another set. The order is the same on all devices.
    func isLater(_ subject: RuleSubject, than other: RuleWrites) -> Bool {
        guard let (own, theirs) = dots[subject].flatMap({ own in other.dots[subject].map { (own, $0) } }),
            let (stamp, otherStamp) = known[own].flatMap({ own in other.known[theirs].map { (own.stamp, $0.stamp) } })
        else { return true }
        return stamp != otherStamp ? stamp > otherStamp : own > theirs
    }

    /// The same writes, with what is known of the one that put the set in force. Writes that its writer cannot have known of
    /// are left out: no correct device names them.
    func noting(_ vector: [ReplicaID: UInt64], _ stamp: Stamp, of dot: Dot) -> RuleWrites {
        var result = self
        result.dots = dots.filter { $0.value == dot || vector[$0.value.replica, default: 0] >= $0.value.sequence }
        if result.dots.values.contains(dot) { result.known[dot] = Known(seen: vector, stamp: stamp) }
        return result
    }

    /// The writes of a set that takes the place of another one.
    ///
    /// - Parameter dot: The write that does it.
    func following(_ former: RuleSet, to rules: RuleSet, by dot: Dot) -> RuleWrites {
        let (before, after) = (former.lines, rules.lines)
        var result = self
        for subject in Set(before.keys).union(after.keys) where before[subject] != after[subject] {
            result.dots[subject] = dot
        }
        return result.bounded(to: after)
    }

    /// The same writes, and those of `subjects` as another set has them.
    func taking(_ subjects: [RuleSubject], from other: RuleWrites, for rules: RuleSet) -> RuleWrites {
        var result = self
        for subject in subjects {
            guard let dot = other.dots[subject] else { continue }
            result.dots[subject] = dot
            result.known[dot] = other.known[dot] ?? result.known[dot]
        }
        return result.bounded(to: rules.lines)
    }

    private func bounded(to lines: [RuleSubject: RuleSubject.Line]) -> RuleWrites {
        var result = self
        let used = Set(dots.values)
        var count = 0
        result.known = known.filter { used.contains($0.key) }
        for (dot, write) in result.known.sorted(by: { ($1.value.stamp, $1.key) < ($0.value.stamp, $0.key) }) {
            count += write.seen?.count ?? 0
            if count > Self.seenLimit { result.known[dot]!.seen = nil }
        }
        if dots.count > Self.limit || result.json.jsonBytes.count > Self.byteLimit {
            result.dots = dots.filter { lines[$0.key] != nil }
        }
        return result
    }
}

extension RuleWrites {
    /// The stored form, one object for each write:
    /// `[{"by":"<32 hexadecimal digits>","at":7,"stamp":5,"seen":{…},"paths":[…],"resets":[…]}]`.
    var json: JSONValue {
        let writes = Dictionary(grouping: dots.keys) { dots[$0]! }
        return .array(
            writes.sorted { $0.key < $1.key }.map { dot, subjects in
                var (paths, resets): ([String], [String]) = ([], [])
                for subject in subjects {
                    switch subject {
                    case .places(let pattern): paths.append(pattern.description)
                    case .reset(let name): resets.append(name)
                    }
                }
                var members = [
                    JSONMember(key: "by", value: .string(JSONString(dot.replica.hex))),
                    JSONMember(key: "at", value: .number(JSONNumber(text: String(dot.sequence))!)),
                ]
                if let write = known[dot] {
                    let stamp = JSONNumber(text: String(write.stamp.rawValue))!
                    members.append(JSONMember(key: "stamp", value: .number(stamp)))
                    if let seen = write.seen {
                        members.append(JSONMember(key: "seen", value: ReplicaProgress.json(seen)))
                    }
                }
                for (key, texts) in [("paths", paths), ("resets", resets)] where !texts.isEmpty {
                    let sorted = texts.map { JSONString($0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
                    members.append(JSONMember(key: JSONString(key), value: .array(sorted.map { .string($0) })))
                }
                return .object(members)
            })
    }

    /// Reads the stored form. It may come from another device.
    init(json: JSONValue) throws(RuleError) {
        let unknown = RuleError("the travelling rules have a form this version does not know")
        guard case .array(let writes) = json, writes.count <= Self.limit else { throw unknown }
        var (count, bytes) = (0, 0)
        for write in writes {
            guard case .object(let members) = write, case .string(let by)? = write["by"],
                let replica = ReplicaID(hex: by.string), case .number(let at)? = write["at"],
                let sequence = UInt64(at.text)
            else { throw unknown }
            let dot = Dot(replica: replica, sequence: sequence)
            if case .number(let number)? = write["stamp"], let stamp = UInt64(number.text) {
                known[dot] = Known(seen: nil, stamp: Stamp(rawValue: stamp))
            }
            for member in members {
                switch (member.key, member.value) {
                case ("seen", .object(let vector)):
                    guard vector.count <= Self.seenLimit - count, let vector = ReplicaProgress.read(vector) else {
                        throw unknown
                    }
                    known[dot]?.seen = vector
                    count += vector.count
                case ("paths", .array(let texts)), ("resets", .array(let texts)):
                    guard texts.count <= Self.limit - dots.count else { throw unknown }
                    for case .string(let text) in texts {
                        bytes += text.bytes.count
                        guard bytes <= Self.byteLimit else { throw unknown }
                        let isPath = member.key == "paths"
                        dots[isPath ? .places(try RulePattern(parsing: text.string)) : .reset(text.string)] = dot
                    }
                case ("by", _), ("at", _), ("stamp", _): continue
                default: throw unknown
                }
            }
        }
    }
}
