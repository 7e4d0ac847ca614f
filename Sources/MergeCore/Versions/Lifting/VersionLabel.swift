/// The version of the save at which an atom was written, as its path names it.
///
/// It is the name that ``RuleSet/version`` had when the atom was written, escaped so that a path can follow it; empty
/// where the rules named none.
struct VersionLabel: Hashable, Sendable {
    let bytes: [UInt8]

    /// Rules that name no version.
    static let none = VersionLabel(bytes: [])

    /// Whether it names none.
    var isNone: Bool { bytes.isEmpty }

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ name: String) {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "~"): bytes += "~0".utf8
            case UInt8(ascii: "/"): bytes += "~1".utf8
            case UInt8(ascii: "#"): bytes += "~2".utf8
            default: bytes.append(byte)
            }
        }
        self.bytes = bytes
    }

    /// The version that saves under these rules have. A version without a place where saves say theirs tells nothing
    /// apart.
    init(_ rules: RuleSet) {
        self = rules.versionAt == nil ? .none : VersionLabel(rules.version ?? "")
    }

    /// The name again, for people and for rules.
    var name: String {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            switch (isEscaped, byte) {
            case (true, UInt8(ascii: "0")): result.append(UInt8(ascii: "~"))
            case (true, UInt8(ascii: "1")): result.append(UInt8(ascii: "/"))
            case (true, UInt8(ascii: "2")): result.append(UInt8(ascii: "#"))
            case (_, UInt8(ascii: "~")):
                isEscaped = true
                continue
            default: result.append(byte)
            }
            isEscaped = false
        }
        return String(decoding: result, as: UTF8.self)
    }
}
