public import LosslessJSON

/// One step from a container to something in it.
public enum PathStep: Hashable, Sendable {
    /// An object's member.
    case member(JSONString)
    /// An element of an array of objects, identified by the canonical bytes of its key member's value.
    case element([UInt8])
    /// An array's element by position.
    case index(Int)
}

/// The place of a leaf in a profile's document, comparable across devices.
///
/// The encoded form is a JSON Pointer (RFC 6901) with two more escapes, `~2` before the canonical value of a keyed
/// element and `~3` before an index, so that `/a/0` in an object and in an array stay apart. Equality is by bytes.
public struct DocumentPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The encoded form, as described above.
    public let encoded: [UInt8]

    /// The whole document.
    public static let root = DocumentPath(encoded: [])

    /// The place of the rules that travel with a profile. No document path begins without a slash.
    public static let rules = DocumentPath(encoded: Array("#rules".utf8))

    /// The place of the note that this profile was joined into another one, and into which.
    public static let joined = DocumentPath(encoded: Array("#joined".utf8))

    /// The place of the note that the household no longer keeps the profile.
    public static let forgotten = DocumentPath(encoded: Array("#forgotten".utf8))

    /// The place of the note that the profile began with nothing, and of the amounts with which it began.
    package static let beginning = DocumentPath(encoded: Array("#beginning".utf8))

    /// The place at which a profile keeps a note of another one that was joined into it.
    func note(of gone: ProfileID) -> DocumentPath {
        DocumentPath(encoded: Array("#of/\(gone.hex)/".utf8) + encoded)
    }

    /// The place of a note among its profile's own, where this is the place at which another profile keeps it; else
    /// `nil`.
    func ownNote(of profile: ProfileID) -> DocumentPath? {
        let start = Array("#of/\(profile.hex)/".utf8)
        return encoded.starts(with: start) ? DocumentPath(encoded: Array(encoded[start.count...])) : nil
    }

    /// The place of the epochs that began in a profile.
    public static let epochs = DocumentPath(encoded: Array("#epochs".utf8))

    /// The place of the profile's name.
    public static let name = DocumentPath(encoded: Array("#name".utf8))

    /// The place of the note of what the save's file is called on the device that added it, without its folder.
    package static let fileName = DocumentPath(encoded: Array("#file".utf8))

    /// Takes bytes as they are; ``steps`` says whether they are a path.
    public init(encoded: [UInt8]) { self.encoded = encoded }

    /// A path from its steps; no steps mean the whole document.
    public init(_ steps: [PathStep]) {
        self = steps.reduce(.root) { $0.appending($1) }
    }

    /// Whether this is Hearth's own note about the profile, not a place in the document.
    public var isReserved: Bool { !encoded.isEmpty && encoded[0] == UInt8(ascii: "#") }

    /// The place of the container; `nil` for the whole document and for Hearth's own notes.
    public var parent: DocumentPath? {
        encoded.lastIndex(of: UInt8(ascii: "/")).flatMap {
            isReserved ? nil : DocumentPath(encoded: Array(encoded[..<$0]))
        }
    }

    /// The place one step further in. O(length).
    public func appending(_ step: PathStep) -> DocumentPath {
        var bytes: [UInt8] = []
        if case .member(let name) = step { bytes.reserveCapacity(encoded.count + name.bytes.count + 8) }
        bytes += encoded
        bytes.append(UInt8(ascii: "/"))
        switch step {
        case .member(let name):
            Self.escape(name.bytes, into: &bytes)
        case .element(let key):
            bytes += [UInt8(ascii: "~"), UInt8(ascii: "2")]
            Self.escape(key, into: &bytes)
        case .index(let index):
            bytes += [UInt8(ascii: "~"), UInt8(ascii: "3")]
            bytes += Array(String(index).utf8)
        }
        return DocumentPath(encoded: bytes)
    }

    /// The largest number of steps in a path. No document within the standard limits is nested deeper, and code that
    /// walks a path may recurse.
    public static let stepLimit = JSONLimits.standard.depth

    /// The steps; `nil` where the bytes are no path (they may come from a peer). One list of steps has one spelling.
    public var steps: [PathStep]? {
        guard !isReserved, !encoded.isEmpty else { return [] }
        guard encoded[0] == UInt8(ascii: "/") else { return nil }
        var result: [PathStep] = []
        var start = 1
        while start <= encoded.count {
            var end = start
            while end < encoded.count, encoded[end] != UInt8(ascii: "/") { end += 1 }
            guard result.count < Self.stepLimit, let step = Self.step(encoded[start..<end]) else { return nil }
            result.append(step)
            start = end + 1
        }
        return result
    }

    /// By the bytes of the encoded form.
    public static func == (a: DocumentPath, b: DocumentPath) -> Bool {
        JSONString(bytes: a.encoded) == JSONString(bytes: b.encoded)
    }

    /// By the bytes of the encoded form.
    public static func < (a: DocumentPath, b: DocumentPath) -> Bool {
        JSONString(bytes: a.encoded) < JSONString(bytes: b.encoded)
    }

    /// Hashes the encoded form.
    public func hash(into hasher: inout Hasher) { JSONString(bytes: encoded).hash(into: &hasher) }

    /// ``description`` with a question mark in place of each control character: a place that another machine or a file
    /// named, inside a sentence.
    package var inOneLine: String {
        let scalars = description.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// For people, as a JSON Pointer: member names plain, keyed elements as `[value]`, indexes as numbers.
    public var description: String {
        guard !isReserved, let steps else { return String(decoding: encoded, as: UTF8.self) }
        return steps.map {
            switch $0 {
            case .member(let name):
                var bytes: [UInt8] = []
                Self.escape(name.bytes, into: &bytes)
                return "/" + String(decoding: bytes, as: UTF8.self)
            case .element(let key):
                var bytes: [UInt8] = []
                Self.escape(key, into: &bytes)
                return "/[" + String(decoding: bytes, as: UTF8.self) + "]"
            case .index(let index): return "/\(index)"
            }
        }.joined()
    }

    private static func escape(_ text: [UInt8], into bytes: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "~"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "0")]
            case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
            default: bytes.append(byte)
            }
        }
    }

    /// Reads what is between two slashes; `nil` where it is no step, or not spelled as Hearth spells it.
    static func step(_ token: ArraySlice<UInt8>) -> PathStep? {
        guard token.first == UInt8(ascii: "~"), token.count >= 2 else {
            return member(token)
        }
        switch token[token.startIndex + 1] {
        case UInt8(ascii: "2"): return unescape(token.dropFirst(2)).map { .element($0) }
        case UInt8(ascii: "3"):
            let digits = token.dropFirst(2)
            guard digits.count <= 9, let index = Int(String(decoding: digits, as: UTF8.self)),
                digits.elementsEqual(String(index).utf8), index >= 0
            else { return nil }
            return .index(index)
        default: return member(token)
        }
    }

    /// Reads a member's name. It must be text that JSON can hold: two names that are no such text would be written into
    /// a file in the same way.
    private static func member(_ token: ArraySlice<UInt8>) -> PathStep? {
        unescape(token).flatMap { JSONString(validating: $0) }.map { .member($0) }
    }

    private static func unescape(_ token: ArraySlice<UInt8>) -> [UInt8]? {
        guard token.contains(UInt8(ascii: "~")) else { return Array(token) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(token.count)
        var index = token.startIndex
        while index < token.endIndex {
            if token[index] == UInt8(ascii: "~") {
                index += 1
                guard index < token.endIndex else { return nil }
                switch token[index] {
                case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
                default: return nil
                }
            } else {
                bytes.append(token[index])
            }
            index += 1
        }
        return bytes
    }
}

extension DocumentPath {
    /// The path itself or the nearest one above it that is in a set; `nil` where none is.
    func nearest(in paths: Set<DocumentPath>) -> DocumentPath? {
        var place: DocumentPath? = self
        while let here = place {
            if paths.contains(here) { return here }
            place = here.parent
        }
        return nil
    }
}
