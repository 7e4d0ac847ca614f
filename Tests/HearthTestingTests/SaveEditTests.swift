import LosslessJSON
import MergeCore
import RuleFile
import TestSupport
import Testing

@testable import HearthTesting

/// Edits that are found between two saves make one of them the other.
@Suite struct SaveEditTests {
    private static let rules = """
        rules:
          /coins: counter
          /price: counter
          /themes: union
          /friends: set
          /laps/*: min
          /crew[id]/xp: counter
          /state: {merge: latest, whole: true}
        """

    private func save(_ random: inout SeededRandom) -> JSONValue {
        func word(_ random: inout SeededRandom) -> JSONValue {
            .string(JSONString(random.pick(["oak", "elm", "a/b", "~", "x"])))
        }
        var members: [JSONMember] = [
            JSONMember(key: "coins", value: .number(JSONNumber(random.below(50)))),
            JSONMember(key: "price", value: .string(JSONString("\(random.below(9)).5"))),
        ]
        if random.chance(70) {
            let friends = Set((0..<random.below(4)).map { _ in word(&random) })
            members.append(JSONMember(key: "friends", value: .array(friends.sorted { $0.text < $1.text })))
        }
        if random.chance(70) {
            members.append(
                JSONMember(key: "laps", value: .array((0..<random.below(3)).map { .number(JSONNumber($0)) })))
        }
        if random.chance(70) {
            let ids = Set((0..<random.below(4)).map { _ in word(&random) }).sorted { $0.text < $1.text }
            let crew = ids.map { id -> JSONValue in ["id": id, "xp": .number(JSONNumber(random.below(9)))] }
            members.append(JSONMember(key: "crew", value: .array(crew)))
        }
        if random.chance(50) { members.append(JSONMember(key: "state", value: ["a": [word(&random)], "b": .null])) }
        return .object(members)
    }

    @Test func editsLeadFromOneSaveToTheOther() throws {
        let rules = try RuleSet(yaml: Self.rules)
        var random = SeededRandom(seed: 5)
        let fault = try firstFault(in: 1...TestDepth.count(quick: 200, usual: 2_000, all: 20_000)) { _ in
            let (old, new) = (save(&random), save(&random))
            let edits = SaveChanges(from: old, to: new, rules).edits
            let result = try edits.applied(to: old)
            let isSame = SharedSave(result, rules) == SharedSave(new, rules)
            return isSame ? nil : "\(old.text) → \(new.text) by \(edits) is \(result.text)"
        }
        #expect(fault == nil, "\(fault ?? "")")
    }

    @Test func placesAreReadAsTheyAreWritten() throws {
        for text in ["", "/coins", "/a~1b/~0", #"/crew/[id="o~1k"]/level"#, "/laps/0", "/[x", #"/[id="#] {
            let place = try #require(SavePlace(parsing: text))
            #expect("\(place)" == text)
            #expect(SavePlace(parsing: "\(place)") == place)
        }
        #expect(SavePlace(parsing: "coins") == nil)
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        let save: JSONValue = ["name": "Ada"]
        for edit in [SaveEdit.add("/name", 1), .set("/x", "{"), .add("/x", "many"), .set("x", "1")] {
            #expect(throws: SaveEditFault.self) { try edit.applied(to: save) }
        }
    }
}
