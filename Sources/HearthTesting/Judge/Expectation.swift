import LosslessJSON
import MergeCore

/// What must be at a place, as far as it is known.
enum Expectation: CustomStringConvertible {
    /// Exactly this number.
    case number(ExactDecimal)
    /// Exactly this value.
    case value(JSONValue)
    /// One of these values.
    case oneOf([JSONValue])
    /// A list with all of the first elements and none beside the second ones.
    case elements(atLeast: Set<JSONValue>, atMost: Set<JSONValue>)
    /// A number with these binary digits.
    case bits(UInt64)
    /// No value: nobody wrote one.
    case nothing
    /// Any value: what is right is not known.
    case anything

    var description: String {
        switch self {
        case .number(let number): number.text
        case .value(let value): value.text
        case .oneOf(let values): values.map(\.text).joined(separator: " or ")
        case .elements(let least, _): "all of \(Self.list(least))"
        case .bits(let bits): String(bits)
        case .nothing: "nothing"
        case .anything: "anything"
        }
    }

    private static func list(_ elements: Set<JSONValue>) -> String {
        "[\(elements.map(\.text).sorted().joined(separator: ", "))]"
    }

    /// What is wrong with what is there; `nil` where nothing is.
    func fault(_ found: JSONValue?) -> (kind: HouseholdFinding.Kind, words: String)? {
        switch self {
        case .anything: return nil
        case .nothing:
            // A container stays where everything in it was removed.
            guard let found, !found.isEmptyContainer else { return nil }
            return (.invented, "nobody put anything there")
        case .number(let number):
            let amount = found == nil || found == .null ? ExactDecimal.zero : found?.decimal
            guard amount != number else { return nil }
            let isLess = amount.map { $0 < number } ?? true
            return (isLess ? .lost : .invented, "should be \(number.text)")
        case .value(let value):
            guard found != value else { return nil }
            return (found == nil ? .lost : .place, "should be \(value.text)")
        case .oneOf(let values):
            if let found, values.contains(found) { return nil }
            return (found == nil ? .lost : .invented, "should be \(description)")
        case .bits(let bits):
            let held = found?.decimal?.int.map { UInt64(bitPattern: Int64($0)) } ?? 0
            guard held != bits else { return nil }
            return (held & bits == bits ? .invented : .lost, "should be \(bits)")
        case .elements(let least, let most):
            let held: Set<JSONValue> = if case .array(let elements)? = found { Set(elements) } else { [] }
            let (lost, invented) = (least.subtracting(held), held.subtracting(most))
            if !lost.isEmpty { return (.lost, "lacks \(Self.list(lost))") }
            return invented.isEmpty ? nil : (.invented, "has \(Self.list(invented)), which nobody put there")
        }
    }
}

extension Judge {
    /// What a rule makes of what was written.
    func expectation(_ writes: Writes) -> Expectation {
        let rule = writes.rule
        guard !writes.changes.isEmpty else { return writes.base.map { unmoved($0, rule) } ?? .nothing }
        switch rule.merge {
        case .counter: return sum(writes)
        case .max, .min: return extreme(writes)
        case .flag:
            return writes.values.contains(.bool(true)) ? .value(.bool(true)) : .anything
        case .union where rule.reading == .bits: return bits(writes)
        case .union, .set: return elements(writes)
        case .furthest where writes.isFromMemory && writes.setsBack:
            // A side that the game had not read stands beside its own one, though a further side hid it so far.
            let hidden = round.hiddenSides[writes.place, default: []].sorted { $0.text < $1.text }
            return .oneOf(writes.last + [writes.base].compactMap { $0 } + hidden)
        case .furthest where writes.isFromElsewhere, .latest where writes.isFromElsewhere:
            // A game that had not read what stood there when the round began wrote beside it, and of both the further one
            // stays, or the later one by clocks that may be wrong.
            return .oneOf(writes.last + [writes.base].compactMap { $0 })
        case .latest where writes.devices.count > 1: return latest(writes)
        case .latest where isBesideUnread(writes): return .oneOf(writes.last + [writes.base].compactMap { $0 })
        case .latest, .furthest, .choice:
            return writes.devices.count == 1 ? .value(writes.last[0]) : .oneOf(writes.last)
        case .local: return .anything
        }
    }

