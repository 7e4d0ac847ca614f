import LosslessJSON

/// The part of a counter that holds the amount of a step which was taken back.
///
/// Amounts of different parts add up. If a device took an amount off its own part, two devices that take the same step
/// back before they hear of each other would take it off twice. So the part is named after the step: both write the same
/// part with the same amount, and it comes off once. Who takes that back again gives the amount back in the same part. So
/// a part holds either the one amount or nothing, in turn, and of two devices the one that went further in this counts,
/// as for an element of a set that is put in and taken out.
package enum UndoPart {
    /// The name of the part in which an amount is added to take a step back: a byte that is 1 if the amount is below zero,
    /// else 0; the replica of the step's write; and a 64-bit FNV-1a hash of the write's number and the amount, most
    /// significant byte first. Other parts of a counter are named after a replica alone (16 bytes).
    static func name(of step: Dot, _ amount: ExactDecimal) -> [UInt8] {
        let hash = FNV1a("\(step.sequence) \(amount.text)".utf8).value
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
        return [amount.isNegative ? 1 : 0] + step.replica.bytes + bytes
    }

    static let nameLength = 25

    /// Whether a part of a counter is one of these.
    package static func isName(_ sub: [UInt8]) -> Bool { sub.count == nameLength && sub[0] <= 1 }
}

extension ProfileState {
    /// The part of a counter in which a change is taken back by an amount; `nil` where it is no change of the part, and so
    /// is to count for itself.
    func undoPart(of change: HistoryEntry.Change, _ rule: MergeRule, adding amount: ExactDecimal) -> [UInt8]? {
        guard let kind = rule.kind,
            counterTotal(change.path, kind).map({ isOverspent(change.path, kind, $0) }) != true
        else { return nil }
        let name = change.undoPart ?? UndoPart.name(of: change.dot, amount)
        let known = live(AtomKey(change.path, kind, sub: name)).map(\.content)
        guard let held = known.map({ try? $0.net }) ?? .zero, let next = try? held.adding(amount) else { return nil }
        return next.isZero || held.isZero && amount.isNegative == (name[0] == 1) ? name : nil
    }

    /// The parts of counters that a step changed, where it changed nothing else of the counter.
    ///
    /// - Parameter keys: The keys of the step, in the version of this state.
    static func undoParts(among keys: [AtomKey]) -> [DocumentPath: [UInt8]] {
        var parts: [DocumentPath: [UInt8]] = [:]
        for key in keys where UndoPart.isName(key.sub) && key.kind.base == .counter { parts[key.path] = key.sub }
        if parts.isEmpty { return parts }
        for key in keys where key.kind.base == .counter && parts[key.path].map({ $0 != key.sub }) == true {
            parts[key.path] = nil
        }
        return parts
    }
}
