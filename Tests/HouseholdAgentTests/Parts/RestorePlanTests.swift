import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// Where each of many saves goes, whatever other devices say that it is called.
@Suite struct RestorePlanTests {
    private let folder = "/saves"

    private func id(_ number: UInt64) -> ProfileID { ProfileID(high: 7, low: number) }

    private func paths(_ saves: [(name: String, file: String?)], taken: Set<String> = []) -> [String] {
        RestorePlan.paths(
            of: saves.enumerated().map {
                RestorePlan.Save(id: id(UInt64($0)), name: $1.name, sharedFileName: $1.file)
            }, in: folder, isTaken: { path, _ in taken.contains(path) })
    }

    @Test func eachIsCalledAsOnTheDeviceThatAddedIt() {
        #expect(paths([("RPG", "rpg.sav"), ("One", "one.json")]) == ["/saves/rpg.sav", "/saves/one.json"])
    }

    /// Two slots of a game are `1/save.json` and `2/save.json` there: the game finds neither under another name.
    @Test func filesOfOneNameGetAFolderEach() {
        #expect(
            paths([("Slot 1", "save.json"), ("Slot 2", "Save.JSON"), ("Other", "other.json")]) == [
                "/saves/Slot 1/save.json", "/saves/Slot 2/Save.JSON", "/saves/other.json",
            ])
    }

    @Test func aPathOfAnotherSaveHereIsNotTaken() {
        #expect(paths([("RPG", "save.json")], taken: ["/saves/save.json"]) == ["/saves/RPG/save.json"])
    }

    @Test func whereNoNameIsSharedTheSavesNameServes() {
        #expect(paths([("My game", nil)]) == ["/saves/My game.json"])
    }

    static let hostile = [
        "../../etc/cron.d/x", "/etc/passwd", "..", ".", "", ".bashrc", ".ssh/authorized_keys", "a/../../b", "a\u{0}b",
        "\u{1B}]0;x\u{7}", "-rf", "~/x", String(repeating: "a", count: 300), "save.json\n", "a\u{202E}b", "..\u{2215}x",
    ]

    /// Saves and files of any name, with names that are those of other saves: each gets a path of its own below the folder,
    /// of one or two plain steps.
    @Test(arguments: hostile) func noNameLeadsOutOfTheFolderOrOverAnotherFile(_ name: String) {
        let plain = paths([("RPG", "rpg.json"), (name, name), (name, "rpg.json"), (name, nil), ("rpg.json", name)])
        #expect(Set(plain.map { $0.lowercased() }).count == plain.count, "\(plain)")
        for path in plain {
            #expect(path.hasPrefix("/saves/"))
            let steps = path.dropFirst("/saves/".count).split(separator: "/", omittingEmptySubsequences: false)
            #expect((1...2).contains(steps.count), "\(path)")
            for step in steps { #expect(FileName(String(step)) != nil, "\(path)") }
        }
    }

    /// One save's folder would be called like another save's file, or like another one's folder.
    @Test func aFolderIsNoOtherSavesFile() {
        let all = paths([
            ("x.json", "save.json"), ("b", "save.json"), ("c", "x.json"), ("B", "SAVE.json"), ("b", "save.json"),
        ])
        let folded = all.map { $0.lowercased() }
        #expect(Set(folded).count == all.count)
        for path in folded { #expect(!folded.contains { $0.hasPrefix(path + "/") }, "\(path) is a file and a folder") }
    }
}
