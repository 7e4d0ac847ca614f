import HouseholdAgent
import HouseholdSimulation
import MergeCore
import SyncProtocol
import Testing

/// A device that restores a save gets it as the game wrote it, where a device with a file can be asked.
@Suite struct FirstFileTests {
    private let path = "/saves/player.json"
    private let copy = "/saves/restored.json"

    private static let rules: [(String, MergeRule)] = [
        ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/themes", MergeRule(.union)),
        ("/inventory[id]/count", MergeRule(.counter)), ("/settings/**", MergeRule(.local)),
        ("/inventory[id]/pose", MergeRule(.local)), ("/levels/*/stars", MergeRule(.max)),
    ]

    /// The laptop has a save; the deck knows it, and has no file.
    private func household(
        _ text: String, rules: [(String, MergeRule)] = rules, version: String? = nil
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 41)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, text, rules: try home.rules(rules), on: a)
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    /// One more device, paired with both.
    private func desktop(_ home: Home, _ a: SimulatedDevice, _ b: SimulatedDevice) throws -> SimulatedDevice {
        let device = try home.device("desktop")
        try home.pair(b, device)
        try home.pair(a, device)
        home.household.run(milliseconds: 60_000)
        return device
    }

    private func lines(_ words: String, _ home: Home) -> Int { home.household.trace.count { $0.contains(words) } }

    // MARK: The file as the game wrote it

    @Test(arguments: [
        #"{"level":3,"coins":7}"#,
        "{\r\n\t\"level\" : 3 ,\r\n\t\"coins\":\t7.0\r\n}\r\n",
        "\u{FEFF}{ \"zeta\": 1.0, \"alpha\": 1e2, \"caf\\u00e9\": \"\\u0041\\/\", \"level\":3.00 }\n\n",
        #"{"themes":["night","day"],"inventory":[{"id":"z","count":1.50},{"n":2,"count":2,"id":"a"}],"b":1,"a":0}"#,
        #"{"levels":[{"stars":2,"t":[3,1]},{"t":{"y":1,"x":{"q":1,"p":[[]]}},"stars":1}],"o":{},"n":null,"l":[{},[]]}"#,
        #" [3, {"b":1, "a":2}] "#,
    ])
    func aRestoredFileIsTheGamesOwnToTheByte(_ text: String) throws {
        let (home, a, b) = try household(text)
        try home.restore(copy, on: b)
        #expect(home.household.text(of: copy, on: b) == text)
        // And nothing of it is news to anybody.
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: copy, on: b) == text && home.household.text(of: path, on: a) == text)
    }

    /// Who restores a save is told what its file begins without, and nothing else warns of that. A rule whose name is
    /// mistyped still warns.
    @Test func whatAFirstFileBeginsWithoutIsSaid() throws {
        let own = ["/settings/**", "/levle"].map { ($0, MergeRule(.local)) }
        let (home, _, b) = try household(#"{"coins":7,"level":3,"settings":{"volume":11}}"#, rules: own)
        let reply = try home.reply(to: RestoreRequest(profile: "game", path: copy), on: b)
        let note = reply.message(ProfileAnswer.self)?.note ?? ""
        #expect(note.hasPrefix("each device has its own /settings/**, /levle by the rules, so this file begins"))
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: copy, on: b) == #"{"coins":7,"level":3}"#)
        #expect(try home.profile(on: b).ruleFindings == ["no place matches /levle; did you mean /level?"])
    }

    @Test func whatIsLocalStaysWithItsDevice() throws {
        let (home, a, b) = try household(
            """
            {
              "level": 3,
              "settings": { "volume": 11 },
              "inventory": [ { "pose": 1, "id": "b", "count": 2 }, { "id": "a", "pose": 2 } ],
              "coins": 7
            }
            """)
        try home.restore(copy, on: b)
        let text = try #require(home.household.text(of: copy, on: b))
        #expect(
            text == """
                {
                  "level": 3,
                  "inventory": [ { "id": "b", "count": 2 }, { "id": "a" } ],
                  "coins": 7
                }
                """)
        // And it goes on as any save does.
        home.household.save(text.replacing(#""coins": 7"#, with: #""coins": 9"#), to: copy, on: b)
        home.household.run(milliseconds: 5_000)
        let other = try #require(home.household.text(of: path, on: a))
        #expect(other.contains(#""coins": 9"#) && other.contains(#""volume": 11"#))
    }

    /// 150 parts, with a save in between: what comes is of one save, and the values are the newest.
    @Test func aLargeSaveComesInParts_thoughItIsSavedMeanwhile() throws {
        let list = (0..<300_000).map { "\($0 % 7)" }.joined(separator: ", ")
        let (home, a, b) = try household("{ \"list\": [\(list)], \"level\": 3 }\n")
        let id = home.household.ask(RestoreRequest(profile: "game", path: copy), on: b)
        home.household.run(milliseconds: 20)
        #expect(b.replies[id] == nil && home.household.text(of: copy, on: b) == nil)
        let newer = "{ \"level\": 4, \"list\": [\(list)] }\n"
        home.household.save(newer, to: path, on: a)
        #expect(home.household.run(until: { b.replies[id] != nil }))
        let first = try #require(home.household.text(of: copy, on: b))
        #expect(first == "{ \"list\": [\(list)], \"level\": \(first.contains("\"level\": 4") ? 4 : 3) }\n")
        home.expect("{ \"list\": [\(list)], \"level\": 4 }\n", at: copy, on: [b])
    }

    /// A game that holds its profile, on a device that never had a file of it.
    @Test func aGameThatTakesTheHouseholdsProfileUpGetsItAsItIs() throws {
        let text = "{ \"level\": 3.0,\n  \"coins\": 7 }\n"
        let (home, _, b) = try household(text)
        let request = SubscribeRequest(
            path: copy, name: "game", game: "rpg", rules: try home.rules(Self.rules), onNameConflict: .join)
        let held = home.household.ask(request, on: b)
        let id = home.household.ask(PullRequest(subscription: held, hurry: false), on: b)
        #expect(home.household.run(until: { b.replies[id] != nil }, within: 1_500))
        guard case .response(is SubscriptionReport)? = b.replies[id]?.last else {
            throw Home.Failure("\(b.replies[id] ?? [])")
        }
        #expect(home.household.text(of: copy, on: b) == text)
    }

    /// It waits for less than the library does; what is known is written then.
    @Test func aGameDoesNotWaitForADeviceThatIsSilent() throws {
        let (home, a, b) = try household("{ \"level\": 3, \"coins\": 7 }")
        home.household.kill(a)
        home.household.run(milliseconds: 1_000)
        let liar = Liar(of: a, to: b, now: home.household.moment(on: b))
        let request = SubscribeRequest(
            path: copy, name: "game", game: "rpg", rules: try home.rules(Self.rules), onNameConflict: .join)
        let held = liar.request(request)
        let id = liar.request(PullRequest(subscription: held, hurry: false))
        #expect(home.household.run(until: { b.replies[id] != nil }, within: 1_600))
        #expect(liar.takeFormQuestion() != nil)
        #expect(home.household.text(of: copy, on: b) == #"{"coins":7,"level":3}"# + "\n")
    }

    /// What comes on a stick where a device with a file is connected.
    @Test func anImportToANewFileIsWrittenSoAsWell() throws {
        let text = "{ \"level\": 3,\n  \"coins\": 7 }\n"
        let (home, a, b) = try household(text)
        let export = home.household.ask(ExportRequest(profile: "game"), on: a)
        #expect(home.household.run(until: { a.replies[export] != nil }))
        guard let bytes = a.replies[export]?.last?.message(ExportedTransfer.self)?.data.bytes else {
            throw Home.Failure("not exported")
        }
        b.files.saveByRename(bytes, at: "/stick")
        let id = home.household.ask(
            ImportTransferRequest(path: "/stick", to: copy, trusting: false, dryRun: false), on: b)
        #expect(home.household.run(until: { b.replies[id] != nil }, within: 10_000))
        guard let report = b.replies[id]?.last?.message(ImportReport.self) else {
            throw Home.Failure("\(b.replies[id] ?? [])")
        }
        #expect(report.file == copy && home.household.text(of: copy, on: b) == text)
    }

    // MARK: Who can be asked

    @Test func withNobodyToAskTheRecordIsWritten() throws {
        let (home, a, b) = try household("{ \"level\": 3, \"coins\": 7.0 }")
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        try home.restore(copy, on: b)
        #expect(home.household.text(of: copy, on: b) == #"{"coins":7.0,"level":3}"# + "\n")
    }

    /// One that only passes the profile on, or lost its file, says that it has none, and the next one is asked.
    @Test func theOneThatHasAFileIsFound() throws {
        let text = "{ \"level\": 3, \"coins\": 7.0 }"
        let (home, a, b) = try household(text)
        let c = try desktop(home, a, b)
        try home.restore(copy, on: c)
        #expect(home.household.text(of: copy, on: c) == text)
    }

    /// The link to it has just ended, and the device that is linked only passes the profile on.
    @Test func theOneThatHasAFileIsWaitedForWhereItIsDialledAgainInAMoment() throws {
        let text = "{ \"level\": 3, \"coins\": 7.0 }"
        let (home, a, b) = try household(text)
        let c = try desktop(home, a, b)
        home.household.part(a, c)
        home.household.run(milliseconds: 20)
        home.household.part(a, c, false)
        try home.restore(copy, on: c)
        #expect(home.household.text(of: copy, on: c) == text)
    }

    @Test func aPauseOrADamagedFileChangesNothing() throws {
        let text = "{ \"level\": 3, \"coins\": 7.0 }"
        let (home, a, b) = try household(text)
        _ = home.household.ask(PauseRequest(profile: "game"), on: a)
        home.household.save("{ \"level\": 9 }", to: path, on: a)
        home.household.run(milliseconds: 5_000)
        try home.restore(copy, on: b)
        #expect(home.household.text(of: copy, on: b) == text)
        let c = try home.device("desktop")
        try home.pair(a, c)
        _ = home.household.ask(RemoveRequest(profile: "game"), on: b)
        _ = home.household.ask(ResumeRequest(profile: "game"), on: a)
        home.household.save("{ \"lev", to: path, on: a)
        home.household.run(milliseconds: 5_000)
        try home.restore(copy, on: c)
        #expect(home.household.text(of: copy, on: c) == text)
    }

    /// While its game runs nothing is written; what is asked for is asked then.
    @Test func theFileOfAGameThatRunsWaitsForItsEnd() throws {
        let text = "{ \"level\": 3, \"coins\": 7.0 }"
        let (home, _, b) = try household(text)
        home.household.configure(["game": "rpg"], on: b)
        b.programs.set("rpg", since: home.household.now)
        home.household.run(milliseconds: 5_000)
        try home.restore(copy, on: b)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: copy, on: b) == nil)
        b.programs.set("rpg", since: nil)
        home.expect(text, at: copy, on: [b])
    }

    @Test func twoRestoresAtOnceShareALink() throws {
        let text = "{ \"b\": 3, \"a\": 7.0 }"
        let (home, a, b) = try household(text)
        let other = "{\"z\":\t1,\t\"y\": [\(String(repeating: "10, ", count: 50_000))1]}"
        try home.add("/saves/other.json", other, name: "other", on: a)
        home.household.run(milliseconds: 5_000)
        let ids = [
            home.household.ask(RestoreRequest(profile: "other", path: "/saves/2.json"), on: b),
            home.household.ask(RestoreRequest(profile: "game", path: copy), on: b),
            home.household.ask(RestoreRequest(profile: "game", path: copy), on: b),
        ]
        #expect(home.household.run(until: { ids.allSatisfy { b.replies[$0] != nil } }, within: 5_000))
        for id in ids {
            guard case .response(is ProfileAnswer)? = b.replies[id]?.last else {
                throw Home.Failure("\(b.replies[id] ?? [])")
            }
        }
        #expect(home.household.text(of: copy, on: b) == text)
        #expect(home.household.text(of: "/saves/2.json", on: b) == other)
    }

    @Test func aDeviceThatGoesAwayMidwayIsReplacedByTheNext() throws {
        let text = "{ \"list\": [\(String(repeating: "10, ", count: 100_000))1], \"a\": 7.0 }"
        let (home, a, b) = try household(text)
        let c = try home.device("desktop")
        try home.pair(a, c)
        try home.pair(b, c)
        home.household.run(milliseconds: 60_000)
        try home.restore(path, on: c)
        for gone in [a, c] {
            let id = home.household.ask(RestoreRequest(profile: "game", path: copy), on: b)
            home.household.run(milliseconds: 12)
            #expect(b.replies[id] == nil)
            home.household.part(gone, b)
            #expect(home.household.run(until: { b.replies[id] != nil }, within: 10_000))
            let written = home.household.text(of: copy, on: b)
            if gone === a { #expect(written == text) }
            #expect(written != nil)
            _ = home.household.ask(RemoveRequest(profile: "game"), on: b)
            b.files.delete(copy)
        }
    }

    /// The agent ends while it asks: the file comes at the next start, and is the game's own then.
    @Test func aKillMidwayIsMadeUpFor() throws {
        let text = "{ \"level\": 3, \"coins\": 7.0 }"
        let (home, _, b) = try household(text)
        _ = home.household.ask(RestoreRequest(profile: "game", path: copy), on: b)
        home.household.kill(b)
        #expect(home.household.text(of: copy, on: b) == nil)
        try home.household.start(b)
        home.expect(text, at: copy, on: [b])
    }

    @Test func aGameThatSavesFirstIsNotWrittenOver() throws {
        let (home, a, b) = try household("{ \"level\": 3, \"coins\": 7.0 }")
        home.household.kill(a)
        home.household.run(milliseconds: 1_000)
        let liar = Liar(of: a, to: b, now: home.household.moment(on: b))
        let id = liar.request(RestoreRequest(profile: "game", path: copy))
        home.household.save("{ \"level\": 9 }", to: copy, on: b)
        home.household.run(milliseconds: 1_000)
        liar.now = home.household.moment(on: b)
        liar.answer(FormAnswer(size: 9, content: Array(#"{"evil":1"#.utf8)))
        home.household.run(milliseconds: 40_000)
        #expect(b.replies[id] != nil)
        let text = try #require(home.household.text(of: copy, on: b))
        #expect(text.hasPrefix("{ \"level\": 9") && text.contains("\"coins\": 7"))
    }

    // MARK: Hostile devices

    /// The deck restores; whoever has the laptop's key answers as it likes.
    private func answers(
        _ parts: [FormAnswer], closes: Bool = false
    ) throws -> (text: String, milliseconds: Int64) {
        let (home, a, b) = try household("{ \"level\": 3, \"coins\": 7, \"o\": {\"b\": 1, \"a\": [2]} }")
        home.household.kill(a)
        home.household.run(milliseconds: 1_000)
        let liar = Liar(of: a, to: b, now: home.household.moment(on: b))
        let start = home.household.now
        let id = liar.request(RestoreRequest(profile: "game", path: copy))
        for (index, part) in parts.enumerated() where !liar.isClosed {
            guard b.replies[id] == nil else { break }
            let question = try #require(liar.takeFormQuestion(), "part \(index) is not asked for")
            #expect(index == 0 ? question.offset == 0 : question.offset > 0)
            liar.now = home.household.moment(on: b)
            liar.answer(part)
        }
        #expect(liar.isClosed == closes)
        #expect(home.household.run(until: { b.replies[id] != nil }))
        guard case .response(is ProfileAnswer)? = b.replies[id]?.last else {
            throw Home.Failure("\(b.replies[id] ?? [])")
        }
        return (try #require(home.household.text(of: copy, on: b)), (home.household.now - start).wholeMilliseconds)
    }

    private func whole(_ text: String) -> [FormAnswer] {
        [FormAnswer(size: text.utf8.count, content: Array(text.utf8))]
    }

    private let plain = #"{"coins":7,"level":3,"o":{"a":[2],"b":1}}"# + "\n"

    @Test(arguments: [
        "hello", "{", "", "[[[", #"{"coins":7,"coins":9}"#, "{\"coins\":7}\u{0}", #"{"evil":NaN}"#,
        String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000),
        String(repeating: #"{"a":"#, count: 5_000) + "1" + String(repeating: "}", count: 5_000),
    ])
    func whatIsNoJSONIsOfNoUse(_ text: String) throws {
        let parts = text.isEmpty ? [FormAnswer.none] : whole(text)
        let (written, milliseconds) = try answers(parts)
        #expect(written == plain && milliseconds < 1_000)
    }

    @Test func ofAnotherStructureOnlyTheFormIsTaken() throws {
        #expect(try answers(whole("[1,2]")).text + "\n" == plain)
        let sent =
            #"{"evil":{"deep":[1]}, "o": {"a": [2, 666], "evil": 1, "b": "x"}, "level":99, "#
            + #""settings": {"volume":1} }"#
        let written = try answers(whole(sent)).text
        #expect(written == #"{"o": {"a": [2], "b": 1}, "level":3, "coins":7 }"#)
    }

    @Test func whiteSpaceHasAnEnd() throws {
        let filler = [UInt8](repeating: 0x20, count: Limits.formPart)
        let size = 40 * Limits.formPart
        #expect(try answers((0..<40).map { _ in FormAnswer(size: size, content: filler) }).text == plain)
        let text = Array(#"{"level":3, "coins":7, "o":{"b":1, "a":[2]}}"#.utf8)
        let padded = FormAnswer(size: size, content: text + filler.dropLast(text.count))
        let rest = (1..<40).map { _ in FormAnswer(size: size, content: filler) }
        #expect(try answers([padded] + rest).text == plain)
    }

    @Test func whatIsTooLargeEndsTheLink() throws {
        #expect(try answers([FormAnswer(size: 65 << 20, content: [0x7B])], closes: true).text == plain)
        let two = [FormAnswer(size: 10, content: [0x7B]), FormAnswer(size: 11, content: [0x7D])]
        #expect(try answers(two, closes: true).text == plain)
    }

    /// Silence, at once or after some parts: 5 s later the file is written.
    @Test(arguments: [0, 1, 3]) func whatNeverEndsIsNotWaitedFor(_ count: Int) throws {
        let filler = [UInt8](repeating: 0x20, count: 10)
        let (text, milliseconds) = try answers((0..<count).map { _ in FormAnswer(size: 1 << 20, content: filler) })
        #expect(text == plain && 5_000...5_100 ~= milliseconds)
    }

    /// One that dribbles is given up after 30 s, and what it says later is nothing to anybody.
    @Test func whatDribblesIsNotWaitedForEither() throws {
        let (home, a, b) = try household("{ \"level\": 3, \"coins\": 7 }")
        home.household.kill(a)
        home.household.run(milliseconds: 1_000)
        let liar = Liar(of: a, to: b, now: home.household.moment(on: b))
        let start = home.household.now
        let id = liar.request(RestoreRequest(profile: "game", path: copy))
        var parts = 0
        while b.replies[id] == nil, parts < 100 {
            liar.now = home.household.moment(on: b)
            guard liar.takeFormQuestion() != nil else { break }
            liar.answer(FormAnswer(size: 1 << 20, content: [0x20]))
            parts += 1
            home.household.run(milliseconds: 4_000)
        }
        #expect(b.replies[id] != nil && home.household.now - start <= .seconds(34) && parts <= 9)
        #expect(home.household.text(of: copy, on: b) == #"{"coins":7,"level":3}"# + "\n")
        liar.now = home.household.moment(on: b)
        liar.answer(FormAnswer(size: 1 << 20, content: [0x20]))
        home.household.run(milliseconds: 10_000)
        #expect(!liar.isClosed && home.household.text(of: copy, on: b) == #"{"coins":7,"level":3}"# + "\n")
    }

    /// What is no profile here, or has no file, is answered with nothing; a question from the middle as well.
    @Test func aDeviceThatAsksForAnythingGetsNothingItShouldNot() throws {
        let (home, a, b) = try household(#"{"level":3,"settings":{"secret":"mine"}}"#)
        let profile = try #require(a.record.profiles().first)
        home.household.kill(b)
        home.household.run(milliseconds: 1_000)
        let liar = Liar(of: b, to: a, now: home.household.moment(on: a))
        #expect(liar.askForForm(profile, from: 0)?.content == Array(#"{"level":3}"#.utf8))
        #expect(liar.askForForm(profile, from: 5) == FormAnswer.none)
        #expect(liar.askForForm(ProfileID(high: 1, low: 2), from: 0) == FormAnswer.none)
        #expect(!liar.isClosed)
    }
}
