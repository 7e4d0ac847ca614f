import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// An ancestor merged with its descendant is the descendant, value for value and number spelling for number spelling;
/// unless the descendant lost over half of it, which is a question.
struct DescendantTests {
    @Test(arguments: 0..<TestDepth.count(quick: 150, usual: 300, all: 600)) func descendant(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let ancestor = Self.value(&random, depth: 4)
        let descendant = Self.edited(ancestor, &random)
        let (old, new) = (Self.text(ancestor), Self.text(descendant))
        guard try merging(new, old, base: old).questions.isEmpty else { return }
        for result in [try merge(old, new, base: old), try merge(new, old, base: old)] {
            let document = document(result)
            let value = document.value(document.root)
            #expect(value == descendant, "from \(old) to \(new): \(result)")
            #expect(Self.spelled(value) == Self.spelled(descendant), "from \(old) to \(new): \(result)")
        }
        // Nothing is disturbed where nothing changed.
        #expect(try merge(new, old, base: old) == new)
    }

    /// Few of the random pairs are questions, so the test above looks at most of them.
    @Test func mostDescendantsAreNoQuestions() throws {
        var questions = 0
        for seed in 0..<600 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let ancestor = Self.value(&random, depth: 4)
            let (old, new) = (Self.text(ancestor), Self.text(Self.edited(ancestor, &random)))
            if try !merging(new, old, base: old).questions.isEmpty { questions += 1 }
        }
        #expect(questions < 200)
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.jsonBytes, as: UTF8.self) }

    /// Numbers as they are spelled, members in one order.
    private static func spelled(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): .string(JSONString("#" + number.text))
        case .array(let elements): .array(elements.map(spelled))
        case .object(let members): .object(members.map { JSONMember(key: $0.key, value: spelled($0.value)) })
        default: value
        }
    }

    private static let numbers = [
        "0", "-0", "1", "1.0", "1e0", "10E-1", "100", "1e2", "12345678901234567890.5", "3.50", "-7",
    ]
    private static let names: [JSONString] = ["a", "b", "", "#rules", "a/b", "~", "é", "e\u{301}", "0", "long name"]

    private static func value(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 11 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .string(names.randomElement(using: &random)!)
        case 3, 4, 5: return .number(JSONNumber(text: numbers.randomElement(using: &random)!)!)
        case 6, 7:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth - 1) })
        default:
            let keys = names.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
            return .object(keys.map { JSONMember(key: $0, value: value(&random, depth: depth - 1)) })
        }
    }

    private static func edited(_ value: JSONValue, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return Self.value(&random, depth: 3)
        case 1: return value
        default: break
        }
        switch value {
        case .number(let number):
            // Now and then only the spelling changes.
            let same = numbers.filter { JSONNumber(text: $0) == number }
            return .number(JSONNumber(text: (same + numbers).randomElement(using: &random)!)!)
        case .array(var elements):
            for index in elements.indices { elements[index] = edited(elements[index], &random) }
            if Bool.random(using: &random) { elements.append(Self.value(&random, depth: 1)) }
            if Bool.random(using: &random), !elements.isEmpty { elements.removeFirst() }
            return .array(elements)
        case .object(var members):
            for index in members.indices { members[index].value = edited(members[index].value, &random) }
            if Bool.random(using: &random), !members.isEmpty { members.removeLast() }
            if let key = names.first(where: { name in !members.contains { $0.key == name } }),
                Bool.random(using: &random)
            {
                members.append(JSONMember(key: key, value: Self.value(&random, depth: 2)))
            }
            return .object(members)
        default: return Self.value(&random, depth: 1)
        }
    }
}
