import LosslessJSON
import MergeCore
import Testing

/// Every step, there and back.
struct MigrationStepTests {
    struct Case: CustomTestStringConvertible {
        let step: MigrationStep
        let before: String
        let after: String
        /// What comes back without the save from before, where that is not the same text.
        var back: String?

        var testDescription: String { "\(step.word): \(before)" }
    }

    static let cases = [
        Case(
            step: .rename(at("/hp"), to: "health"),
            before: #"{ "h\u0070" : 1.0,"v":"1" }"#,
            after: #"{ "health" : 1.0,"v":"2" }"#,
            back: #"{ "hp" : 1.0,"v":"1" }"#
        ),
        Case(
            step: .rename(at("/levels/*/s"), to: "stars"),
            before: #"{"v":"1","levels":{"a":{"s":1},"b":{},"c":{"s":2}}}"#,
            after: #"{"v":"2","levels":{"a":{"stars":1},"b":{},"c":{"stars":2}}}"#
        ),
        Case(
            step: .rename(at("/bag[id]/n"), to: "count"),
            before: #"{"v":"1","bag":[{"id":1,"n":2},{"id":2}]}"#,
            after: #"{"v":"2","bag":[{"id":1,"count":2},{"id":2}]}"#
        ),
        Case(
            step: .move(pointer("/coins"), to: pointer("/wallet/coins")),
            before: #"{"coins": [ 1.50, "\u00e9" ], "v": "1"}"#,
            after: #"{"v": "2", "wallet": {"coins": [ 1.50, "\u00e9" ]}}"#,
            back: #"{"v": "1", "wallet": {}, "coins": [ 1.50, "\u00e9" ]}"#
        ),
        Case(
            step: .copy(pointer("/name"), to: pointer("/profile/name")),
            before: #"{"v":"1","name":"A\/B","profile":{}}"#,
            after: #"{"v":"2","name":"A\/B","profile":{"name":"A\/B"}}"#
        ),
        Case(
            step: .fill(at("/volume"), value: 5),
            before: #"{"v":"1"}"#,
            after: #"{"v":"2","volume":5}"#,
            back: #"{"v":"1","volume":5}"#
        ),
        Case(
            step: .fill(at("/levels/*/best/lap"), value: .null),
            before: #"{"v":"1","levels":{"a":{},"b":{"best":{"lap":3}}}}"#,
            after: #"{"v":"2","levels":{"a":{"best":{"lap":null}},"b":{"best":{"lap":3}}}}"#,
            back: #"{"v":"1","levels":{"a":{"best":{"lap":null}},"b":{"best":{"lap":3}}}}"#
        ),
        Case(
            step: .map(at("/hard"), [.init(true, "hard"), .init(false, "normal")]),
            before: #"{"v":"1","hard":true}"#,
            after: #"{"v":"2","hard":"hard"}"#
        ),
        Case(
            step: .map(at("/m/*"), [.init(0, "off"), .init(1, "on")]),
            before: #"{"v":"1","m":[0,1,7]}"#,
            after: #"{"v":"2","m":["off","on",7]}"#
        ),
        Case(
            step: .wrap(at("/coins"), as: "amount"),
            before: #"{"coins" : 1e2,"v":"1"}"#,
            after: #"{"coins" : {"amount": 1e2},"v":"2"}"#
        ),
        Case(
            step: .wrap(at(""), as: "game"),
            before: #"{"v":"1","a":1}"#,
            after: #"{"game": {"v":"1","a":1},"v": "2"}"#
        ),
        Case(
            step: .split(at("/at"), by: ",", into: ["x", "y"], asNumbers: true),
            before: #"{"v":"1", "at": "1.50,-2", "z": 0}"#,
            after: #"{"v":"2", "x": 1.50, "y": -2, "z": 0}"#
        ),
        Case(
            step: .split(at("/at"), by: "é", into: ["at", "to"], asNumbers: false),
            before: #"{"v":"1","at":"aéb"}"#,
            after: #"{"v":"2","at":"a","to":"b"}"#
        ),
        Case(
            step: .split(at("/p/*/at"), by: nil, into: ["x", "y"], asNumbers: false),
            before: #"{"v":"1","p":[{"at":[1,"a"]},{"at":[2,{}]}]}"#,
            after: #"{"v":"2","p":[{"x":1,"y":"a"},{"x":2,"y":{}}]}"#
        ),
        Case(
            step: .compensate(pointer("/coins"), add: JSONNumber(500), for: nil),
            before: #"{"v":"1","coins":10}"#,
            after: #"{"v":"2","coins":510}"#
        ),
        Case(
            step: .compensate(pointer("/coins"), add: JSONNumber(5), for: nil),
            before: #"{"v":"1","coins":"99999999999999999999"}"#,
            after: #"{"v":"2","coins":"100000000000000000004"}"#
        ),
        Case(
            step: .compensate(pointer("/purse/coins"), add: JSONNumber(5), for: nil),
            before: #"{"v":"1"}"#,
            after: #"{"v":"2","purse":{"coins":5}}"#,
            back: #"{"v":"1","purse":{"coins":0}}"#
        ),
        Case(step: .require(at("/level"), .number), before: #"{"v":"1","level":3}"#, after: #"{"v":"2","level":3}"#),
        Case(
            step: .require(at("/levels/*/n"), nil),
            before: #"{"v":"1","levels":{}}"#,
            after: #"{"v":"2","levels":{}}"#
        ),
    ]

    @Test(arguments: cases) func aStepThereAndBack(_ test: Case) {
        let rules = stepping(test.step)
        let there = Migration.run(document(test.before), rules: rules)
        #expect(there.string == test.after, "\(there.report.errors)")
        #expect(there.report.sizeAfter == test.after.utf8.count)
        let back = Migration.rollBack(document(test.after), rules: rules, to: "1")
        #expect(back.string == test.back ?? test.before, "\(back.report.errors)")
        let exact = Migration.rollBack(document(test.after), rules: rules, to: "1", former: document(test.before))
        #expect(exact.string == test.before, "\(exact.report.errors)")
    }

    @Test func whatIsRemovedIsListedAndDoesNotComeBack() {
        let rules = stepping(.remove(at("/old/*")))
        let there = Migration.run(document(#"{"v":"1","old":{"a":1,"b":[2]},"c":3}"#), rules: rules)
        #expect(there.string == #"{"v":"2","old":{},"c":3}"#)
        #expect(there.report.dropped.map(\.place.description) == ["/old/a", "/old/b"])
        #expect(there.report.dropped.map(\.value) == [1, [2]])
        #expect(there.outcomes == [.done(2)])
        let back = Migration.rollBack(document(#"{"v":"2","old":{},"c":3}"#), rules: rules, to: "1")
        #expect(back.text == nil)
        #expect(back.report.errors.first?.hasPrefix("the step \"remove /old/*\" (1 to 2) stands in the way") == true)
        // Nothing was removed on the way forward, so nothing stands in the way.
        let former = document(#"{"v":"1","c":3}"#)
        let free = Migration.rollBack(document(#"{"v":"2","c":4}"#), rules: rules, to: "1", former: former)
        #expect(free.string == #"{"v":"1","c":4}"#)
    }

    @Test func aMapThatGivesTwoValuesOneNameStandsInTheWay() {
        let rules = stepping(.map(at("/d"), [.init(1, "easy"), .init(2, "easy")]))
        let back = Migration.rollBack(document(#"{"v":"2","d":"easy"}"#), rules: rules, to: "1")
        #expect(back.text == nil && back.report.errors.count == 1)
    }

    @Test func aValueThatAMapDoesNotListStaysAndIsListed() {
        let rules = stepping(.map(at("/d"), [.init(true, "hard")]))
        let save = document(#"{"v":"1","d":"hard"}"#)
        let there = Migration.run(save, rules: rules)
        #expect(there.string == #"{"v":"2","d":"hard"}"# && there.report.unmapped.map(\.value) == ["hard"])
        // It was no bool before, and is none afterwards.
        let back = Migration.rollBack(document(#"{"v":"2","d":"hard"}"#), rules: rules, to: "1", former: save)
        #expect(back.string == #"{"v":"1","d":"hard"}"#)
    }

    @Test func aGrantIsForWhatWasDroppedOnly() {
        let steps: [MigrationStep] = [
            .remove(at("/bag/sword")),
            .compensate(pointer("/coins"), add: JSONNumber(500), for: pointer("/bag/sword/id")),
        ]
        let rules = versioned([Migration(from: "1", to: "2", steps: steps)])
        let had = Migration.run(document(#"{"v":"1","bag":{"sword":{"id":7}},"coins":1}"#), rules: rules)
        #expect(had.string == #"{"v":"2","bag":{},"coins":501}"#)
        let hadNot = Migration.run(document(#"{"v":"1","bag":{"sword":{}},"coins":1}"#), rules: rules)
        #expect(hadNot.string == #"{"v":"2","bag":{},"coins":1}"# && hadNot.outcomes == [.done(1), .done(0)])
    }

    @Test func aSpentGrantIsTakenBackDownToZero() {
        let rules = stepping(.compensate(pointer("/coins"), add: JSONNumber(500), for: nil))
        let back = Migration.rollBack(document(#"{"v":"2","coins":20}"#), rules: rules, to: "1")
        #expect(back.string == #"{"v":"1","coins":0}"#)
    }

    @Test func whatAStepFoundThereIsNotTakenForItsWork() {
        let rules = stepping(
            .rename(at("/hp"), to: "health"),
            .fill(at("/volume"), value: 5),
            .move(pointer("/a"), to: pointer("/b")),
            .copy(pointer("/c"), to: pointer("/d"))
        )
        let save = #"{"v":"1","health":1,"volume":5,"b":2,"d":4}"#
        let there = Migration.run(document(save), rules: rules)
        #expect(there.outcomes == Array(repeating: .done(0), count: 4))
        let played = document(#"{"v":"2","health":3,"volume":5,"b":2,"d":4}"#)
        let back = Migration.rollBack(played, rules: rules, to: "1", former: document(save))
        #expect(back.string == #"{"v":"1","health":3,"volume":5,"b":2,"d":4}"#)
    }

    static let faults: [(MigrationStep, String, String)] = [
        (.rename(at("/a"), to: "b"), #"{"v":"1","a":1,"b":2}"#, "there is a member \"b\" beside \"/a\" already"),
        (.rename(at("/a/*"), to: "b"), #"{"v":"1","a":{"x":1,"y":2}}"#, "the save would be no JSON after it"),
        (.rename(at("/a/0"), to: "b"), #"{"v":"1","a":[1]}"#, "is an element of a list"),
        (.move(pointer("/a"), to: pointer("/b")), #"{"v":"1","a":1,"b":2}"#, "there is something at \"/b\" already"),
        (.move(pointer("/a/0"), to: pointer("/b")), #"{"v":"1","a":[1]}"#, "is an element of a list"),
        (.copy(pointer("/a"), to: pointer("/b/c")), #"{"v":"1","a":1,"b":2}"#, "\"/b\" is no object"),
        (.fill(at("/a/b"), value: 1), #"{"v":"1","a":[]}"#, "\"/a\" is no object"),
        (
            .split(at("/a"), by: ",", into: ["x", "y"], asNumbers: true), #"{"v":"1","a":"1,02"}"#,
            "is no number that JSON"
        ),
        (.split(at("/a"), by: ",", into: ["x", "y"], asNumbers: false), #"{"v":"1","a":"1"}"#, "1 parts where 2"),
        (.split(at("/a"), by: ",", into: ["x", "y"], asNumbers: false), #"{"v":"1","a":"1,2","y":0}"#, "member \"y\""),
        (.split(at("/a"), by: nil, into: ["x", "y"], asNumbers: false), #"{"v":"1","a":7}"#, "is no list"),
        (.compensate(pointer("/a"), add: JSONNumber(1), for: nil), #"{"v":"1","a":"x"}"#, "is no number"),
        (.compensate(pointer("/a"), add: JSONNumber(1), for: nil), #"{"v":"1","a":1e2000}"#, "more than 1000 digits"),
        (.require(at("/a/b"), nil), #"{"v":"1","a":{}}"#, "\"/a/b\" is missing"),
        (.require(at("/a"), .bool), #"{"v":"1","a":0}"#, "\"/a\" is no bool"),
        (.require(at("/l/*/n"), .number), #"{"v":"1","l":[{"n":1},{}]}"#, "\"/l/1/n\" is missing"),
    ]

    @Test(arguments: faults.indices) func aStepThatCannotBeDoneChangesNothing(_ index: Int) {
        let (step, save, says) = Self.faults[index]
        let result = Migration.run(document(save), rules: stepping(step))
        #expect(result.text == nil && result.report.errors.count == 1)
        #expect(result.report.errors.first?.contains(says) == true, "\(result.report.errors)")
        #expect(result.report.errors.first?.hasPrefix("the step \"\(step.word) \(step.path)\" (1 to 2): ") == true)
        #expect(result.report.sizeAfter == save.utf8.count)
    }
}
