import LosslessJSON

/// The declaration of an epoch: which places it covers, and which writes its writer had seen.
public struct Epoch: Hashable, Sendable {
    /// The places it covers, with everything below them.
    public var selector: PathSelector
    /// For each replica, the sequence number up to which the epoch's writer had seen its writes. Later progress was
    /// made concurrently, and the player should be told about it.
    public var seen: [ReplicaID: UInt64]
    /// The name of the scope, where the epoch is a reset of one.
    public var scope: String?

    /// An epoch from its parts.
    public init(selector: PathSelector, seen: [ReplicaID: UInt64], scope: String? = nil) {
        self.selector = selector
        self.seen = seen
        self.scope = scope
    }

    /// Whether the epoch's writer knew of a write.
    public func hasSeen(_ dot: Dot) -> Bool { seen[dot.replica, default: 0] >= dot.sequence }

    /// The stored form: `{"patterns":[…],"places":[…],"seen":{…},"scope":…}`.
    var json: JSONValue {
        var members = [
            JSONMember(key: "patterns", value: .array(selector.patterns.map { .string(JSONString($0.description)) })),
            JSONMember(
                key: "places",
                value: .array(selector.places.compactMap { JSONString(validating: $0.encoded).map { .string($0) } })),
            JSONMember(key: "seen", value: ReplicaProgress.json(seen)),
        ]
        if let scope { members.append(JSONMember(key: "scope", value: .string(JSONString(scope)))) }
        return .object(members)
    }

    /// Reads the stored form; `nil` where the value is no epoch (it may come from a peer).
    init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        var patterns: [RulePattern] = []
        var places: [DocumentPath] = []
        var progress: [ReplicaID: UInt64] = [:]
        for member in members {
            switch (member.key.string, member.value) {
            case ("patterns", .array(let list)):
                for case .string(let text) in list {
                    guard let pattern = try? RulePattern(parsing: text.string) else { return nil }
                    patterns.append(pattern)
                }
            case ("places", .array(let list)):
                for case .string(let text) in list {
                    let path = DocumentPath(encoded: text.bytes)
                    guard path.steps != nil, !path.isReserved else { return nil }
                    places.append(path)
                }
            case ("seen", .object(let seen)):
                guard let read = ReplicaProgress.read(seen) else { return nil }
                progress = read
            case ("scope", .string(let text)): scope = text.string
            default: continue
            }
        }
        selector = PathSelector(patterns: patterns, places: places)
        guard selector.isBounded else { return nil }
        seen = progress
    }
}

/// The JSON form of one sequence number for each replica: `{"<32 hexadecimal digits>": 7}`.
enum ReplicaProgress {
    static func json(_ progress: [ReplicaID: UInt64]) -> JSONValue {
        .object(
            progress.sorted { $0.key < $1.key }.map {
                JSONMember(key: JSONString($0.key.hex), value: .number(JSONNumber(text: String($0.value))!))
            })
    }

    /// `nil` where a member names no replica or no sequence number.
    static func read(_ members: [JSONMember]) -> [ReplicaID: UInt64]? {
        var result: [ReplicaID: UInt64] = [:]
        for member in members {
            guard let replica = ReplicaID(hex: member.key.string), case .number(let number) = member.value,
                let sequence = UInt64(number.text)
            else { return nil }
            result[replica] = sequence
        }
        return result
    }
}
