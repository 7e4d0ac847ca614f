import LosslessJSON

/// A value that is being put together by an encoder and its containers.
final class CodingSlot {
    private enum Content {
        case nothing
        case value(CodedValue)
        case list
        case object
    }

    /// A value that is there, or one that a nested container still puts together.
    private enum Entry {
        case value(CodedValue)
        case slot(CodingSlot)

        var finished: CodedValue {
            switch self {
            case .value(let value): value
            case .slot(let slot): slot.finished
            }
        }
    }

    private var content = Content.nothing
    private var entries: [Entry] = []
    private var keys: [JSONString] = []
    /// Of ``keys``, where there are many.
    private var positions: [JSONString: Int] = [:]
    private static let few = 16
    /// The containers among what is put together, where they are remembered.
    var inside = CodedNode.Inside()

    func set(_ value: CodedValue) { content = .value(value) }

    func beginList() { content = .list }

    func beginObject() { content = .object }

    /// How many elements there are.
    var count: Int { entries.count }

    func append(_ value: CodedValue) { entries.append(.value(value)) }

    /// A new element of the list, to be filled.
    func element() -> CodingSlot {
        let slot = CodingSlot()
        entries.append(.slot(slot))
        return slot
    }

    func set(_ value: CodedValue, _ key: JSONString) { put(.value(value), key) }

    /// The member of the object by this key, to be filled; the same one when it is asked for again.
    func member(_ key: JSONString) -> CodingSlot {
        if let position = position(key), case .slot(let slot) = entries[position] { return slot }
        let slot = CodingSlot()
        put(.slot(slot), key)
        return slot
    }

    /// A second value takes the place of the first.
    private func put(_ entry: Entry, _ key: JSONString) {
        if let position = position(key) {
            entries[position] = entry
            return
        }
        if keys.count >= Self.few {
            if positions.isEmpty { for (index, key) in keys.enumerated() { positions[key] = index } }
            positions[key] = keys.count
        }
        keys.append(key)
        entries.append(entry)
    }

    private func position(_ key: JSONString) -> Int? {
        positions.isEmpty ? keys.firstIndex(of: key) : positions[key]
    }

    /// What was put together; an object without members where nothing was.
    var finished: CodedValue {
        switch content {
        case .nothing: .object([])
        case .value(let value): value
        case .list: .list(entries.map(\.finished))
        case .object: .object(zip(keys, entries).map { CodedMember(key: $0, value: $1.finished) })
        }
    }
}
