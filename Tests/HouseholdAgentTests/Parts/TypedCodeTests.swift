import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// Where the device is looked for that shows a code, and for how long.
@Suite struct TypedCodeTests {
    private let a = PeerAddress(host: "10.0.0.1", port: 1)
    private let b = PeerAddress(host: "10.0.0.2", port: 2)
    private let start: MonotonicTime = 100_000

    private func typed(at addresses: [PeerAddress], isAddressGiven: Bool = false) -> TypedCode {
        TypedCode(
            PairingCode(random: [UInt8](repeating: 1, count: 10)), at: addresses, isAddressGiven: isAddressGiven,
            now: start)
    }

    /// Takes the next address and dials it; where one was due, the dial ends with `reason`.
    private func tryNext(
        _ code: inout TypedCode, _ reason: String = "closed", isVerdict: Bool = false, after milliseconds: Int64 = 0
    ) -> PeerAddress? {
        let now = start + .milliseconds(milliseconds)
        guard let address = code.takeNext(now: now) else { return nil }
        code.dialling(address, as: ConnectionID(rawValue: 1))
        code.failed(reason, isVerdict: isVerdict, now: now)
        return address
    }

    // MARK: Addresses

    @Test func eachAddressIsTriedOnce() {
        var code = typed(at: [a, b, a])
        code.add([b, a])
        #expect(tryNext(&code, isVerdict: true) == a)
        #expect(tryNext(&code, isVerdict: true) == b)
        code.add([a])
        #expect(tryNext(&code, after: 20_000) == nil)
    }

    @Test func oneAddressIsTriedAtATime() {
        var code = typed(at: [a, b])
        #expect(code.takeNext(now: start) == a)
        code.dialling(a, as: ConnectionID(rawValue: 4))
        #expect(code.dial?.connection == ConnectionID(rawValue: 4) && code.dial?.address == a)
        #expect(code.takeNext(now: start) == nil && code.deadline == nil)
        code.failed("closed", isVerdict: false, now: start)
        #expect(code.dial == nil && code.takeNext(now: start) == b)
    }

    @Test func anAddressThatClosedWithoutAWordIsTriedAgain() {
        var code = typed(at: [a])
        #expect(tryNext(&code, after: 200) == a)
        #expect(code.deadline == start + .milliseconds(1_700))
        #expect(tryNext(&code, after: 1_699) == nil)
        #expect(tryNext(&code, after: 1_700) == a)
        #expect(tryNext(&code, after: 3_199) == nil)
        #expect(tryNext(&code, after: 3_200) == a)
    }

    @Test func whoSaidWhyIsNotAskedAgain() {
        var code = typed(at: [a])
        #expect(tryNext(&code, "another household", isVerdict: true) == a)
        #expect(code.verdict == "another household" && code.lastReason == "another household")
        #expect(tryNext(&code, after: 29_999) == nil)
    }

    @Test func whatIsNewIsTriedBeforeWhatIsTriedAgain() {
        var code = typed(at: [a])
        #expect(tryNext(&code) == a)
        code.add([b])
        #expect(tryNext(&code, after: 1_500) == b)
        #expect(tryNext(&code, after: 1_500) == a)
    }

    @Test func anEndThatBelongsToNoTryChangesNothing() {
        var code = typed(at: [a])
        code.failed("closed", isVerdict: true, now: start)
        #expect(code.verdict == nil && code.lastReason == nil)
        #expect(code.takeNext(now: start) == a)
    }

    // MARK: Time

    /// Whether it is over one millisecond before, and at that time.
    private func isOver(_ code: TypedCode, at milliseconds: Int64) -> [Bool] {
        [-1, 0].map { code.isOver(now: start + .milliseconds(milliseconds + $0)) }
    }

    @Test func whereNobodyIsFoundItEndsAfterHalfAMinute() {
        let code = typed(at: [])
        #expect(code.deadline == start + .seconds(30))
        #expect(isOver(code, at: 30_000) == [false, true])
    }

    @Test func whereAllSaidNoItEndsAfterThreeSeconds() {
        var code = typed(at: [a, b])
        #expect(tryNext(&code, isVerdict: true) == a)
        #expect(isOver(code, at: 3_000) == [false, false], "one address is left")
        #expect(tryNext(&code, isVerdict: true) == b)
        #expect(code.deadline == start + .seconds(3))
        #expect(isOver(code, at: 3_000) == [false, true])
    }

    @Test func whereOneMayStillAnswerItGoesOnForHalfAMinute() {
        var code = typed(at: [a, b])
        #expect(tryNext(&code, isVerdict: true) == a)
        #expect(tryNext(&code) == b)
        #expect(isOver(code, at: 30_000) == [false, true])
    }

    @Test func anAddressThatWasGivenIsTriedForEightSeconds() {
        var code = typed(at: [a], isAddressGiven: true)
        var tries: [Int64] = []
        for time in stride(from: Int64(0), to: 7_990, by: 10) where tryNext(&code, after: time) != nil {
            tries.append(time)
        }
        #expect(tries == [0, 1_500, 3_000, 4_500, 6_000, 7_500])
        #expect(code.deadline == start + .seconds(8))
        #expect(isOver(code, at: 8_000) == [false, true])
    }

    @Test func anAddressThatWasGivenAndSaidNoEndsItAtOnce() {
        var code = typed(at: [a], isAddressGiven: true)
        #expect(!code.isOver(now: start))
        #expect(tryNext(&code, isVerdict: true) == a)
        #expect(code.isOver(now: start))
    }

    @Test func nothingIsOverWhileAnAddressIsDialled() {
        var code = typed(at: [a])
        #expect(code.takeNext(now: start) == a)
        code.dialling(a, as: ConnectionID(rawValue: 1))
        #expect(!code.isOver(now: start + .seconds(60)) && code.deadline == nil)
    }
}
