import LosslessJSON

/// Takes the members of one JSON object, each with its kind checked.
///
/// `null` counts as absent.
struct MemberReader {
    /// Names the object in errors: `the request "add"`.
    var what: String
    /// Requests hold paths and names, in which C would see the end of the text.
    var allowsNUL = true
    private let members: [JSONMember]

    init(_ value: JSONValue, what: String) throws(ControlCodingError) {
        guard case .object(let members) = value else { throw ControlCodingError("\(what) is no JSON object.") }
        self.members = members
        self.what = what
    }

    func value(_ key: JSONString) -> JSONValue? {
        guard let value = members.first(where: { $0.key == key })?.value, value != .null else { return nil }
        return value
    }

    func text(_ key: JSONString) throws(ControlCodingError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let string) = value else { throw wrong(key, "is no string") }
        guard let text = String(validating: string.bytes, as: UTF8.self) else {
            throw wrong(key, "holds half of a surrogate pair")
        }
        guard allowsNUL || !text.utf8.contains(0) else { throw wrong(key, "holds a NUL") }
        return text
    }

    func requiredText(_ key: JSONString) throws(ControlCodingError) -> String {
        guard let text = try text(key) else { throw wrong(key, "is missing") }
        return text
    }

    /// A path from the root; anything else would mean another file to the agent than to whoever asked.
    func path(_ key: JSONString) throws(ControlCodingError) -> String {
        let path = try requiredText(key)
        guard path.hasPrefix("/") else { throw wrong(key, "is no absolute path") }
        return path
    }

    func integer(_ key: JSONString) throws(ControlCodingError) -> Int64 {
        guard let value = value(key) else { throw wrong(key, "is missing") }
        guard case .number(let number) = value, let integer = Int64(number.text) else {
            throw wrong(key, "is no whole number of 64 bits")
        }
        return integer
    }

    /// True or false; absent counts as false.
    func truth(_ key: JSONString) throws(ControlCodingError) -> Bool {
        guard let value = value(key) else { return false }
        guard case .bool(let truth) = value else { throw wrong(key, "is neither true nor false") }
        return truth
    }

    func required(_ key: JSONString) throws(ControlCodingError) -> JSONValue {
        guard let value = value(key) else { throw wrong(key, "is missing") }
        return value
    }

    /// Refuses members that nobody asked about.
    func allow(_ keys: Set<JSONString>) throws(ControlCodingError) {
        guard let stranger = members.first(where: { !keys.contains($0.key) }) else { return }
        throw wrong(stranger.key, "is unknown to this version")
    }

    func wrong(_ key: JSONString, _ fault: String) -> ControlCodingError {
        ControlCodingError("\(Self.initialUpper(what)): the member \"\(key.string.prefix(100))\" \(fault).")
    }

    private static func initialUpper(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
