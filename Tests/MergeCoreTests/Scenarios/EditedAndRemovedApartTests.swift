import LosslessJSON
import MergeCore
import Testing

/// An element that one game edits and then removes, while another edits it apart: however often each did, what the
/// removing game had not read brings the element back whole.
@Suite struct EditedAndRemovedApartTests {
    private static let crew = rules([
        "/crew[id]/best": .init(.max), "/crew[id]/pay": .init(.counter), "/crew[id]/marks": .init(.union),
    ])
    private static let others = #"{"id":1,"name":"a"},{"id":2,"name":"b"}"#
    private static let gone = save(nil)

    /// A save with one member of the crew, or without him.
    private static func save(_ member: (name: String, best: Int, pay: Int)?) -> String {
        let member = member.map { #",{"id":4,"name":"\#($0.name)","best":\#($0.best),"pay":\#($0.pay)}"# }
        return "{\"crew\":[\(others)\(member ?? "")]}"
    }

    /// Three devices: the first edited the member some times and removed him, the second raised his best apart.
    private static func household(edits: Int, apart: Int) -> [Device] {
        var devices = Device.household(3, crew, sharing: save(("c", 5, 7)))
        for edit in 0..<edits { devices[0].save(save(("c\(edit)", 5, 7))) }
        devices[0].save(gone)
        for edit in 0..<apart { devices[1].save(save(("c", 6 + edit, 7))) }
        return devices
    }

    /// What he is then: the name of the one, the best of the other.
    private static func whole(edits: Int, apart: Int) -> String {
        save((edits == 0 ? "c" : "c\(edits - 1)", 5 + apart, 7))
    }

    private static let orders = [[0, 1], [1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]]
    static let cases = (0...3).flatMap { edits in (0...2).map { (edits, $0) } }

    /// Devices hear of each other in one order, then all of all.
    private static func meet(_ devices: inout [Device], _ order: [Int]) {
        for (a, b) in zip(order, order.dropFirst()) { devices[b].pull(devices[a]) }
        settle(&devices)
    }

    @Test(arguments: cases) func anEditThatTheRemovingGameHadNotReadBringsItBackWhole(edits: Int, apart: Int) throws {
        let wanted = json(apart == 0 ? Self.gone : Self.whole(edits: edits, apart: apart))
        for order in Self.orders {
            var devices = Self.household(edits: edits, apart: apart)
            Self.meet(&devices, order)
            #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(wanted, .empty) }, "\(order)")
            #expect(devices.map(\.wouldEdit) == [0, 0, 0])
            // So does a file that is written anew, also from the record.
            let restored = try ProfileState(decoding: devices[1].state.encoded)
            #expect(Projection.newDocument(of: restored).map { Agreed($0, .empty) } == Agreed(wanted, .empty))
        }
        let (a, b) = (Self.gone, Self.save(("c", 5 + apart, 7)))
        let merged = json(apart == 0 ? Self.gone : b)
        #expect(json(try merge(a, b, base: Self.save(("c", 5, 7)), rules: Self.crew)) == merged)
    }

    /// The removing game had written the same before, or more: no write of the other one stands, and yet it was one.
    @Test(arguments: [6, 9], [true, false]) func anEditThatSaysNoMoreBringsItBackAsWell(best: Int, isKeyed: Bool) throws
    {
        let rules = rules(["/crew[id]/best": .init(.max), "/team/*/best": .init(.max), "/team/*/done": .init(.flag)])
        func save(_ best: Int?) -> String {
            guard isKeyed else {
                return best.map { "{\"team\":{\"d\":{\"best\":\($0),\"done\":\($0 > 5)}},\"x\":1}" } ?? #"{"x":1}"#
            }
            return "{\"crew\":[{\"id\":1}" + (best.map { ",{\"id\":4,\"best\":\($0)}" } ?? "") + "]}"
        }
        for order in Self.orders {
            var devices = Device.household(3, rules, sharing: save(5))
            devices[0].save(save(9))
            devices[0].save(save(nil))
            devices[1].save(save(best))
            Self.meet(&devices, order)
            #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(json(save(9)), .empty) }, "\(order)")
            #expect(devices.map(\.wouldEdit) == [0, 0, 0])
            let restored = try ProfileState(decoding: devices[0].state.encoded)
            #expect(Projection.newDocument(of: restored).map { Agreed($0, .empty) } == Agreed(json(save(9)), .empty))
            // It can be removed like any other, by one that knows of the mark.
            devices[2].save(save(nil))
            settle(&devices)
            #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(json(save(nil)), .empty) }, "\(order)")
        }
    }

    /// Both add an element of one key, and one removes it again: the other one's stays.
    @Test func anElementThatBothAddedStaysWhereOneRemovesItAgain() {
        for order in Self.orders {
            var devices = Device.household(3, Self.crew, sharing: Self.gone)
            devices[0].save(Self.save(("c", 5, 7)))
            devices[0].save(Self.gone)
            devices[1].save(Self.save(("d", 2, 3)))
            Self.meet(&devices, order)
            let names = devices.map { $0.shown.contains("\"name\":\"d\"") }
            #expect(names == [true, true, true], "\(order): \(devices.map(\.shown))")
            #expect(devices.map(\.wouldEdit) == [0, 0, 0])
        }
    }

    /// What came back is an element like any other: edits count, and a removal takes it, but not apart from an edit.
    @Test(arguments: 1...3, 1...2) func whatCameBackCanBeEditedAndRemovedAgain(edits: Int, apart: Int) throws {
        let whole = Self.whole(edits: edits, apart: apart)
        for remover in 0...2 {
            var devices = Self.household(edits: edits, apart: apart)
            settle(&devices)
            devices[(remover + 1) % 3].save(whole.replacing(#""pay":7"#, with: #""pay":9"#))
            settle(&devices)
            let paid = json(whole.replacing(#""pay":7"#, with: #""pay":9"#))
            #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(paid, .empty) })
            for best in [30, 40] {
                let before = devices[remover].shown
                devices[remover].save(before.replacing(#""pay":9"#, with: #""pay":10"#))
                devices[remover].save(before)
                devices[remover].save(Self.gone)
                let other = (remover + 2) % 3
                devices[other].save(devices[other].shown.replacing(/"best":\d+/, with: "\"best\":\(best)"))
                settle(&devices)
                let shown = devices[remover].shown
                #expect(shown.contains("\"best\":\(best)") && shown.contains(#""pay":9"#), "\(shown)")
                #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(json(shown), .empty) })
            }
            devices[remover].save(Self.gone)
            settle(&devices)
            #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(json(Self.gone), .empty) })
        }
    }

    /// A record that was cloned writes its own values again as a new replica: the element stays where it came back.
    @Test func aNewReplicaKeepsIt() {
        var devices = Self.household(edits: 2, apart: 1)
        settle(&devices)
        let own = devices[0].state.delta(beyond: VersionVector()).filter { $0.atom.dot.replica == replica(1) }
        let context = WriteContext(replica: replica(7), now: 9, fileTime: 9, base: devices[0].state.vector)
        _ = devices[0].state.reissue(own, from: replica(1), context)
        devices[0].touched = nil
        settle(&devices)
        let whole = json(Self.whole(edits: 2, apart: 1))
        #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(whole, .empty) })
    }

    /// Gone with nobody's edit apart, it comes back as its game writes it anew.
    @Test func whatIsAddedAgainIsNew() {
        var devices = Self.household(edits: 2, apart: 1)
        settle(&devices)
        devices[2].save(Self.gone)
        settle(&devices)
        devices[0].save(Self.save(("d", 1, 2)))
        settle(&devices)
        #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(json(Self.save(("d", 1, 2))), .empty) })
    }

    /// A container was removed and brought back by a concurrent edit; that edit was replaced, and the container removed
    /// again. A game that knew of the first removal alone changes something in it: it comes back whole.
    @Test func aChangeBringsBackAllThatTheGameHadRead() throws {
        var devices = Device.household(4, sharing: #"{"c":{"x":1,"z":1,"w":1}}"#)
        devices[0].save("{}")
        devices[1].save(#"{"c":{"x":2,"z":1,"w":1}}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(#"{"c":{"x":2,"z":1,"w":1}}"#), "\(device.shown)") }
        devices[2].save(#"{"c":{"x":3,"z":1,"w":1}}"#)
        devices[2].save("{}")
        devices[3].pull(devices[2])
        devices[3].save(#"{"c":{"x":2,"z":5,"w":1}}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(#"{"c":{"x":3,"z":5,"w":1}}"#), "\(device.shown)") }
    }
}
