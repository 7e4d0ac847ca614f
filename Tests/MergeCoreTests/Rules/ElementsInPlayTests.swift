import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Elements come and go on one machine, while another one changes how the elements of the array are told apart.
@Suite struct ElementsInPlayTests {
    private static let position = rules(["/x/*/n": MergeRule(.counter)])
    private static let key = rules(["/x[id]/n": MergeRule(.counter)])
    private static let path = DocumentPath([.member("x"), .element(Array("1".utf8)), .member("n")])

    private static func save(_ elements: (id: Int, n: Int)...) -> String {
        let texts = elements.map { #"{"id":\#($0.id),"n":\#($0.n)}"# }
        return #"{"x":[\#(texts.joined(separator: ","))],"d":1}"#
    }

    /// The amounts of all elements, once all machines know the same; `nil` where one has none, or is there twice.
    private static func amounts(_ devices: inout [Device]) -> [Int: Int]? {
        for _ in 0..<3 { settle(&devices) }
        let atoms = devices[0].state.sortedAtoms
        #expect(devices.allSatisfy { $0.state.sortedAtoms == atoms && $0.value == devices[0].value })
        guard case .array(let elements)? = devices[0].value["x"] else { return nil }
        var amounts: [Int: Int] = [:]
        for element in elements {
            guard case .number(let id)? = element["id"], case .number(let n)? = element["n"], let id = Int(id.text),
                let n = Int(n.text), amounts.updateValue(n, forKey: id) == nil
            else { return nil }
        }
        return amounts
    }

    /// An element with nothing in it is put before another one: what is played in that one is not taken for the other's.
    @Test(arguments: [0, 10]) func anEmptyElementIsPutFirst(start: Int) throws {
        var devices = Device.household(2, Self.position, sharing: Self.save((1, start)))
        devices[1].save(Self.save((2, 0), (1, start + 2)))
        devices[0].save(Self.save((1, start + 5)))
        devices[0].change(to: Self.key)
        let amounts = Self.amounts(&devices)
        let found = try #require(amounts, "\(devices[0].shown)")
        #expect(found == [1: start + 5, 2: 0] && !devices[1].uncounted.isEmpty, "\(devices[0].shown)")
    }

    /// Two machines play in an element that the one with the new rules never saw.
    @Test(arguments: [0, 4]) func anElementIsMadeInPlay(n: Int) {
        var devices = Device.household(3, Self.position, sharing: Self.save((1, 10)))
        devices[1].save(Self.save((1, 10), (3, n)))
        devices[2].pull(devices[1])
        devices[2].project()
        devices[2].save(Self.save((1, 10), (3, n + 1)))
        devices[1].save(Self.save((1, 10), (3, n + 2)))
        devices[0].save(Self.save((1, 11)))
        devices[0].change(to: Self.key)
        let found = Self.amounts(&devices)
        #expect(found == [1: 11, 3: n + 3], "\(devices[0].shown)")
    }

    /// One machine takes an element out, or puts one in, and plays on in another one.
    @Test(arguments: [false, true], [false, true]) func elementsComeAndGo(toKey: Bool, isPutIn: Bool) throws {
        let (former, current) = toKey ? (Self.position, Self.key) : (Self.key, Self.position)
        var devices = Device.household(2, former, sharing: Self.save((1, 10), (2, 20)))
        devices[1].save(isPutIn ? Self.save((3, 1), (1, 10), (2, 25)) : Self.save((2, 25)))
        devices[0].change(to: current)
        let amounts = Self.amounts(&devices)
        let found = try #require(amounts, "\(devices[0].shown)")
        #expect(found[2] == 25 && found[1] ?? 10 == 10 && found[3] ?? 1 == 1, "\(devices[0].shown)")
        if isPutIn { #expect(found.count == 3, "\(devices[0].shown)") }
    }

    /// An element that one machine removes, and another one has played in, comes back whole.
    @Test func aRemovedElementComesBackWhole() throws {
        var devices = Device.household(2, Self.position, sharing: Self.save((1, 2), (2, 5)))
        devices[0].change(to: Self.key)
        devices[1].save(Self.save((1, 7), (2, 5)))
        devices[1].save(Self.save((2, 5)))
        devices[0].save(Self.save((1, 2), (2, 10)))
        devices[0].save(Self.save((1, 2)))
        let amounts = Self.amounts(&devices)
        let found = try #require(amounts, "\(devices[0].shown)")
        #expect(found[2] ?? 10 == 10, "\(devices[0].shown)")
    }

    /// Two machines give the key apart, of which one had put an element before the others: nothing counts twice.
    @Test(arguments: [[0, 1], [1, 0]]) func twoMachinesGiveTheKeyAfterAnInsertion(order: [Int]) {
        var devices = Device.household(2, Self.position, sharing: Self.save((1, 65), (2, 65)))
        devices[1].save(Self.save((10, 4), (1, 65), (2, 65)))
        for index in order { devices[index].change(to: Self.key) }
        let found = Self.amounts(&devices)
        #expect(found == [1: 65, 2: 65, 10: 4], "\(devices[0].shown)")
    }

    /// A bad member writes a start as far above all others as one may be. What is corrected then is taken by the others.
    @Test(arguments: [3, 300]) func aForgedStartRefusesNoWrite(amount: Int) {
        var devices = Device.household(2, Self.position, sharing: Self.save((1, 10), (2, 20)))
        let forger = replica(66)
        let last = EpochID(
            number: 0, kind: .beginning, stamp: Stamp(rawValue: 0), origin: ReplicaID(high: 0, low: 1 << 20 + 1))
        let forged = KeyedAtom(
            AtomKey(Self.path, .counter),
            Atom(.baseline(ExactDecimal(amount)), Dot(replica: forger, sequence: 1), epoch: last))
        #expect(devices[0].state.refusal(of: [forged]) == nil)
        var vector = devices[0].state.vector
        vector.advance(forger, to: VersionVector.Entry(sequence: 1, history: 0))
        devices[0].state.join([forged], vector: vector)
        devices[0].touched = nil
        let before = devices[0].state.vector
        devices[0].change(to: Self.key)
        devices[0].save(Self.save((1, max(amount, 10) + 1), (2, 20)))
        let written = devices[0].state.delta(beyond: before)
        #expect(!written.isEmpty && devices[1].state.refusal(of: written) == nil)
        let found = Self.amounts(&devices)
        #expect(found?[2] == 20 && found?[1] ?? 0 >= 11, "\(devices[0].shown)")
    }
}
