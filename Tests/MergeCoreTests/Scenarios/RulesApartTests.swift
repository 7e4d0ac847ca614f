import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Rules that several machines changed while they were apart.
@Suite struct RulesApartTests {
    /// A device puts rules in force that are those it knows, with some lines changed; `nil` takes a line out.
    private func change(_ device: inout Device, _ lines: [String: MergeRule?], resets: [Reset] = []) throws {
        let known = device.state.rules
        let kept = known.entries.filter { lines[$0.pattern.description] == nil }
        let new = try lines.sorted { $0.key < $1.key }.compactMap { path, rule in
            try rule.map { RuleSet.Entry(try RulePattern(parsing: path), $0) }
        }
        let rules = try RuleSet(kept + new, resets: known.resets + resets)
        device.clock += .milliseconds(1)
        _ = device.state.changeRules(
            to: rules, document: device.snapshots.last?.document, device.context(device.state.vector))
        device.touched = nil
    }

    private func amount(_ device: Device, _ name: JSONString) -> Double? {
        guard case .number(let number)? = device.value[name] else { return nil }
        return Double(number.text)
    }

    private func rules(_ device: Device) -> Set<String> { Set(device.state.rules.words) }

    /// What was earned under the rule that lost as a whole counts, and so does what was played elsewhere meanwhile.
    @Test(arguments: [true, false], [true, false])
    func bothAreInForceAndAllPlayCounts(isFirstLater: Bool, isHeardBothWays: Bool) throws {
        var devices = Device.household(3, sharing: #"{"gems":50,"coins":100}"#)
        devices[isFirstLater ? 0 : 1].clock += .milliseconds(5_000)
        try change(&devices[0], ["/gems": .init(.counter)])
        try change(&devices[1], ["/coins": .init(.counter)])
        devices[0].save(#"{"gems":70,"coins":110}"#)
        devices[1].save(#"{"gems":55,"coins":107}"#)
        if isHeardBothWays {
            let former = devices[0]
            devices[0].pull(devices[1])
            devices[1].pull(former)
        }
        settle(&devices)
        for device in devices {
            #expect(rules(device) == ["/gems: counter", "/coins: counter"])
            #expect(device.value["gems"] == 75 && device.value["coins"] == 117, "\(device.shown)")
        }
        let atoms = devices[0].state.sortedAtoms
        #expect(devices.allSatisfy { $0.state.sortedAtoms == atoms })
        // And both go on counting.
        devices[2].save(#"{"gems":80,"coins":100}"#)
        devices[0].save(#"{"gems":76,"coins":117}"#)
        settle(&devices)
        #expect(devices.allSatisfy { $0.value["gems"] == 81 && $0.value["coins"] == 100 })
    }

    /// A rule that one machine took out stays out, and a reset comes along.
    @Test func whatWasTakenOutStaysOut() throws {
        var devices = Device.household(
            2, MergeCoreTests.rules(["/old": .init(.max), "/x": .init(.min)]), sharing: #"{"old":1,"x":2}"#)
        try change(&devices[0], ["/old": nil], resets: [Reset("run", [try RulePattern(parsing: "/x")])])
        try change(&devices[1], ["/y": .init(.flag)])
        settle(&devices)
        for device in devices { #expect(rules(device) == ["/x: min", "/y: flag", "the reset \"run\""]) }
    }

    /// Of two rules for one place one is in force. The machine whose rule lost can say so, and the other lines of its set
    /// are in force all the same.
    @Test(arguments: [0, 1]) func ofTwoRulesForOnePlaceOneWins(first: Int) throws {
        var devices = Device.household(2, sharing: #"{"gems":50,"a":1,"b":2}"#)
        try change(&devices[first], ["/gems": .init(.counter), "/a": .init(.max)])
        devices[1 - first].clock = devices[first].clock + .milliseconds(10)
        try change(&devices[1 - first], ["/gems": .init(.max), "/b": .init(.max)])
        let former = devices.map(\.state)
        settle(&devices)
        for device in devices { #expect(rules(device) == ["/gems: max", "/a: max", "/b: max"]) }
        let lost = devices.indices.map { devices[$0].state.lostRules(since: former[$0], of: [devices[$0].replica]) }
        #expect(lost[first] == ["/gems: counter"] && lost[1 - first].isEmpty)
    }

    /// A machine that knows a change and takes it back is not overruled by one that had not heard of that.
    @Test func aChangeThatWasTakenBackDoesNotReturn() throws {
        var devices = Device.household(3, sharing: #"{"gems":50,"a":1,"b":1}"#)
        try change(&devices[0], ["/gems": .init(.counter)])
        devices[2].pull(devices[0])
        try change(&devices[0], ["/gems": nil])
        try change(&devices[1], ["/a": .init(.max)])
        try change(&devices[2], ["/b": .init(.max)])
        settle(&devices)
        for device in devices { #expect(rules(device) == ["/a: max", "/b: max"]) }
    }

    /// Removed elements stay removed where the other machine had made no element of them yet.
    @Test func whatIsRemovedUnderOneSetStaysRemoved() throws {
        let save = #"{"list":["a","b"],"n":1}"#
        for first in [0, 1] {
            var devices = Device.household(2, sharing: save)
            devices[first].clock += .milliseconds(50)
            try change(&devices[first], ["/list": .init(.set)])
            devices[first].save(#"{"list":["b","c"],"n":1}"#)
            try change(&devices[1 - first], ["/n": .init(.counter)])
            devices[1 - first].save(#"{"list":["a","b","d"],"n":3}"#)
            settle(&devices)
            for device in devices {
                guard case .array(let list)? = device.value["list"] else {
                    Issue.record("no list: \(device.shown)")
                    continue
                }
                #expect(Set(list) == ["b", "c", "d"] && device.value["n"] == 3, "\(device.shown)")
            }
        }
    }

    /// What stayed on the device under one of the two sets is synced from its file under the merged one.
    @Test func aPlaceThatWasLocalIsTakenFromTheFile() throws {
        var devices = Device.household(
            2, MergeCoreTests.rules(["/name": .init(.local)]), sharing: #"{"name":"a","n":1}"#)
        devices[0].save(#"{"name":"b","n":1}"#)
        devices[1].clock += .milliseconds(10)
        try change(&devices[0], ["/name": nil])
        try change(&devices[1], ["/n": .init(.counter)])
        devices[1].save(#"{"name":"a","n":4}"#)
        settle(&devices)
        #expect(devices[0].value == devices[1].value && devices[0].value["n"] == 4)
        for device in devices { #expect(rules(device) == ["/n: counter"]) }
    }

    /// A set that other machines merged travels, is read again as it was written, and holds no more than it may.
    @Test func theStoredFormSaysWhoChangedWhat() throws {
        var devices = Device.household(2, sharing: #"{"gems":50,"coins":100}"#)
        try change(&devices[0], ["/gems": .init(.counter)])
        try change(&devices[1], ["/coins": .init(.max)], resets: [Reset("run", [try RulePattern(parsing: "/x")])])
        settle(&devices)
        let stored = try #require(devices[0].state.replicatedRules)
        #expect(try ReplicatedRules(json: stored.json).writes == stored.writes)
        #expect(stored.writes.dots.count == 3 && Set(stored.writes.dots.values.map(\.replica)).count == 2)
        for wrong: JSONValue in [
            [["by": "7", "at": 1]], [["at": 1]], [["by": .string(JSONString(devices[0].replica.hex)), "at": -1]], 7,
            [["by": .string(JSONString(devices[0].replica.hex)), "at": 1, "paths": ["x"]]],
            [["by": .string(JSONString(devices[0].replica.hex)), "at": 1, "seen": ["7": 1]]],
            [["by": .string(JSONString(devices[0].replica.hex)), "at": 1, "more": 1]],
        ] {
            #expect(throws: RuleError.self) { try RuleWrites(json: wrong) }
        }
        let many = JSONValue.array(
            (0...RuleWrites.limit).map { .string(JSONString("/\($0)")) })
        #expect(throws: RuleError.self) {
            try RuleWrites(json: [["by": .string(JSONString(devices[0].replica.hex)), "at": 1, "paths": many]])
        }
    }

    /// A spelling that a game gave an amount is no play, and what was counted before a rule went and came back is in the
    /// counter already: neither counts a second time under the merged rules.
    @Test(arguments: [true, false]) func nothingCountsTwice(isFirstLater: Bool) throws {
        var devices = Device.household(3, sharing: #"{"gold":100.0,"n":1}"#)
        devices[isFirstLater ? 0 : 1].clock += .milliseconds(5_000)
        try change(&devices[0], ["/gold": .init(.counter)])
        devices[0].save(#"{"gold":150.0,"n":1}"#)
        try change(&devices[1], ["/n": .init(.max)])
        settle(&devices)
        #expect(devices.map { amount($0, "gold") } == [150, 150, 150])

        var others = Device.household(2, MergeCoreTests.rules(["/p": .init(.counter)]), sharing: #"{"p":0,"n":1}"#)
        others[0].save(#"{"p":500,"n":1}"#)
        settle(&others)
        try change(&others[0], ["/p": nil])
        settle(&others)
        others[isFirstLater ? 0 : 1].clock += .milliseconds(5_000)
        try change(&others[0], ["/p": .init(.counter)])
        try change(&others[1], ["/n": .init(.max)])
        others[1].save(#"{"p":520,"n":1}"#)
        settle(&others)
        // The 20 cannot be told from the 500: they are in the backups, and not counted.
        #expect(others.map { $0.value["p"] } == [500, 500])
    }

    /// The later of two rules for one place wins, whatever set it is in by then, and the player of the other one is told,
    /// whoever merged the two.
    @Test func theLaterLineWinsWhoeverMerges() throws {
        var devices = Device.household(3, sharing: #"{"p":100,"r":1}"#)
        try change(&devices[0], ["/p": .init(.counter)])
        devices[2].pull(devices[0])
        devices[2].project()
        devices[0].save(#"{"p":120,"r":1}"#)
        let former = devices[0].state
        devices[1].clock += .milliseconds(1_000)
        try change(&devices[1], ["/p": .init(.max)])
        devices[2].clock += .milliseconds(9_000)
        try change(&devices[2], ["/r": .init(.max)])
        devices[2].pull(devices[1])
        settle(&devices)
        for device in devices {
            #expect(rules(device) == ["/p: max", "/r: max"])
            #expect(device.value["p"] == 120)
        }
        #expect(devices[0].state.lostRules(since: former, of: [devices[0].replica]) == ["/p: counter"])
    }

    /// An element that was removed under an earlier rule, and is there again since, stays.
    @Test func whatCameBackStays() throws {
        var devices = Device.household(
            2, MergeCoreTests.rules(["/list": .init(.set)]), sharing: #"{"list":["x","y"],"n":1}"#)
        devices[0].save(#"{"list":["y"],"n":1}"#)
        settle(&devices)
        try change(&devices[0], ["/list": nil])
        settle(&devices)
        devices[1].clock += .milliseconds(10)
        try change(&devices[0], ["/list": .init(.set)])
        devices[1].save(#"{"list":["x","y"],"n":1}"#)
        settle(&devices)
        for device in devices {
            guard case .array(let list)? = device.value["list"] else { continue }
            #expect(Set(list) == ["x", "y"])
        }
    }

    /// What was played under the former rule of a place counts, also where another line of the rules is changed by a
    /// machine that knows of both.
    @Test func anotherChangeDoesNotHideWhatWasPlayedBefore() throws {
        var devices = Device.household(2, sharing: #"{"gems":50,"coins":100}"#)
        try change(&devices[0], ["/gems": .init(.counter)])
        devices[1].save(#"{"gems":57,"coins":100}"#)
        devices[0].save(#"{"gems":53,"coins":100}"#)
        devices[0].pull(devices[1])
        try change(&devices[0], ["/coins": .init(.counter)])
        settle(&devices)
        #expect(devices.map { $0.value["gems"] } == [60, 60])
    }

    /// Random play. Each place is made a counter by one machine, at some time. Before it hears of that, one other machine
    /// may play the place too. A model that knows nothing of rules adds everything up.
    @Test func allPlayCountsInRandomHouseholds() throws {
        for seed in 0..<400 {
            var random = SeededRandom(seed: UInt64(seed))
            let (count, places) = (random.below(3) + 2, 4)
            let names = (0..<places).map { JSONString("p\($0)") }
            var devices = Device.household(count, sharing: #"{"p0":100,"p1":100,"p2":100,"p3":100}"#)
            var sums = Array(repeating: 100, count: places)
            let owners = (0..<places).map { _ in random.below(count) }
            let others = (0..<places).map { _ in random.below(count) }
            var (story, isChanged) = ([String](), Array(repeating: false, count: places))
            for _ in 0..<30 {
                let (index, place) = (random.below(count), random.below(places))
                let isCounter = devices[index].state.rules.words.contains("/p\(place): counter")
                devices[index].clock += .milliseconds(Int64(random.below(2_000)))
                switch random.below(4) {
                case 0 where !isChanged[place]:
                    isChanged[place] = true
                    devices[owners[place]].project()
                    try change(&devices[owners[place]], ["/p\(place)": .init(.counter)])
                    story.append("\(owners[place]) makes \(place) a counter")
                case 1, 2:
                    guard isCounter || index == others[place] else { continue }
                    devices[index].project()
                    guard case .number(let number)? = devices[index].value[names[place]],
                        let former = Double(number.text).map({ Int($0) })
                    else { continue }
                    let amount = random.below(20) + 1
                    sums[place] += amount
                    // Some games write every amount with a fraction.
                    let spelled = "\(former + amount)" + (index == 0 ? ".0" : "")
                    devices[index].set(names[place], .number(JSONNumber(text: spelled)!))
                    story.append("\(index) plays \(place): \(former) + \(amount)")
                default:
                    let other = random.below(count)
                    guard other != index else { continue }
                    devices[index].pull(devices[other])
                    if random.below(2) == 0 { devices[index].project() }
                    story.append("\(index) hears \(other)")
                }
            }
            for _ in 0..<4 { settle(&devices) }
            for place in 0..<places where isChanged[place] {
                let shown = devices.map { amount($0, names[place]) }
                #expect(
                    shown.allSatisfy { $0 == Double(sums[place]) },
                    "seed \(seed): /p\(place) is \(shown), not \(sums[place]): \(story.joined(separator: "; "))")
            }
            let atoms = devices[0].state.sortedAtoms
            #expect(devices.allSatisfy { $0.state.sortedAtoms == atoms }, "seed \(seed): \(story)")
        }
    }
}
