import LosslessJSON

extension StepRun {
    /// Takes one step forward. Returns how many places it changed.
    mutating func forward(_ step: MigrationStep) throws(MigrationFault) -> Int {
        switch step {
        case .rename(let pattern, let name):
            trace.foreign = try foreign([name], pattern)
            return try rename(pattern, name)
        case .move(let source, let target): return try move(source, target, keeping: false)
        case .copy(let source, let target): return try move(source, target, keeping: true)
        case .remove(let pattern): return try remove(try places(pattern))
        case .fill(let pattern, let value): return try fill(pattern, value)
        case .map(let pattern, let pairs): return try map(pattern, pairs)
        case .wrap(let pattern, let name): return try wrap(pattern, name)
        case .split(let pattern, let separator, let names, let asNumbers):
            trace.foreign = try foreign(names, pattern)
            return try split(pattern, separator, names, asNumbers)
        case .compensate(let place, let grant, let reason): return try compensate(place, grant, reason)
        case .require(let pattern, let kind): return try require(pattern, kind)
        }
    }

    mutating func rename(
        _ pattern: RulePattern,
        _ name: JSONString,
        besides foreign: Set<JSONPointer> = []
    ) throws(MigrationFault) -> Int {
        let text = JSONValue.string(name).jsonBytes
        var pieces: [(range: Range<Int>, text: [UInt8])] = []
        for place in try places(pattern) where !foreign.contains(place.pointer) {
            guard let parent = place.parent, let key = document.keyRange(of: place.node) else {
                throw MigrationFault("\"\(place.pointer)\" is an element of a list, which has no name")
            }
            if place.pointer.tokens.last == name { continue }
            // Two equal new names in one object make the parser fail afterwards.
            if pattern.lastName != nil, document.member(parent, named: name) != nil {
                throw MigrationFault("there is a member \"\(name)\" beside \"\(place.pointer)\" already")
            }
            pieces.append((key, text))
        }
        try checkSize(pieces.count * text.count)
        try replace(pieces)
        return pieces.count
    }

    mutating func remove(_ places: [StepPlace]) throws(MigrationFault) -> Int {
        for place in places { drop(place.pointer, place.node) }
        try patch(places.map { .remove($0.node) })
        return places.count
    }

