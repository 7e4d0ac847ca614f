/// A message of D-Bus, in the little-endian form that machines with Linux use among their own programs.
struct BusMessage: Equatable {
    enum Kind: UInt8 { case call = 1, answer, failure, signal }

    /// The fields of the header that are text, with their codes.
    enum Text: UInt8, CaseIterable { case path = 1, interface, member, failure, destination = 6, sender }

    /// The longest message that is read.
    static let limit = 1 << 20
    /// Bytes from whose content the size of the whole message follows.
    static let startSize = 16

    var kind: Kind
    var serial: UInt32 = 0
    /// The serial of the call that this message answers.
    var answers: UInt32?
    var texts: [Text: String] = [:]
    var body = BusBytes()

    init(_ kind: Kind) { self.kind = kind }

    /// The call of a method.
    init(call member: String, of interface: String, at path: String, to destination: String, _ body: BusBytes = .init())
    {
        kind = .call
        texts = [.member: member, .interface: interface, .path: path, .destination: destination]
        self.body = body
    }

    var encoded: [UInt8] {
        var all = BusBytes()
        for byte in [UInt8(ascii: "l"), kind.rawValue, 0, 1] { all.add(byte: byte) }
        all.add(UInt32(body.bytes.count))
        all.add(serial)
        all.addList(alignment: 8) { all in
            for (code, text) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                all.addField(code.rawValue, code == .path ? "o" : "s") { $0.add(text) }
            }
            if let answers { all.addField(5, "u") { $0.add(answers) } }
            if !body.signature.isEmpty { all.addField(8, "g") { [body] in $0.add(signature: body.signature) } }
        }
        all.align(to: 8)
        return all.bytes + body.bytes
    }

    /// How many bytes the message has that begins so; `nil` where that is none, or one that is too long.
    static func size(of start: [UInt8]) -> Int? {
        guard start.count >= startSize, start[0] == UInt8(ascii: "l"), start[3] == 1 else { return nil }
        var reader = BusReader(Array(start))
        reader.skip(4)
        guard let body = reader.number(), reader.number() != nil, let fields = reader.number() else { return nil }
        let size = (startSize + Int(fields) + 7) / 8 * 8 + Int(body)
        return size <= limit ? size : nil
    }

    /// `nil` for what is no message.
    init?(_ bytes: [UInt8]) {
        guard Self.size(of: bytes) == bytes.count, let kind = Kind(rawValue: bytes[1]) else { return nil }
        self.kind = kind
        var reader = BusReader(bytes)
        reader.skip(4)
        guard let size = reader.number(), let serial = reader.number(), let fields = reader.number() else { return nil }
        self.serial = serial
        let end = reader.place + Int(fields)
        while reader.place < end {
            reader.align(to: 8)
            guard let code = reader.byte(), let form = reader.signature() else { return nil }
            switch form {
            case "s", "o":
                guard let text = reader.text() else { return nil }
                if let known = Text(rawValue: code) { texts[known] = text }
            case "u":
                guard let number = reader.number() else { return nil }
                if code == 5 { answers = number }
            case "g":
                guard let text = reader.signature() else { return nil }
                if code == 8 { body.signature = text }
            default: return nil
            }
        }
        body.bytes = Array(bytes.suffix(Int(size)))
    }
}

/// Values as D-Bus writes them one behind the other, with the signature that names their types.
struct BusBytes: Equatable {
    var bytes: [UInt8] = []
    var signature = ""

    init(signature: String = "") { self.signature = signature }

    mutating func align(to size: Int) {
        while bytes.count % size != 0 { bytes.append(0) }
    }

    mutating func add(byte: UInt8) { bytes.append(byte) }

    mutating func add(_ number: UInt32) {
        align(to: 4)
        for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Text ends at a zero byte, which it therefore cannot contain.
    mutating func add(_ text: String) {
        let utf8 = text.utf8.filter { $0 != 0 }
        add(UInt32(utf8.count))
        bytes += utf8 + [0]
    }

    mutating func add(signature: String) { bytes += [UInt8(signature.utf8.count)] + signature.utf8 + [0] }

    /// An array of what `content` writes; its length does not count what comes before the first element.
    mutating func addList(alignment: Int, _ content: (inout BusBytes) -> Void = { _ in }) {
        add(0)
        let length = bytes.count - 4
        align(to: alignment)
        let start = bytes.count
        content(&self)
        let size = UInt32(bytes.count - start)
        for index in 0..<4 { bytes[length + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
    }

    fileprivate mutating func addField(_ code: UInt8, _ form: String, _ content: (inout BusBytes) -> Void) {
        align(to: 8)
        add(byte: code)
        add(signature: form)
        content(&self)
    }
}

/// Reads values of D-Bus. What is not there, or does not fit, is `nil`.
struct BusReader {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ count: Int) { place += count }

    mutating func align(to size: Int) { place = (place + size - 1) / size * size }

    mutating func byte() -> UInt8? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number() -> UInt32? {
        align(to: 4)
        guard place + 4 <= bytes.count else { return nil }
        defer { place += 4 }
        return (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
    }

    mutating func text() -> String? { number().flatMap { text($0) } }

    mutating func signature() -> String? { byte().flatMap { text(UInt32($0)) } }

    private mutating func text(_ size: UInt32) -> String? {
        let end = place + Int(size)
        guard end < bytes.count else { return nil }
        defer { place = end + 1 }
        return String(validating: bytes[place..<end], as: UTF8.self)
    }
}
