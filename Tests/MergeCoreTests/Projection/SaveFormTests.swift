import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// The first file of a device: the state's values in the form of another device's save.
@Suite struct SaveFormTests {
    private static let rules = MergeCoreTests.rules([
        "/coins": MergeRule(.counter), "/level": MergeRule(.max), "/themes": MergeRule(.union),
        "/friends": MergeRule(.set), "/inventory[id]/count": MergeRule(.counter),
        "/levels/*/stars": MergeRule(.max), "/seen": MergeRule(.max, as: .date), "/bits": MergeRule(.union, as: .bits),
        "/whole": MergeRule(.latest, whole: true), "/ending": MergeRule(.choice),
        "/grid": MergeRule(.local), "/settings/**": MergeRule(.local), "/settings/language": MergeRule(.latest),
        "/device/name": MergeRule(.local), "/slots/1": MergeRule(.local), "/inventory[id]/pose": MergeRule(.local),
    ])

    /// A device that adopted a save.
    private func device(_ save: String, _ rules: RuleSet = rules) -> Device {
        Device.household(1, rules, sharing: save)[0]
    }

    private func firstFile(_ state: ProfileState, like text: String) -> String? {
        SaveForm.file(of: state, like: Array(text.utf8)).map { MergeCoreTests.text($0) }
    }

    private func sent(_ save: String, _ rules: RuleSet = rules) -> String? {
        SaveForm.text(of: document(save), rules: rules).map { MergeCoreTests.text($0) }
    }

    /// What no rule calls local comes back byte for byte.
    @Test(arguments: [
        #"{"coins":7,"level":3}"#,
        "{\r\n\t\"level\" : 3 ,\r\n\t\"coins\":\t7.0\r\n}\r\n",
        "\u{FEFF}{ \"zeta\": 1.0, \"alpha\": 1e2, \"mid\": -0, \"caf\\u00e9\": \"\\u0041\\/\" }\n\n",
        #"{"themes":["night","day"],"friends":["Zoe","Ada"],"bits":12.0,"seen":"2024-01-01T02:00:00+02:00"}"#,
        #"{"inventory":[{"id":"z","count":1.50,"n":1},{"n":2,"count":2,"id":"a"},{"id":3}]}"#,
        #"{"levels":[{"stars":2},{},{"stars":3}],"o":{},"deep":{"b":{"d":1,"c":[3,2,1]},"a":0}}"#,
        #"{"whole":{"b":[1,{"y":1,"x":2}],"a":{}},"ending":{"b":1,"a":2},"none":null,"empty":[{},[]]}"#,
        #"[3,{"b":1,"a":2}]"#, "  7.50 ", #""text""#,
        #"{"id":123456789012345678901234567890,"e":1e999999999999,"s":"𝄞\ud834\udd1e"}"#,
    ])
    func aSaveComesBackAsItIs(_ save: String) throws {
        let text = try #require(sent(save))
        #expect(text == save)
        #expect(firstFile(device(save).state, like: text) == save)
    }

    @Test func whatIsLocalStaysBehind_andNothingElseMoves() {
        let save = """
            {
              "grid": [[1, 2]],
              "coins": 7,
              "settings": {"volume": 3, "language": "de" , "keys": {"jump": 32}},
              "device": { "name": "deck" },
              "slots": [1, 2, 3],
              "inventory": [ {"id": "b", "pose": 9, "count": 1}, {"pose": 9, "id": "a"} ],
              "level": 3
            }
            """
        let expected = """
            {
              "coins": 7,
              "settings": {"language": "de"},
              "device": { },
              "slots": [1, null, 3],
              "inventory": [ {"id": "b", "count": 1}, {"id": "a"} ],
              "level": 3
            }
            """
        #expect(sent(save)?.filter { $0 != " " } == expected.filter { $0 != " " })
        #expect(sent(#"{"a": 1, "grid": 2, "b": 3}"#) == #"{"a": 1, "b": 3}"#)
        #expect(sent(#"{"settings":{"a":{"b":1}},"grid":{"x":{}}}"#) == "{}")
        #expect(sent("[1]", MergeCoreTests.rules(["": MergeRule(.local)])) == nil)
    }

    /// Elements that cannot be told apart: nobody knows which of their members a rule calls local.
    @Test func anArrayThatCannotBeReadIsLeftEmpty() {
        let save = #"{"inventory":[{"id":1,"pose":"secret"},{"id":1,"pose":"secret"}],"coins":1}"#
        #expect(sent(save) == #"{"inventory":[],"coins":1}"#)
    }

