import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Random histories of households whose devices come to other versions at other times.
@Suite struct UpcastLawTests {
    /// Steps that are tried on `start`; some find nothing, some cannot be done on a document at all.
    private static let steps: [MigrationStep] = [
        .rename(at("/hp"), to: "health"), .rename(at("/a"), to: "b"), .rename(at("/inv/*/n"), to: "count"),
        .rename(at("/inv[id]/id"), to: "uid"), .move(pointer("/coins"), to: pointer("/wallet/coins")),
        .move(pointer("/wallet/coins"), to: pointer("/coins")), .move(pointer("/pos/x"), to: pointer("/x")),
        .copy(pointer("/hp"), to: pointer("/stats/hp")), .copy(pointer("/stats"), to: pointer("/old/stats")),
        .remove(at("/tags")), .remove(at("/stats/kills")), .remove(at("/pos/y")), .remove(at("/tags/*")),
        .fill(at("/volume"), value: 5), .fill(at("/pos/z"), value: 0), .fill(at("/inv/*/rare"), value: false),
        .map(at("/hard"), [.init(true, "hard"), .init(false, "normal")]), .map(at("/tags/*"), [.init("x", "y")]),
        .map(at("/hp"), [.init(3, 30)]), .wrap(at("/coins"), as: "amount"), .wrap(at("/stats"), as: "all"),
        .wrap(at("/inv/*/n"), as: "v"), .split(at("/at"), by: ",", into: ["lat", "lon"], asNumbers: true),
        .split(at("/row"), by: nil, into: ["r0", "r1"], asNumbers: false),
        .compensate(pointer("/coins"), add: JSONNumber(50), for: nil),
        .compensate(pointer("/wallet/coins"), add: JSONNumber(7), for: pointer("/tags")),
    ]

    private static let places = [
        "/hp", "/health", "/a", "/b", "/coins", "/coins/amount", "/wallet/coins", "/stats/hp", "/stats/kills",
        "/stats/all/kills", "/old/stats/kills", "/tags", "/hard", "/inv[id]/n", "/inv[id]/count", "/inv[uid]/n", "/pos",
        "/row/*", "/x", "/volume",
    ]

