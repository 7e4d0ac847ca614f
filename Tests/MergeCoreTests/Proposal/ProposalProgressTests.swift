import Libc
import LosslessJSON
import Testing

@testable import MergeCore
@testable import RuleProposals

/// Proposed rules judged by what they do to games that are played: made-up ones of many kinds.
@Suite struct ProposalProgressTests {
    /// What came of progressions of one kind.
    struct Tally: CustomStringConvertible {
        var places = 0
        var saves = 0
        var wrong = 0
        var heldLess = 0
        /// Exact but for the order of a list whose elements are told apart.
        var reordered = 0
        var first: String?

        var description: String {
            "\(places) places, \(saves) saves, \(wrong) not exact, \(heldLess) held less, \(reordered) in another order"
        }

        static func += (a: inout Tally, b: Tally) {
            a.places = max(a.places, b.places)
            (a.saves, a.wrong, a.heldLess) = (a.saves + b.saves, a.wrong + b.wrong, a.heldLess + b.heldLess)
            (a.reordered, a.first) = (a.reordered + b.reordered, a.first ?? b.first)
        }
    }

    /// Whether to print a table, of more progressions.
    static let isTold = getenv("HEARTH_PROPOSAL_TABLE") != nil
    static let seeds: UInt64 = isTold ? 24 : 6

    /// L1: what one device's game writes, the other device's file holds, but for settings.
    static func oneWriter(_ kind: MadeUpGame.Kind, seed: UInt64, saves: Int = 30) -> Tally {
        var tally = Tally()
        var game = MadeUpGame(kind, seed: seed)
        // A save is added at the beginning, or after some play.
        for _ in 0..<Int(seed % 3) * 5 { _ = game.play() }
        let proposal = RuleProposal(for: document(game.save))
        let rules = proposal.rules
        tally.places = leaves(game.save, rules).count { $0.rule != .standard }
        var devices = Device.household(2, rules, sharing: game.save.spelled)
        for number in 0..<saves {
            let new = document(game.play())
            let former = devices[0].snapshots.last?.document ?? new
            func isAsked(_ rules: RuleSet) -> Bool {
                let diff = DocumentDiff(from: former, to: new, rules: rules)
                return SaveMeaning(diff, of: former, rules: rules, wasSpent: devices[0].state.wasSpent).isQuestion
            }
            // What would be set aside without any rules as well is no fault of these.
            if isAsked(rules), !isAsked(.empty) {
                tally.heldLess += 1
                tally.first = tally.first ?? "seed \(seed), save \(number) held less: \(game.save.spelled)"
            }
            devices[0].save(text(new.bytes))
            devices[1].pull(devices[0])
            devices[1].project()
            tally.saves += 1
            let (own, other) = (synced(game.save, rules), synced(devices[1].value, rules))
            if own != other || devices[0].wouldEdit != 0 {
                tally.wrong += 1
                tally.first = tally.first ?? "seed \(seed), save \(number):\n\(own)\n\(other)"
            } else if synced(game.save, rules, isOrdered: true) != synced(devices[1].value, rules, isOrdered: true) {
                tally.reordered += 1
            }
        }
        return tally
    }

    /// The values that a rule is about, each with what it holds.
    static func leaves(_ value: JSONValue, _ rules: RuleSet) -> [(
        path: [JSONString], rule: MergeRule, value: JSONValue
    )] {
        var result: [(path: [JSONString], rule: MergeRule, value: JSONValue)] = []
        func collect(_ value: JSONValue, _ path: [JSONString], _ matcher: RuleMatcher) {
            if case .object(let members) = value, !matcher.rule.isWhole {
                for member in members {
                    collect(member.value, path + [member.key], matcher.stepping(.member(member.key)))
                }
            } else {
                result.append((path, matcher.rule, value))
            }
        }
        collect(value, [], RuleMatcher(rules))
        return result
    }