    /// The state has moved on, or the text is of nobody: what stands is what the state shows, in the form where it fits.
    @Test(arguments: [
        (#"{"level":2, "coins":5}"#, #"{"level":3, "coins":7, "o":{"x":1, "y":[1, 2]}, "themes":["a", "b"]}"#),
        (
            #"{ "o":{"y":[1,2],"evil":1,"x":9},"themes":["b","evil","b","a"],"evil":[1],"level":3,"coins":1e9 }"#,
            #"{ "o":{"y":[1,2],"x":1},"themes":["a","b"],"level":3,"coins":7 }"#
        ),
        (
            #"{"o":[{"x":1}],"themes":{"a":1},"level":[3],"coins":{"a":7}}"#,
            #"{"o":{"x":1,"y":[1,2]},"themes":["a","b"],"level":3,"coins":7}"#
        ),
        ("[1,2]", #"{"coins":7,"level":3,"o":{"x":1,"y":[1,2]},"themes":["a","b"]}"#),
        ("[]", #"{"coins":7,"level":3,"o":{"x":1,"y":[1,2]},"themes":["a","b"]}"#),
        (
            #"{"coins":7.0,"level":"3","o":{"y":[2,1],"x":1},"themes":["a"]}"#,
            #"{"coins":7.0,"level":3,"o":{"y":[1,2],"x":1},"themes":["a","b"]}"#
        ),
        (
            #"{"grid":1,"settings":{"volume":11},"coins":7,"level":3,"o":{"x":1,"y":[1,2]},"themes":["a","b"]}"#,
            #"{"coins":7,"level":3,"o":{"x":1,"y":[1,2]},"themes":["a","b"]}"#
        ),
    ])
    func noValueIsTakenFromTheText(_ text: String, _ expected: String) throws {
        let state = device(#"{"coins":7,"level":3,"o":{"x":1,"y":[1,2]},"themes":["a","b"]}"#).state
        let file = try #require(firstFile(state, like: text))
        #expect(json(file).ordered == Projection.newDocument(of: state)?.ordered)
        #expect(file == expected)
    }

    @Test func keyedAndIndexedElementsAreTheStates() throws {
        let state = device(
            #"{"inventory":[{"id":"a","count":1,"o":{"y":1,"x":2}},{"id":"b","count":2}],"#
                + #""levels":[{"stars":1},{"stars":2}]}"#
        ).state
        let sent =
            #"{"levels":[{"stars":3},{"stars":2,"evil":1},{"stars":9}], "inventory":[{"count":2, "id":"b"}, "#
            + #"{"id":"evil"}, {"o":{"x":2, "y":7}, "id":"a"}]}"#
        let expected =
            #"{"levels":[{"stars":1},{"stars":2}], "inventory":[{"o":{"x":2, "y":1}, "id":"a", "count":1}, "#
            + #"{"count":2, "id":"b"}]}"#
        #expect(firstFile(state, like: sent) == expected)
        #expect(
            firstFile(state, like: #"{"levels":[{"stars":1}],"inventory":[{"id":"a"},{"id":"a"}]}"#).map { json($0) }
                == Projection.newDocument(of: state))
    }

    @Test func aTextOfNoUseIsNone() {
        let state = device(#"{"coins":7}"#).state
        for text in [
            "", "{", "hello", #"{"coins":7,"coins":7}"#, #"{"coins":7}{}"#, #"{"coins":NaN}"#, "\u{0}",
            String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        ] {
            #expect(firstFile(state, like: text) == nil, "\(text.prefix(20))")
        }
        #expect(SaveForm.file(of: state, like: [0xFF, 0x7B, 0x7D]) == nil)
        let padded = Array(#"{"coins":7}"#.utf8) + [UInt8](repeating: 0x20, count: 2 << 20)
        #expect(SaveForm.file(of: state, like: padded) == nil)
        #expect(firstFile(ProfileState(), like: #"{"coins":7}"#) == nil)
    }

    /// The version is the game's own word, spelled as games spell it; that of another version is of no use.
    @Test func theVersionKeepsItsSpelling() throws {
        var lines = [RuleSet.Entry(try RulePattern(parsing: "/version"), MergeRule(.max))]
        lines.append(RuleSet.Entry(try RulePattern(parsing: "/hp"), MergeRule(.max)))
        let rules = try RuleSet(lines, version: "14", versionAt: "/version")
        let state = device(#"{"hp":3,"version":14}"#, rules).state
        #expect(Projection.newDocument(of: state) == json(#"{"version":14,"hp":3}"#))
        #expect(firstFile(state, like: #"{"hp":3, "version":14}"#) == #"{"hp":3, "version":14}"#)
        #expect(firstFile(state, like: #"{"hp":3, "version":13}"#) == nil)
        #expect(firstFile(state, like: #"{"hp":3}"#) == nil)
    }

    /// An open choice shows what a device without a word of its own shows, not what the asked one chose.
    @Test func anOpenChoiceIsNotTakenOver() {
        var devices = Device.household(2, Self.rules, sharing: #"{"ending":"open"}"#)
        devices[0].save(#"{"ending":"king"}"#)
        devices[1].save(#"{"ending":"thief"}"#)
        devices[0].pull(devices[1])
        let fresh = Projection.newDocument(of: devices[0].state)
        for save in [#"{ "ending":"king" }"#, #"{ "ending":"thief" }"#] {
            #expect(firstFile(devices[0].state, like: save).map { json($0) } == fresh)
        }
    }

    /// Whatever is sent, the values are the state's: random saves of one state in the form of another.
    @Test func randomFormsNeverBringAValue() throws {
        var generator = SeededRandom(seed: 7)
        var kept = 0
        for round in 0..<400 {
            let (a, b) = (randomSave(&generator), randomSave(&generator))
            let state = device(a).state
            let fresh = try #require(Projection.newDocument(of: state))
            if let file = firstFile(state, like: b) {
                let value = json(file)
                #expect(value.ordered == fresh.ordered, "round \(round): \(a) in \(b): \(file)")
            }
            guard let text = sent(a), let file = firstFile(state, like: text) else { continue }
            // What nobody can read goes; the rest is the save itself.
            if file == text { kept += 1 }
        }
        #expect(kept > 300, "\(kept)")
    }

    /// After edits of two devices as well, with values removed and elements moved: the file shows the whole state, in its
    /// order, whichever text is sent. Most texts of a device that is in step are the file themselves.
    @Test func afterMergesTheFileShowsTheStateInItsOrder() throws {
        var generator = SeededRandom(seed: 11)
        var (kept, told) = (0, 0)
        for round in 0..<300 {
            var devices = Device.household(2, Self.rules, sharing: randomSave(&generator))
            for _ in 0..<3 {
                devices[0].save(randomSave(&generator))
                if generator.below(2) == 0 { devices[1].save(randomSave(&generator)) }
                settle(&devices)
            }
            let state = devices[0].state
            guard let fresh = Projection.newDocument(of: state) else { continue }
            for text in [try #require(sent(devices[0].shown)), try #require(sent(randomSave(&generator)))] {
                guard let file = firstFile(state, like: text) else { continue }
                #expect(json(file).ordered == fresh.ordered, "round \(round): \(text): \(file)")
                let edits = Projection(of: state, onto: document(file), isExact: true).edits
                #expect(edits.isEmpty, "round \(round): \(text): \(file): \(edits)")
                told += 1
                if file == text { kept += 1 }
            }
        }
        #expect(told > 400 && kept > 100, "\(kept) of \(told)")
    }

    /// What a game may look into stays, where the rules name it; that tells nobody anything, and no game's first save
    /// on top of it is an edit.
    @Test func anObjectOfWhichAllIsLocalStaysAsAnEmptyOne() throws {
        let save = #"{ "device":{"name":"deck"}, "level":3 }"#
        let text = try #require(sent(save))
        #expect(text == #"{ "device":{}, "level":3 }"#)
        let written = try #require(firstFile(device(save).state, like: text))
        #expect(written == text)
        #expect(DocumentDiff(from: document(written), to: document(save), rules: Self.rules).changes.isEmpty)
        #expect(
            firstFile(device(save).state, like: #"{"evil":{},"level":3,"device":{}}"#) == #"{"level":3,"device":{}}"#)
    }

    private func randomSave(_ generator: inout SeededRandom) -> String {
        var members: [String] = []
        func pick(_ list: [String]) -> String { generator.pick(list) }
        for name in ["coins", "level", "o", "p", "grid", "settings", "themes", "inventory", "levels", "slots"].shuffled(
            using: &generator) where generator.below(4) > 0
        {
            let value: String
            switch name {
            case "coins", "level": value = pick(["1", "2.0", "30", "4e1"])
            case "themes": value = pick([#"["a"]"#, #"["b", "a"]"#, #"["c","a","b"]"#])
            case "inventory":
                value = pick([
                    #"[{"id":"a","count":1}]"#, #"[ {"count":2,"id":"b"},{"id":"a","x":[1]} ]"#, #"[{"id":"c"}]"#,
                ])
            case "levels": value = pick([#"[{"stars":1}]"#, #"[{"stars":2,"t":1},{"stars":1}]"#, "[7]"])
            case "slots": value = pick(["[1,2,3]", "[4]", "[5, 6]"])
            case "settings": value = pick([#"{"volume":1}"#, #"{"language":"de","x":1}"#])
            default: value = pick(["1", #"{"b":1,"a":{"d":2,"c":3}}"#, "[1,2]", "{}", "null", #"{"b":[2]}"#, "true"])
            }
            members.append(pick(["", " ", "\n  "]) + "\"\(name)\":" + pick(["", " "]) + value)
        }
        return "{" + members.joined(separator: ",") + pick(["", "\n"]) + "}"
    }
}

extension JSONValue {
    /// Arrays whose order is free, in the order of their bytes.
    fileprivate var ordered: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                guard case .array(let elements) = member.value,
                    ["themes", "friends", "inventory"].contains(member.key.string)
                else { return member }
                let sorted = elements.sorted { $0.canonicalBytes.lexicographicallyPrecedes($1.canonicalBytes) }
                return JSONMember(key: member.key, value: .array(sorted))
            })
    }
}