    mutating func map(
        _ pattern: RulePattern,
        _ pairs: [MigrationStep.Mapping],
        besides foreign: Set<JSONPointer> = []
    ) throws(MigrationFault) -> Int {
        let news = Dictionary(pairs.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
        let results = Set(pairs.map(\.new))
        var edits: [JSONEdit] = []
        for place in try places(pattern) where !foreign.contains(place.pointer) {
            let value = document.value(place.node)
            if let new = news[value] {
                if new != value { edits.append(.replace(place.node, new)) }
            } else {
                if results.contains(value) { trace.foreign.insert(place.pointer) }
                if report.unmapped.count < Self.listLimit {
                    report.unmapped.append(.init(place: place.pointer, value: value))
                }
            }
        }
        let longest = pairs.map(\.new.jsonBytes.count).max() ?? 0
        try patch(edits, growth: edits.count * longest)
        return edits.count
    }

    private mutating func wrap(_ pattern: RulePattern, _ name: JSONString) throws(MigrationFault) -> Int {
        let key = JSONValue.string(name).jsonBytes
        let places = try places(pattern)
        try checkSize(places.count * (key.count + 4))
        try replace(
            places.map { place in
                let open: [UInt8] = [UInt8(ascii: "{")] + key + Array(": ".utf8)
                return (document.range(place.node), open + document.text(place.node) + [UInt8(ascii: "}")])
            }
        )
        return places.count
    }

    private mutating func split(
        _ pattern: RulePattern,
        _ separator: JSONString?,
        _ names: [JSONString],
        _ asNumbers: Bool
    ) throws(MigrationFault) -> Int {
        var pieces: [(range: Range<Int>, text: [UInt8])] = []
        var growth = 0
        for place in try places(pattern) {
            guard let parent = place.parent, let key = document.keyRange(of: place.node) else {
                throw MigrationFault("\"\(place.pointer)\" is an element of a list, which cannot be split")
            }
            if pattern.lastName != nil {
                for name in names where name != place.pointer.tokens.last {
                    guard document.member(parent, named: name) == nil else {
                        throw MigrationFault("there is a member \"\(name)\" beside \"\(place.pointer)\" already")
                    }
                }
            }
            let parts = try parts(place, separator, asNumbers)
            guard parts.count == names.count else {
                throw MigrationFault("\"\(place.pointer)\" has \(parts.count) parts where \(names.count) are to be")
            }
            let range = key.lowerBound..<document.range(place.node).upperBound
            let text = members(names, parts, key, document.range(place.node))
            growth += text.count
            try checkSize(growth)
            pieces.append((range, text))
        }
        try replace(pieces)
        return pieces.count
    }

    /// The texts of the parts that a value is split into.
    private func parts(
        _ place: StepPlace,
        _ separator: JSONString?,
        _ asNumbers: Bool
    ) throws(MigrationFault) -> [[UInt8]] {
        guard let separator else {
            guard document.kind(place.node) == .array else { throw MigrationFault("\"\(place.pointer)\" is no list") }
            return document.elements(place.node).map { Array(document.text($0)) }
        }
        guard let text = document.string(place.node) else { throw MigrationFault("\"\(place.pointer)\" is no text") }
        var parts: [[UInt8]] = []
        for part in text.bytes.split(separator: separator.bytes) {
            if !asNumbers {
                parts.append(JSONValue.string(JSONString(bytes: Array(part))).jsonBytes)
            } else if let number = JSONNumber(text: String(decoding: part, as: UTF8.self)) {
                parts.append(Array(number.text.utf8))
            } else {
                throw MigrationFault("a part of \"\(place.pointer)\" is no number that JSON knows")
            }
        }
        return parts
    }

    /// The text of the new members that replace one member, with the same spacing.
    private func members(_ names: [JSONString], _ parts: [[UInt8]], _ key: Range<Int>, _ value: Range<Int>) -> [UInt8] {
        var colon = Array(document.bytes[key.upperBound..<value.lowerBound])
        if colon.count > 64 { colon = [UInt8(ascii: ":")] }
        var start = key.lowerBound
        while start > 0, key.lowerBound - start <= 64, document.bytes[start - 1] <= 0x20 { start -= 1 }
        var space = key.lowerBound - start <= 64 ? Array(document.bytes[start..<key.lowerBound]) : []
        // The first member of an object on one line has no space in front that could be copied.
        if space.isEmpty, colon.last == 0x20 { space = [0x20] }
        var text: [UInt8] = []
        for (name, part) in zip(names, parts) {
            if !text.isEmpty { text += [UInt8(ascii: ",")] + space }
            text += JSONValue.string(name).jsonBytes + colon + part
        }
        return text
    }

    private func require(_ pattern: RulePattern, _ kind: MigrationStep.Kind?) throws(MigrationFault) -> Int {
        var places: [StepPlace]
        if let name = pattern.lastName {
            places = []
            for holder in try self.places(pattern.container) {
                let place = holder.pointer.appending(name)
                guard let node = document.node(at: JSONPointer(tokens: [name]), from: holder.node) else {
                    throw MigrationFault("\"\(place)\" is missing")
                }
                places.append(StepPlace(pointer: place, node: node, parent: holder.node))
            }
        } else {
            places = try self.places(pattern)
        }
        if places.isEmpty, pattern.isLiteral || pattern.lastName == nil {
            throw MigrationFault("\"\(pattern)\" is missing")
        }
        guard let kind else { return 0 }
        for place in places where !kind.takes(document.kind(place.node)) {
            throw MigrationFault("\"\(place.pointer)\" is no \(kind.rawValue)")
        }
        return 0
    }

    /// Places that look as if the step had made them: all its names exist there, and the name it begins with does not.
    private func foreign(_ names: [JSONString], _ pattern: RulePattern) throws(MigrationFault) -> Set<JSONPointer> {
        guard let own = pattern.lastName, let first = names.first else { return [] }
        var found = Set<JSONPointer>()
        for holder in try places(pattern.container) where document.member(holder.node, named: own) == nil {
            if names.allSatisfy({ document.member(holder.node, named: $0) != nil }) {
                found.insert(holder.pointer.appending(first))
            }
        }
        return found
    }
}

extension MigrationStep.Kind {
    fileprivate func takes(_ kind: JSONKind) -> Bool {
        switch (self, kind) {
        case (.number, .number), (.text, .string), (.bool, .true), (.bool, .false), (.list, .array),
            (.object, .object):
            true
        default: false
        }
    }
}

extension [UInt8] {
    /// The parts between occurrences of some bytes, empty ones included. O(count · separator).
    func split(separator: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, index) = (0, 0)
        while index + separator.count <= count {
            if self[index...].starts(with: separator) {
                parts.append(self[start..<index])
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        parts.append(self[start...])
        return parts
    }
}
