import LosslessJSON
import Testing

@testable import MergeCore

/// Values that take the place of removed ones stand one step above the epoch in force. A step is no reset: it puts
/// nothing aside.
@Suite struct StepTests {
    /// A game removes a container and fills it again, while another one raises a value there. A device that hears of the
    /// step first keeps the raised value all the same, and has nothing to tell its player.
    @Test func anEditMadeApartIsNotPutAsideByAStep() throws {
        var devices = Device.household(3, rules(["/o/m": MergeRule(.max)]), sharing: #"{"o":{"m":5}}"#)
        try devices[0].restore(#"{"o":{"m":5}}"#)
        devices[0].project()
        settle(&devices)
        devices[1].save(#"{"o":{"m":9}}"#)
        devices[0].save("{}")
        devices[0].save(#"{"o":{"m":3}}"#)
        let place = AtomKey(DocumentPath([.member("o"), .member("m")]), .max)
        let (restored, step) = (devices[1].state.atom(place)?.epoch, devices[0].state.atom(place)?.epoch)
        #expect(restored?.kind == .restore && step == EpochID(after: restored))
        devices[2].pull(devices[0])
        devices[2].project()
        #expect(devices[2].shown == #"{"o":{"m":3}}"#)
        devices[2].pull(devices[1])
        devices[2].project()
        #expect(devices[2].shown == #"{"o":{"m":9}}"# && devices[2].overridden.isEmpty)
        #expect(devices[2].state.atom(place)?.epoch == step)
    }

    /// The same where nothing was ever restored, whichever of the two a device hears of first: the device that raised the
    /// value, too, hears of the step and keeps its own.
    @Test(
        arguments: [
            (MergeRule(.max), "5", "9", "3", "9"), (MergeRule(.max), "5", "6", "7", "7"),
            (MergeRule(.min), "5", "3", "8", "3"), (MergeRule(.flag), "false", "true", "false", "true"),
            (MergeRule(.union, as: .bits), "1", "3", "4", "6"),
        ], [false, true])
    func anEditMadeApartCountsBesideAContainerThatIsFilledAgain(
        example: (rule: MergeRule, base: String, raised: String, again: String, both: String), isRestored: Bool
    ) throws {
        func save(_ value: String) -> String { #"{"o":{"m":\#(value)}}"# }
        for order in [[1, 2], [2, 1]] {
            var devices = Device.household(4, rules(["/o/m": example.rule]), sharing: save(example.base))
            if isRestored {
                try devices[0].restore(save(example.base))
                devices[0].project()
                settle(&devices)
            }
            devices[1].save("{}")
            devices[1].save(save(example.again))
            devices[2].save(save(example.raised))
            for from in order {
                devices[3].pull(devices[from])
                devices[3].project()
            }
            #expect(devices[3].shown == save(example.both), "\(order)")
            devices[2].pull(devices[1])
            devices[2].project()
            #expect(devices[2].shown == save(example.both))
            devices[1].pull(devices[2])
            devices[1].project()
            #expect(devices[1].shown == save(example.both))
            settle(&devices)
            #expect(devices.allSatisfy { $0.shown == save(example.both) && $0.overridden.isEmpty })
        }
    }

    /// A counter that is removed and filled again begins by a start that takes off what was removed. The larger start of
    /// another device, which removed and filled it fewer times, brings nothing of that back.
    @Test(arguments: [false, true]) func whatWasRemovedOfACounterDoesNotCountAgain(isRestored: Bool) throws {
        func save(_ coins: Int) -> String { #"{"o":{"c":\#(coins)}}"# }
        var devices = Device.household(3, rules(["/o/c": MergeRule(.counter)]), sharing: save(10))
        if isRestored {
            try devices[0].restore(save(10))
            devices[0].project()
            settle(&devices)
        }
        for coins in [3, 4] {
            devices[0].save("{}")
            devices[0].save(save(coins))
        }
        devices[1].save("{}")
        devices[1].save(save(2))
        settle(&devices)
        #expect(devices.map(\.shown) == [save(6), save(6), save(6)])
    }

    /// Nobody may declare the time before the first epoch, or a step above it: an atom that does begins nothing.
    @Test func theBeginningCannotBeDeclared() throws {
        var devices = Device.household(1, sharing: #"{"coins":5}"#)
        let id = EpochID(number: 1, kind: .beginning, stamp: Stamp(rawValue: 0), origin: replica(9))
        let key = AtomKey(.epochs, .epoch, sub: id.bytes + replica(9).bytes)
        let declared = KeyedAtom(key, Atom(.epoch(Epoch(selector: .everything, seen: [:])), dot(9, 1)))
        let joined = devices[0].state.join([declared], vector: vector([9: 1]))
        #expect(joined.overridden.isEmpty && EpochKey(key.sub) == nil)
        devices[0].touched = nil
        devices[0].project()
        #expect(devices[0].shown == #"{"coins":5}"#)
    }
}
