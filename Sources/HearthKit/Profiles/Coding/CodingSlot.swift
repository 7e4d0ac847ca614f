import LosslessJSON

/// A value that an encoder and its nested containers are still building.
final class CodingSlot {
    private enum Content {
        case nothing
        case value(CodedValue)
        case list
        case object
    }

    /// One entry: a finished value, or the slot of a nested container that is still being filled.
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
    /// The index of each key in ``keys``. Filled only above ``few`` keys; below that a linear search is faster.
    private var positions: [JSONString: Int] = [:]
    private static let few = 16
    /// The nodes of the containers that were put in, for the next save (``CodedNode``).
    var inside = CodedNode.Inside()

    func set(_ value: CodedValue) { content = .value(value) }

    func beginList() { content = .list }

    func beginObject() { content = .object }

    var count: Int { entries.count }

    func append(_ value: CodedValue) { entries.append(.value(value)) }

    /// Appends an empty element to the list and returns its slot.
    func element() -> CodingSlot {
        let slot = CodingSlot()
        entries.append(.slot(slot))
        return slot
    }

    func set(_ value: CodedValue, _ key: JSONString) { put(.value(value), key) }

    /// The slot of the member with this key. A second call returns the same slot, as `Encoder` asks for.
    func member(_ key: JSONString) -> CodingSlot {
        if let position = position(key), case .slot(let slot) = entries[position] { return slot }
        let slot = CodingSlot()
        put(.slot(slot), key)
        return slot
    }

    /// A second value for one key replaces the first.
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

    /// The finished value; an object without members where the type encoded nothing.
    var finished: CodedValue {
        switch content {
        case .nothing: .object([])
        case .value(let value): value
        case .list: .list(entries.map(\.finished))
        case .object: .object(zip(keys, entries).map { CodedMember(key: $0, value: $1.finished) })
        }
    }
}
