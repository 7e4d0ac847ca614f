import RuleFile
import Testing

/// `config.yaml`: what is read, and what is refused where.
@Suite struct DeviceConfigurationTests {
    private func read(_ yaml: String) throws(RuleFileError) -> DeviceConfiguration {
        try DeviceConfiguration(yaml: Array(yaml.utf8))
    }

    @Test func programsByProfile() throws {
        let configuration = try read(
            """
            # what runs here
            profiles:
              Universe RPG: {process: universe-rpg}
              "*odd & name": {process: "Game of *.exe"}
              98824d3c-b9c2-4500-a776-164f1505d45f:
                process: game.x86_64

              Later:
            """)
        #expect(
            configuration.processes == [
                "Universe RPG": "universe-rpg", "*odd & name": "Game of *.exe",
                "98824d3c-b9c2-4500-a776-164f1505d45f": "game.x86_64",
            ])
    }

    @Test(arguments: [("true", true), ("false", false), ("~", false), ("", false)])
    func whetherCopiesOfOthersBackupsAreKept(word: String, keeps: Bool) throws {
        let configuration = try read("keepsBackupsOfOthers: \(word)\nprofiles: {RPG: {process: rpg}}")
        #expect(configuration.keepsBackupsOfOthers == keeps)
        #expect(configuration.processes == ["RPG": "rpg"])
    }

    @Test(arguments: [("[nas]", ["nas"]), ("[a b, 7]", ["a b", "7"]), ("[]", []), ("~", []), ("", [])])
    func withWhomBackupsAreShared(list: String, names: [String]) throws {
        let configuration = try read("sharesBackups: \(list)\nkeepsBackupsOfOthers: \(names.isEmpty)")
        #expect(configuration.sharesBackups == names && configuration.keepsBackupsOfOthers == names.isEmpty)
    }

    @Test(arguments: ["", "\n", "# nothing\n", "~", "profiles:\n", "profiles: {}", "profiles: {RPG: {}}", "\u{FEFF}"])
    func nothingConfiguresNothing(yaml: String) throws {
        #expect(try read(yaml) == DeviceConfiguration())
    }

    struct Case: CustomTestStringConvertible {
        let place: String
        let words: String
        let yaml: String
        init(_ place: String, _ words: String, _ yaml: String) {
            (self.place, self.words, self.yaml) = (place, words, yaml)
        }
        var testDescription: String { yaml }
    }

    @Test(arguments: [
        Case("1:1", "did you mean profiles?", "profile: {}"),
        Case("1:1", "the field \"port\"", "port: 7000"),
        Case("2:9", "did you mean process?", "profiles:\n  RPG: {proces: rpg}"),
        Case("3:5", "the field \"rules\"", "profiles:\n  RPG:\n    rules: x"),
        Case("1:27", "without its folder", "profiles: {RPG: {process: /usr/bin/rpg}}"),
        Case("1:27", "without its folder", "profiles: {RPG: {process: 'C:\\rpg.exe'}}"),
        Case("1:27", "1 to 255 bytes", "profiles: {RPG: {process: ''}}"),
        Case("1:27", "needs the name of a program", "profiles: {RPG: {process: [a, b]}}"),
        Case("1:17", "a profile takes fields", "profiles: {RPG: rpg}"),
        Case("1:11", "takes profiles by name", "profiles: [RPG]"),
        Case("1:1", "has fields such as", "- profiles"),
        Case("1:1", "did you mean keepsBackupsOfOthers?", "keepBackupsOfOthers: true"),
        Case("1:23", "takes true or false", "keepsBackupsOfOthers: yes"),
        Case("1:23", "takes true or false", "keepsBackupsOfOthers: {}"),
        Case("1:1", "did you mean sharesBackups?", "shareBackups: [nas]"),
        Case("1:16", "\"sharesBackups\" takes the names or ids of the machines", "sharesBackups: true"),
        Case("1:17", "a machine", "sharesBackups: [{}]"),
        Case("1:27", "a device configuration has no aliases", "profiles: {RPG: {process: *a}}"),
        Case("1:11", "a device configuration has no anchors", "profiles: &a {}"),
        Case("1:11", "a device configuration has no tags", "profiles: !x {}"),
        Case("1:11", "a device configuration has no tags", "profiles: !x"),
        Case("1:16", "a device configuration has no tags", "sharesBackups: !x [nas]"),
        Case("2:1", "occurs twice", "profiles: {}\nprofiles: {}"),
        Case("3:3", "occurs twice", "profiles:\n  RPG: {}\n  RPG: {}"),
        Case("2:1", "is one YAML document", "profiles: {}\n--- {}\n"),
        Case("2:1", "this is no YAML", "profiles: {"),
        Case("1:11", "cannot stand in a device configuration", "profiles: \u{1}"),
    ])
    func errorsNameThePlace(of wrong: Case) {
        do {
            _ = try read(wrong.yaml)
            Issue.record("it was read")
        } catch {
            #expect(error.description.hasPrefix(wrong.place + ": "), "\(error)")
            #expect(error.message.contains(wrong.words), "\(error)")
        }
    }

    @Test func whatIsTooLargeOrNoTextIsRefused() {
        #expect(throws: RuleFileError.self) {
            try DeviceConfiguration(yaml: Array(repeating: UInt8(ascii: "#"), count: 256 << 10 + 1))
        }
        do {
            _ = try DeviceConfiguration(yaml: Array("profiles:\n  a\u{0}".utf8.dropLast()) + [0xFF])
            Issue.record("it was read")
        } catch {
            #expect(error.line == 2 && error.column == 4 && error.message.contains("UTF-8"))
        }
    }
}
