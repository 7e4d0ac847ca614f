import LosslessJSON
import Testing

@testable import MergeCore

/// A sum that a game's double precision writes with another last digit is no play.
@Suite struct SameDoubleTests {
    private let counted = rules(["/hours": .init(.counter)])

    @Test(arguments: [
        ("10.780000000000002", "10.780000000000001", true), ("0.30000000000000004", "0.30000000000000005", true),
        ("10.78", "10.780000000000001", false), ("9007199254740993", "9007199254740992", false),
        ("9007199254740993.0", "9007199254740992", true), ("1e400", "1e401", false), ("0.1", "0.2", false),
    ])
    func onlyAnotherDoubleIsAChange(_ before: String, _ after: String, _ isSame: Bool) {
        let (old, new) = (document(#"{"hours":\#(before)}"#), document(#"{"hours":\#(after)}"#))
        #expect(DocumentDiff(from: old, to: new, rules: counted).changes.isEmpty == isSame)
        #expect(DocumentDiff(from: new, to: old, rules: counted).changes.isEmpty == isSame)
        // Where nothing is counted, a game says what it writes.
        #expect(!DocumentDiff(from: old, to: new, rules: .empty).changes.isEmpty)
    }

    /// More digits than a double needs are of a game that counts exactly.
    @Test func whoWritesMoreDigitsCountsThem() {
        let old = document(#"{"hours":100000000000000000000.25}"#)
        let new = document(#"{"hours":100000000000000000000.5}"#)
        #expect(DocumentDiff(from: old, to: new, rules: counted).changes.count == 1)
    }

    /// Both play on from sums that are spelled otherwise; everything is counted once.
    @Test func whatIsPlayedOnIsCountedOnce() {
        var devices = Device.household(2, counted, sharing: #"{"hours":10.780000000000002}"#)
        devices[0].save(#"{"hours":10.780000000000001}"#)
        settle(&devices)
        devices[1].save(#"{"hours":11.35}"#)
        settle(&devices)
        for device in devices { #expect(json(device.shown) == json(#"{"hours":11.35}"#), "\(device.shown)") }
        devices[0].save(#"{"hours":11.850000000000001}"#)
        settle(&devices)
        for device in devices {
            #expect(json(device.shown) == json(#"{"hours":11.850000000000001}"#), "\(device.shown)")
            #expect(device.wouldEdit == 0)
        }
    }
}
