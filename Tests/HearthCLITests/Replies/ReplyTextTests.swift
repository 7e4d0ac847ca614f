import ControlInterface
import HearthCLI
import HouseholdAgent
import LosslessJSON
import MergeCore
import Testing

/// The texts of history, conflicts, backups and explanations. The answers are JSON as an agent writes it.
struct ReplyTextTests {
    private static let now: Int64 = 1_700_000_000_000
    /// A name from another device that would move the cursor and change the writing direction.
    private static let evil = "\u{1B}[2J\u{202E}\nevil\u{9B}"

    /// Reads an agent's response from JSON.
    private func response<Request: AgentRequest>(_ json: JSONValue, to type: Request.Type) throws -> Request.Response {
        guard case .response(let response) = try ControlCoding.reply(json.jsonBytes, to: type) else {
            throw CancellationError()
        }
        return response
    }

    private static func string(_ text: String?) -> JSONValue { text.map { .string(JSONString($0)) } ?? .null }

    private static func number(_ number: Int64) -> JSONValue { .number(JSONNumber(text: "\(number)")!) }

    private static func change(_ place: String, _ old: String?, _ new: String?) -> JSONValue {
        ["place": string(place), "old": string(old), "new": string(new)]
    }

    private func expectHarmless(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for scalar in text.unicodeScalars where scalar != "\n" {
            #expect(
                scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format,
                sourceLocation: sourceLocation)
        }
    }

    // MARK: Many saves

    @Test func whatBecameOfManySavesIsATable_withWhatToDo() {
        let saves = [
            RestoredSave(profile: "RPG", id: "p1", outcome: .restored, file: "/s/rpg.json"),
            RestoredSave(profile: "One", id: "p2", outcome: .here, file: "/s/one.json"),
            RestoredSave(
                profile: Self.evil, id: "p3", outcome: .failed, file: "/s/" + Self.evil, message: "no: " + Self.evil),
        ]
        let text = RestoredText(RestoredSaves(saves: saves)).text(Style(isColoured: false))
        for words in [
            "/s/rpg.json", "✓ is here now", "· was here before", "! not restored", "  [2J evil: no: [2J evil",
        ] {
            #expect(text.contains(words), "\(words) is not in\n\(text)")
        }
        #expect(text.hasSuffix("1 restored, and kept in step; 1 here before; 1 not restored.\n"))
        expectHarmless(text)
        let fine = RestoredText(RestoredSaves(saves: [saves[0]])).text(Style(isColoured: false))
        #expect(fine.hasSuffix("\n1 restored, and kept in step.\n"))
        #expect(
            RestoredText(RestoredSaves(saves: [])).text(Style(isColoured: false))
                == "No save is kept in this household yet.\n")
    }

    // MARK: Changes

    @Test(arguments: [
        (change("/coins", "300", "480"), "/coins 300 → 480"),
        (change("/name", nil, "\"Ada\""), "/name nothing → \"Ada\""),
        (change("/name", "\"Ada\"", nil), "/name \"Ada\" → nothing"),
        (change("", "{}", "[]"), "the whole save {} → []"),
        (change("/themes", "[\"a\"]", "[\"a\",\"b\"]"), "/themes gets \"b\""),
        (change("/themes", "[\"a\",\"b\"]", "[\"b\"]"), "/themes loses \"a\""),
        (change("/themes", "[1,2]", "[2,3]"), "/themes gets 3, loses 1"),
        (change("/themes", nil, "[1,2,3,4,5]"), "/themes gets 1, 2, 3 and 2 more"),
        (change("/themes", "[1]", nil), "/themes loses 1"),
        (change("/order", "[1,2]", "[2,1]"), "/order [1,2] → [2,1]"),
        (change("/list", "[]", "7"), "/list [] → 7"),
        (change("/empty", nil, "[]"), "/empty nothing → []"),
        (
            change("/long", "1", "\"\(String(repeating: "x", count: 90))\""),
            "/long 1 → \"\(String(repeating: "x", count: 38))…"
        ),
        (change("/\(String(repeating: "p", count: 90))", "1", "2"), "/\(String(repeating: "p", count: 58))… 1 → 2"),
    ]) func aChangeOnOneLine(_ change: JSONValue, _ line: String) throws {
        let history: JSONValue = ["event": "history", "history": .array([Self.step(1, changes: [change])])]
        let steps = try response(history, to: HistoryRequest.self).history
        #expect(ChangeText.line(steps[0].changes[0]) == line)
    }

    // MARK: History

    private static func step(
        _ number: Int64, time: Int64 = 0, origin: String = "merge", devices: [String] = ["deck"], changes: [JSONValue],
        more: Int64 = 0
    ) -> JSONValue {
        [
            "number": Self.number(number), "time": Self.number(time), "origin": string(origin),
            "devices": .array(devices.map(string)), "changes": .array(changes), "more": Self.number(more),
        ]
    }

    private func historyText(_ steps: [JSONValue]) throws -> String {
        let steps = try response(["event": "history", "history": .array(steps)], to: HistoryRequest.self).history
        return HistoryText.text(steps) { "at \($0.milliseconds)" }
    }

    @Test func aStepALine() throws {
        let changes = [
            Self.change("/coins", "300", "480"), Self.change("/level", "4", "5"), Self.change("/x", nil, "1"),
        ]
        let text = try historyText([
            Self.step(12, time: 99, changes: changes, more: 11),
            Self.step(3, time: 5, origin: "save", devices: ["my laptop", "日本"], changes: [changes[1]]),
            Self.step(2, origin: "adopt", changes: [], more: 1),
        ])
        #expect(
            text == """
                12  at 99  deck             came in   /coins 300 → 480, /level 4 → 5 (and 12 more)
                 3  at 5   my laptop, 日本  played    /level 4 → 5
                 2  at 0   deck             taken up  1 place

                """)
        #expect(try historyText([]) == "Nothing of that is in the newest 1,000 steps.\n")
    }

    @Test func whatASaveLoweredIsNamedBehindItsChanges() throws {
        func text(_ more: JSONValue) throws -> String {
            let step: JSONValue = [
                "number": 7, "time": 4, "origin": "save", "devices": ["deck"],
                "changes": .array([Self.change("/coins", "3", "4")]), "more": 0,
                "lowered": ["/best from 90 to 80"], "moreLowered": more,
            ]
            return try historyText([step])
        }
        let line =
            "7  at 4  deck  played  /coins 3 → 4; kept by its rule, though the game changed it: /best from 90 to 80"
        #expect(try text(.null) == line + "\n")
        #expect(try text(3) == line + " and 3 more\n")
    }

    @Test func foreignTextsInAHistoryAreHarmless() throws {
        let evil = Self.evil
        expectHarmless(
            try historyText([
                Self.step(1, origin: evil, devices: [evil], changes: [Self.change(evil, evil, "[\"\u{202E}\"]")])
            ]))
    }

    // MARK: What would change

    private func keepText(_ changes: [JSONValue], more: Int64 = 0, _ keeps: JSONValue) throws -> [String] {
        let report: JSONValue = [
            "event": "preview", "profile": "RPG", "id": "p1", "changes": .array(changes), "more": Self.number(more),
            "movedOn": 0, "keeps": keeps,
        ]
        return ChangeText.preview(try response(report, to: PreviewRequest<KeepRequest>.self))
    }

    /// What `keep` leaves out, and where the save stays that was set aside.
    @Test func whatWouldNotCount() throws {
        let change = Self.change("/best", "80", "70")
        let one: JSONValue = ["question": "save", "backups": ["b7"], "staysApart": false]
        #expect(
            try keepText([change], one) == [
                "In RPG none of this would count:", "  /best 80 → 70",
                "The save that was set aside is among the backups: b7",
                "Newer backups take its place in time. To keep it: hearth backups RPG --pin b7",
            ])
        let many: JSONValue = ["question": "save", "backups": ["b7", "b9"], "staysApart": false]
        #expect(
            try keepText([], more: 3, many) == [
                "In RPG none of this would count:", "  and 3 more",
                "The saves that were set aside are among the backups: b7, b9",
                "Newer backups take its place in time. To keep it: hearth backups RPG --pin b9",
            ])
        let none: JSONValue = ["question": "save", "backups": [], "staysApart": true]
        #expect(
            try keepText([], none) == [
                "In RPG there is nothing to show that would not count.",
                "No backup could be made of the save that was set aside.",
                "RPG stays a save of its own, on every machine.",
            ])
        let purse: JSONValue = ["question": "amounts", "backups": [], "staysApart": false]
        #expect(try keepText([change], purse) == ["In RPG none of this would count:", "  /best 80 → 70"])
        let word: JSONValue = ["backups": [], "staysApart": true]
        #expect(try keepText([], word) == ["RPG stays a save of its own, on every machine."])
    }

    private func previewText(_ changes: Int64, more: Int64 = 0, movedOn: Int64 = 0) throws -> [String] {
        let all = (0..<changes).map { Self.change("/k\($0)", "\($0)", "7") }
        let report: JSONValue = [
            "event": "preview", "profile": "RPG", "id": "p1", "changes": .array(all), "more": Self.number(more),
            "movedOn": Self.number(movedOn),
        ]
        let preview = try response(report, to: PreviewRequest<UndoRequest>.self)
        return ChangeText.preview(preview)
    }

    @Test func sumsSayWhatTheyMean() throws {
        func head(_ together: String, _ apart: String, isApart: Bool = false) throws -> String? {
            let sum: JSONValue = [
                "place": "/coins", "household": "150", "here": "130", "together": Self.string(together),
                "apart": Self.string(apart),
            ]
            let report: JSONValue = [
                "event": "preview", "profile": "RPG", "id": "p1", "changes": [], "more": 0, "movedOn": 0, "sums": [sum],
            ]
            let preview = try response(report, to: PreviewRequest<RestoreRequest>.self)
            return SumText.lines(preview.sums ?? [], isApart: isApart).first
        }
        #expect(try head("180", "180") == "What each of the two earned and spent counts:")
        #expect(try head("180", "180", isApart: true) == "What each of the two earned and spent counts:")
        #expect(try head("150", "280")?.hasPrefix("One save may be a copy of the other") == true)
        #expect(try head("150", "280", isApart: true)?.hasPrefix("These sums are added up") == true)
    }

    /// Of the household's rules that a join ends, the first ten are named.
    @Test func rulesThatEndAreNamed() throws {
        func text(_ count: Int) throws -> [String] {
            let rules = (0..<count).map { Self.string("/k\($0): counter → latest") }
            let report: JSONValue = [
                "event": "preview", "profile": "RPG", "id": "p1", "changes": [], "more": 0, "movedOn": 0,
                "rules": .array(rules),
            ]
            let preview = try response(report, to: PreviewRequest<RestoreRequest>.self)
            return JoinText.lines(preview, file: "/saves/rpg.json")
        }
        #expect(
            try text(1) == ["These rules of RPG would change on every machine:", "  /k0: counter → latest"])
        let many = try text(12)
        #expect(many.count == 12 && many.last == "  and 2 more")
    }

    /// Of many sums those that differ come first, and equal ones are no reason to think of a larger one.
    @Test func sumsThatDifferComeFirst() throws {
        func sum(_ place: String, _ household: Int, _ here: Int) -> JSONValue {
            [
                "place": Self.string(place), "household": Self.string("\(household)"), "here": Self.string("\(here)"),
                "together": Self.string("\(max(household, here))"), "apart": Self.string("\(household + here)"),
            ]
        }
        func text(_ sums: [JSONValue]) throws -> [String] {
            let report: JSONValue = [
                "event": "preview", "profile": "RPG", "id": "p1", "changes": [], "more": 0, "movedOn": 0,
                "sums": .array(sums),
            ]
            let preview = try response(report, to: PreviewRequest<RestoreRequest>.self)
            return SumText.lines(preview.sums ?? [], isApart: false)
        }
        let alike = (0..<12).map { sum("/k\($0)", 5, 5) }
        let lines = try text(alike + [sum("/jump", 9, 7)])
        #expect(lines[1] == "  /jump: 9 in the household, 7 in the file; kept: 9; played apart: 16")
        #expect(lines.contains("  and 3 more") && lines.last?.contains("the smaller play does not count") == true)
        let same = try text(alike)
        #expect(same[0].hasPrefix("Both hold the same sums") && same.last == "  and 2 more")
    }

    @Test func aPreviewIsShort() throws {
        #expect(try previewText(0) == ["In RPG nothing would change."])
        #expect(try previewText(1) == ["In RPG this would change on every machine:", "  /k0 0 → 7"])
        let long = try previewText(500, more: 240)
        #expect(long.count == 12 && long.last == "  and 730 more")
        #expect(
            try previewText(1, movedOn: 2).last
                == "  2 places have changed again since and stay; --force takes all of them back"
        )
        #expect(
            try previewText(0, movedOn: 1).last
                == "  1 place has changed again since and stays; --force takes all of them back"
        )
    }

    // MARK: Conflicts

    private func conflictText(_ conflicts: [JSONValue]) throws -> String {
        let all = try response(["event": "conflicts", "conflicts": .array(conflicts)], to: ConflictsRequest.self)
            .conflicts
        return ConflictText.text(all, now: WallTime(milliseconds: Self.now))
    }

    private static func conflict(_ profile: String, _ values: [(String, String)], information: String? = nil)
        -> JSONValue
    {
        [
            "profile": string(profile), "id": "p1", "place": string("/ending"),
            "candidates": .array(
                values.map { ["value": string($0.0), "device": string($0.1), "time": number(now - 120_000)] }),
            "information": string(information),
        ]
    }

    @Test(arguments: [
        ([], "Nothing waits for a decision.\n"),
        (
            [conflict("RPG", [("\"good\"", "laptop"), ("\"bad\"", "deck")])],
            """
            RPG /ending
              1  "good"  (laptop, 2 minutes ago)
              2  "bad"  (deck, 2 minutes ago)
              decide with: hearth resolve RPG /ending NUMBER

            """
        ),
        (
            [conflict("RPG", [], information: "is −20")],
            "Nothing waits for a decision.\nGood to know: RPG /ending is −20.\n"
        ),
        (
            [conflict("A", [], information: "is −1"), conflict("B", [("1", "deck")])],
            """
            B /ending
              1  1  (deck, 2 minutes ago)
              decide with: hearth resolve B /ending NUMBER
            Good to know: A /ending is −1.

            """
        ),
    ]) func conflicts(_ conflicts: [JSONValue], _ expected: String) throws {
        #expect(try conflictText(conflicts) == expected)
    }

    @Test func foreignTextsInAConflictAreHarmless() throws {
        expectHarmless(try conflictText([Self.conflict(Self.evil, [(Self.evil, Self.evil)])]))
        expectHarmless(try conflictText([Self.conflict(Self.evil, [], information: Self.evil)]))
    }

    // MARK: Backups

    private func backupText(_ backups: [JSONValue]) throws -> String {
        let all = try response(["event": "backups", "backups": .array(backups)], to: BackupsRequest.self).backups
        return BackupText.text(all, now: WallTime(milliseconds: Self.now))
    }

    private static func backup(
        _ name: String, pools: String, isPinned: Bool = false, size: Int64? = 9, damage: String? = nil,
        device: String? = nil
    ) -> JSONValue {
        [
            "name": string(name), "time": number(now - 60_000), "pools": string(pools), "isPinned": .bool(isPinned),
            "size": size.map(number) ?? .null, "damage": string(damage), "device": string(device),
        ]
    }

    @Test(arguments: [
        ([], "There are no backups yet.\n"),
        ([backup("b1", pools: "changes, daily")], "b1  1 minute ago, 9 bytes (changes, daily)\n"),
        ([backup("b1", pools: "", isPinned: true)], "b1  1 minute ago, 9 bytes (pinned)\n"),
        ([backup("b1", pools: "daily", isPinned: true)], "b1  1 minute ago, 9 bytes (daily, pinned)\n"),
        ([backup("b1", pools: "")], "b1  1 minute ago, 9 bytes\n"),
        ([backup("c1", pools: "daily", device: "deck")], "c1  1 minute ago, 9 bytes, copied from deck (daily)\n"),
        (
            [backup("b2", pools: "", size: nil, damage: "torn"), backup("b1", pools: "changes")],
            "b2  1 minute ago, size unknown\n  cannot be used: torn\nb1  1 minute ago, 9 bytes (changes)\n"
        ),
    ]) func backups(_ backups: [JSONValue], _ expected: String) throws {
        #expect(try backupText(backups) == expected)
    }

    @Test func foreignTextsInABackupAreHarmless() throws {
        expectHarmless(try backupText([Self.backup(Self.evil, pools: Self.evil, damage: Self.evil, device: Self.evil)]))
    }

    @Test func beforeABackupIsPutBackItsOriginIsSaid() throws {
        func question(_ copy: JSONValue?) throws -> String {
            let report: JSONValue = [
                "event": "preview", "profile": "RPG", "id": "p1", "changes": .array([]), "more": Self.number(0),
                "movedOn": Self.number(0), "backup": "b1", "copy": copy ?? .null,
            ]
            let preview = try response(report, to: PreviewRequest<UndoRequest>.self)
            return BackupText.question(preview.backup ?? "newest", preview)
        }
        #expect(try question(nil) == "Put backup b1 of RPG back on every machine?")
        #expect(
            try question(["device": "deck", "day": "2026-11-21"])
                == "Put backup b1 (deck as it was on 2026-11-21) of RPG back on every machine?")
        expectHarmless(try question(["device": Self.string(Self.evil), "day": Self.string(Self.evil)]))
    }

    @Test func whoKeepsCopiesIsSaid() throws {
        func device(_ name: String, keeps: Bool?, isHere: Bool = false, shares: Bool? = nil) -> JSONValue {
            [
                "id": "x", "name": Self.string(name), "isThisDevice": .bool(isHere), "connected": .bool(true),
                "sharesBackups": shares.map { .bool($0) } ?? .null, "keepsBackups": keeps.map { .bool($0) } ?? .null,
            ]
        }
        func text(_ devices: JSONValue) throws -> String {
            let all = try response(["event": "devices", "devices": devices], to: DevicesRequest.self).devices
            return DeviceText.table(all, Style(isColoured: false), now: 0)
        }
        let some = try text([device("laptop", keeps: nil), device("deck", keeps: true), device("pad", keeps: false)])
        let keeps = "\ndeck keeps copies of the daily backups of those who share them.\n"
        #expect(some.hasSuffix(keeps), "\(some)")
        // Sharing and keeping must both be said.
        let deck = device("deck", keeps: true)
        let silent = try text([device("laptop", keeps: nil, isHere: true), deck])
        #expect(
            silent.hasSuffix(
                keeps + "laptop does not share its own with deck; with 'sharesBackups: [deck]' in its config.yaml "
                    + "it does.\n"), "\(silent)")
        let open = try text([device("laptop", keeps: nil, isHere: true), device("deck", keeps: true, shares: true)])
        #expect(
            open.hasSuffix(keeps + "laptop shares its own with deck: whole saves, with what is local.\n"), "\(open)")
        #expect(!(try text([device("laptop", keeps: nil), device("deck", keeps: false)]).contains("copies")))
        expectHarmless(try text([device(Self.evil, keeps: true), device(Self.evil, keeps: nil, isHere: true)]))
    }

    @Test func whenAMachineWasSeenIsSaid() throws {
        let devices: JSONValue = [
            [
                "id": "x", "name": "deck", "isThisDevice": .bool(false), "connected": .bool(false),
                "lastSeen": Self.number(0),
            ],
            ["id": "y", "name": "pad", "isThisDevice": .bool(false), "connected": .bool(false)],
        ]
        let all = try response(["event": "devices", "devices": devices], to: DevicesRequest.self).devices
        let text = DeviceText.table(all, Style(isColoured: false), now: 7_300_000)
        #expect(text.contains("○ away, seen 2 hours ago"), "\(text)")
        #expect(text.contains("○ away  "), "\(text)")
    }

    // MARK: Reasons

    private func explainText(_ sentence: String, _ parts: [(String, String, Bool)]) throws -> String {
        let report: JSONValue = [
            "event": "explained", "place": "/coins", "rule": "counter", "sentence": Self.string(sentence),
            "contributions": .array(
                parts.map { ["text": Self.string($0.0), "device": Self.string($0.1), "counts": .bool($0.2)] }),
        ]
        let explained = try response(report, to: ExplainRequest.self)
        return ExplainText.text(explained)
    }

    @Test func reasons() throws {
        let sum = "480 = 300 + laptop earned 200 − deck spent 20"
        #expect(try explainText(sum, [("earned 200", "laptop", true)]) == sum + "\n")
        #expect(
            try explainText("7 = deck earned 7", [("started with 500", "laptop", false), ("earned 7", "deck", true)])
                == "7 = deck earned 7\n  not counted: laptop started with 500\n")
        expectHarmless(try explainText(Self.evil, [(Self.evil, Self.evil, false)]))
    }

    // MARK: Summaries

    private func summaryText(_ device: String?, _ time: Int64?, _ fields: [(String, String)]) throws -> String {
        let report: JSONValue = [
            "event": "summary", "profile": "RPG", "id": "p1", "device": Self.string(device),
            "lastPlayed": time.map(Self.number) ?? .null,
            "fields": .array(fields.map { ["place": Self.string($0.0), "value": Self.string($0.1)] }),
        ]
        let summary = try response(report, to: SummaryRequest.self)
        return SummaryText.text(summary, now: WallTime(milliseconds: Self.now))
    }

    @Test func summaries() throws {
        #expect(try summaryText(nil, nil, []) == "")
        #expect(
            try summaryText("deck", Self.now - 7_200_000, [("/level", "5"), ("/coins", "480")])
                == "  last played 2 hours ago on deck\n  /level 5, /coins 480\n")
        #expect(try summaryText(nil, Self.now, [("/n", "1")]) == "  last played just now\n  /n 1\n")
        expectHarmless(try summaryText(Self.evil, 0, [(Self.evil, Self.evil)]))
    }
}
