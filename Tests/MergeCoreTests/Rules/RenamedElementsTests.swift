import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// An array is told apart by position, by a member, or not at all, and that changes while others play apart. What they played
/// under either rules counts once.
@Suite struct RenamedElementsTests {
    private enum Form: CaseIterable { case position, key, none }

    private static func ruleSet(_ form: Form) -> RuleSet {
        switch form {
        case .position:
            rules(["/x/*/n": MergeRule(.counter), "/x/*/m": MergeRule(.max), "/x/*/u": MergeRule(.union)])
        case .none: .empty
        case .key:
            rules(["/x[id]/n": MergeRule(.counter), "/x[id]/m": MergeRule(.max), "/x[id]/u": MergeRule(.union)])
        }
    }

    /// An element, and what it must come to.
    private struct Element {
        var (id, n, m, u, s) = (0, 0, 0, Set<Int>(), "")
        var text: String { #"{"id":\#(id),"n":\#(n),"m":\#(m),"u":\#(u.sorted()),"s":"\#(s)"}"# }

        init(_ id: Int, _ random: inout SeededRandom) {
            (self.id, n, m, s) = (id, Int.random(in: 60..<70, using: &random), 1, "a")
            u = [id]
        }

        init?(_ value: JSONValue) {
            guard case .number(let id)? = value["id"], case .number(let n)? = value["n"],
                case .number(let m)? = value["m"], case .string(let s)? = value["s"], case .array(let u)? = value["u"]
            else { return nil }
            (self.id, self.n, self.m, self.s) = (Int(id.text)!, Int(n.text)!, Int(m.text)!, s.string)
            self.u = Set(
                u.compactMap { element -> Int? in
                    guard case .number(let number) = element else { return nil }
                    return Int(number.text)
                })
        }
    }

    private static func save(_ elements: [Element]) -> String {
        #"{"x":[\#(elements.map(\.text).joined(separator: ","))],"d":1}"#
    }

    private static func elements(_ device: Device) -> [Element]? {
        guard case .array(let elements)? = device.value["x"] else { return nil }
        let all = elements.compactMap(Element.init)
        return all.count == elements.count ? all : nil
    }

    @Test(arguments: 0..<8) func whatIsPlayedApartCountsOnce(seed: UInt64) {
        for round in 0..<UInt64(TestDepth.count(quick: 5, usual: 12, all: 1_000)) {
            play(seed * 1_000_000 + round, [.position, .key])
        }
    }

    /// Where the array is one value in between, of two saves the later one stays; but nothing counts twice. One device
    /// changes the rules.
    @Test(arguments: 0..<8) func nothingCountsTwice(seed: UInt64) {
        for round in 0..<UInt64(TestDepth.count(quick: 5, usual: 12, all: 1_000)) {
            play(seed * 1_000_000 + round, Form.allCases)
        }
    }

    /// Games put the elements in another order, too, and one device gives them positions when all have heard of their keys.
    /// Nothing counts twice, and what is not counted is said. (A device that has not heard of them plays by position, and that
    /// stands at the position; and where two devices give positions, each in its own order, the larger start stays.)
    @Test(arguments: 0..<8) func whatIsNotCountedIsSaid(seed: UInt64) {
        for round in 0..<UInt64(TestDepth.count(quick: 5, usual: 12, all: 1_000)) {
            play(seed * 1_000_000 + round, [.position, .key], turning: true)
        }
    }