    /// What nobody wrote stays as it was.
    private func unmoved(_ base: JSONValue, _ rule: MergeRule) -> Expectation {
        guard rule.isOfElements, case .array(let elements) = base else { return .value(base) }
        return .elements(atLeast: Set(elements), atMost: Set(elements))
    }

    /// Of what several devices wrote apart the latest stays, where clocks are right and tell. They do not tell where another
    /// one of these devices saved anything after that, or the last one only came back to what it had: an agent may have
    /// seen two saves as one. Elements without a key are written again where those behind them go.
    private func latest(_ writes: Writes) -> Expectation {
        let any = Expectation.oneOf(writes.last)
        guard let last = writes.changes.last, !last.to.isEmptyContainer, !writes.leaf.isNumbered,
            !round.plays.contains(where: \.isFromMemory), round.clocks.areRight(writes.place, writes.devices)
        else { return any }
        let own = writes.changes.dropLast().filter { $0.device == last.device }
        guard own.allSatisfy({ $0.from != last.to && $0.to != last.to }) else { return any }
        let others = round.plays.filter { $0.device != last.device && writes.devices.contains($0.device) }
        return others.allSatisfy { $0.time < last.time } ? .value(last.to) : any
    }

    /// Whether a game wrote beside something that it may not have read, on a device whose clock was wrong: then its date
    /// decides, and may be older.
    private func isBesideUnread(_ writes: Writes) -> Bool {
        round.plays.contains { $0.isFromMemory && writes.devices.contains($0.device) }
            && !round.clocks.areRight(writes.place, writes.devices)
    }

    private func sum(_ writes: Writes) -> Expectation {
        func amount(_ value: JSONValue?) -> ExactDecimal? {
            value == nil || value == .null ? .zero : value?.decimal
        }
        guard var sum = amount(writes.base) else { return .anything }
        for change in writes.changes {
            guard let from = amount(change.from), let to = amount(change.to),
                let difference = try? to.subtracting(from), let next = try? sum.adding(difference)
            else { return .anything }
            sum = next
        }
        // What is spent twice shows as nothing, and is paid back by what is earned next.
        return sum.isNegative ? .anything : .number(sum)
    }

    private func extreme(_ writes: Writes) -> Expectation {
        let counted = writes.values.filter { !writes.rule.none.contains($0) }
        let numbers = counted.compactMap { value in value.decimal.map { (value, $0) } }
        guard numbers.count == counted.count, writes.rule.reading != .date else { return .anything }
        let best = writes.rule.merge == .max ? numbers.max { $0.1 < $1.1 } : numbers.min { $0.1 < $1.1 }
        return best.map { .number($0.1) } ?? .anything
    }

    private func bits(_ writes: Writes) -> Expectation {
        var all: UInt64 = 0
        for value in writes.values {
            guard let number = value.decimal?.int, number >= 0 else { return .anything }
            all |= UInt64(number)
        }
        return .bits(all)
    }

    private func elements(_ writes: Writes) -> Expectation {
        guard writes.rule.limit == nil else { return .anything }
        func list(_ value: JSONValue?) -> Set<JSONValue> {
            if case .array(let elements)? = value { Set(elements) } else { [] }
        }
        let all = writes.values.reduce(into: Set<JSONValue>()) { $0.formUnion(list($1)) }
        guard writes.rule.merge == .set else { return .elements(atLeast: all, atMost: all) }
        // Of an element that one game took out and another one put in nothing is known.
        let taken = writes.changes.reduce(into: Set<JSONValue>()) { taken, change in
            taken.formUnion(list(change.from).subtracting(list(change.to)))
        }
        // Nor of one that a game held in memory though it was gone when the round began, and that nobody put in since.
        let put = writes.changes.reduce(into: list(writes.base)) { put, change in
            put.formUnion(list(change.to).subtracting(list(change.from)))
        }
        return .elements(atLeast: all.subtracting(taken).intersection(put), atMost: all)
    }
}
