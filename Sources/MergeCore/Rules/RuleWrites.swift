import LosslessJSON

/// For each subject of a rule set, the write that changed its line last, and what the writer had seen then; also for
/// subjects whose line that write took out. It tells what two writers changed apart (``RuleMerge``), and which values
/// were written under the former line of a place without a word from the new one.
///
/// Together with the vector of the set's writer (``ReplicatedRules/seen``) this is an observed-remove map of registers
/// (Shapiro, Preguiça, Baquero, Zawirski, 2011): a line that is absent was never known, or was taken out on purpose.
struct RuleWrites: Hashable {
    private(set) var dots: [RuleSubject: Dot] = [:]
    /// What the writers had seen: for each replica, the sequence number of its last write that was known.
    private var seen: [Dot: [ReplicaID: UInt64]] = [:]

    /// Most subjects. Of more than that, those without a line are left out; then a merge can bring back a rule that was
    /// taken out.
    static let limit = RuleSet.entryLimit + Reset.countLimit + 1_000
    /// Most sequence numbers in ``seen``. Of more than that, those of whole writes are left out. The last writer of the
    /// set stands in for them, who had seen more: then a value that was written under a former line without a word from
    /// the new one may not count.
    static let seenLimit = 2_000

    init() {}

    /// The write that changed a subject's line last; `nil` where none is known.
    subscript(subject: RuleSubject) -> Dot? { dots[subject] }

    /// What the writer of all these subjects' lines had seen, at the least.
    ///
    /// - Parameter last: What the last writer of the set had seen. It stands in for writes that are not known.
    func seen(by subjects: [RuleSubject], last: [ReplicaID: UInt64]) -> [ReplicaID: UInt64] {
        let vectors = Set(subjects.map { dots[$0] }).map { $0.flatMap { seen[$0] } ?? last }
        guard let first = vectors.first else { return last }
        return vectors.dropFirst().reduce(first) { least, vector in
            Dictionary(
                uniqueKeysWithValues: least.compactMap { replica, sequence in
                    vector[replica].map { (replica, min($0, sequence)) }
                })
        }
    }

    /// The same writes, with what the writer of one of them had seen.
    func noting(_ vector: [ReplicaID: UInt64], of dot: Dot) -> RuleWrites {
        var result = self
        if dots.values.contains(dot) { result.seen[dot] = vector }
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
            result.seen[dot] = other.seen[dot] ?? result.seen[dot]
        }
        return result.bounded(to: rules.lines)
    }

    private func bounded(to lines: [RuleSubject: RuleSubject.Line]) -> RuleWrites {
        var result = self
        if dots.count > Self.limit { result.dots = dots.filter { lines[$0.key] != nil } }
        let used = Set(result.dots.values)
        var count = 0
        result.seen = [:]
        // The last writes of each replica first: devices that have not heard of them are likely.
        for (dot, vector) in seen.sorted(by: { ($1.key.sequence, $1.key) < ($0.key.sequence, $0.key) })
        where used.contains(dot) && count + vector.count <= Self.seenLimit {
            result.seen[dot] = vector
            count += vector.count
        }
        return result
    }
}

extension RuleWrites {
    /// The stored form, one object for each write:
    /// `[{"by":"<32 hexadecimal digits>","at":7,"seen":{…},"paths":[…],"resets":[…]}]`.
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
                if let vector = seen[dot] {
                    members.append(JSONMember(key: "seen", value: ReplicaProgress.json(vector)))
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
        var count = 0
        for write in writes {
            guard case .object(let members) = write, case .string(let by)? = write["by"],
                let replica = ReplicaID(hex: by.string), case .number(let at)? = write["at"],
                let sequence = UInt64(at.text)
            else { throw unknown }
            let dot = Dot(replica: replica, sequence: sequence)
            for member in members {
                switch (member.key, member.value) {
                case ("seen", .object(let vector)):
                    guard vector.count <= Self.seenLimit - count, let vector = ReplicaProgress.read(vector) else {
                        throw unknown
                    }
                    seen[dot] = vector
                    count += vector.count
                case ("paths", .array(let texts)), ("resets", .array(let texts)):
                    guard texts.count <= Self.limit - dots.count else { throw unknown }
                    for case .string(let text) in texts {
                        let isPath = member.key == "paths"
                        dots[isPath ? .places(try RulePattern(parsing: text.string)) : .reset(text.string)] = dot
                    }
                case ("by", _), ("at", _): continue
                default: throw unknown
                }
            }
        }
    }
}