    private func play(_ seed: UInt64, _ forms: [Form], turning: Bool = false) {
        let isExact = !forms.contains(.none) && !turning
        var random = SeededRandom(seed: seed)
        var model = (1...Int.random(in: 1...3, using: &random)).map { Element($0, &random) }
        let first = forms.randomElement(using: &random)!
        var devices = Device.household(
            Int.random(in: 2...3, using: &random), Self.ruleSet(first), sharing: Self.save(model))
        var log = ["\(first) \(Self.save(model))"]
        var number = 100
        for _ in 0..<Int.random(in: 3...14, using: &random) {
            let index = devices.indices.randomElement(using: &random)!
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                guard var held = Self.elements(devices[index]), let at = held.indices.randomElement(using: &random),
                    let of = model.firstIndex(where: { $0.id == held[at].id })
                else { return #expect(Bool(false), "\(seed): \(log)\n\(devices[index].shown)") }
                number += 1
                let amount = Int.random(in: isExact ? -3...6 : 0...6, using: &random)
                if turning, devices[index].state.rules == Self.ruleSet(.key), Bool.random(using: &random) {
                    held.swapAt(at, held.indices.randomElement(using: &random)!)
                }
                guard let at = held.firstIndex(where: { $0.id == model[of].id }) else { continue }
                held[at].n += amount
                model[of].n += amount
                if number % 2 == 0 { held[at].m = max(held[at].m, number) }
                model[of].m = max(model[of].m, held[at].m)
                if number % 3 == 0 { held[at].u.insert(number) }
                model[of].u.formUnion(held[at].u)
                // One device writes the text of an element.
                if held[at].id % devices.count == index { (held[at].s, model[of].s) = ("\(number)", "\(number)") }
                devices[index].save(Self.save(held))
                log.append("\(index) plays \(held[at].text)")
            case 5, 6:
                let form = forms.randomElement(using: &random)!
                if !isExact, index > 0, !turning || form == .position { continue }
                if turning, form == .position, devices.contains(where: { $0.state.rules != devices[0].state.rules }) {
                    continue
                }
                guard Self.ruleSet(form) != devices[index].state.rules else { continue }
                devices[index].change(to: Self.ruleSet(form))
                log.append("\(index) changes to \(form): \(devices[index].shown)")
            default:
                let other = devices.indices.filter { $0 != index }.randomElement(using: &random)!
                devices[index].pull(devices[other])
                if Bool.random(using: &random) { devices[other].pull(devices[index]) }
                devices[index].project()
                devices[other].project()
                log.append("\(index) meets \(other): \(devices[index].shown)")
            }
        }
        for _ in 0..<3 { settle(&devices) }
        let wanted = model.map(\.text)
        for device in devices {
            let found = Self.elements(device)?.sorted { $0.id < $1.id }
            guard isExact else {
                // A position keeps the larger maximum.
                let isLess = zip(found ?? [], model).allSatisfy { $0.n <= $1.n && (turning || $0.m <= $1.m) }
                let isTold = !turning || found?.map(\.n) == model.map(\.n) || devices.contains { !$0.uncounted.isEmpty }
                #expect(
                    found?.count == model.count && isLess && isTold,
                    "\(seed): \(log.joined(separator: "\n"))\n\(device.shown) \(wanted)")
                continue
            }
            let shown = found?.map(\.text)
            #expect(shown == wanted, "\(seed): \(log.joined(separator: "\n"))\n\(device.shown)")
        }
        let atoms = devices[0].state.sortedAtoms
        #expect(devices.allSatisfy { $0.state.sortedAtoms == atoms }, "\(seed)")
    }

    private static let start = #"{"x":[{"id":1,"n":1,"s":"a"},{"id":2,"n":7,"s":"b"}],"d":1}"#

    /// One device changes the rules and plays under them; another one, which has not heard of it, plays under the former ones.
    private static func apart(
        _ from: [String?], _ changing: String, _ elsewhere: String, _ merge: MergeRule = MergeRule(.counter)
    ) -> [Device] {
        func ruleSet(_ pattern: String?) -> RuleSet { pattern.map { rules([$0: merge]) } ?? .empty }
        var devices = Device.household(3, ruleSet(from[0]), sharing: start)
        for pattern in from.dropFirst() { devices[0].change(to: ruleSet(pattern)) }
        if changing != start { devices[0].save(changing) }
        if elsewhere != start { devices[1].save(elsewhere) }
        settle(&devices)
        settle(&devices)
        return devices
    }

    private static let changes: [(String, String)] = [("/x/*/n", "/x[id]/n"), ("/x[id]/n", "/x/*/n")]

