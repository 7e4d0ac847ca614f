import LosslessJSON
import MergeCore

/// Why an edit cannot be made.
struct SaveEditFault: Error, CustomStringConvertible {
    let description: String

    init(_ edit: SaveEdit, _ why: String) { description = "\(edit): \(why)" }

    /// Checks that what edits put into a save is still in it after a type has read it: a type leaves out what it has no
    /// member for.
    static func check(
        _ edits: [SaveEdit], of save: JSONValue, areIn kept: JSONValue, _ rules: RuleSet
    ) throws(SaveEditFault) {
        for edit in edits {
            let place = try edit.place(in: save, rules)
            guard let value = save.at(place), value != .null, kept.at(place) == nil else { continue }
            throw SaveEditFault(edit, "the profile has no such member")
        }
    }
}

extension SaveEdit {
    /// Where in a save the edit is made.
    fileprivate func place(in save: JSONValue, _ rules: RuleSet) throws(SaveEditFault) -> SavePlace {
        guard let place = SavePlace(parsing: place) else { throw SaveEditFault(self, "this is no place") }
        guard let place = place.resolved(in: save, rules) else {
            throw SaveEditFault(
                self, "the rules do not say which member has the id of an element; write it as in [id=\"oak\"]")
        }
        return place
    }

    /// The save after the edit.
    ///
    /// - Parameter rules: Say which member has the id of an element, where the place does not.
    /// - Throws: ``SaveEditFault`` where the place or the value cannot be read, or the place holds something else.
    func applied(to save: JSONValue, _ rules: RuleSet) throws(SaveEditFault) -> JSONValue {
        let place = try place(in: save, rules)
        let new: (JSONValue?) -> JSONValue?
        switch change {
        case .add(let text):
            guard let amount = ExactDecimal(text: text) else { throw SaveEditFault(self, "this is no number") }
            let held = save.at(place) ?? 0
            guard let sum = (held == .null ? 0 : held).adding(amount) else {
                throw SaveEditFault(self, "\(held.text) is no number")
            }
            new = { _ in sum }
        case .set(let json):
            let value = try value(json)
            new = { _ in value }
        case .insert(let json):
            let value = try value(json)
            new = { held in
                guard case .array(let elements)? = held else { return .array([value]) }
                return .array(elements.contains(value) ? elements : elements + [value])
            }
        case .take(let json):
            let value = try value(json)
            new = { held in
                guard case .array(let elements)? = held else { return held }
                return .array(elements.filter { $0 != value })
            }
        case .remove: new = { _ in nil }
        }
        return save.changed(at: place, new) ?? .object([])
    }

    private func value(_ json: String) throws(SaveEditFault) -> JSONValue {
        do {
            return try JSONValue(parsing: Array(json.utf8))
        } catch {
            throw SaveEditFault(self, "\(json) is no JSON: \(error.message)")
        }
    }
}

extension [SaveEdit] {
    /// The save after all edits, in order.
    func applied(to save: JSONValue, _ rules: RuleSet) throws(SaveEditFault) -> JSONValue {
        var result = save
        for edit in self { result = try edit.applied(to: result, rules) }
        return result
    }
}
