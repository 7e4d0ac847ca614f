/// The strings of a DNS-SD TXT record (RFC 6763, section 6) with the limits that this program keeps.
enum TXTStrings {
    /// The largest record that is read or written, in bytes with the length bytes (RFC 6763, section 6.2 names 1,300 as
    /// the size that still fits one Ethernet packet).
    static let largestRecord = 1_300
    /// The longest single string, in bytes.
    static let longestString = 255

    /// The result of reading a record.
    struct Reading: Equatable {
        var pairs: [String: String] = [:]
        /// Whether something was beyond a limit and left out.
        var wasCut = false
    }

    /// Reads the strings of one record in wire form: a length byte, then that many bytes, repeated.
    ///
    /// A record that ends inside a string loses that string.
    static func decode(_ record: some Collection<UInt8>) -> Reading {
        var rest = Array(record.prefix(largestRecord))[...]
        var strings: [ArraySlice<UInt8>] = []
        let wasCut = record.count > largestRecord
        while let length = rest.popFirst() {
            guard Int(length) <= rest.count else { break }
            strings.append(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
        }
        var reading = read(strings)
        reading.wasCut = reading.wasCut || wasCut
        return reading
    }

    /// Reads strings that a library has already separated.
    ///
    /// The first of two equal keys wins, keys being compared without case; a string without `=` has an empty value; a
    /// string with no key, or with a key that is not printable ASCII, is left out (RFC 6763, section 6.4).
    static func read(_ strings: some Sequence<ArraySlice<UInt8>>) -> Reading {
        var reading = Reading()
        var keys: Set<String> = []
        var bytes = 0
        for string in strings {
            bytes += 1 + string.count
            guard bytes <= largestRecord else {
                reading.wasCut = true
                break
            }
            let key = string.prefix { $0 != UInt8(ascii: "=") }
            guard !key.isEmpty, key.allSatisfy({ (0x20...0x7E).contains($0) }) else { continue }
            let name = String(decoding: key, as: UTF8.self)
            guard keys.insert(name.lowercased()).inserted else { continue }
            let value = string.dropFirst(key.count + 1)
            reading.pairs[name] = ForeignText.clean(value, limit: longestString)
        }
        return reading
    }

    /// The strings to publish, in the order of their keys, and the keys that do not fit the limits.
    static func strings(of pairs: [String: String]) -> (strings: [[UInt8]], tooLong: [String]) {
        var strings: [[UInt8]] = []
        var tooLong: [String] = []
        var bytes = 0
        for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
            let string = Array("\(key)=\(value)".utf8)
            guard string.count <= longestString, bytes + 1 + string.count <= largestRecord else {
                tooLong.append(key)
                continue
            }
            bytes += 1 + string.count
            strings.append(string)
        }
        return (strings, tooLong)
    }

    /// The wire form of `strings`; a record without strings is one zero byte (RFC 6763, section 6.1).
    static func encode(_ strings: [[UInt8]]) -> [UInt8] {
        strings.isEmpty ? [0] : strings.flatMap { [UInt8(truncatingIfNeeded: $0.count)] + $0 }
    }
}
