import LosslessJSON

@testable import MergeCore

/// What games wrote and what players began anew, kept beside the merge and without its help: from it follows what every
/// device must show.
struct HistoryLedger {
    /// What one write says of a member.
    private enum Entry {
        case start(Int)
        case change(Int)
        /// Canonical bytes of elements, or texts of bits.
        case members(Set<[UInt8]>)
    }

    private struct Line {
        let member: Int
        let device: ReplicaID
        /// What the writer knew before and after.
        let before: VersionVector
        let after: VersionVector
        let epoch: EpochID?
        let entry: Entry
    }

    private struct Beginning {
        let id: EpochID
        /// `nil` for all.
        let members: Set<Int>?
        let dot: Dot
    }

    private var lines: [[Line]]
    private var beginnings: [Beginning] = []
    /// What the rules of each member are; `nil` once they changed, from where on nothing is accounted.
    private(set) var accounts: [HistoryField.Account?]

    init(_ fields: [HistoryField]) {
        accounts = fields.map(\.account)
        lines = fields.map { _ in [] }
    }

    /// The share of members that two devices wrote, neither knowing of the other.
    var conflicts: (count: Int, of: Int) {
        let count = lines.filter { lines in
            lines.indices.contains { a in
                lines[..<a].contains { b in
                    b.device != lines[a].device && !lines[a].before.covers(b.after) && !b.before.covers(lines[a].after)
                }
            }
        }.count
        return (count, lines.filter { !$0.isEmpty }.count)
    }

    mutating func close(_ member: Int) { accounts[member] = nil }

    // MARK: Writing

    mutating func began(_ id: EpochID, _ members: Set<Int>?, _ dot: Dot) {
        beginnings.append(Beginning(id: id, members: members, dot: dot))
    }

    /// The epoch in force at a member for who knows so much.
    func inForce(_ member: Int, _ seen: VersionVector) -> EpochID? {
        beginnings.lazy.filter { $0.members?.contains(member) ?? true && seen.covers($0.dot) }.map(\.id).max()
    }

    /// What a document holds as a start, in the epoch now in force.
    mutating func start(_ member: Int, _ value: JSONValue?, _ device: Device) {
        guard let account = accounts[member], let value else { return }
        let entry: Entry? =
            switch account {
            case .sum, .largest: Self.amount(value).map { .start($0) }
            case .truth: .start(value == true ? 1 : 0)
            case .members, .bits: .members(Self.members(value))
            }
        if let entry { add(member, entry, device, before: device.state.vector) }
    }

    /// What a game wrote: an own earlier write stays, whatever its snapshot showed.
    mutating func wrote(
        _ member: Int,
        from old: JSONValue?,
        to new: JSONValue?,
        base: VersionVector,
        _ device: Device,
        before: VersionVector
    ) {
        guard old != new, inForce(member, base) == inForce(member, before) else { return }
        let entry: Entry
        switch accounts[member] {
        case .sum:
            // What stands there may be no number, where the rules were others.
            guard let after = Self.amount(new ?? 0), let former = Self.amount(old ?? 0) else { return close(member) }
            entry = .change(after - former)
        case .largest: entry = .start(new.flatMap(Self.amount) ?? 0)
        case .truth: entry = .start(new == true ? 1 : 0)
        case .members, .bits:
            // Only what is new against the snapshot was written; a removal is none.
            entry = .members(
                accounts[member] == .bits ? Self.members(new) : Self.members(new).subtracting(Self.members(old))
            )
        case nil: entry = .change(0)
        }
        add(member, entry, device, before: before)
    }

    private mutating func add(_ member: Int, _ entry: Entry, _ device: Device, before: VersionVector) {
        let after = device.state.vector
        lines[member].append(
            Line(
                member: member,
                device: device.replica,
                before: before,
                after: after,
                epoch: inForce(member, after),
                entry: entry
            )
        )
    }

    // MARK: Reading

    /// Why a member does not hold what was written, in the epoch in force, by all that the device has heard of.
    func disagrees(_ member: Int, _ name: JSONString, _ state: ProfileState) -> String? {
        let path = DocumentPath([.member(name)])
        guard let account = accounts[member], let kind = state.rules.rule(for: path).kind else { return nil }
        let epoch = inForce(member, state.vector)
        var (start, sum, members) = (0, 0, Set<[UInt8]>())
        for line in lines[member] where line.epoch == epoch && state.vector.covers(line.after) {
            switch line.entry {
            case .start(let amount): start = max(start, amount)
            case .change(let amount): sum += amount
            case .members(let more): members.formUnion(more)
            }
        }
        switch account {
        case .sum:
            let total = state.counterTotal(path, kind)?.text ?? "0"
            return total == String(start + sum) ? nil : "\(name) is \(total), not \(start) + \(sum)"
        case .largest:
            guard case .extremum(let value)? = state.live(AtomKey(path, kind))?.content else {
                return start == 0 ? nil : "\(name) is gone, not \(start)"
            }
            return Self.amount(value) == start ? nil : "\(name) is \(value), not \(start)"
        case .truth:
            let truth = state.live(AtomKey(path, kind))?.content == .flag(true)
            return truth == (start > 0) ? nil : "\(name) is \(truth)"
        case .members, .bits:
            let held = Set(state.liveParts(path, kind).map(\.sub))
            let texts = [held, members].map { $0.map { text($0) }.sorted() }
            return held == members ? nil : "\(name) holds \(texts[0]), not \(texts[1])"
        }
    }

    private static func amount(_ value: JSONValue) -> Int? {
        switch value {
        case .number(let number): Int(number.text)
        case .string(let text): Int(text.string)
        default: nil
        }
    }

    private static func members(_ value: JSONValue?) -> Set<[UInt8]> {
        switch value {
        case .array(let elements): return Set(elements.map(\.canonicalBytes))
        case .number(let number):
            let bits = Int(number.text) ?? 0
            return Set((0..<62).filter { bits >> $0 & 1 == 1 }.map { Array(String($0).utf8) })
        default: return []
        }
    }
}
