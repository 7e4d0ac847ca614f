import LosslessJSON

extension StepRun {
    /// The result of following names through a document in order to add a member.
    enum Gap {
        case present(JSONNode)
        /// The object to which the first missing name must be added. `depth` is the index of that name.
        case missing(JSONNode, depth: Int)
        /// A value that is no object is in the way. `depth` is the number of names that lead to it.
        case blocked(depth: Int)
    }

    /// Follows names down from a value as far as they exist.
    func gap(_ names: [JSONString], from start: JSONNode) -> Gap {
        var node = start
        for (depth, name) in names.enumerated() {
            if let next = document.node(at: JSONPointer(tokens: [name]), from: node) {
                node = next
            } else if document.kind(node) == .object {
                return .missing(node, depth: depth)
            } else {
                return .blocked(depth: depth)
            }
        }
        return .present(node)
    }

    /// The edit that adds a member, with the objects on the way to it. It is noted in the trace. `nil` where the member
    /// exists.
    ///
    /// - Parameter base: The path of `start`.
    mutating func adding(
        _ value: JSONValue,
        at names: [JSONString],
        from start: JSONNode,
        _ base: JSONPointer
    ) throws(MigrationFault) -> JSONEdit? {
        switch gap(names, from: start) {
        case .present: return nil
        case .blocked(let depth):
            let place = JSONPointer(tokens: base.tokens + names[..<depth])
            throw MigrationFault("\"\(place)\" is no object, so nothing can be put into it")
        case .missing(let node, let depth):
            for end in names.indices.dropFirst(depth + 1) {
                trace.made.append(JSONPointer(tokens: base.tokens + names[..<end]))
            }
            trace.added.append(JSONPointer(tokens: base.tokens + names))
            let inner = names[(depth + 1)...].reversed().reduce(value) { .object([JSONMember(key: $1, value: $0)]) }
            return .insertMember(into: node, key: names[depth], inner)
        }
    }

    /// Adds a member with a given text as its value, byte for byte.
    mutating func add(_ text: [UInt8], at pointer: JSONPointer, _ edits: [JSONEdit]) throws(MigrationFault) {
        guard let edit = try adding(.null, at: pointer.tokens, from: document.root, .root) else {
            throw MigrationFault("there is something at \"\(pointer)\" already")
        }
        try patch(edits + [edit], growth: text.count)
        guard let node = node(pointer) else { return }
        try replace([(document.range(node), text)])
    }

    mutating func fill(_ pattern: RulePattern, _ value: JSONValue) throws(MigrationFault) -> Int {
        let open = pattern.steps.lastIndex { if case .literal = $0 { false } else { true } }.map { $0 + 1 } ?? 0
        let names: [JSONString] = pattern.steps[open...].compactMap {
            if case .literal(let name) = $0 { name } else { nil }
        }
        var edits: [JSONEdit] = []
        for place in try places(RulePattern(steps: Array(pattern.steps[..<open]))) {
            guard let edit = try adding(value, at: names, from: place.node, place.pointer) else { continue }
            edits.append(edit)
            report.defaulted.append(.init(place: JSONPointer(tokens: place.pointer.tokens + names), value: value))
        }
        let size = value.jsonBytes.count + names.reduce(0) { $0 + $1.bytes.count * 6 + 8 }
        try patch(edits, growth: edits.count * size)
        return edits.count
    }

    mutating func move(_ source: JSONPointer, _ target: JSONPointer, keeping: Bool) throws(MigrationFault) -> Int {
        guard let node = node(source) else {
            if self.node(target) != nil { trace.foreign.insert(target) }
            return 0
        }
        let text = Array(document.text(node))
        if !keeping, document.key(of: node) == nil {
            throw MigrationFault("\"\(source)\" is an element of a list, which cannot be moved; copy or split it")
        }
        try add(text, at: target, keeping ? [] : [.remove(node)])
        return 1
    }

    mutating func compensate(
        _ place: JSONPointer,
        _ grant: JSONNumber,
        _ reason: JSONPointer?
    ) throws(MigrationFault) -> Int {
        if let reason, node(reason) == nil, !wasDropped(reason) { return 0 }
        trace.granted = true
        guard let node = node(place) else {
            let value = JSONValue.number(grant)
            if let edit = try adding(value, at: place.tokens, from: document.root, .root) {
                report.defaulted.append(.init(place: place, value: value))
                try patch([edit], growth: value.jsonBytes.count)
            }
            return 1
        }
        guard let number = decimal(node), let grant = grant.decimal else {
            throw MigrationFault("\"\(place)\" is no number, so nothing can be added to it")
        }
        let sum: ExactDecimal
        do { sum = try number.adding(grant) } catch { throw MigrationFault(error.description) }
        try patch([writing(sum, over: node)], growth: sum.text.utf8.count)
        return 1
    }

    /// The number at a node, which may be a text that holds one.
    func decimal(_ node: JSONNode) -> ExactDecimal? {
        switch document.value(node) {
        case .number(let number): number.decimal
        case .string(let text): ExactDecimal(numericString: text)
        default: nil
        }
    }

    /// The edit that writes a number over a value: as a text if the value is a text, else as a number.
    func writing(_ number: ExactDecimal, over node: JSONNode) -> JSONEdit {
        let isText = document.kind(node) == .string
        return .replace(node, isText ? .string(JSONString(number.text)) : .number(JSONNumber(number)))
    }

    private func wasDropped(_ place: JSONPointer) -> Bool {
        report.dropped.contains { dropped in
            guard place.tokens.starts(with: dropped.place.tokens) else { return false }
            var value: JSONValue? = dropped.value
            for token in place.tokens.dropFirst(dropped.place.tokens.count) { value = value?[token] }
            return value != nil
        }
    }
}
