import LosslessJSON
import MergeCore
import RuleFile
import SampleSaves
import Testing

/// Saves in the shape of real games, under the rules the project ships: both machines played apart, both end with the right values, and every
/// byte that no rule had a reason to change is the one the game wrote.
@Suite struct SampleTests {
    typealias Edits = [(from: String, to: String)]

    /// - Parameters:
    ///   - merged: What becomes of the sample on both devices.
    ///   - ownA: What stays on the first device only. `ownB`: on the second.
    private func play(
        _ sample: SampleSave, a: Edits, b: Edits, merged: Edits, ownA: Edits = [], ownB: Edits = []
    ) throws {
        let file = sample.bytes
        let set = try RuleSet(yaml: sample.rules)
        var (first, second) = (try Device(1, file, set), try Device(2, file, set))
        try first.receive(from: second)
        try second.receive(from: first)
        expectSame(first.file, file, "copies of one save: the first device changes nothing")
        expectSame(second.file, file, "copies of one save: the second device changes nothing")

        try first.save(a, at: 100)
        try second.save(b, at: 200)
        let (fromFirst, fromSecond) = (first, second)
        try second.receive(from: fromFirst)
        try first.receive(from: fromSecond)
        expectSame(first.file, try edited(file, merged + ownA), "the first device")
        expectSame(second.file, try edited(file, merged + ownB), "the second device")
        #expect(first.state.sortedAtoms == second.state.sortedAtoms)
        // Nothing is added twice when the same comes again.
        try first.receive(from: second)
        try first.receive(from: fromSecond)
        expectSame(first.file, try edited(file, merged + ownA), "the first device, once more")
    }

