import ControlInterface
import HearthCLI
import HouseholdAgent
import LosslessJSON
import MergeCore
import Testing

/// The text of `hearth status`.
struct StatusTextTests {
    private static let now: Int64 = 1_700_000_000_000

    private func device(_ name: String, this: Bool = false, connected: Bool = true, reason: String? = nil) -> JSONValue
    {
        [
            "id": .string(JSONString("id-of-\(name.count)")), "name": .string(JSONString(name)),
            "isThisDevice": .bool(this),
            "connected": .bool(connected), "address": this ? .null : "192.168.1.7:4000", "reason": Self.text(reason),
        ]
    }

    private func profile(
        _ name: String,
        _ state: String = "good",
        reason: String? = nil,
        unreadable: [JSONValue] = []
    ) -> JSONValue {
        [
            "id": "0", "name": .string(JSONString(name)), "file": state == "relayed" ? .null : "/saves/save.json",
            "state": .string(JSONString(state)), "reason": Self.text(reason), "unreadable": .array(unreadable),
            "pending": false, "lastSync": .number(JSONNumber(Int(Self.now - 120_000))),
        ]
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string(JSONString($0)) } ?? .null }

    /// The text that is printed for an agent's report.
    private func text(
        port: Int? = 4_001,
        household: [JSONValue] = [],
        profiles: [JSONValue] = [],
        troubles: [JSONValue] = []
    ) throws -> String {
        let line: JSONValue = [
            "event": "status", "device": device("Laptop", this: true),
            "port": port.map { .number(JSONNumber($0)) } ?? .null,
            "discovery": "embedded on lo", "household": .array(household), "profiles": .array(profiles),
            "troubles": .array(troubles),
        ]
        guard case .response(let report) = try ControlCoding.reply(line.jsonBytes, to: StatusRequest.self) else {
            return ""
        }
        var text = StatusText(report, now: WallTime(milliseconds: Self.now), style: Style(isColoured: false))
        return text.text()
    }

    @Test func allIsWell() throws {
        let text = try text(household: [device("Desktop")], profiles: [profile("Universe RPG")])
        #expect(text.contains("✓ in step 2 minutes ago"))
        #expect(text.contains("● connected"))
        #expect(text.hasSuffix("All is well.\n"))
        #expect(!text.contains("\u{1B}"), "no colours were asked for")
    }

    @Test func noAgent() throws {
        let text = try text(
            port: nil, household: [device("Desktop", connected: false)], profiles: [profile("RPG")],
            troubles: ["no agent is running, so nothing is kept in step; start one with: hearth agent"])
        #expect(text.contains("no agent is running"))
        #expect(text.contains("hearth agent"))
        #expect(!text.contains("All is well"))
    }

    @Test func nothingYet() throws {
        let text = try text()
        #expect(text.contains("hearth add FILE"))
        #expect(text.contains("hearth pair"))
        #expect(text.contains("2 things to know:"))
    }

    @Test(arguments: [
        ("missing", nil, "its file is gone"),
        ("missing", "nothing is at /x; it is written again shortly", "written again shortly"),
        ("bad", "/x:3:7: expected a value", "/x:3:7: expected a value"), ("bad", nil, "cannot be read"),
        ("good", "the disk is full", "the disk is full"),
    ]) func whatIsWrongIsSaid(_ state: String, _ reason: String?, _ said: String) throws {
        let text = try text(household: [device("Desktop")], profiles: [profile("RPG", state, reason: reason)])
        #expect(text.contains("One thing to know:\n  - RPG: "))
        #expect(text.contains(said))
    }

    @Test func aBackupThatCouldNotBeMadeIsSaid() throws {
        guard case .object(var members) = profile("RPG") else { return }
        members.append(JSONMember(key: "backupTrouble", value: "the disk is full"))
        let text = try text(household: [device("Desktop")], profiles: [.object(members)])
        #expect(text.contains("One thing to know:\n  - RPG: no backup could be made: the disk is full\n"))
    }

    /// A suggested command at the end of a sentence has no full stop after it, and names are quoted for a shell.
    @Test func whatIsSuggestedCanBePasted() throws {
        let command = "/x is empty; at once with: hearth restore 'Ada'\\''s game' --to '/my saves/x.json'"
        for state in ["bad", "missing", "behind"] {
            let text = try text(household: [device("D")], profiles: [profile("Ada's game", state, reason: command)])
            #expect(text.contains("  - Ada's game: \(command)\n"), "\(text)")
        }
        for (name, word) in [
            ("RPG", "RPG"), ("My game", "'My game'"), ("Ada's", #"'Ada'\''s'"#), ("$(reboot)", "'$(reboot)'"),
            ("a;b", "'a;b'"), ("-x", "1f"), ("two\nlines", "1f"),
        ] {
            var it = profile(name, "relayed")
            if case .object(let members) = it {
                it = .object(members.map { $0.key == "id" ? JSONMember(key: "id", value: "1f") : $0 })
            }
            #expect(try text(profiles: [it]).contains("hearth restore \(word) --to FILE"), "\(name)")
        }
    }

    /// Where two saves have the same name, each is named by its id.
    @Test func whereANameIsAmbiguousTheIDIsNamed() throws {
        guard case .object(var members) = profile("RPG", "paused") else { return }
        members.append(JSONMember(key: "handle", value: "0000-1"))
        #expect(try text(profiles: [.object(members)]).contains("hearth resume 0000-1"))
    }

    @Test func rulesThatDoNothingAreNamed() throws {
        guard case .object(var members) = profile("RPG") else { return }
        let finding = "no place matches /coinz; did you mean /coins?"
        members.append(JSONMember(key: "ruleFindings", value: .array([.string(JSONString(finding))])))
        let text = try text(household: [device("D")], profiles: [.object(members)])
        #expect(text.contains("  RPG: its rules: \(finding)\n"))
        let verdict = "Nothing needs you.\nWhat is said of rules above is for whoever wrote them.\n"
        #expect(text.hasSuffix(verdict), "\(text)")
    }

    /// "All is well" is printed only where nothing waits for the player, and nothing was set aside or guessed.
    @Test(arguments: [
        ("decisions", "[\"a choice waits for you\"]", "a choice waits for you", "? waits for you"),
        ("remark", "\"the last save held less than before\"", "the last save held less", "✓ in step"),
    ]) func whatWaitsOrWasSetAsideIsNotWell(_ key: String, _ value: String, _ said: String, _ cell: String) throws {
        guard case .object(var members) = profile("RPG") else { return }
        members.append(JSONMember(key: JSONString(key), value: try JSONValue(parsing: Array(value.utf8))))
        let text = try text(household: [device("Desktop")], profiles: [.object(members)])
        #expect(text.contains("One thing to know:\n  - RPG: \(said)") && text.contains(cell))
        #expect(!text.contains("All is well"))
    }

    /// A remark stays until it is settled, so the command for that is beside it; unless a question names it, whose answer
    /// settles both.
    @Test func aRemarkNamesWhatSettlesIt() throws {
        guard case .object(let members) = profile("My RPG") else { return }
        let remark = JSONMember(key: "remark", value: "a guess")
        func text(_ decision: JSONValue) throws -> String {
            let decisions = JSONMember(key: "decisions", value: .array([decision]))
            return try self.text(household: [device("Desktop")], profiles: [.object(members + [remark, decisions])])
        }
        let command = "  - My RPG: a guess\n      once you have read this: hearth keep 'My RPG'\n"
        #expect(
            try self.text(household: [device("Desktop")], profiles: [.object(members + [remark])]).contains(command))
        #expect(try text("a choice waits: hearth conflicts 'My RPG'").contains(command))
        #expect(!(try text("to count neither: hearth keep 'My RPG'").contains("once you have read this")))
        // The short sentences are shown, each command on its own line, and what settles them behind the last.
        let short = JSONMember(key: "remarks", value: ["Hearth guessed\nsee: hearth history 'My RPG'", "another"])
        let shown = try self.text(household: [device("Desktop")], profiles: [.object(members + [remark, short])])
        #expect(
            shown.hasSuffix(
                "  - My RPG: Hearth guessed\n      see: hearth history 'My RPG'\n  - My RPG: another\n"
                    + "      once you have read this: hearth keep 'My RPG'\n"), "\(shown)")
    }

    @Test func aLongTextEndsWithAWholeWord() {
        let text = PlainText.line(String(repeating: "guessed ", count: 100))
        #expect(text.hasSuffix("guessed …") && text.unicodeScalars.count <= 502)
        #expect(PlainText.line(String(repeating: "x", count: 600)).hasSuffix("xx …"))
    }

    @Test func findingsThatAreNotShownAreCounted() throws {
        guard case .object(var members) = profile("RPG") else { return }
        members.append(JSONMember(key: "ruleFindings", value: ["1", "2", "3", "4", "5", "6", "7"]))
        let text = try text(household: [device("Desktop")], profiles: [.object(members)])
        #expect(text.contains("RPG: its rules: 5\n  RPG: its rules: and 2 more\n") && !text.contains("rules: 6"))
    }

    @Test func aConnectedDeviceThatIsBehindIsNamed() throws {
        guard case .object(var members) = profile("RPG") else { return }
        members.append(JSONMember(key: "behind", value: ["Desktop"]))
        let text = try text(household: [device("Desktop")], profiles: [.object(members)])
        #expect(text.contains("… Desktop is behind") && !text.contains("in step"))
    }

    /// The cell beside a save in the table, for each state.
    @Test(arguments: [
        ("good", #"{"lastSync":null}"#, "· not on another device yet"), ("good", "{}", "✓ in step 2 minutes ago"),
        ("good", #"{"held":"rpg"}"#, "▶ held while rpg runs"), ("good", #"{"pending":true}"#, "… being written"),
        ("good", #"{"behind":["Desktop","Deck"]}"#, "… Desktop, Deck are behind"),
        ("good", #"{"reason":"the disk is full"}"#, "! see below"), ("missing", "{}", "! its file is gone"),
        ("paused", "{}", "· paused; hearth resume RPG"), ("behind", "{}", "! older game here"),
        ("relayed", "{}", "· kept for the others; hearth restore RPG --to FILE"), ("bad", "{}", "✗ see below"),
    ])
    func everyStateHasItsWords(_ state: String, _ more: String, _ cell: String) throws {
        guard case .object(var members) = profile("RPG", state),
            case .object(let others) = try JSONValue(parsing: Array(more.utf8))
        else { return }
        members.removeAll { member in others.contains { $0.key == member.key } }
        let household = [device("Desktop"), device("Deck")]
        #expect(try text(household: household, profiles: [.object(members + others)]).contains(cell))
    }

    @Test func withoutAHouseholdItIsKeptHere() throws {
        guard case .object(let members) = profile("RPG") else { return }
        #expect(try text(profiles: [.object(members.filter { $0.key != "lastSync" })]).contains("✓ kept here"))
    }

    @Test func relayedSaysHowToPlayIt() throws {
        let text = try text(household: [device("Desktop")], profiles: [profile("RPG", "relayed")])
        #expect(text.contains("hearth restore RPG --to FILE"))
    }

    @Test func awayIsNoAlarm_butSaysWhy() throws {
        let text = try text(
            household: [device("Old PC", connected: false, reason: "no route to host")],
            profiles: [profile("RPG")]
        )
        #expect(text.contains("○ away"))
        #expect(text.contains("Old PC: no route to host"))
        #expect(text.contains("· last in step 2 minutes ago"))
        #expect(text.hasSuffix("Nothing needs you.\nWhat you play is brought over as soon as Old PC can be reached.\n"))
    }

    /// A device that is reached through another one is not away, and what is behind there is said as of any other one.
    @Test func whatIsReachedThroughAnotherDeviceIsNotAway() throws {
        guard case .object(let members) = device("Deck", connected: false, reason: "not seen since the agent started")
        else { return }
        let nas = device("Home server")
        let deck = JSONValue.object(
            members + [JSONMember(key: "reachedThrough", value: ["id-of-11", "id-of-nobody-else"])])
        let text = try text(household: [nas, deck], profiles: [profile("RPG")])
        #expect(
            text.contains("● through Home server, id-of-no") && !text.contains("away") && !text.contains("not seen"))
        #expect(text.contains("✓ in step 2 minutes ago") && text.hasSuffix("All is well.\n"))
    }

    @Test func troublesAreTold() throws {
        #expect(
            try text(household: [device("D")], profiles: [profile("RPG")], troubles: ["port 5353 is taken"]).contains(
                "  - port 5353 is taken\n"
            )
        )
    }

    @Test func unreadableIsNamed() throws {
        let it = profile("RPG", unreadable: ["/a: x", "/b: x", "/c: x", "/d: x"])
        let text = try text(household: [device("D")], profiles: [it])
        #expect(
            text.contains(
                "  - RPG: not synced, because its rule does not fit the value: /a: x, /b: x, /c: x and 1 more; the other "
                    + "machines keep what they have there. Give the place another rule (hearth add FILE --rules F), or "
                    + "let the game write a value that the rule takes\n"))
        #expect(text.contains("! see below") && !text.contains("in step") && !text.contains("All is well"))
    }

    /// A name from another device can neither move the cursor nor change the writing direction.
    @Test func foreignNamesAreHarmless() throws {
        let name = "\u{1B}[2J<img onerror>\u{202E}\nevil\u{9B}"
        let text = try text(household: [device(name)], profiles: [profile(name)], troubles: [Self.text(name)])
        for scalar in text.unicodeScalars where scalar != "\n" {
            #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
        }
        #expect(text.contains("[2J<img onerror> evil"))
    }

    /// All lines of a table have the same width, whatever scripts the names use.
    @Test func tableIsStraight() throws {
        var table = TextTable(["name", "x"])
        for name in ["Anna", "日本語", "Zoë", "🎮 box", ""] { table.rows.append([TextTable.Cell(name, .good), "1"]) }
        let lines = table.text(Style(isColoured: false)).split(separator: "\n")
        #expect(Set(lines.map { TextTable.width(String($0)) }) == [table.width])
    }

    @Test(arguments: [
        (now, "just now"), (now + 5_000, "just now"), (now - 59_999, "59 seconds ago"), (now - 60_000, "1 minute ago"),
        (now - 7_200_000, "2 hours ago"), (now - 90_000_000, "1 day ago"), (.min, "just now"),
    ]) func pastTime(_ then: Int64, _ words: String) {
        #expect(PastTime.words(WallTime(milliseconds: then), now: WallTime(milliseconds: Self.now)) == words)
    }

    @Test func jsonForATerminalKeepsItsValue() throws {
        let text = "{\"a\u{9B}\u{202E}\": \"é \u{7F} \\u001b 🎮\"}"
        let shown = PlainText.json(Array(text.utf8))
        #expect(shown == "{\"a\\u009b\\u202e\": \"é \\u007f \\u001b 🎮\"}")
        let (old, new) = (try document(text), try document(shown))
        #expect(old.value(old.root) == new.value(new.root))
    }

    @Test func codeIsShownWhole() throws {
        var message = PairingCodeMessage(code: "K7QM-2XWD-9TRB-H4FC", expires: 5)
        let text = PairingCodeText.text(message, Style(isColoured: false))
        #expect(text.contains("hearth pair K7QM-2XWD-9TRB-H4FC\n  Waiting for it …\n"))
        #expect(text.contains("K 7 Q M - 2 X W D"))
        message.addresses = ["192.168.1.20:4000"]
        let one = """
              If it does not find this one:
                  hearth pair K7QM-2XWD-9TRB-H4FC --address 192.168.1.20:4000
              Waiting for it …

            """
        #expect(PairingCodeText.text(message, Style(isColoured: false)).contains(one))
        message.addresses = ["192.168.1.20:4000", "10.0.0.2:4000", "[2001:db8::1]:4000"]
        let all = """
             --address 192.168.1.20:4000
                  (or, in another network, 10.0.0.2:4000 or [2001:db8::1]:4000)
              Waiting for it …

            """
        #expect(PairingCodeText.text(message, Style(isColoured: false)).contains(all))
    }

    /// On a terminal the table fits, and the end of each path, which tells files apart, stays.
    @Test func aTableFitsTheTerminal() {
        var table = TextTable(["save", "", "file"])
        table.rows = [
            ["RPG", "✓ in step", TextTable.Cell("/home/ada/" + String(repeating: "deep/", count: 20) + "save.json")],
            ["Chess", "✓ in step", "/a.json"],
        ]
        let whole = table.text(Style(isColoured: false))
        table.fit(nil)
        #expect(table.text(Style(isColoured: false)) == whole)
        table.fit(80)
        #expect(table.width == 80)
        let text = table.text(Style(isColoured: false))
        #expect(text.contains("…") && text.contains("/deep/save.json │") && text.contains("│ /a.json"))
        table.fit(10)
        let narrow = table.text(Style(isColoured: false))
        #expect(narrow.contains("…p/save.json"), "a narrow terminal shows the name of the file")
    }
}
