import HouseholdSimulation
import LosslessJSON
import MergeCore
import RuleFile
import SaveOracle
import Testing

/// What *Merge rules* says each rule does to a save of one writer, to saves of two, and to what is removed, lowered or
/// reset, is what the merge of two files does, what two devices do, and what the model of the oracle expects.
@Suite struct LawTableTests {
    @Test(arguments: LawRow.all) func mergesOfFilesAreAsTheTableSays(_ row: LawRow) throws {
        let set = try RuleSet(yaml: row.yaml)
        // Files alone know of no reset.
        for example in row.examples where !example.isReset {
            let saves = Scene(example)
            for isSwapped in [false, true] {
                let (a, b) = isSwapped ? (saves.b, saves.a) : (saves.a, saves.b)
                // What a rule cannot read stays in the file of who wrote it.
                if example.word == .notRead, !isSwapped, example.results[0] == example.results[1] { continue }
                let times: (WallTime, WallTime) = isSwapped ? (3_000, 2_000) : (2_000, 3_000)
                let merge = try ThreeWayMerge(
                    a: .init(Self.document(a), time: times.0), b: .init(Self.document(b), time: times.1),
                    base: .init(Self.document(saves.start), time: 0), rules: set)
                let wanted = saves.results[isSwapped ? 1 : 0]
                let found = String(decoding: merge.bytes, as: UTF8.self)
                #expect(same(JSON(found), JSON(wanted)), "\(example): \(found), by file \(isSwapped ? "B" : "A")")
                #expect(merge.questions.isEmpty != (example.word == .asked), "\(example): \(merge.questions)")
                #expect(merge.unreadable.isEmpty != (example.word == .notRead), "\(example): \(merge.unreadable)")
                #expect(merge.lowered.isEmpty != (example.word == .named), "\(example): \(merge.lowered)")
                // Of a value and its removal there is nothing to choose.
                let isOpen = merge.decisions.contains { $0.rule.merge == .choice && $0.a != nil && $0.b != nil }
                #expect(isOpen == (example.word == .open), "\(example): \(merge.decisions)")
            }
        }
    }

    @Test(arguments: LawRow.all) func twoDevicesDoAsTheTableSays(_ row: LawRow) throws {
        let machines = try TwoMachines()
        let set = try RuleSet(yaml: row.yaml)
        let scenes = row.examples.enumerated().map { (name: "save \($0)", example: $1, scene: Scene($1)) }
        for (name, _, scene) in scenes { try machines.share(scene.start, as: name, under: set) }
        for (name, example, scene) in scenes where example.isOfOne {
            if example.isReset {
                try machines.reset(name, LawRow.scope, on: 0)
            } else {
                machines.save(scene.a, as: name, on: 0)
            }
        }
        machines.household.run(milliseconds: 10_000)
        machines.part(true)
        for (name, example, scene) in scenes where !example.isOfOne {
            machines.save(scene.a, as: name, on: 0)
            machines.save(scene.b, as: name, on: 1)
        }
        machines.part(false)
        for (name, example, scene) in scenes {
            for device in [0, 1] {
                let found = machines.text(name, device) ?? "nothing"
                #expect(
                    same(JSON(found), JSON(scene.results[device])),
                    "\(example): \(found), on \(machines.devices[device].name)")
            }
            let words = [0, 1].map { machines.words(name, $0) }
            func said(_ isSo: (TwoMachines.Words) -> Bool) -> Bool { words.contains(where: isSo) }
            #expect(said { !$0.asked.isEmpty } == (example.word == .asked), "\(example): \(words)")
            #expect(said { !$0.notRead.isEmpty } == (example.word == .notRead), "\(example): \(words)")
            #expect(said { $0.namesLowered } == (example.word == .named), "\(example): \(words)")
            let waits = example.word == .open || example.word == .owed
            #expect(said { !$0.choices.isEmpty } == waits, "\(example): \(words)")
            if example.word == nil { #expect(words.allSatisfy { $0.isAllWell }, "\(example): \(words)") }
        }
    }