    private static let start = #"""
        {"v":"1","hp":3,"a":1,"coins":100,"stats":{"hp":2,"kills":4},"tags":["x","z"],"hard":true,
         "inv":[{"id":1,"n":2},{"id":"b","n":1}],"pos":{"x":1,"y":2},"at":"1,2","row":[1,2]}
        """#

    private struct History {
        var random: SeededRandom
        var chain: [[MigrationStep]]
        var lists: [[RuleSet.Entry]]
        var devices: [Device]

        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            let chain = (0..<2).map { _ in (0...random.below(3)).map { _ in random.pick(UpcastLawTests.steps) } }
            let lists = (0..<3).map { _ in UpcastLawTests.entries(&random) }
            self.chain = chain
            self.lists = lists
            devices = Device.household(3, Self.rules(1, chain, lists), sharing: UpcastLawTests.start)
            self.random = random
        }

        static func rules(_ version: Int, _ chain: [[MigrationStep]], _ lists: [[RuleSet.Entry]]) -> RuleSet {
            let migrations = chain.prefix(version - 1).enumerated().map {
                Migration(from: "\($0 + 1)", to: "\($0 + 2)", steps: $1)
            }
            return try! RuleSet(
                lists[version - 1],
                version: "\(version)",
                versionAt: "/v",
                migrations: Array(migrations)
            )
        }

        mutating func step() throws {
            let index = random.below(devices.count)
            switch random.below(12) {
            case 0, 1, 2, 3, 4: save(index)
            case 5, 6, 7, 8:
                devices[index].pull(devices[random.below(devices.count)])
                devices[index].touched = nil
            case 9: try raise(index)
            case 10:
                let selector = random.pick(["/coins", "/stats", "/hp", "/wallet", "/tags", "/b", ""])
                try devices[index].reset(selector, to: nil)
            default:
                if random.chance(30) { try devices[index].restore(UpcastLawTests.text(devices[index])) }
            }
        }

        /// A game of whatever version the file is changes it, where it can.
        private mutating func save(_ index: Int) {
            guard let base = devices[index].snapshots.last else { return }
            var value = base.document.value(base.document.root)
            let names: [JSONString] = [
                "hp", "health", "a", "b", "coins", "stats", "tags", "hard", "pos", "at", "wallet", "new",
            ]
            for _ in 0...random.below(2) {
                let name = random.pick(names)
                if random.chance(20) {
                    value = value.setting(name, to: nil)
                } else if value[name] != nil || random.chance(20) {
                    let new = RandomValues.changed(value[name], &random)
                    value = value.setting(name, to: new)
                }
            }
            let rules = devices[index].state.rules
            let new = document(value)
            if SaveVersion.detect(new, rules) == .same { return devices[index].save(new, on: base) }
            guard Migration.measured(new, rules: rules) != nil, Migration.measured(base.document, rules: rules) != nil
            else { return }
            devices[index].saveBehind(value.spelled)
        }

        private mutating func raise(_ index: Int) throws {
            let current = Int(devices[index].state.rules.version ?? "1") ?? 1
            let version = min(3, current + random.below(3))
            // Now and then somebody corrects the steps after they were taken, or two people write different ones.
            if random.chance(15) { chain[random.below(2)] = [random.pick(UpcastLawTests.steps)] }
            if random.chance(15) { lists[version - 1] = UpcastLawTests.entries(&random) }
            let rules = Self.rules(version, chain, lists)
            if random.chance(70) {
                devices[index].raise(to: rules)
            } else {
                let context = devices[index].context(devices[index].state.vector)
                _ = devices[index].state.changeRules(to: rules, document: nil, context)
                devices[index].touched = nil
            }
        }
    }

    private static func text(_ device: Device) -> String {
        device.state.rules.version == "1" ? start : Projection.newDocument(of: device.state)?.spelled ?? "{}"
    }

    private static func entries(_ random: inout SeededRandom) -> [RuleSet.Entry] {
        var entries: [RuleSet.Entry] = []
        for place in places where random.chance(60) {
            let rule: MergeRule
            switch place {
            case "/tags": rule = MergeRule(random.pick([.union, .set, .latest]))
            case "/pos": rule = MergeRule(random.pick([.latest, .choice]), whole: true)
            case "/row/*", "/x", "/volume": rule = MergeRule(.latest)
            case "/hard": rule = MergeRule(random.pick([.flag, .latest]))
            default: rule = MergeRule(random.pick([.latest, .max, .counter, .counter]))
            }
            let entry = RuleSet.Entry(at(place), rule)
            if (try? RuleSet(entries + [entry])) != nil { entries.append(entry) }
        }
        return entries
    }

    @Test(.timeLimit(.minutes(5)), arguments: 0..<TestDepth.count(quick: 2, usual: 3, all: 6))
    func everyOrderOfArrivalEndsAlike(_ part: Int) throws {
        for seed in part * 12..<part * 12 + 12 {
            var history = History(seed: UInt64(seed))
            for _ in 0..<14 { try history.step() }
            let states = history.devices.map(\.state)
            var reference: ProfileState?
            for order in ThreeReplicaTests.orders {
                var state = history.random.chance(50) ? states[order[0]] : ProfileState()
                for next in order {
                    let delta = history.random.shuffled(states[next].delta(beyond: state.vector))
                    state.join(delta, vector: states[next].vector)
                }
                guard let former = reference else {
                    reference = state
                    #expect(state.restored.view == state.view, "seed \(seed): built at once it is another one")
                    #expect(try ProfileState(decoding: state.encoded).view == state.view, "seed \(seed): stored")
                    continue
                }
                #expect(
                    former.vector == state.vector && former.sortedAtoms == state.sortedAtoms,
                    "seed \(seed) \(order)"
                )
                #expect(former.view == state.view, "seed \(seed) \(order)")
                #expect(
                    Projection.newDocument(of: former) == Projection.newDocument(of: state), "seed \(seed) \(order)")
            }
        }
    }

    /// The author's document after the steps is what everybody's new file shows.
    @Test(.timeLimit(.minutes(5)), arguments: 0..<TestDepth.count(quick: 1, usual: 2, all: 4))
    func theStateIsUpcastToWhatTheDocumentBecomes(_ part: Int) throws {
        var upcasted = 0
        for seed in part * 25..<part * 25 + 25 {
            var history = History(seed: UInt64(1_000 + seed))
            let rules = History.rules(3, history.chain, history.lists)
            guard let last = history.devices[0].snapshots.last?.document,
                let text = Migration.run(last, rules: rules).text
            else { continue }
            upcasted += 1
            let wanted = document(MergeCoreTests.text(text))
            let context = history.devices[0].context(history.devices[0].state.vector)
            _ = history.devices[0].state.changeRules(to: rules, document: last, context)
            let state = history.devices[0].state
            let edits = Projection(of: state, onto: wanted).edits
            let shown = (try? wanted.patched(edits)).map(MergeCoreTests.text) ?? "?"
            let steps = history.chain.flatMap { $0 }.map { "\($0.word) \($0.path)" }
            #expect(
                Agreed(json(shown), rules) == Agreed(wanted.value(wanted.root), rules),
                "seed \(seed): \(steps): \(shown) for \(MergeCoreTests.text(text))"
            )
            history.devices[1].pull(history.devices[0])
            #expect(history.devices[1].state.view == state.view, "seed \(seed)")
        }
        #expect(upcasted > 3, "\(upcasted)")
    }
}

/// Values that stay what they are, or become something else.
private enum RandomValues {
    static func changed(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        switch old {
        case .number?: return .number(JSONNumber(random.below(200)))
        case .bool?: return .bool(random.chance(50))
        case .string(let text)?:
            return text.bytes.contains(UInt8(ascii: ","))
                ? .string(JSONString("\(random.below(9)),\(random.below(9))")) : "s"
        case .array(let list)?:
            var list = list
            if random.chance(50), !list.isEmpty { list.remove(at: random.below(list.count)) }
            let new = JSONValue.string(JSONString(random.pick(["x", "y", "z"])))
            if !list.contains(new) { list.append(new) }
            return .array(list)
        case .object(let members)? where !members.isEmpty:
            var members = members
            let index = random.below(members.count)
            if let new = changed(members[index].value, &random) { members[index].value = new }
            return .object(members)
        default: return .number(JSONNumber(random.below(50)))
        }
    }
}
