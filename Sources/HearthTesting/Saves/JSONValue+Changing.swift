import LosslessJSON

extension JSONValue {
    /// The value with something else at a place. Containers on the way are made where they are missing.
    ///
    /// - Parameter change: Gets what is there, if anything, and returns what shall be; `nil` removes it.
    func changed(at place: SavePlace, _ change: (JSONValue?) -> JSONValue?) -> JSONValue? {
        Self.changed(self, place.steps[...], change)
    }

    private static func changed(
        _ value: JSONValue?, _ steps: ArraySlice<SavePlace.Step>, _ change: (JSONValue?) -> JSONValue?
    ) -> JSONValue? {
        guard let step = steps.first else { return change(value) }
        let rest = steps.dropFirst()
        switch (step, value) {
        case (.member(let number), .array(var elements)?):
            guard let index = Int(number.string), elements.indices.contains(index) else { return value }
            if let new = changed(elements[index], rest, change) {
                elements[index] = new
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        case (.member(let name), _):
            var members: [JSONMember] = if case .object(let members)? = value { members } else { [] }
            let index = members.firstIndex { $0.key == name }
            let new = changed(index.map { members[$0].value }, rest, change)
            switch (index, new) {
            case (let index?, let new?): members[index].value = new
            case (let index?, nil): members.remove(at: index)
            case (nil, let new?): members.append(JSONMember(key: name, value: new))
            case (nil, nil): return value
            }
            return .object(members)
        case (.element(let key, let id), _):
            var elements: [JSONValue] = if case .array(let elements)? = value { elements } else { [] }
            let index = elements.firstIndex { $0[key] == id }
            let former = index.map { elements[$0] } ?? (rest.isEmpty ? nil : .object([JSONMember(key: key, value: id)]))
            let new = changed(former, rest, change)
            switch (index, new) {
            case (let index?, let new?): elements[index] = new
            case (let index?, nil): elements.remove(at: index)
            case (nil, let new?): elements.append(new)
            case (nil, nil): return value
            }
            return .array(elements)
        }
    }

    /// The exact number that is written here, also in a string; `nil` where there is none.
    var decimal: ExactDecimal? {
        switch self {
        case .number(let number): number.decimal
        case .string(let text): ExactDecimal(text: text.string)
        default: nil
        }
    }

    /// The number with an amount added, spelled as a string where it was one; `nil` where this is no number.
    func adding(_ amount: ExactDecimal) -> JSONValue? {
        guard let sum = try? decimal?.adding(amount) else { return nil }
        if case .string = self { return .string(JSONString(sum.text)) }
        return .number(JSONNumber(sum))
    }
}
