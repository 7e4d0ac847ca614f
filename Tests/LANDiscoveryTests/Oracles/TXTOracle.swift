@testable import LANDiscovery

/// What must hold of a TXT record, for any bytes at all.
enum TXTOracle {
    /// One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        let reading = TXTStrings.decode(bytes)
        let isTooLong = bytes.count > TXTStrings.largestRecord
        guard reading.wasCut == isTooLong else { return "a record of \(bytes.count) bytes is cut without reason" }
        for (key, value) in reading.pairs {
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }) else {
                return "a key is not printable: \(Array(key.utf8))"
            }
            guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                return "the value of \(key) has a control character"
            }
        }
        // What can be published again is read as it was.
        let (strings, tooLong) = TXTStrings.strings(of: reading.pairs)
        let record = TXTStrings.encode(strings)
        guard record.count <= TXTStrings.largestRecord else { return "a record of \(record.count) bytes is written" }
        let rest = reading.pairs.filter { !tooLong.contains($0.key) }
        guard TXTStrings.decode(record) == TXTStrings.Reading(pairs: rest) else { return "\(rest) is read otherwise" }
        _ = ForeignText.clean(bytes, limit: ForeignText.longestName)
        return nil
    }
}
