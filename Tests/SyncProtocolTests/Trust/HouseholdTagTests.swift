import MergeCore
import SyncProtocol
import Testing

/// The tag by which a household's devices recognise one another in announcements.
@Suite struct HouseholdTagTests {
    private let secret = [UInt8](repeating: 7, count: 32)
    private let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    private func tag(
        secret: [UInt8]? = nil, instance: String = "0011223344556677", port: UInt16 = 7_411, hour: UInt32 = 498_000
    ) -> HouseholdTag {
        HouseholdTag(nonce: nonce, secret: secret ?? self.secret, instance: instance, port: port, hour: hour)
    }

    /// The same bytes are in Tests/WirePeer/test_vectors.py.
    @Test func itsTextIsThatOfTheSpecification() throws {
        let text = "0102030405060708.00079950.4ea0e34aa71c68c7db88b179b992fd1d"
        #expect(tag().text == text)
        let read = try #require(HouseholdTag(text: text))
        #expect(read == tag() && read.hour == 498_000)
        #expect(read.matches(secret: secret, instance: "0011223344556677", port: 7_411))
    }

    @Test func itIsBoundToAllThatItWasMadeFor() {
        let tag = tag()
        let other = [UInt8](repeating: 8, count: 32)
        #expect(!tag.matches(secret: other, instance: "0011223344556677", port: 7_411))
        #expect(!tag.matches(secret: [], instance: "0011223344556677", port: 7_411))
        #expect(!tag.matches(secret: secret, instance: "0011223344556678", port: 7_411))
        #expect(!tag.matches(secret: secret, instance: "0011223344556677", port: 7_412))
        // Another hour before the same tag.
        let parts = tag.text.split(separator: ".")
        let moved = HouseholdTag(text: "\(parts[0]).00079951.\(parts[2])")
        #expect(moved?.matches(secret: secret, instance: "0011223344556677", port: 7_411) == false)
    }

    @Test(
        arguments: [
            "", ".", "..", "0102030405060708.4ea0e34aa71c68c7db88b179b992fd1d",
            "0102030405060708.0007995.4ea0e34aa71c68c7db88b179b992fd1d",
            "0102030405060708.00079950.4ea0e34aa71c68c7db88b179b992fd1d.",
            "0102030405060708.00079950.4ea0e34aa71c68c7db88b179b992fd", "é102030405060708.00079950.4ea0",
        ])
    func anotherTextIsNone(text: String) {
        #expect(HouseholdTag(text: text) == nil)
    }

    @Test func theHourIsThatOfTheClock() {
        #expect(HouseholdTag.hour(of: WallTime(milliseconds: 3_599_999)) == 0)
        #expect(HouseholdTag.hour(of: WallTime(milliseconds: 3_600_000)) == 1)
        #expect(HouseholdTag.hour(of: .min) == 0 && HouseholdTag.hour(of: .max) == .max)
    }

    @Test func todayIsADayAndTwoHours_eitherWay() {
        #expect(tag(hour: 100).isOfToday(126) && tag(hour: 126).isOfToday(100))
        #expect(!tag(hour: 100).isOfToday(127) && !tag(hour: 127).isOfToday(100))
        #expect(!tag(hour: 0).isOfToday(.max) && !tag(hour: .max).isOfToday(0))
    }
}
