/// The version of the save at which an atom was written, as the atom's path names it.
///
/// It is the name that ``RuleSet/version`` had at that time, with `~`, `/` and `#` escaped so that a path can follow.
/// It is empty where the rules named no version.
struct VersionLabel: Hashable, Sendable {
    let bytes: [UInt8]

    /// The label of rules that name no version.
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

    /// The label of saves under these rules. It is ``none`` for rules without a place where saves state their version,
    /// because such saves could not be told apart.
    init(_ rules: RuleSet) {
        self = rules.versionAt == nil ? .none : VersionLabel(rules.version ?? "")
    }

    /// The name without the escapes.
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
