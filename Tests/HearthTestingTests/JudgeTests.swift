import LosslessJSON
import MergeCore
import RuleFile
import Testing

@testable import HearthTesting

/// The checkers by themselves: what is wrong is found, and what is right is not.
@Suite struct JudgeTests {
    private static let rules = """
        rules:
          /coins: counter
          /level: max
          /themes: union
          /friends: set
          /done: flag
          /volume: local
        """

    private static let base =
        #"{"coins":100,"level":3,"themes":["a"],"friends":["x","y"],"done":false,"volume":1,"name":"Ada"}"#

    private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    private func parsed(_ text: String) throws -> ParsedSave {
        ParsedSave(try value(text), try RuleSet(yaml: Self.rules))
    }

    /// What is found where each device wrote one save of its own, and all files hold the same in the end.
    private func kinds(_ written: [String?], _ found: String, files: [String]? = nil) throws -> [HouseholdFinding.Kind]
    {
        let base = try parsed(Self.base)
        var round = Round(before: written.map { _ in base })
        for (device, text) in written.enumerated() {
            guard let text else { continue }
            round.plays.append(
                Round.Play(device: device, read: base, shown: base, written: try parsed(text), time: 0))
        }
        let all = try (files ?? written.map { _ in found }).map { try parsed($0) }
        var judge = Judge(
            names: ["laptop", "deck"], rules: try RuleSet(yaml: Self.rules), round: round, files: all)
        judge.judgeConvergence()
        judge.judgeIdentity()
        judge.judgePlaces()
        return judge.findings.map(\.kind)
    }

    private func save(_ changes: (String, String)...) -> String {
        changes.reduce(Self.base) { $0.replacing($1.0, with: $1.1) }
    }

