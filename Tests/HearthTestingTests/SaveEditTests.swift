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
            let result = try edits.applied(to: old, rules)
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
            #expect(throws: SaveEditFault.self) { try edit.applied(to: save, .empty) }
        }
    }

    /// An element that is named by its id alone is the one that the rules tell apart by that.
    @Test func anElementIsNamedByItsIDAlone() throws {
        let rules = try RuleSet(yaml: Self.rules + "\n  /teams[number]/players[name]/goals: counter\n")
        let save = try JSONValue(
            parsing: Array(
                #"{"crew":[{"id":"oak","xp":1}],"laps":[1],"teams":[{"number":7,"players":[{"name":"a/b"}]}]}"#.utf8))
        for (short, long) in [
            (#"/crew/["oak"]/xp"#, #"/crew/[id="oak"]/xp"#), (#"/crew/["elm"]/xp"#, #"/crew/[id="elm"]/xp"#),
            (#"/teams/[7]/players/["a~1b"]/goals"#, #"/teams/[number=7]/players/[name="a~1b"]/goals"#),
        ] {
            let sum = try SaveEdit.add(short, 2).applied(to: save, rules)
            #expect(try sum == SaveEdit.add(long, 2).applied(to: save, rules) && sum != save, "\(short): \(sum.text)")
        }
        // Where the list is not there yet, it begins with that element.
        let new = try SaveEdit.add(#"/crew/["oak"]/xp"#, 2).applied(to: .object([]), rules)
        #expect(new.text == #"{"crew":[{"id":"oak","xp":2}]}"#)
        // In an object it is the name of a member.
        let named = try SaveEdit.set(#"/words/["oak"]"#, "1").applied(to: ["words": .object([])], rules)
        #expect(named.text == #"{"words":{"[\"oak\"]":1}}"#)
        #expect(throws: SaveEditFault.self) { try SaveEdit.remove(#"/laps/["oak"]"#).applied(to: save, rules) }
        #expect(throws: SaveEditFault.self) { try SaveEdit.remove(#"/crew/["oak"]"#).applied(to: save, .empty) }
    }

    /// A place is explained in whichever spelling it was printed, by a finding or by an agent.
    @Test func findingsAreExplainedByTheirPlaces() throws {
        let save = #"{"coins":1,"crew":[{"id":"o/k","xp":1}],"laps":[5],"[x=1]":2}"#
        let home = try PlainHousehold(["laptop", "deck"], rules: Self.rules, save: save, seed: 1)
        home.laptop.plays(.add(#"/crew/["o~1k"]/xp"#, 2), .add(#"/crew/[id="elm"]/xp"#, 4))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        let places = try #require(home.stage.save(1)).leaves.all.map { "\($0.place)" }
        #expect(places.contains(#"/crew/[id="o~1k"]/xp"#) && places.contains("/[x=1]"))
        for place in places { #expect(home.deck.explanation(of: place) != nil, "\(place)") }
        #expect(
            home.deck.explanation(of: #"/crew/[id="elm"]/xp"#) == home.deck.explanation(of: #"/crew/["elm"]/xp"#))
        #expect(home.deck.explanation(of: #"/crew/[id="ash"]/xp"#) == nil)
    }
}
