import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// A device that restores a save gets the game's text, byte for byte where nothing is local.
    @Suite struct FirstFileTests {
        struct Save: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let rules: String
            let text: String
            /// The text that another device gets, where that is not all of it.
            var shared: String?
        }

        /// Saves as real games write them: members in any order, all kinds of white space and spellings.
        static let saves = [
            Save(
                testDescription: "tabs, CRLF, a byte order mark, 1.0, 30 digits",
                rules: "profile: odd\nrules: {/coins: counter, /level: max}\n",
                text: "\u{FEFF}{\r\n\t\"zeta\" : 1.0,\r\n\t\"level\":3.00 ,\r\n\t\"coins\":\t7e0,\r\n"
                    + "\t\"big\": 123456789012345678901234567890,\r\n\t\"caf\\u00e9\": \"\\u0041\\/é𝄞\",\r\n"
                    + "\t\"e\": -0.10E-7, \"empty\": [ ], \"o\": { }\r\n}\r\n\r\n"),
            Save(
                testDescription: "statistics of blocks",
                rules: "profile: odd\nrules: {/stats/*/*: counter}\n",
                text: #"{"stats":{"game:mined":{"game:stone":120,"game:dirt":77},"game:custom":{"game:jump":973,"#
                    + #""game:deaths":4}},"DataVersion":2865}"#),
            Save(
                testDescription: "advancements, pretty",
                rules: "profile: odd\nrules: {/*/criteria/*: {merge: min, as: date}, /*/done: flag}\n",
                text: """
                    {
                      "game:story/root": {
                        "criteria": {
                          "crafting_table": "2021-12-11 13:02:15 -0600",
                          "a_table": "2021-12-11 13:02:14 -0600"
                        },
                        "done": true
                      },
                      "game:end/kill": {"criteria": {}, "done": false},
                      "DataVersion": 2860
                    }
                    """),
            Save(
                testDescription: "an incremental game with a version and keyed arrays",
                rules: "profile: odd\nversion: \"14\"\nversionAt: /version\n"
                    + "rules: {/version: max, '/upgrades[id]/bought': counter, /flags: union, /friends: set}\n",
                text: #"{"version":14,"matter":"7.18e+369377954","upgrades":[{"id":31,"bought":2,"cost":1e3},"#
                    + #"{"cost":2.50,"id":4,"bought":0}],"flags":["z","a","m"],"friends":["Zoe","Ada"],"sum":0.1}"#),
            Save(
                testDescription: "what is local, in between",
                rules: "profile: odd\nrules: {/settings/**: local, '/units[id]/pose': local, /coins: counter}\n",
                text: """
                    {
                        "units": [ {"pose": [1, 2], "id": "b", "hp": 3}, {"id": "a", "hp": 1.50, "pose": 0} ],
                        "settings": {"volume": 3, "keys": {"jump": 32}},
                        "coins": 7
                    }

                    """,
                shared: """
                    {
                        "units": [ {"id": "b", "hp": 3}, {"id": "a", "hp": 1.50} ],
                        "coins": 7
                    }

                    """),
        ]

        @Test(.timeLimit(.minutes(5))) func aRestoredSaveIsTheGamesOwnToTheByte() async throws {
            let couple = try await Couple.paired()
            defer { couple.clear() }
            for (number, save) in Self.saves.enumerated() {
                let name = "game/\(number).json"
                let (source, target) = ("\(couple.a.folder)/\(name)", "\(couple.b.folder)/\(name)")
                Disk.replace(source, with: Array(save.text.utf8))
                let rules = "\(couple.folder.path)/\(number).yaml"
                Disk.write(Array(save.rules.utf8), rules)
                let added = try await couple.a.ask("add", source, "--rules", rules, "--name", "save \(number)")
                #expect(added.code == 0, "\(save.testDescription): \(added.errors)")
                let restored = try await couple.b.ask("restore", "save \(number)", "--to", target, "--json")
                #expect(restored.code == 0, "\(save.testDescription): \(restored.errors)")
                #expect(Disk.text(target) == save.shared ?? save.text, "\(save.testDescription)")
            }
        }

        /// A game that was never started on a machine has no folder there: it is made. Where it is gone later, status says
        /// that, and nobody hears that the save is written again by itself.
        @Test(.timeLimit(.minutes(5))) func theFolderIsMade_andMissedWhereItIsGone() async throws {
            let couple = try await Couple.paired()
            defer { couple.clear() }
            Disk.replace(couple.a.save, with: Array(#"{"level": 3}"#.utf8))
            #expect(try await couple.a.ask("add", couple.a.save, "--name", "RPG").code == 0)
            let (folder, target) = ("\(couple.b.folder)/games", "\(couple.b.folder)/games/rpg/save.json")
            let restored = try await couple.b.ask("restore", "RPG", "--to", target, "--json")
            #expect(restored.code == 0, "\(restored.errors)")
            #expect(Disk.text(target) == #"{"level": 3}"#)
            Disk.remove(folder)
            let said = try await poll {
                let status = try await couple.b.ask("status", "--json").output
                return status.contains("does not exist; make it") ? status : nil
            }
            #expect(said?.contains("shortly") == false, "\(said ?? "nothing is said")")
            #expect(!Disk.names(in: couple.b.folder).contains("games"))
        }

        /// A save of more than a megabyte, which is sent in many parts; and once more after the device has removed it.
        @Test(.timeLimit(.minutes(5))) func aLargeSaveComesWhole() async throws {
            let couple = try await Couple.paired()
            defer { couple.clear() }
            let count = TestDepth.count(quick: 20_000, usual: 20_000, all: 60_000)
            let cells = (0..<count).map { #"    {"y": \#($0 / 300), "x": \#($0 % 300), "kind": "grass", "h": 1.0}"# }
            let text = "{\n  \"level\": 3,\n  \"cells\": [\n\(cells.joined(separator: ",\n"))\n  ]\n}\n"
            Disk.replace(couple.a.save, with: Array(text.utf8))
            let rules = couple.folder.path + "/rules.yaml"
            Disk.write(Array("profile: odd\nrules: {/level: max}\n".utf8), rules)
            #expect(try await couple.a.ask("add", couple.a.save, "--rules", rules, "--name", "map").code == 0)
            for _ in 0..<2 {
                let restored = try await couple.b.ask("restore", "map", "--to", couple.b.save, "--json")
                #expect(restored.code == 0, "\(restored.errors)")
                #expect(Disk.text(couple.b.save) == text)
                #expect(try await couple.b.ask("remove", "map").code == 0)
                Disk.remove(couple.b.save)
            }
        }
    }
}
