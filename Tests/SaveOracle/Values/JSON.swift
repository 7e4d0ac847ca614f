/// A JSON value that keeps what a file says: the text of every number, and the order of members.
package indirect enum JSON: Sendable {
    case null
    case bool(Bool)
    /// The text of the number, as it stands in the file.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Sendable {
        package var name: String
        package var value: JSON

        package init(_ name: String, _ value: JSON) { (self.name, self.value) = (name, value) }
    }
}

extension JSON {
    package subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    package var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// Whether it holds other values.
    package var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Null, false, 0, "" and what is empty: what a game writes that has nothing.
    package var isEmpty: Bool {
        switch self {
        case .null: true
        case .bool(let truth): !truth
        case .number(let text): ExactNumber(text).map { $0.isZero } ?? false
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        }
    }

    /// With a member set, at its place or behind the others; removed where there is no value.
    package func setting(_ name: String, to value: JSON?) -> JSON {
        var members = members ?? []
        let index = members.firstIndex { $0.name == name }
        switch (index, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name, value))
        case (nil, nil): break
        }
        return .object(members)
    }

    /// The same values, members in any order, arrays in theirs. Numbers by their text, or by their value.
    package func isSame(as other: JSON, spelling: Bool = true) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.bool(let one), .bool(let two)): return one == two
        case (.number(let one), .number(let two)):
            return one == two || (!spelling && ExactNumber(one) == ExactNumber(two))
        case (.string(let one), .string(let two)): return one.utf8.elementsEqual(two.utf8)
        case (.array(let one), .array(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1, spelling: spelling) }
        case (.object(let one), .object(let two)):
            guard one.count == two.count else { return false }
            if zip(one, two).allSatisfy({ $0.name == $1.name }) {
                return zip(one, two).allSatisfy { $0.value.isSame(as: $1.value, spelling: spelling) }
            }
            let others = Dictionary(two.map { ($0.name, $0.value) }) { first, _ in first }
            return one.allSatisfy { member in
                others[member.name].map { member.value.isSame(as: $0, spelling: spelling) } ?? false
            }
        default: return false
        }
    }

    /// A text that is equal where values are: numbers by value, members by name.
    package var identity: String {
        switch self {
        case .number(let text): ExactNumber(text)?.description ?? text
        case .array(let elements): "[" + elements.map(\.identity).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.name < $1.name }.map { "\"\($0.name)\":\($0.value.identity)" }
                .joined(separator: ",") + "}"
        default: text()
        }
    }
}

/// Whether two values, either of which may be missing, are the same; see ``JSON/isSame(as:spelling:)``.
package func same(_ one: JSON?, _ two: JSON?, spelling: Bool = true) -> Bool {
    switch (one, two) {
    case (nil, nil): true
    case (let one?, let two?): one.isSame(as: two, spelling: spelling)
    default: false
    }
}