    @Test func whatIsRightIsNotFound() throws {
        #expect(try kinds([nil, nil], Self.base) == [])
        #expect(try kinds([save(("100", "130")), save(("100", "20"))], save(("100", "50"))) == [])
        #expect(
            try kinds(
                [save((#""level":3"#, #""level":9"#)), save((#""level":3"#, #""level":5"#))],
                save((#""level":3"#, #""level":9"#))) == [])
        #expect(
            try kinds(
                [save((#"["a"]"#, #"["a","b"]"#)), save((#"["a"]"#, #"["a","c"]"#))],
                save((#"["a"]"#, #"["c","a","b"]"#))) == [])
        #expect(
            try kinds(
                [save((#""x","y""#, #""x""#)), save((#""x","y""#, #""x","y","z""#))], save((#""x","y""#, #""x","z""#)))
                == [])
        #expect(try kinds([save(("Ada", "Bo")), save(("Ada", "Cy"))], save(("Ada", "Cy"))) == [])
    }

    @Test func anAmountThatIsLost() throws {
        let wrong = try kinds([save(("100", "130")), save(("100", "20"))], save(("100", "20")))
        #expect(wrong == [.lost, .lost])
    }

    @Test func anAmountThatCountsTwice() throws {
        let wrong = try kinds(
            [save(("100", "130")), save((#"["a"]"#, #"["a","b"]"#))], save(("100", "160"), (#"["a"]"#, #"["a","b"]"#)))
        #expect(wrong == [.invented, .invented])
    }

    @Test func anElementThatIsLostOrComesBack() throws {
        let lost = try kinds([save((#"["a"]"#, #"["a","b"]"#)), save(("Ada", "Bo"))], save(("Ada", "Bo")))
        #expect(lost == [.lost, .lost])
        let lostFriend = try kinds([save((#""x","y""#, #""x","y","z""#)), save(("Ada", "Bo"))], save(("Ada", "Bo")))
        #expect(lostFriend == [.lost, .lost])
    }

    @Test func aValueThatNobodyWrote() throws {
        let wrong = try kinds([save(("Ada", "Bo")), save(("Ada", "Cy"))], save(("Ada", "Di")))
        #expect(wrong == [.invented, .invented])
    }

    @Test func aFlagThatFalls() throws {
        let wrong = try kinds([save(("false", "true")), save(("Ada", "Bo"))], save(("Ada", "Bo")))
        #expect(wrong == [.place, .place])
    }

    @Test func oneWriterIsEverywhere() throws {
        #expect(try kinds([save(("Ada", "Bo")), nil], save(("Ada", "Bo"))) == [])
        #expect(try kinds([save(("Ada", "Bo")), nil], Self.base).contains(.identity))
    }

    @Test func filesThatDiffer() throws {
        let files = [save(("Ada", "Bo")), Self.base]
        #expect(try kinds([nil, nil], "", files: files).contains(.converged))
        // What is a device's own may differ, and so may the order of a set.
        let others = [Self.base, save((#""volume":1"#, #""volume":9"#), (#""x","y""#, #""y","x""#))]
        #expect(try kinds([nil, nil], "", files: others) == [])
    }

    /// One game made an object of a value that another one changed: one of both is lost, and nobody can say which. What
    /// else was written is judged.
    @Test func aValueAgainstAContainer() throws {
        let (object, text) = (save((#""Ada""#, #"{"first":"Ada"}"#)), save(("Ada", "Bo")))
        #expect(try kinds([object, text], text) == [])
        #expect(try kinds([object, text], object) == [])
        let more = save((#""Ada""#, #"{"first":"Ada"}"#), ("100", "130"))
        #expect(try kinds([more, text], text) == [.lost, .lost])
    }

    /// A container of what is each device's own may be empty elsewhere, or missing.
    @Test func whatHoldsOnlyWhatIsADevicesOwn() throws {
        let rules = try RuleSet(yaml: "rules:\n  /settings/volume: local\n")
        let texts = [#"{"a":1,"settings":{"volume":5}}"#, #"{"a":1,"settings":{}}"#, #"{"a":1}"#]
        let alike = Set(try texts.map { SharedSave(try value($0), rules) })
        #expect(alike.count == 1)
        let others = [#"{"a":{}}"#, #"{}"#, #"{"settings":{"name":"x"}}"#]
        let unlike = Set(try others.map { SharedSave(try value($0), rules) })
        #expect(unlike.count == 3)
    }

    /// Of two names that were written apart the later one stays, where the clocks of both were right and no name was saved
    /// under a wrong one before.
    @Test func theLaterOfTwoByRightClocks() throws {
        let (base, bo, cy) = (try parsed(Self.base), try parsed(save(("Ada", "Bo"))), try parsed(save(("Ada", "Cy"))))
        func kinds(
            _ found: ParsedSave, _ times: (Int64, Int64), after last: Int64? = nil, _ clocks: WrongClocks = .init()
        ) throws -> [HouseholdFinding.Kind] {
            var round = Round(before: [base, base])
            round.clocks = clocks
            round.plays = [
                Round.Play(device: 0, read: base, shown: base, written: bo, time: times.0),
                Round.Play(device: 1, read: base, shown: base, written: cy, time: times.1),
            ]
            if let last {
                let more = try parsed(save(("Ada", "Bo"), (#""level":3"#, #""level":4"#)))
                round.plays.append(Round.Play(device: 0, read: bo, shown: bo, written: more, time: last))
            }
            var judge = Judge(
                names: ["laptop", "deck"], rules: try RuleSet(yaml: Self.rules), round: round, files: [found, found])
            judge.judgePlaces()
            return judge.findings.filter { $0.place == "/name" }.map(\.kind)
        }
        #expect(try kinds(cy, (1, 2)) == [])
        #expect(try kinds(bo, (1, 2)) == [.place, .place])
        // At one time either is right, and so it is where the agent may have seen two saves as one.
        #expect(try kinds(bo, (2, 2)) == [])
        #expect(try kinds(bo, (1, 2), after: 3) == [])
        // A wrong clock dates what its device writes, in this round and ever after at that place.
        var wrong = WrongClocks()
        wrong.devices = [1]
        #expect(try kinds(bo, (1, 2), wrong) == [])
        var round = Round(before: [base, base])
        round.plays = [Round.Play(device: 1, read: base, shown: base, written: cy, time: 0)]
        #expect(try kinds(bo, (1, 2), wrong.after(round, [])) == [])
        #expect(try kinds(bo, (1, 2), WrongClocks().after(round, [])) == [.place, .place])
        round.plays[0] = Round.Play(device: 1, read: base, shown: base, written: base, time: 0)
        #expect(try kinds(bo, (1, 2), wrong.after(round, [])) == [.place, .place])
        round.acts = ["undo"]
        #expect(try kinds(bo, (1, 2), wrong.after(round, [])) == [])
    }

    /// Of a round with many saves from memory values are not judged: there are more ways to read it than are tried.
    @Test(arguments: [(4, 2), (5, 0)]) func savesFromMemory(count: Int, findings: Int) throws {
        let base = try parsed(Self.base)
        var round = Round(before: [base, base])
        for number in 0..<count {
            let (read, written) = (try parsed(save(("Ada", "Bo\(number)"))), try parsed(save(("Ada", "Cy\(number)"))))
            round.plays.append(Round.Play(device: 0, read: read, shown: base, written: written, time: 0))
        }
        let found = try parsed(save(("Ada", "Di")))
        var judge = Judge(
            names: ["laptop", "deck"], rules: try RuleSet(yaml: Self.rules), round: round, files: [found, found])
        judge.judgePlaces()
        #expect(judge.findings.count == findings)
    }

    /// What a game wrote that went on from an older state stands beside what was there, and the further one stays, or the
    /// later one by clocks that may be wrong; a game that had read what was there may set it back.
    @Test(
        arguments: ["{merge: furthest, by: [x]}", "latest"],
        [(3, 4, true), (3, 1, true), (4, 1, true), (4, 4, false), (3, 2, false)])
    func oneOfBothOfAGameThatHadReadLess(rule: String, _ values: (read: Int, found: Int, isRight: Bool)) throws {
        let (read, found, isRight) = values
        let rules = try RuleSet(yaml: "rules:\n  /pos: \(rule)\n")
        func save(_ x: Int) throws -> ParsedSave { ParsedSave(try value("{\"pos\":{\"x\":\(x)}}"), rules) }
        let files = try [save(found), save(found)]
        var round = Round(before: try [save(4), save(4)])
        round.plays = [Round.Play(device: 1, read: try save(read), shown: try save(4), written: try save(1), time: 0)]
        var judge = Judge(names: ["laptop", "deck"], rules: rules, round: round, files: files)
        judge.judgePlaces()
        #expect(judge.findings.isEmpty == isRight, "\(judge.findings)")
    }

    /// A side that lost against a further one comes up again where a game that never read it sets the further one back. Where
    /// the game had read it, it is replaced as well.
    @Test(arguments: [
        (true, 1, 5, true), (true, 1, 1, true), (true, 1, 6, false), (false, 1, 5, false), (true, 9, 5, false),
        (true, 9, 9, true),
    ])
    func aSideThatLostInAnEarlierRound(isFromMemory: Bool, written: Int, found: Int, isRight: Bool) throws {
        let rules = try RuleSet(yaml: "rules:\n  /pos: {merge: furthest, by: [x]}\n")
        func save(_ x: Int, day: Int = 1) throws -> ParsedSave {
            ParsedSave(try value("{\"pos\":{\"x\":\(x)},\"day\":\(day)}"), rules)
        }
        let begun = try save(4)
        var first = Round(before: [begun, begun])
        first.plays = [
            Round.Play(device: 0, read: begun, shown: begun, written: try save(7), time: 0),
            Round.Play(device: 1, read: begun, shown: begun, written: try save(5, day: 2), time: 0),
        ]
        let (shown, former) = (try save(7, day: 2), try save(7))
        var round = first.next(before: [shown, shown], wrongClocks: [])
        let read = isFromMemory ? former : shown
        round.plays = [Round.Play(device: 0, read: read, shown: shown, written: try save(written, day: 2), time: 0)]
        let files = try [save(found, day: 2), save(found, day: 2)]
        var judge = Judge(names: ["laptop", "deck"], rules: rules, round: round, files: files)
        judge.judgePlaces()
        #expect(judge.findings.isEmpty == isRight, "\(judge.findings)")
    }

    private func play(_ read: ParsedSave, _ shown: ParsedSave, _ written: String) throws -> Round.Play {
        Round.Play(device: 0, read: read, shown: shown, written: try parsed(written), time: 0)
    }

    /// A save that is as much like a content which its file had as like what its game had read may have been made on either.
    @Test func aSaveThatFitsAnotherContentAsWell() throws {
        let earlier = try parsed(Self.base)
        let shown = try parsed(save((#""level":3"#, #""level":9"#), ("100", "130")))
        func others(_ written: String) throws -> [JSONValue] {
            var play = try play(shown, shown, written)
            play.earlier = [Array(Self.base.utf8)]
            var round = Round(before: [shown, shown])
            round.plays = [play]
            return round.otherReadings { _ in earlier }.map { $0.plays[0].read.value }
        }
        #expect(try others(Self.base) == [earlier.value])
        #expect(try others(save((#""level":3"#, #""level":4"#))) == [earlier.value])
        // A place as it was read tells the other thing, and two places more than one.
        #expect(try others(save((#""level":3"#, #""level":9"#), ("100", "80"))) == [])
        #expect(try others(save((#""level":3"#, #""level":9"#), ("100", "130"))) == [])
        #expect(try others(save(("100", "130"))) == [earlier.value])
    }

    /// Where a save has several places as its game held them and none as in the file, its game had not read the file: that
    /// reading alone is tried.
    @Test func aSaveFromMemoryThatTellsIt() throws {
        let (held, shown) = (try parsed(Self.base), try parsed(save(("100", "130"), ("Ada", "Bo"))))
        func readings(_ written: String) throws -> Int {
            var round = Round(before: [held, held])
            round.plays = [try play(held, shown, written)]
            return 1 + round.otherReadings { _ in nil }.count
        }
        #expect(try readings(Self.base) == 1)
        #expect(try readings(save((#""level":3"#, #""level":9"#))) == 1)
        // A content in between may have been read as well, where the save has a place as in that.
        let inBetween = try parsed(save((#""level":3"#, #""level":9"#)))
        #expect(try play(held, shown, Self.base).isClear(among: [held, inBetween]))
        #expect(try !play(held, shown, save((#""level":3"#, #""level":9"#))).isClear(among: [held, inBetween]))
        // One place tells too little, and a place as in the file tells the other thing.
        #expect(try readings(save(("100", "90"))) == 2)
        #expect(try readings(save(("Ada", "Bo"))) == 2)
    }

    /// A game that read its file may write what the file held before: then nobody but the game knows what it had read.
    @Test func aSaveFromTheFileThatTellsIt() throws {
        let gone = (#""x","y""#, #""y""#)
        let back = save((#""x","y""#, #""y","x""#))
        let (former, shown) = (try parsed(Self.base), try parsed(save(gone)))
        let better = save(gone, (#""level":3"#, #""level":9"#))
        #expect(try play(shown, shown, better).isClear(among: [former, shown]))
        #expect(try !play(shown, shown, back).isClear(among: [former, shown]))
        #expect(try play(shown, shown, back).isClear(among: [shown]))
        // A level that was lowered is what a game that had read the former content raised.
        let far = try parsed(save((#""level":3"#, #""level":9"#), ("Ada", "Bo")))
        let between = save((#""level":3"#, #""level":5"#), ("Ada", "Bo"))
        #expect(try !play(far, far, between).isClear(among: [former, far]))
        #expect(try play(far, far, save((#""level":3"#, #""level":11"#), ("Ada", "Bo"))).isClear(among: [former, far]))
    }

    /// A list that is emptied again is as in a content that had none.
    @Test func aListThatIsNotThereIsEmpty() throws {
        let none = try parsed(save((#","friends":["x","y"]"#, "")))
        let shown = try parsed(save(("100", "130")))
        let emptied = save((#""x","y""#, ""), ("100", "130"))
        #expect(try !play(shown, shown, emptied).isClear(among: [none]))
        #expect(try play(shown, shown, save(("100", "130"), ("Ada", "Bo"))).isClear(among: [none]))
    }
}
