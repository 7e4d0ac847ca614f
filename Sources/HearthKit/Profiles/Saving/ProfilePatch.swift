import LosslessJSON

/// Writes a changed value into the text of a save. Only the leaves that changed are edited, so unknown members, the
/// order of members and the spelling of numbers stay.
struct ProfilePatch {
    let document: JSONDocument
    /// Elements of sets that the save spells differently from the type (``DecodingNotes/respelled``).
    let respelled: [JSONValue: Set<JSONValue>]
    var edits: [JSONEdit] = []

    /// The text of the save with the change from `old` to `new`.
    static func text(
        _ document: JSONDocument,
        from old: CodedValue,
        to new: CodedValue,
        _ shape: FieldShape?,
        respelled: [JSONValue: Set<JSONValue>] = [:]
    ) throws -> [UInt8] {
        var patch = ProfilePatch(document: document, respelled: respelled)
        try patch.change(document.root, old, new, shape)
        return try document.patched(patch.edits)
    }

    mutating func change(_ node: JSONNode, _ old: CodedValue, _ new: CodedValue, _ shape: FieldShape?) throws {
        guard old != new else { return }
        switch (old, new, document.kind(node)) {
        case (.object, .object, .object): try changeMembers(node, old, new, shape)
        case (.dictionary, .dictionary, .object): try changeMembers(node, old, new, shape)
        case (.list(let before), .list(let after), .array):
            switch shape {
            case .keyed(let key, let part): try changeKeyed(node, before, after, key, part)
            case .elements: changeOrder(node, before, after)
            default: try changeList(node, before, after)
            }
        case (.set(let before), .set(let after), .array): changeElements(node, before, after)
        default: edits.append(.replace(node, new.json))
        }
    }

    // MARK: Objects

    private mutating func changeMembers(
        _ node: JSONNode,
        _ old: CodedValue,
        _ new: CodedValue,
        _ shape: FieldShape?
    ) throws {
        let nodes = document.membersByKey(node)
        let (before, after) = (Self.byKey(old), Self.byKey(new))
        for member in new.members ?? [] {
            let former = before[member.key]
            guard former != member.value else { continue }
            if let former, let place = nodes[member.key] {
                try change(place, former, member.value, shape?.below(member.key))
            } else if let place = nodes[member.key] {
                edits.append(.replace(place, member.value.json))
            } else {
                if former != nil { try checkSpelling(member.key, old) }
                edits.append(.insertMember(into: node, key: member.key, member.value.json))
            }
        }
        for member in old.members ?? [] where after[member.key] == nil {
            if let place = nodes[member.key] {
                edits.append(.remove(place))
            } else {
                try checkSpelling(member.key, old)
            }
        }
    }

    /// Refuses to write an entry that was read from the save under another spelling of its key. The save would
    /// otherwise get two entries for one key.
    private func checkSpelling(_ key: JSONString, _ container: CodedValue) throws {
        guard case .dictionary = container else { return }
        throw ProfileError(
            .save,
            "the save",
            "the key \"\(key)\" is spelled otherwise in the save; correct it there with a migration"
        )
    }

    private static func byKey(_ value: CodedValue) -> [JSONString: CodedValue] {
        Dictionary((value.members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Sets

    /// Elements that stay keep their place and spelling; new ones are appended.
    private mutating func changeElements(_ node: JSONNode, _ before: [CodedValue], _ after: [CodedValue]) {
        let (olds, news) = (Set(before), Set(after))
        var gone = Set<JSONValue>()
        for element in before where !news.contains(element) {
            gone.formUnion(respelled[element.json] ?? [])
            gone.insert(element.json)
        }
        if !gone.isEmpty {
            for place in document.elements(node) where gone.contains(document.value(place)) {
                edits.append(.remove(place))
            }
        }
        for element in after where !olds.contains(element) { edits.append(.appendElement(to: node, element.json)) }
    }

    // MARK: Lists

    /// Where the count is the same, each element is changed in place; otherwise elements were added or removed.
    private mutating func changeList(_ node: JSONNode, _ before: [CodedValue], _ after: [CodedValue]) throws {
        guard before.count == after.count, document.count(node) == before.count else {
            return changeOrder(node, before, after)
        }
        for (place, pair) in zip(document.elements(node), zip(before, after)) { try change(place, pair.0, pair.1, nil) }
    }

    /// Elements that were there before keep their text, wherever they are now.
    private mutating func changeOrder(_ node: JSONNode, _ before: [CodedValue], _ after: [CodedValue]) {
        let nodes = Array(document.elements(node))
        guard nodes.count == before.count else { return edits.append(.replace(node, CodedValue.list(after).json)) }
        let start = zip(before, after).prefix { $0 == $1 }.count
        let most = min(before.count, after.count) - start
        let end = zip(before.reversed(), after.reversed()).prefix(most).prefix { $0 == $1 }.count
        if start + end == after.count {
            for place in nodes[start..<nodes.count - end] { edits.append(.remove(place)) }
        } else if start == before.count {
            for element in after[start...] { edits.append(.appendElement(to: node, element.json)) }
        } else {
            var places: [CodedValue: [JSONNode]] = [:]
            for (place, element) in zip(nodes, before).reversed() { places[element, default: []].append(place) }
            edits.append(
                .replace(node, .array(after.map { places[$0]?.popLast().map { document.value($0) } ?? $0.json }))
            )
        }
    }

    private mutating func changeKeyed(
        _ node: JSONNode,
        _ before: [CodedValue],
        _ after: [CodedValue],
        _ key: JSONString,
        _ part: PartSchema
    ) throws {
        let nodes = Array(document.elements(node))
        var places: [CodedValue: Int] = [:]
        for (index, element) in before.enumerated() { places[element[key] ?? .null] = index }
        guard nodes.count == before.count, places.count == before.count else {
            return edits.append(.replace(node, CodedValue.list(after).json))
        }
        let formers = after.map { places[$0[key] ?? .null] }
        let kept = formers.prefix { $0 != nil }.compactMap { $0 }
        let inOrder = zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 }
        if inOrder, formers.dropFirst(kept.count).allSatisfy({ $0 == nil }) {
            let staying = Set(kept)
            for index in nodes.indices where !staying.contains(index) { edits.append(.remove(nodes[index])) }
            for (element, index) in zip(after, kept) {
                try change(nodes[index], before[index], element, .part(part))
            }
            for element in after.dropFirst(kept.count) { edits.append(.appendElement(to: node, element.json)) }
        } else {
            let values = try zip(after, formers).map { element, former in
                try former.map { try changed(nodes[$0], before[$0], element, .part(part)) } ?? element.json
            }
            edits.append(.replace(node, .array(values)))
        }
    }

    /// One element's text after the change, with the members that the type does not know.
    private func changed(
        _ node: JSONNode,
        _ old: CodedValue,
        _ new: CodedValue,
        _ shape: FieldShape?
    ) throws -> JSONValue {
        let alone = try JSONDocument(parsing: Array(document.text(node)))
        return try JSONValue(parsing: Self.text(alone, from: old, to: new, shape, respelled: respelled))
    }
}

extension FieldShape {
    fileprivate func below(_ key: JSONString) -> FieldShape? {
        switch self {
        case .part(let schema): schema.field(key)?.shape
        case .dictionary(let entry): entry
        case .value, .elements, .keyed: nil
        }
    }
}