    @Test(arguments: changes) func bothPlay(from: String, to: String) {
        let (one, other) = (
            Self.start.replacing(#""n":1"#, with: #""n":2"#), Self.start.replacing(#""n":1"#, with: #""n":5"#)
        )
        for device in Self.apart([from, to], one, other) {
            #expect(device.value == json(Self.start.replacing(#""n":1"#, with: #""n":6"#)), "\(device.shown)")
        }
        for device in Self.apart([from, to], one, other, MergeRule(.max)) { #expect(device.value == json(other)) }
    }

    /// What only one of them adds to the list is there once, with what was played in it.
    @Test(arguments: changes) func anElementComesOnce(from: String, to: String) {
        let new = Self.start.replacing("}],", with: #"},{"id":3,"n":4,"s":"c"}],"#)
        let played = Self.start.replacing(#""n":1"#, with: #""n":5"#)
        let both = new.replacing(#""n":1"#, with: #""n":5"#)
        for device in Self.apart([from, to], played, new) { #expect(device.value == json(both), "\(device.shown)") }
        for device in Self.apart([from, to], new, played) { #expect(device.value == json(both), "\(device.shown)") }
    }

    /// Nothing that one of them removed under the new rules comes back, and nothing that the other one removed takes
    /// away what is played.
    @Test(arguments: changes) func aRemovedElement(from: String, to: String) {
        let less = #"{"x":[{"id":1,"n":1,"s":"a"}],"d":1}"#
        let played = Self.start.replacing(#""n":1"#, with: #""n":5"#)
        for device in Self.apart([from, to], less, played) {
            #expect(device.value == json(less.replacing(#""n":1"#, with: #""n":5"#)), "\(device.shown)")
        }
        for device in Self.apart([from, to], played, less) {
            guard case .array(let elements)? = device.value["x"] else { return #expect(Bool(false), "no list") }
            #expect(elements.first == ["id": 1, "n": 5, "s": "a"], "\(device.shown)")
        }
    }

    /// Machines take a step back that have not heard of the new rules: it comes off once under these, too.
    @Test(arguments: changes, [[1], [1, 2]]) func aStepIsTakenBackApart(change: (String, String), by undoing: [Int])
        throws
    {
        var devices = Device.household(3, rules([change.0: MergeRule(.counter)]), sharing: Self.start)
        let before = devices[0].state
        devices[1].save(Self.start.replacing(#""n":1"#, with: #""n":5"#))
        settle(&devices)
        devices[0].change(to: rules([change.1: MergeRule(.counter)]))
        for index in undoing { try devices[index].undo(since: before) }
        settle(&devices)
        settle(&devices)
        for device in devices { #expect(device.value == json(Self.start), "\(device.shown)") }
    }

    /// The machine that changes the rules has the elements in another order.
    @Test func theOrderOfOneMachineIsTaken() {
        let turned = #"{"x":[{"id":2,"n":7,"s":"b"},{"id":1,"n":1,"s":"a"}],"d":1}"#
        var devices = Device.household(2, rules(["/x[id]/n": MergeRule(.counter)]), sharing: Self.start)
        devices[0].save(turned)
        devices[0].change(to: rules(["/x/*/n": MergeRule(.counter)]))
        devices[1].save(Self.start.replacing(#""n":1"#, with: #""n":5"#))
        settle(&devices)
        for device in devices {
            #expect(device.value == json(turned.replacing(#""n":1"#, with: #""n":5"#)), "\(device.shown)")
        }
    }

    /// Without a rule for it the array is one value. What others play stands in it where nobody plays under the new rules.
    @Test(arguments: ["/x/*/n", "/x[id]/n"]) func theRuleIsTakenAway(from: String) {
        let other = Self.start.replacing(#""n":1"#, with: #""n":5"#)
        for device in Self.apart([from, nil], Self.start, other) {
            #expect(device.value == json(other), "\(device.shown)")
        }
        for device in Self.apart([from, nil, "/x[id]/n"], Self.start, other) {
            #expect(device.value == json(other), "\(device.shown)")
        }
    }

    /// Where both play, the array of the machine with the new rules stays, and the player of the other one is told.
    @Test(arguments: ["/x/*/n", "/x[id]/n"]) func whatLosesToAWholeArrayIsSaid(from: String) {
        var devices = Device.household(2, rules([from: MergeRule(.counter)]), sharing: Self.start)
        devices[0].change(to: .empty)
        let played = Self.start.replacing(#""n":1"#, with: #""n":2"#)
        devices[0].save(played)
        devices[1].save(Self.start.replacing(#""n":1"#, with: #""n":5"#))
        let before = devices[1].state
        let document = document(devices[1].shown)
        _ = devices[1].state.join(devices[0].state.delta(beyond: before.vector), vector: devices[0].state.vector)
        let context = devices[1].context(devices[1].state.vector)
        let own: Set<ReplicaID> = [devices[1].replica]
        let again = devices[1].state.reissue(since: before, document: document, own: own, context)
        #expect(again.overridden == [DocumentPath([.member("x")])])
        devices[1].touched = nil
        settle(&devices)
        for device in devices { #expect(device.value == json(played), "\(device.shown)") }
    }

    /// The amounts of a machine are counted where another one carried a part of them along already.
    @Test(arguments: changes) func whatWasSeenIsNotCountedAgain(from: String, to: String) {
        var devices = Device.household(3, rules([from: MergeRule(.counter)]), sharing: Self.start)
        for (index, n) in [(1, 3), (2, 6)] {
            devices[index].save(Self.start.replacing(#""n":1"#, with: #""n":\#(n)"#))
            settle(&devices)
        }
        devices[0].change(to: rules([to: MergeRule(.counter)]))
        devices[1].save(Self.start.replacing(#""n":1"#, with: #""n":16"#))
        devices[2].save(Self.start.replacing(#""n":1"#, with: #""n":8"#))
        settle(&devices)
        for _ in 0..<2 { settle(&devices) }
        for device in devices {
            #expect(device.value == json(Self.start.replacing(#""n":1"#, with: #""n":18"#)), "\(from): \(device.shown)")
        }
    }

    // MARK: Rules for the first time

    /// Nothing told the elements apart before. What one device plays under the new rules is no amount that was counted before.
    @Test(arguments: ["/x/*/n", "/x[id]/n"]) func aFirstRule(to: String) {
        let one = #"{"x":[{"id":1,"n":2,"s":"a"},{"id":2,"n":9,"s":"b"}],"d":1}"#
        let other = #"{"x":[{"id":1,"n":5,"s":"a"},{"id":2,"n":8,"s":"b"}],"d":1}"#
        let wanted = #"{"x":[{"id":1,"n":6,"s":"a"},{"id":2,"n":10,"s":"b"}],"d":1}"#
        for device in Self.apart([nil, to], one, other) {
            #expect(device.value == json(wanted) && device.uncounted.isEmpty, "\(device.shown) \(device.uncounted)")
        }
    }

    // MARK: Two devices change the rules

    /// The elements by position, and then by their key in another order; one of them is played, and all devices know it.
    private static func turned() -> [Device] {
        var devices = Device.household(3, ruleSet(.position), sharing: save([element(1, 10), element(2, 20)]))
        devices[0].save(save([element(1, 13), element(2, 20)]))
        settle(&devices)
        devices[0].change(to: ruleSet(.key))
        settle(&devices)
        devices[0].save(save([element(2, 24), element(1, 13)]))
        settle(&devices)
        return devices
    }

    private static func element(_ id: Int, _ n: Int) -> Element {
        var random = SeededRandom(seed: 0)
        var element = Element(id, &random)
        element.n = n
        return element
    }

    /// Each device meets each other one in the given order, until all know the same.
    private static func meet(_ devices: inout [Device], in order: [Int]) {
        let pairs = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
        for index in order {
            let (to, from) = pairs[index]
            devices[to].pull(devices[from])
            devices[to].project()
        }
        for _ in 0..<2 { settle(&devices) }
    }

    private static let orders: [[Int]] = {
        let all = permutations(of: Array(0..<6))
        let step = all.count / TestDepth.count(quick: 12, usual: 36, all: all.count)
        return stride(from: 0, to: all.count, by: step).map { all[$0] }
    }()

    private static func permutations(of list: [Int]) -> [[Int]] {
        guard !list.isEmpty else { return [[]] }
        return list.indices.flatMap { index in
            var rest = list
            let first = rest.remove(at: index)
            return permutations(of: rest).map { [first] + $0 }
        }
    }

    /// What another element had at a position in former times is taken off once.
    @Test(arguments: [0, 1, 2]) func whatIsLeftOverIsTakenOffOnce(late: Int) {
        for order in Self.orders {
            var devices = Self.turned()
            // What the third one plays is known to nobody, to one of them, or to both.
            devices[2].save(Self.save([Self.element(2, 29), Self.element(1, 14)]))
            for index in 0..<late {
                devices[index].pull(devices[2])
                devices[index].project()
            }
            for index in 0...1 { devices[index].change(to: Self.ruleSet(.position)) }
            devices[1].save(Self.save([Self.element(2, late == 2 ? 30 : 25), Self.element(1, late == 2 ? 14 : 13)]))
            Self.meet(&devices, in: order)
            for device in devices {
                let found = Self.elements(device)?.map { [$0.id, $0.n] }
                #expect(found == [[2, 30], [1, 14]], "\(late) \(order): \(device.shown)")
            }
        }
    }

    /// The same for one counter that was something else meanwhile.
    @Test func aCounterThatIsOneAgainIsCorrectedOnce() {
        for order in Self.orders {
            var devices = Device.household(3, rules(["/n": MergeRule(.counter)]), sharing: #"{"n":10,"d":1}"#)
            devices[0].save(#"{"n":20,"d":1}"#)
            settle(&devices)
            devices[0].change(to: rules(["/n": MergeRule(.latest)]))
            devices[0].save(#"{"n":15,"d":1}"#)
            settle(&devices)
            for index in 0...1 { devices[index].change(to: rules(["/n": MergeRule(.counter)])) }
            devices[0].save(#"{"n":17,"d":1}"#)
            Self.meet(&devices, in: order)
            for device in devices { #expect(device.value["n"] == 17, "\(order): \(device.shown)") }
        }
    }

    // MARK: What cannot be counted

    /// A device played at a position, and later in the element that has this position now. The one that changed the rules took
    /// its former amounts off, so that of the later ones it cannot be told what counts.
    @Test func whatIsSwallowedIsSaid() {
        var devices = Device.household(
            2, Self.ruleSet(.position), sharing: Self.save([Self.element(1, 10), Self.element(2, 20)]))
        devices[1].save(Self.save([Self.element(1, 12), Self.element(2, 20)]))
        settle(&devices)
        devices[0].change(to: Self.ruleSet(.key))
        devices[0].save(Self.save([Self.element(2, 20), Self.element(1, 12)]))
        settle(&devices)
        devices[1].save(Self.save([Self.element(2, 25), Self.element(1, 12)]))
        devices[0].change(to: Self.ruleSet(.position))
        for _ in 0..<2 { settle(&devices) }
        #expect(devices[1].uncounted == [DocumentPath([.member("x"), .index(0), .member("n")])])
        for device in devices {
            let found = Self.elements(device) ?? []
            #expect(found.map(\.id) == [2, 1] && found[0].n <= 25 && found[1].n == 12, "\(device.shown)")
        }
    }

    /// A device played at a position before it heard of the keys, and the one that brings positions back, in another order, has
    /// not heard of that.
    @Test func whatWentAlongDoesNotCountAtItsFormerPositionAsWell() {
        var devices = Device.household(
            2, Self.ruleSet(.position), sharing: Self.save([Self.element(1, 10), Self.element(2, 20)]))
        devices[1].save(Self.save([Self.element(1, 13), Self.element(2, 20)]))
        devices[0].change(to: Self.ruleSet(.key))
        devices[1].pull(devices[0])
        devices[1].project()
        devices[0].save(Self.save([Self.element(2, 20), Self.element(1, 10)]))
        devices[0].change(to: Self.ruleSet(.position))
        for _ in 0..<2 { settle(&devices) }
        for device in devices {
            let found = Self.elements(device)?.map { [$0.id, $0.n] }
            #expect(found == [[2, 20], [1, 13]] && device.uncounted.isEmpty, "\(device.shown)")
        }
    }
}
