import ProfileKeeping

/// The kind of a file in a backup folder, by its name alone. Files with other names are not Hearth's: they are not
/// listed and never touched.
enum BackupName: Hashable, Comparable {
    /// A backup from before the format: the bare document, named by its time in milliseconds since 1970 and, if several
    /// were made at one moment, by a number (`000001700000000000.json`, `000001700000000000_1.json`).
    case plain(time: Int64, number: Int)
    /// A backup such as `0000000042.backup`: numbered in the order in which backups were made.
    case numbered(Int64)

    init?(_ name: String) {
        if name.hasSuffix(Self.ending) {
            guard let number = Self.number(name.dropLast(Self.ending.count), digits: 10...18) else { return nil }
            self = .numbered(number)
        } else if name.hasSuffix(Self.plainEnding) {
            let parts = name.dropLast(Self.plainEnding.count).split(separator: "_", omittingEmptySubsequences: false)
            guard parts.count <= 2, let time = Self.number(parts[0], digits: 15...18) else { return nil }
            guard parts.count == 2 else {
                self = .plain(time: time, number: 0)
                return
            }
            guard let number = Self.number(parts[1], digits: 1...5) else { return nil }
            self = .plain(time: time, number: Int(number))
        } else {
            return nil
        }
    }

    static func name(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 10 - digits.count)) + digits + ending
    }

    /// The next free number, larger than all others; `nil` where there is none left.
    static func next(after names: some Sequence<BackupName>) -> Int64? {
        var last: Int64 = 0
        for case .numbered(let number) in names { last = max(last, number) }
        return last < 999_999_999_999_999_999 ? last + 1 : nil
    }

    private static let ending = ".backup"
    private static let plainEnding = ".json"

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int64(text)
    }
}
