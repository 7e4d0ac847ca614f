import LosslessJSON
import MergeCore
import Testing

@Suite struct CounterTests {
    static let purse = rules(["/coins": .init(.counter)])
    static let textPurse = rules(["/coins": .init(.counter, as: .number)])

    @Test func startsOfTwoDevicesNeverAddUp() {
        var devices = Device.household(2, Self.purse)
        devices[0].adopt(#"{"coins":100}"#)
        devices[1].adopt(#"{"coins":120}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"coins":120}"#, #"{"coins":120}"#])
        devices[0].save(#"{"coins":125}"#)
        devices[1].save(#"{"coins":90}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"coins":95}"#, #"{"coins":95}"#])
    }

    @Test func equalCopiesStayOneAmount() {
        var devices = Device.household(3, Self.purse)
        for index in 0..<3 { devices[index].adopt(#"{"coins":100}"#) }
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"coins":100}"#, count: 3))
    }

    @Test func earnedHereAndSpentThere() {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":10}"#)
        devices[0].save(#"{"coins":60}"#)
        devices.sync(0, 1)
        devices[1].save(#"{"coins":5}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"coins":5}"#, #"{"coins":5}"#])
    }

    @Test func overspendingShowsZeroAndEarningsRepay() {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":100}"#)
        devices[0].save(#"{"coins":20}"#)
        devices[1].save(#"{"coins":30}"#)
        devices.sync(0, 1)  // 100 − 80 − 70 = −50
        #expect(devices.map(\.shown) == [#"{"coins":0}"#, #"{"coins":0}"#])
        devices[0].save(#"{"coins":40}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"coins":0}"#, #"{"coins":0}"#])
        devices[0].save(#"{"coins":15}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"coins":5}"#, #"{"coins":5}"#])
    }

    @Test func aVanishedCounterSpendsWhatItShowed() {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":10,"a":1}"#)
        devices[0].save(#"{"a":1}"#)
        devices[1].save(#"{"coins":13,"a":1}"#)
        devices.sync(0, 1)
        #expect(devices[1].value["coins"] == 3)
        #expect(devices[0].value["coins"] == 3)
    }

    @Test func aNewCounterOfZeroReachesTheOthers() {
        var devices = Device.household(2, Self.purse, sharing: #"{"a":1}"#)
        devices[0].save(#"{"a":1,"coins":0}"#)
        devices.sync(0, 1)
        #expect(devices[1].shown == #"{"a":1,"coins":0}"#)
        devices[1].save(#"{"a":1,"coins":7}"#)
        devices.sync(0, 1)
        #expect(devices[0].shown == #"{"a":1,"coins":7}"#)
    }

    @Test func numbersBeyondMachineWordsAreExact() {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":18446744073709551616}"#)
        devices[0].save(#"{"coins":18446744073709551616000000000000000000000.25}"#)
        devices[1].save(#"{"coins":18446744073709551617.5}"#)
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"coins":18446744073709551616000000000000000000001.75}"#))
        #expect(devices[1].value == devices[0].value)
    }

    @Test func aCounterInAStringStaysAString() {
        var devices = Device.household(2, rules(["/coins": .init(.counter, as: .number)]), sharing: #"{"coins":"10"}"#)
        devices[0].save(#"{"coins":"15"}"#)
        devices[1].save(#"{"coins":"12.5"}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"coins":"17.5"}"#, #"{"coins":"17.5"}"#])
    }

    @Test func whatIsNoNumberIsNoOperation() {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":10}"#)
        devices[0].save(#"{"coins":"many"}"#)
        #expect(devices[0].unreadable.map(\.path) == [DocumentPath([.member("coins")])])
        devices[1].save(#"{"coins":14}"#)
        devices.sync(0, 1)
        #expect(devices[0].shown == #"{"coins":"many"}"#)
        // Once it is a number again, what is known counts, not that it came from nothing.
        devices[0].save(#"{"coins":20}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"coins":20}"#, #"{"coins":20}"#])
    }

    @Test func moreThanAThousandDigitsAreRefused() {
        let long = "1" + String(repeating: "0", count: 998) + "7"
        var devices = Device.household(2, Self.purse, sharing: "{\"coins\":\(long)}")
        for refused in [long + "1", "1e1000", "0.1e-1000", "1e999999999999999", "-1e2000"] {
            let before = devices[0].state.vector
            devices[0].save("{\"coins\":\(refused)}")
            #expect(!devices[0].unreadable.isEmpty, "\(refused.prefix(20)) is taken")
            #expect(devices[0].state.vector == before)
            var alone = Device.household(1, Self.purse)[0]
            alone.adopt("{\"coins\":\(refused)}")
            #expect(!alone.unreadable.isEmpty, "\(refused.prefix(20)) is adopted")
            devices[0].save("{\"coins\":\(long)}")
        }
        devices.sync(0, 1)
        #expect(devices[1].value["coins"] == json(long))
    }

    /// Whatever a game writes, what is stored of a counter can be read again: by the record, and by other devices. A number
    /// that is too long stays in the file.
    @Test(
        arguments: [
            ("1e900", "2e1500"), ("1e1500", "2e1500"), ("1e998", "1e999"), ("9e999", "1e1000"), ("1e1000", "1e1001"),
            ("5", "1e1500"), ("1e-200", "1e-1100"), ("-1e900", "-2e1500"), ("0", "1e999"), ("1e1500", "3"),
            ("9e900", "-9e900"),
        ], [false, true])
    func whatIsStoredCanBeReadAgain(_ numbers: (String, String), isText: Bool) throws {
        let spelled = [numbers.0, numbers.1].map { isText ? "\"\($0)\"" : $0 }
        let rules = isText ? Self.textPurse : Self.purse
        var devices = Device.household(2, rules)
        devices[0].adopt("{\"coins\":\(spelled[0])}")
        devices[0].save("{\"coins\":\(spelled[1])}")
        devices[0].save("{\"coins\":\(spelled[0])}")
        devices[0].save("{\"coins\":\(spelled[1])}")
        #expect(throws: Never.self) { try ProfileState(decoding: devices[0].state.encoded) }
        devices.sync(0, 1)
        let isCounted = devices[0].unreadable.isEmpty
        #expect(!isCounted || devices[1].value["coins"] == json(spelled[1]), "\(devices[1].shown)")
        #expect(devices[0].value["coins"] == json(spelled[1]), "\(devices[0].shown)")
    }

    // MARK: Null

    /// A null is nothing yet, as a missing value is: what each earned from there adds up.
    @Test(arguments: [
        ("/x", #"{"x":@}"#), ("/o/x", #"{"o":{"x":@},"y":1}"#), ("/l[id]/n", #"{"l":[{"id":1,"n":@}]}"#),
        ("/l/*", #"{"l":[1,@]}"#),
    ])
    func whatIsEarnedFromNullAddsUp(pattern: String, save: String) throws {
        func with(_ value: String) -> String { save.replacing("@", with: value) }
        let counts = MergeCoreTests.rules([pattern: .init(.counter)])
        _ = try Device.mergedApart(with("5"), with("7"), base: with("null"), counts, showing: json(with("12")))
        _ = try Device.mergedApart(with("5"), with("-7"), base: with("null"), counts, showing: json(with("-2")))
        _ = try Device.mergedApart(with("0"), with("7"), base: with("null"), counts, showing: json(with("7")))
        // One writer's number is as written, and a null that another machine still holds is nothing to spend.
        var devices = Device.household(2, counts, sharing: with("null"))
        devices[0].save(with("5"))
        devices[1].pull(devices[0])
        devices[1].save(with("8"))
        devices.sync(0, 1)
        #expect(devices.map(\.value) == [json(with("8")), json(with("8"))])
    }

    @Test func aNullInASaveThatIsFoundIsNoStart() {
        let counts = MergeCoreTests.rules(["/x": .init(.counter)])
        var devices = Device.household(2, counts)
        devices[0].adopt(#"{"x":5}"#)
        devices[1].adopt(#"{"x":null}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"x":5}"#, #"{"x":5}"#])
        // It says nothing where the rule knows an amount: the file gets that back, and the next number goes on from it.
        devices[0].save(#"{"x":null}"#)
        #expect(devices[0].unreadable.map(\.path) == [DocumentPath([.member("x")])])
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"x":5}"#, #"{"x":5}"#])
        devices[0].save(#"{"x":null}"#)
        devices[0].save(#"{"x":3}"#)
        devices[1].save(#"{"x":9}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"x":7}"#, #"{"x":7}"#])
    }

    /// Amounts that can be written alone may be too long together: what was earned and spent stays one that can be stored.
    @Test func whatIsEarnedAndSpentStaysShortEnough() {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":0}"#)
        for number in ["9e999", "-9e999", "9e999", "-9e999", "5"] {
            devices[0].save("{\"coins\":\(number)}")
            devices[0].project()
            #expect(throws: Never.self, "\(number)") { try ProfileState(decoding: devices[0].state.encoded) }
        }
        devices.sync(0, 1)
        #expect(devices[0].value == devices[1].value)
    }
}
