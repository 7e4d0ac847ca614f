import MergeCore
import ProfileKeeping

/// The name of a file in a folder of copies: `0000000007-20261121-CHECKSUM.copy`. It holds a number in the order in
/// which copies were made, the day, and SHA-256 over the file in hexadecimal digits. Files with other names are not
/// Hearth's.
struct CopyName: Hashable {
    var number: Int64
    var day: LocalDay
    var checksum: [UInt8]

    init(number: Int64, day: LocalDay, checksum: [UInt8]) {
        (self.number, self.day, self.checksum) = (number, day, checksum)
    }

    init?(_ name: String) {
        guard name.hasSuffix(Self.ending) else { return nil }
        let parts = name.dropLast(Self.ending.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, 10...18 ~= parts[0].utf8.count, parts[0].utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int64(parts[0]), parts[1].utf8.count == 8, let day = UInt32(parts[1]).flatMap(LocalDay.init),
            let checksum = Self.bytes(parts[2])
        else { return nil }
        self.init(number: number, day: day, checksum: checksum)
        guard name == self.name else { return nil }
    }

    var name: String {
        let digits = String(number)
        let days = String(day.number)
        return String(repeating: "0", count: max(0, 10 - digits.count)) + digits + "-"
            + String(repeating: "0", count: 8 - days.count) + days + "-" + Self.hex(checksum) + Self.ending
    }

    /// The next free number, larger than all others; `nil` where there is none left.
    static func next(after names: [CopyName]) -> Int64? {
        let last = names.map(\.number).max() ?? 0
        return last < 999_999_999_999_999_999 ? last + 1 : nil
    }

    private static let ending = ".copy"

    private static func hex(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        var halves: [UInt8] = []
        for digit in text.utf8 {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            halves.append(UInt8(value))
        }
        return stride(from: 0, to: 64, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
