import LosslessJSON
import MergeCore
import Testing

/// A container that one game removes and begins anew, while another edits what was in it apart: what was edited is
/// whole, and nothing else is back.
@Suite struct BegunAnewTests {
    private static let ruleSet = rules([
        "/crew[id]/best": .init(.max), "/crew[id]/pay": .init(.counter), "/crew[id]/tags": .init(.set),
        "/crew[id]/path": .init(.choice),
    ])
    private static let orders = [[0, 1], [1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]]
    private static let anew = #"{"n":1,"crew":[{"id":9,"name":"z"}]}"#

    /// Devices hear of each other in one order, then all of all.
    private static func meet(_ devices: inout [Device], _ order: [Int]) {
        for (a, b) in zip(order, order.dropFirst()) { devices[b].pull(devices[a]) }
        settle(&devices)
    }

    private static func expect(_ devices: [Device], _ crew: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let wanted = json("{\"n\":1,\"crew\":\(crew)}")
        for device in devices {
            #expect(
                Agreed(device.value, ruleSet) == Agreed(wanted, ruleSet), "\(device.shown)",
                sourceLocation: sourceLocation)
        }
        #expect(devices.allSatisfy { $0.wouldEdit == 0 }, sourceLocation: sourceLocation)
    }

    /// The array around it goes, and comes back with another element in it: what was edited apart is whole even so,
    /// with its counters, whoever earned what is in them.
    @Test(arguments: [true, false], [nil, 0, 1]) func anElementIsWholeThoughItsArrayBeganAnew(
        isOneSave: Bool, earner: Int?
    ) {
        let start = #"{"crew":[{"id":1,"name":"a","pay":7},{"id":2,"name":"b","pay":3}],"n":1}"#
        for (edited, whole) in [
            (#""name":"a","pay":57"#, #"{"id":1,"name":"a","pay":57}"#),
            (#""name":"c","pay":7"#, #"{"id":1,"name":"c","pay":7}"#),
            (#""name":"a""#, #"{"id":1,"name":"a"}"#),
        ] {
            for order in Self.orders {
                let before = #""name":"a","pay":7"#
                var devices: [Device]
                if let earner {
                    devices = Device.household(
                        3, Self.ruleSet, sharing: start.replacing(#""pay":7"#, with: #""pay":5"#))
                    devices[earner].save(start)
                    settle(&devices)
                } else {
                    devices = Device.household(3, Self.ruleSet, sharing: start)
                }
                if !isOneSave { devices[0].save(#"{"n":1}"#) }
                devices[0].save(#"{"n":1,"crew":[{"id":9,"name":"z","pay":1}]}"#)
                devices[1].save(start.replacing(before, with: edited))
                Self.meet(&devices, order)
                let wanted = json("[\(whole),{\"id\":9,\"name\":\"z\",\"pay\":1}]")
                for device in devices { #expect(device.value["crew"] == wanted, "\(device.shown)") }
            }
        }
    }

    /// The same of an object, with a value under each rule in it.
    @Test func anObjectIsWholeThoughTheOneAroundItBeganAnew() throws {
        let rules = rules([
            "/herd/*/pay": .init(.counter), "/herd/*/best": .init(.max), "/herd/*/won": .init(.flag),
            "/herd/*/seen": .init(.union), "/herd/*/tags": .init(.set), "/herd/*/path": .init(.choice),
            "/herd/*/kids[id]/n": .init(.max),
        ])
        let inside =
            #""best":4,"won":true,"seen":["a"],"tags":["x","y"],"path":"left","kids":[{"id":3,"n":1,"m":"k"}],"name":"b""#
        let start = "{\"n\":1,\"herd\":{\"fox\":{\"pay\":7,\(inside)},\"elk\":{\"name\":\"c\"}}}"
        let whole = json("{\"n\":1,\"herd\":{\"fox\":{\"pay\":9,\(inside)},\"owl\":{\"name\":\"z\"}}}")
        for order in Self.orders {
            var devices = Device.household(3, rules, sharing: start)
            devices[0].save(#"{"n":1}"#)
            devices[0].save(#"{"n":1,"herd":{"owl":{"name":"z"}}}"#)
            devices[1].save(start.replacing(#""pay":7"#, with: #""pay":9"#))
            Self.meet(&devices, order)
            for device in devices { #expect(Agreed(device.value, rules) == Agreed(whole, rules), "\(device.shown)") }
            #expect(devices.map(\.wouldEdit) == [0, 0, 0])
            let restored = try ProfileState(decoding: devices[1].state.encoded)
            #expect(Projection.newDocument(of: restored).map { Agreed($0, rules) } == Agreed(whole, rules))
        }
    }

    /// A game goes on from its memory after the removal came in: the element that it edits is whole as well, since its
    /// save holds the rest.
    @Test func anElementIsWholeThoughItsGameHadNotReadTheNewBeginning() {
        let start = #"{"crew":[{"id":1,"name":"a","pay":7,"tags":["x"]},{"id":2,"name":"b","pay":3}],"n":1}"#
        for (former, edited) in [(#""pay":7"#, #""pay":57"#), (#""name":"a""#, #""name":"c""#)] {
            for order in Self.orders {
                var devices = Device.household(3, Self.ruleSet, sharing: start)
                devices[0].save(#"{"n":1}"#)
                devices[0].save(Self.anew)
                let memory = devices[1].snapshots.last
                devices[1].pull(devices[0])
                devices[1].project()
                devices[1].save(document(start.replacing(former, with: edited)), on: memory)
                Self.meet(&devices, order)
                let whole = #"{"id":1,"name":"a","pay":7,"tags":["x"]}"#.replacing(former, with: edited)
                Self.expect(devices, "[\(whole),{\"id\":9,\"name\":\"z\"}]")
            }
        }
    }

    /// The remover filled the object around the edited one again, with others in it: the edited one is whole, and no other
    /// one is back. `memory`: the game that edits goes on from its memory after the removal came in.
    @Test(arguments: [true, false], [nil, "counter", "max"]) func anObjectIsWholeThoughThoseBesideItAreNew(
        memory: Bool, rule: String?
    ) {
        let ruleSet: RuleSet =
            switch rule {
            case "counter": rules(["/town/gems/**": .init(.counter)])
            case "max": rules(["/town/gems/*/gate": .init(.max)])
            default: rules([:])
            }
        let start = #"{"n":1,"town":{"gems":{"tide":{"fox":15,"gate":15},"oak":{"oak":3}}}}"#
        for order in Self.orders {
            var devices = Device.household(3, ruleSet, sharing: start)
            devices[0].save(#"{"n":1}"#)
            devices[0].save(#"{"n":1,"town":{"gems":{"fern":{"sky":140},"dune":{}}}}"#)
            let read = devices[1].snapshots.last
            if memory {
                devices[1].pull(devices[0])
                devices[1].project()
            }
            let played = document(start.replacing(#""gate":15"#, with: #""gate":19"#))
            devices[1].save(played, on: read)
            Self.meet(&devices, order)
            let gems = json(#"{"tide":{"fox":15,"gate":19},"fern":{"sky":140},"dune":{}}"#)
            for device in devices { #expect(device.value["town"]?["gems"] == gems, "\(device.shown)") }
            #expect(devices.allSatisfy { $0.wouldEdit == 0 })
        }
    }

    /// The remover made the element itself anew, without the object in which something was edited: that object is whole,
    /// and the rest of the element is the new one.
    @Test func anObjectInAnElementThatWasMadeAnewIsWhole() {
        for order in Self.orders {
            var devices = Device.household(
                3, Self.ruleSet, sharing: #"{"n":1,"crew":[{"id":1,"name":"a","bag":{"rope":1,"lamp":2}}]}"#)
            devices[0].save(#"{"n":1}"#)
            devices[0].save(#"{"n":1,"crew":[{"id":1,"name":"z"}]}"#)
            devices[1].save(#"{"n":1,"crew":[{"id":1,"name":"a","bag":{"rope":1,"lamp":5}}]}"#)
            Self.meet(&devices, order)
            Self.expect(devices, #"[{"id":1,"name":"z","bag":{"rope":1,"lamp":5}}]"#)
        }
    }

    /// Two containers, one in the other, both began anew: the part in both is whole.
    @Test func aPartInTwoContainersThatBeganAnewIsWhole() {
        for order in Self.orders {
            var devices = Device.household(
                3, rules([:]), sharing: #"{"n":1,"run":{"a":{"b":{"c":1,"x":2},"d":{"e":1}}}}"#)
            devices[0].save(#"{"n":1,"run":{}}"#)
            devices[0].save(#"{"n":1,"run":{"a":{"z":1}}}"#)
            devices[0].save(#"{"n":1}"#)
            devices[0].save(#"{"n":1,"run":{"q":1}}"#)
            devices[1].save(#"{"n":1,"run":{"a":{"b":{"c":5,"x":2},"d":{"e":1}}}}"#)
            Self.meet(&devices, order)
            for device in devices {
                #expect(device.value["run"]?["a"]?["b"] == json(#"{"c":5,"x":2}"#), "\(device.shown)")
                #expect(device.value["run"]?["q"] == json("1"))
            }
        }
    }

    /// The remover had edited the same element before: what he wrote in it last stands, with the edit.
    @Test(arguments: 0...3) func whatTheRemoverHadEditedBeforeIsThereAsWell(edits: Int) {
        for order in Self.orders {
            var devices = Device.household(
                3, Self.ruleSet, sharing: #"{"n":1,"crew":[{"id":1,"name":"a","pay":7,"best":4}]}"#)
            for edit in 0..<edits {
                devices[0].save("{\"n\":1,\"crew\":[{\"id\":1,\"name\":\"a\(edit)\",\"pay\":7,\"best\":\(5 + edit)}]}")
            }
            devices[0].save(#"{"n":1}"#)
            devices[0].save(Self.anew)
            devices[1].save(#"{"n":1,"crew":[{"id":1,"name":"a","pay":57,"best":4}]}"#)
            Self.meet(&devices, order)
            let (name, best) = edits == 0 ? ("a", 4) : ("a\(edits - 1)", 4 + edits)
            let whole = "{\"id\":1,\"name\":\"\(name)\",\"pay\":57,\"best\":\(best)}"
            Self.expect(devices, "[\(whole),{\"id\":9,\"name\":\"z\"}]")
        }
    }

    /// An element that the remover made anew himself is the new one, with what was edited in the former one apart and
    /// nothing else of it. A record that was made there apart counts: no reset has ended it.
    @Test func whatTheRemoverMadeAnewHoldsWhatHeWrote() {
        for order in Self.orders {
            var devices = Device.household(
                3, Self.ruleSet, sharing: #"{"n":1,"crew":[{"id":1,"name":"a","hat":"red","cap":"old","best":4}]}"#)
            devices[0].save(#"{"n":1}"#)
            devices[0].save(#"{"n":1,"crew":[{"id":1,"name":"z","best":1}]}"#)
            devices[1].save(#"{"n":1,"crew":[{"id":1,"name":"a","hat":"red","cap":"new","best":6}]}"#)
            Self.meet(&devices, order)
            for device in devices {
                #expect(device.value["crew"] == json(#"[{"id":1,"name":"z","best":6,"cap":"new"}]"#))
            }
        }
    }

    /// Members beside the one that was edited stay gone, though the container that began anew is further up.
    @Test func whatNobodyEditedStaysGone() {
        for order in Self.orders {
            var devices = Device.household(
                3, rules(["/run/crew[id]/pay": .init(.counter)]),
                sharing: #"{"run":{"crew":[{"id":1,"name":"a","pay":1},{"id":2,"name":"b","pay":2}],"at":"x"},"n":1}"#)
            devices[0].save(#"{"n":1}"#)
            devices[0].save(#"{"n":1,"run":{"at":"y"}}"#)
            devices[1].edit {
                $0.setting(
                    "run", to: json(#"{"crew":[{"id":1,"name":"c","pay":1},{"id":2,"name":"b","pay":2}],"at":"x"}"#))
            }
            Self.meet(&devices, order)
            for device in devices {
                #expect(device.value["run"]?["crew"] == json(#"[{"id":1,"name":"c","pay":1}]"#), "\(device.shown)")
            }
        }
    }

    /// Whoever had read the edit removes what it is in for good, be it the remover himself.
    @Test(arguments: [0, 2]) func whatIsRemovedWithTheEditInItStaysGone(second: Int) {
        var devices = Device.household(3, Self.ruleSet, sharing: #"{"n":1,"crew":[{"id":1,"name":"a","pay":7}]}"#)
        devices[1].save(#"{"n":1,"crew":[{"id":1,"name":"b","pay":7}]}"#)
        devices[0].save(#"{"n":1}"#)
        devices[0].save(Self.anew)
        devices[0].pull(devices[1])
        devices[0].project()
        if second == 2 {
            devices[2].pull(devices[0])
            devices[2].project()
        }
        devices[second].save(Self.anew)
        Self.meet(&devices, [second, 0, 1])
        Self.expect(devices, #"[{"id":9,"name":"z"}]"#)
    }

    /// A choice that was decided stays so, and the value that the edit gave it stands.
    @Test func aChoiceIsAsItWasDecided() {
        for isChosen in [false, true] {
            var devices = Device.household(
                3, Self.ruleSet, sharing: #"{"n":1,"crew":[{"id":1,"name":"a","path":"left"}]}"#)
            for (device, path) in [(2, "up"), (0, "down")] {
                devices[device].save("{\"n\":1,\"crew\":[{\"id\":1,\"name\":\"a\",\"path\":\"\(path)\"}]}")
                settle(&devices)
            }
            devices[0].save(#"{"n":1}"#)
            devices[0].save(Self.anew)
            let edit = isChosen ? #""name":"a","path":"right""# : #""name":"b","path":"down""#
            devices[1].save("{\"n\":1,\"crew\":[{\"id\":1,\(edit)}]}")
            Self.meet(&devices, [0, 1, 2])
            Self.expect(devices, "[{\"id\":1,\(edit)},{\"id\":9,\"name\":\"z\"}]")
            #expect(devices.allSatisfy { $0.state.openChoices.isEmpty })
        }
    }

    /// An edit that a reset covers keeps what it is in, without the value that was reset, as it does where only the
    /// element was removed.
    @Test(arguments: [false, true]) func whatAResetCoversKeepsTheRest(begunAnew: Bool) throws {
        var devices = Device.household(
            3, Self.ruleSet, sharing: #"{"n":1,"crew":[{"id":1,"name":"a","best":4},{"id":9,"name":"z"}]}"#)
        devices[1].save(#"{"n":1,"crew":[{"id":1,"name":"a","best":8},{"id":9,"name":"z"}]}"#)
        if begunAnew { devices[0].save(#"{"n":1}"#) }
        devices[0].save(Self.anew)
        try devices[0].reset("/crew[id]/best")
        Self.meet(&devices, [0, 1, 2])
        Self.expect(devices, #"[{"id":1,"name":"a"},{"id":9,"name":"z"}]"#)
    }
}