    /// The save without what stays on the device, its members by name: an object has no order.
    ///
    /// - Parameter isOrdered: Whether the order of lists whose elements are told apart counts too.
    static func synced(_ value: JSONValue, _ rules: RuleSet, isOrdered: Bool = false) -> String {
        func reduced(_ value: JSONValue, _ matcher: RuleMatcher) -> JSONValue? {
            if matcher.rule.merge == .local { return nil }
            switch value {
            case .object(let members):
                return .object(
                    members.compactMap { member in
                        reduced(member.value, matcher.stepping(.member(member.key))).map {
                            JSONMember(key: member.key, value: $0)
                        }
                    }.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) })
            case .array(let elements):
                let inner = elements.compactMap { reduced($0, matcher.stepping(.element([]))) }
                let isApart: Bool
                if case .keyed = matcher.arrayShape { isApart = true } else { isApart = matcher.rule.takesElements }
                guard isApart, !isOrdered else { return .array(inner) }
                return .array(inner.sorted { $0.canonicalBytes.lexicographicallyPrecedes($1.canonicalBytes) })
            default: return value
            }
        }
        return reduced(value, RuleMatcher(rules))?.spelled ?? ""
    }

    @Test(arguments: MadeUpGame.Kind.allCases)
    func oneWritersProgressArrivesAsItIs(_ kind: MadeUpGame.Kind) {
        var all = Tally()
        for seed in 0..<Self.seeds {
            all += Self.oneWriter(kind, seed: seed)
        }
        if Self.isTold { print("| \(kind) | \(all) |") }
        #expect(all.saves == Int(Self.seeds) * 30)
        #expect(all.wrong == 0 && all.heldLess == 0, "\(kind): \(all)\n\(all.first ?? "")")
    }

    /// L2: two devices play apart. Each place has the value its rule gives, and no value appears from nowhere.
    @Test(arguments: MadeUpGame.Kind.allCases)
    func twoWritersMergeByTheRules(_ kind: MadeUpGame.Kind) {
        for seed in 0..<Self.seeds {
            var game = MadeUpGame(kind, seed: seed)
            for _ in 0..<Int(seed % 3) * 5 { _ = game.play() }
            let base = game.save
            let rules = RuleProposal(for: document(base)).rules
            var games = [game, game.elsewhere(seed: seed + 1_000)]
            var devices = Device.household(2, rules, sharing: base.spelled)
            for index in devices.indices {
                for _ in 0..<5 { devices[index].save(games[index].play().spelled) }
            }
            settle(&devices)
            let merged = devices[0].value
            if !rules.entries.contains(where: { $0.rule.merge == .choice }) {
                #expect(Self.synced(merged, rules) == Self.synced(devices[1].value, rules), "\(kind), seed \(seed)")
            }
            for (path, rule, value) in Self.leaves(merged, rules) {
                let (old, a, b) = (
                    Self.value(base, path), Self.value(games[0].save, path), Self.value(games[1].save, path)
                )
                let isExpected = Self.expected(rule, old, a, b)?.contains(value.canonicalBytes) ?? true
                let sides = [old, a, b].map { $0?.spelled ?? "nothing" }.joined(separator: ", ")
                #expect(
                    isExpected,
                    "\(kind), seed \(seed), \(path.map(\.string)): \(rule.merge) of \(sides) gave \(value.spelled)")
            }
            if kind == .checksummed { #expect(merged["hash"] == .string(JSONString(MadeUpGame.hash(merged)))) }
        }
    }

    private static func value(_ save: JSONValue, _ path: [JSONString]) -> JSONValue? {
        path.reduce(save as JSONValue?) { $0?[$1] }
    }

    /// What the rule allows; `nil` where elements are told apart, or a member was removed.
    private static func expected(
        _ rule: MergeRule, _ old: JSONValue?, _ a: JSONValue?, _ b: JSONValue?
    ) -> Set<[UInt8]>? {
        func int(_ value: JSONValue?) -> Int? {
            guard case .number(let number)? = value else { return nil }
            return number.decimal?.int
        }
        func number(_ int: Int) -> Set<[UInt8]> { [JSONValue.number(JSONNumber(int)).canonicalBytes] }
        switch rule.merge {
        case .counter:
            guard let x = int(a), let y = int(b) else { return nil }
            return number(max(0, x + y - (int(old) ?? 0)))
        case .max:
            guard let x = int(a), let y = int(b) else { return nil }
            return number(max(x, y))
        case .flag: return [JSONValue.bool(a == .bool(true) || b == .bool(true)).canonicalBytes]
        case .union, .set, .min: return nil
        default:
            let sides = [old, a, b].compactMap { $0 }
            if sides.contains(where: {
                guard case .array(let list) = $0 else { return false }
                return list.contains { element in ["id", "itemId", "runId"].contains { element[$0] != nil } }
            }) {
                return nil
            }
            return Set(sides.map(\.canonicalBytes))
        }
    }
}