    @Test(arguments: LawRow.all) func theModelExpectsWhatTheTableSays(_ row: LawRow) throws {
        let table = try Self.modelled(row)
        for example in row.examples {
            let scene = Scene(example)
            let documents = try [scene.start, scene.a, scene.b].map { try #require(JSON($0), "\(example)") }
            if example.isReset {
                let judge = FreshStart(
                    rules: table, former: documents[0], found: JSON(scene.results[0]), covers: { $0 == "x" })
                #expect(judge.findings.isEmpty, "\(example): \(judge.findings)")
                continue
            }
            let meanings = documents.dropFirst().map {
                SaveOracle.SaveMeaning(from: documents[0], to: $0, rules: table)
            }
            let mayBeAsked = meanings.contains(where: \.mayBeAsked)
            if [.asked, .named].contains(example.word) { #expect(mayBeAsked, "\(example)") }
            // What is taken of a question, and what is no value of a rule, is not for the model to know.
            if [.asked, .notRead].contains(example.word) { continue }
            for own in [0, 1] {
                var judge = Judge(rules: table, own: own) { side, _ in side + 2 }
                let sides = Array(documents.dropFirst())
                judge.judge(base: documents[0], sides: sides, found: JSON(scene.results[own]))
                #expect(judge.findings.isEmpty, "\(example): \(judge.findings)")
            }
        }
    }

    // MARK: What the tables hold

    @Test func theTableOfTheLawsIsThereAndHoldsExamplesInEveryCell() {
        #expect(LawRow.laws.count > 15)
        for row in LawRow.laws {
            #expect(row.faults.isEmpty, "\(row): \(row.faults)")
            #expect(row.cells.count == 3, "\(row)")
            // What is local is as written nowhere else.
            #expect(!row.cells[0].isEmpty || row.rules == ["/x: local"], "\(row)")
            #expect(row.cells[0].allSatisfy { $0.isOfOne }, "\(row)")
            #expect(row.cells[1].allSatisfy { $0.isOfOne }, "\(row)")
            #expect(!row.cells[2].isEmpty && !row.cells[2].contains { $0.isOfOne }, "\(row)")
            // In the first cell the other file is as the writer's own.
            for example in row.cells[0] {
                #expect(example.results == [example.saves[0], example.saves[0]] && example.word == nil, "\(example)")
            }
        }
        for word in LawExample.Word.allCases {
            #expect(LawRow.laws.flatMap(\.examples).contains { $0.word == word }, "\(word)")
        }
    }

    @Test func theTableOfWhatIsRemovedIsThereAndHoldsExamplesInEveryCell() {
        #expect(LawRow.removals.count > 10)
        for row in LawRow.removals {
            #expect(row.faults.isEmpty, "\(row): \(row.faults)")
            #expect(row.cells.count == 3 && !row.cells.contains { $0.isEmpty }, "\(row)")
            for (column, cell) in row.cells.enumerated() {
                #expect(cell.allSatisfy { $0.isReset == (column == 2) }, "\(row)")
            }
        }
    }

    @Test func everyRuleIsInTheTableOfWhatIsRemoved() throws {
        let rules = try Self.entries(of: LawRow.removals)
        for merge in MergeRule.Merge.allCases { #expect(rules.contains { $0.rule.merge == merge }, "\(merge)") }
    }

    @Test func everyRuleAndOptionIsInTheTableOfTheLaws() throws {
        let rules = try Self.entries(of: LawRow.laws)
        for merge in MergeRule.Merge.allCases { #expect(rules.contains { $0.rule.merge == merge }, "\(merge)") }
        for reading in MergeRule.Reading.allCases {
            #expect(rules.contains { $0.rule.reading == reading }, "\(reading)")
        }
        #expect(rules.contains { !$0.rule.none.isEmpty })
        #expect(rules.contains { $0.rule.whole })
        #expect(rules.contains { $0.rule.format != nil })
        #expect(rules.contains { $0.rule.sort != nil && $0.rule.limit != nil })
        #expect(rules.contains { $0.pattern.description.contains("[") })
        #expect(rules.contains { $0.pattern.description.contains("*") })
    }

    /// A test that can pass on anything is none.
    @Test(arguments: ["`5 → 7 ⇒ 8`", "`5 → 7 ⇒ 7` *asked*", "`5 → 3 ⇒ 3`", "`5 → 3 ⇒ 5`", "`5 → 7 and 9 ⇒ 16`"])
    func aWrongExampleIsNoticed(_ cell: String) throws {
        let row = LawRow("| `/x: max` | \(cell) | | |".dropFirst())
        try #require(row.examples.count == 1)
        withKnownIssue("the example is wrong") { try mergesOfFilesAreAsTheTableSays(row) }
        withKnownIssue("the example is wrong") { try twoDevicesDoAsTheTableSays(row) }
    }

    @Test(arguments: ["`5 → reset ⇒ 5`", "`5 → reset ⇒ 0`"])
    func aWrongExampleOfAResetIsNoticed(_ cell: String) throws {
        let row = LawRow("| `/x: max` | | | \(cell) |".dropFirst())
        try #require(row.examples.count == 1)
        withKnownIssue("the example is wrong") { try twoDevicesDoAsTheTableSays(row) }
        withKnownIssue("the example is wrong") { try theModelExpectsWhatTheTableSays(row) }
    }

    // MARK: Support

    private static func entries(of rows: [LawRow]) throws -> [RuleSet.Entry] {
        try rows.flatMap { try RuleSet(yaml: $0.yaml).entries }.filter { $0.pattern.description != "/trophies" }
    }

    /// The files of an example: beside `/x` there are a name, a day and trophies, so that there is something that
    /// neither side, or only one, touches. Where the lowered place shall be named, the game won two trophies.
    struct Scene {
        let start, a, b: String
        let results: [String]

        init(_ example: LawExample) {
            func file(_ value: String?, day: Int, name: String = "Robin", isWon: Bool = false) -> String {
                let trophies = isWon ? #"["first","tenth"]"# : "[]"
                let place = value.map { #","x":\#($0)"# } ?? ""
                return #"{"name":"\#(name)","day":\#(day)\#(place),"trophies":\#(trophies)}"#
            }
            let isWon = example.word == .named
            let other = example.isOfOne ? "Robin" : "Captain"
            start = file(example.start, day: 1)
            a = file(example.saves[0], day: 2, isWon: isWon)
            b = example.isOfOne ? start : file(example.saves[1], day: 1, name: other)
            // Of what is asked about, only that is taken up by which nothing can be lost; and a reset is no save.
            let isAsked = example.word == .asked
            let isOfB = isAsked && !example.isOfOne
            results = example.results.map {
                file($0, day: example.isReset || isAsked && !isOfB ? 1 : 2, name: isOfB ? "Robin" : other, isWon: isWon)
            }
        }
    }

    private static func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

    /// The rules of a row, as the model reads them by itself.
    private static func modelled(_ row: LawRow) throws -> RuleTable {
        let rules: [(pattern: Pattern, rule: Rule)] = try row.rules.map { line in
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            try #require(parts.count == 2, "\(line)")
            return (Pattern(text: parts[0].replacing("\"", with: "")), try #require(Rule(yaml: parts[1]), "\(line)"))
        }
        return RuleTable(rules + [(pattern: Pattern(text: "/trophies"), rule: Rule(.union))])
    }
}