    @Test(arguments: SampleSave.all(.statistics)) func minecraftStatistics(_ sample: SampleSave) throws {
        try play(
            sample,
            a: [
                (#""minecraft:jump":973"#, #""minecraft:jump":1000"#),
                (#""minecraft:time_since_death":51946"#, #""minecraft:time_since_death":60000"#),
                (#""minecraft:time_since_rest":54367"#, #""minecraft:time_since_rest":70000"#),
                (#""minecraft:diamond_pickaxe":406"#, #""minecraft:diamond_pickaxe":410"#),
                (#""minecraft:killed":{"minecraft:creeper":1"#, #""minecraft:killed":{"minecraft:creeper":4"#),
            ],
            b: [
                (#""minecraft:jump":973"#, #""minecraft:jump":980"#),
                (#""minecraft:time_since_death":51946"#, #""minecraft:time_since_death":12"#),
                (#""minecraft:deaths":2"#, #""minecraft:deaths":3"#),
                (#""minecraft:zombie":5}}"#, #""minecraft:zombie":5,"minecraft:warden":1}}"#),
                (#""DataVersion":2860"#, #""DataVersion":2865"#),
            ],
            merged: [
                (#""minecraft:jump":973"#, #""minecraft:jump":1007"#),
                (#""minecraft:time_since_death":51946"#, #""minecraft:time_since_death":12"#),
                (#""minecraft:time_since_rest":54367"#, #""minecraft:time_since_rest":70000"#),
                (#""minecraft:diamond_pickaxe":406"#, #""minecraft:diamond_pickaxe":410"#),
                (#""minecraft:killed":{"minecraft:creeper":1"#, #""minecraft:killed":{"minecraft:creeper":4"#),
                (#""minecraft:deaths":2"#, #""minecraft:deaths":3"#),
                (#""minecraft:zombie":5}}"#, #""minecraft:zombie":5,"minecraft:warden":1}}"#),
                (#""DataVersion":2860"#, #""DataVersion":2865"#),
            ])
    }

    @Test(arguments: SampleSave.all(.advancements)) func minecraftAdvancements(_ sample: SampleSave) throws {
        let lever = #"minecraft:recipes/redstone/lever": {\#n    "criteria": {\#n      "has_cobblestone": "#
        let crying = #"minecraft:nether/obtain_crying_obsidian": {\#n    "criteria": {\#n      "crying_obsidian": "#
        let button =
            #"minecraft:recipes/redstone/acacia_button": {\#n    "criteria": {\#n      "#
            + #""has_planks": "2021-12-11 13:02:15 -0600"\#n    },\#n    "done": true"#
        let added =
            #"  "minecraft:end/kill_dragon": {\#n    "criteria": {\#n      "#
            + #""killed_dragon": "2022-01-05 20:00:00 -0600"\#n    },\#n    "done": true\#n  },\#n"#
        try play(
            sample,
            a: [
                // An earlier date, written in another zone: 22:51 -0600 is 05:51 +0100.
                (lever + #""2021-12-10 22:51:34 -0600""#, lever + #""2021-12-11 05:51:33 +0100""#),
                (#"  "DataVersion": 2865"#, added + #"  "DataVersion": 2865"#),
                (button, button.replacing("13:02:15 -0600", with: "20:02:15 +0100")),
            ],
            b: [
                (lever + #""2021-12-10 22:51:34 -0600""#, lever + #""2021-12-11 05:51:32 +0100""#),
                (crying + #""2021-12-12 10:05:33 -0600""#, crying + #""2021-12-13 10:05:33 -0600""#),
                (#"  "DataVersion": 2865"#, #"  "DataVersion": 2975"#),
            ],
            merged: [
                (lever + #""2021-12-10 22:51:34 -0600""#, lever + #""2021-12-11 05:51:32 +0100""#)
            ],
            ownA: [
                // The later date did not count, and the equal one keeps the spelling each game wrote.
                (#"  "DataVersion": 2865"#, added + #"  "DataVersion": 2975"#),
                (button, button.replacing("13:02:15 -0600", with: "20:02:15 +0100")),
            ],
            ownB: [
                // A member that came from elsewhere stands last.
                (#"  "DataVersion": 2865\#n}"#, #"  "DataVersion": 2975,\#n"# + added.dropLast(2) + "\n}")
            ])
    }

    @Test(arguments: SampleSave.all(.incremental)) func antimatterDimensions(_ sample: SampleSave) throws {
        try play(
            sample,
            a: [
                (
                    #""totalAntimatter":"1.0611338393110181e+451546774583606""#,
                    #""totalAntimatter":"9e+451546774583606""#
                ),
                (#""perkPoints":35475217.00414753"#, #""perkPoints":35475215.00414753"#),
                (#""perks":[0,57,31"#, #""perks":[0,57,31,107"#),
                (#""realities":39437102.28012811"#, #""realities":39437105.28012811"#),
                (
                    #"{"bought":10,"costBumps":0,"amount":"1326.04276281114"}"#,
                    #"{"bought":20,"costBumps":1,"amount":"4000"}"#
                ),
                (#""realTimePlayed":5290246115.293606"#, #""realTimePlayed":5290246215.293606"#),
                (#""bestReality":{"time":1551,"realTime":53,"#, #""bestReality":{"time":1540,"realTime":55,"#),
                (#""lastUpdate":1676947728440"#, #""lastUpdate":1676947828440"#),
                (#""content":"studies purchase TSTDActive\nreality""#, #""content":"wait rm > 5\nreality""#),
                (#""notation":"Scientific""#, #""notation":"Letters""#),
                (#""antimatter":"496711.122074447","dim"#, #""antimatter":"1e7","dim"#),
            ],
            b: [
                (
                    #""totalAntimatter":"1.0611338393110181e+451546774583606""#,
                    #""totalAntimatter":"1.5e+451546774583607""#
                ),
                (#""perkPoints":35475217.00414753"#, #""perkPoints":35475222.00414753"#),
                (#""realities":39437102.28012811"#, #""realities":39437109.28012811"#),
                (#"{"bought":9,"costBumps":0,"amount":"9"}"#, #"{"bought":10,"costBumps":0,"amount":"10"}"#),
                (#""realTimePlayed":5290246115.293606"#, #""realTimePlayed":5290246315.293606"#),
                (#""bestReality":{"time":1551,"realTime":53,"#, #""bestReality":{"time":1552,"realTime":50,"#),
                (#""lastUpdate":1676947728440"#, #""lastUpdate":1676947928440"#),
                (#""content":"\n// Comment""#, #""content":"\n// Hello""#),
                (#""themes":["S11Blob""#, #""themes":["S11Blob","S12Design""#),
                (#""updateRate":51"#, #""updateRate":33"#),
                (#""antimatter":"496711.122074447","dim"#, #""antimatter":"6e6","dim"#),
            ],
            merged: [
                (
                    #""totalAntimatter":"1.0611338393110181e+451546774583606""#,
                    #""totalAntimatter":"1.5e+451546774583607""#
                ),
                (#""perkPoints":35475217.00414753"#, #""perkPoints":35475220.00414753"#),
                (#""realities":39437102.28012811"#, #""realities":39437112.28012811"#),
                // The dimensions come from the machine that saved last, whole.
                (#"{"bought":9,"costBumps":0,"amount":"9"}"#, #"{"bought":10,"costBumps":0,"amount":"10"}"#),
                (#""realTimePlayed":5290246115.293606"#, #""realTimePlayed":5290246315.293606"#),
                (#""bestReality":{"time":1551,"realTime":53,"#, #""bestReality":{"time":1540,"realTime":50,"#),
                (#""lastUpdate":1676947728440"#, #""lastUpdate":1676947928440"#),
                (#""content":"studies purchase TSTDActive\nreality""#, #""content":"wait rm > 5\nreality""#),
                (#""content":"\n// Comment""#, #""content":"\n// Hello""#),
                (#""antimatter":"496711.122074447","dim"#, #""antimatter":"6e6","dim"#),
                // What each game added stands where it put it, in both files.
                (#""perks":[0,57,31"#, #""perks":[0,57,31,107"#),
                (#""themes":["S11Blob""#, #""themes":["S11Blob","S12Design""#),
            ],
            ownA: [(#""notation":"Scientific""#, #""notation":"Letters""#)],
            ownB: [(#""updateRate":51"#, #""updateRate":33"#)])
    }

    /// Every rule names something that is in the save: a mistyped path would do nothing and say nothing.
    @Test(arguments: SampleSave.all) func everyPathIsThere(_ sample: SampleSave) throws {
        let document = try JSONDocument(parsing: sample.bytes)
        let set = try RuleSet(yaml: sample.rules)
        for entry in set.entries {
            let steps = entry.pattern.description.split(separator: "/").map(String.init).filter { $0 != "**" }
            #expect(Self.exists(steps[...], document, document.root), "nothing in \(sample) is at \(entry.pattern)")
        }
        let version = try JSONPointer(parsing: #require(set.versionAt))
        #expect(document.node(at: version) != nil)
    }

    private static func exists(_ steps: ArraySlice<String>, _ document: JSONDocument, _ node: JSONNode) -> Bool {
        guard let step = steps.first else { return true }
        if step == "*" { return document.children(node).contains { exists(steps.dropFirst(), document, $0) } }
        guard let next = document.member(node, named: JSONString(step)) else { return false }
        return exists(steps.dropFirst(), document, next)
    }
}
