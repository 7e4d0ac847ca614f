/// A scenario as Swift code that can be pasted into a test.
struct ScenarioCode {
    private let scenario: Scenario
    private let language: CodeLanguage
    /// What else the developer handed over, under the names that it had there.
    private let arguments: [String]

    init(_ scenario: Scenario, _ language: CodeLanguage, arguments: [String] = []) {
        (self.scenario, self.language, self.arguments) = (scenario, language, arguments)
    }

    init(_ scenario: Scenario, of game: SimulatedGame) {
        self.init(scenario, game.language, arguments: game.arguments)
    }

    /// A whole test. The names that it does not make are those that the developer handed over.
    func test(named name: String) -> String {
        """
        @Test func \(name)() throws {
            \(lines.joined(separator: "\n    "))
            #expect(home.findings.isEmpty)
        }

        """
    }

    /// The statements, one a line.
    var lines: [String] {
        let names = "[\(scenario.devices.map(Self.quoted).joined(separator: ", "))]"
        let rest = (["seed: \(scenario.seed)"] + arguments.map { "\($0): \($0)" }).joined(separator: ", ")
        let home =
            switch language {
            case .typed(let type): "let home = Household<\(type)>(\(names), \(rest))"
            case .plain(let save): "let home = try PlainHousehold(\(names), rules: rules, save: \(save), \(rest))"
            }
        return [home] + scenario.steps.map(statement)
    }

    private func statement(_ step: HouseholdStep) -> String {
        switch step {
        case .plays(let device, let edits): "\(Self.member(device)).plays\(change(edits))"
        case .moves(let device, let name, let seed):
            "\(Self.member(device)).plays(move: \(Self.quoted(name)), seed: \(seed))"
        case .overwrites(let device, let edits):
            "\(Self.member(device)).overwritesFromMemory\(change(edits))"
        case .overwritesAmid(let device, let edits, let step):
            "\(Self.member(device)).overwritesFromMemory(\(Self.arguments(edits, "beforeDiskStep: \(step)")))"
        case .partition(let one, let other): "home.partition(\(Self.quoted(one)), \(Self.quoted(other)))"
        case .silence(let one, let other): "home.silence(\(Self.quoted(one)), \(Self.quoted(other)))"
        case .silencesOneWay(let one, let other):
            "home.silence(\(Self.quoted(one)), toward: \(Self.quoted(other)))"
        case .heal: "home.heal()"
        case .crashes(let device, nil): "\(Self.member(device)).crashes()"
        case .crashes(let device, let step?): "\(Self.member(device)).crashes(beforeDiskStep: \(step))"
        case .starts(let device): "\(Self.member(device)).starts()"
        case .rollsBack(let device): "\(Self.member(device)).startsWithOldRecord()"
        case .losesRecord(let device): "\(Self.member(device)).losesRecord()"
        case .joinsAgain(let device): "\(Self.member(device)).joinsAgain()"
        case .becomesCopy(let device, let other):
            "\(Self.member(device)).becomesCopy(of: \(Self.quoted(other)))"
        case .sleeps(let device): "\(Self.member(device)).sleeps()"
        case .wakes(let device): "\(Self.member(device)).wakes()"
        case .fillsDisk(let device): "\(Self.member(device)).fillsDisk()"
        case .freesDisk(let device): "\(Self.member(device)).freesDisk()"
        case .makesDiskReadOnly(let device): "\(Self.member(device)).makesDiskReadOnly()"
        case .makesDiskWritable(let device): "\(Self.member(device)).makesDiskWritable()"
        case .setsClock(let device, let ahead): "\(Self.member(device)).setsClock(ahead: .milliseconds(\(ahead)))"
        case .undoes(let device): "\(Self.member(device)).undoes()"
        case .resets(let device, let scope): "\(Self.member(device)).resets(\(scope.map(Self.quoted) ?? ""))"
        case .restores(let device, let backup): "\(Self.member(device)).restores(backup: \(backup))"
        case .wait(let milliseconds): "home.wait(.milliseconds(\(milliseconds)))"
        case .settle: "home.settle()"
        }
    }

    /// The edits by their places. A closure would read better, but whether a test may set a member nobody can tell: a game
    /// may keep that to itself.
    private func change(_ edits: [SaveEdit]) -> String { "(\(Self.arguments(edits)))" }

    private static func arguments(_ edits: [SaveEdit], _ last: String? = nil) -> String {
        (edits.map(call) + [last].compactMap { $0 }).joined(separator: ", ")
    }

    private static func call(_ edit: SaveEdit) -> String {
        let place = quoted(edit.place)
        return switch edit.change {
        case .add(let amount): Int(amount) == nil ? ".add(\(place), \(quoted(amount)))" : ".add(\(place), \(amount))"
        case .set(let json): ".set(\(place), \(quoted(json)))"
        case .insert(let json): ".insert(\(place), \(quoted(json)))"
        case .take(let json): ".take(\(place), \(quoted(json)))"
        case .remove: ".remove(\(place))"
        }
    }

    /// `home.laptop`, or `home["steam deck"]` for a name that is none in Swift.
    private static func member(_ device: String) -> String {
        CodeLanguage.isIdentifier(device) && !taken.contains(device) ? "home.\(device)" : "home[\(quoted(device))]"
    }

    /// Names that mean something else in a household.
    private static let taken: Set<String> = [
        "partition", "silence", "heal", "wait", "settle", "perform", "findings", "scenario", "code", "timeline",
        "digest", "description", "devices", "stage", "codec", "check", "made", "erased",
    ]

    /// A text as a string literal. Where it has quotes or backslashes, it is a raw one.
    static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || $0.value < 0x20 }) else {
            return "\"\(text)\""
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            let escaped = text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"": "\\\""
                case "\\": "\\\\"
                case _ where scalar.value < 0x20: "\\u{\(String(scalar.value, radix: 16))}"
                default: String(scalar)
                }
            }
            return "\"\(escaped.joined())\""
        }
        var marks = "#"
        while text.contains("\"\(marks)") || text.contains("\\\(marks)") { marks += "#" }
        return "\(marks)\"\(text)\"\(marks)"
    }
}
