package import LosslessJSON

/// The shape of one value of a document: how the rules take it apart.
enum DocumentShape {
    /// One value under one rule (scalars, whole subtrees, plain arrays, empty containers).
    case leaf(MergeRule)
    /// An array whose elements are a set.
    case elements(MergeRule)
    case object
    /// An array of objects told apart by this member.
    case keyed(JSONString)
    case indexed
    /// Nothing at or below this place leaves the device, or nothing of an array with its elements.
    case local

    init(_ document: JSONDocument, _ node: JSONNode, _ matcher: RuleMatcher) {
        let rule = matcher.rule
        if rule.isWhole {
            self = .leaf(rule)
            return
        }
        switch document.kind(node) {
        case .object:
            self = document.count(node) > 0 ? .object : Self.emptyContainer(rule)
        case .array:
            guard document.count(node) > 0 else {
                self = Self.emptyContainer(rule)
                return
            }
            if rule.takesElements {
                self = .elements(rule)
                return
            }
            if matcher.keepsElements {
                self = .local
                return
            }
            switch matcher.arrayShape {
            case .keyed(let key): self = .keyed(key)
            case .indexed: self = .indexed
            case .leaf: self = rule.merge == .local ? .local : .leaf(rule)
            }
        default: self = rule.merge == .local ? .local : .leaf(rule)
        }
    }

    /// The shape of an empty container. Under every rule but `local`, it is written as a value of its own; otherwise
    /// other devices would not show it.
    private static func emptyContainer(_ rule: MergeRule) -> DocumentShape {
        rule.merge == .local ? .local : .leaf(.standard)
    }
}

extension JSONValue {
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// `{}` or `[]`.
    var isEmptyContainer: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.isEmpty
        default: false
        }
    }

    /// Null, false, 0, `""`, `{}` or `[]`.
    var isNothing: Bool {
        switch self {
        case .null, .bool(false): true
        case .number(let number): number == JSONNumber(0)
        case .string(let text): text.bytes.isEmpty
        default: isEmptyContainer
        }
    }
}

/// The elements of a keyed array by the canonical bytes of their key, in document order; `nil` where an element is no
/// object, lacks the member, has a container there, or two share a key: see ``whyNotKeyed(_:_:by:)``.
package func keyedElements(
    _ document: JSONDocument, _ node: JSONNode, by key: JSONString
) -> [(id: [UInt8], key: JSONValue, node: JSONNode)]? {
    var result: [(id: [UInt8], key: JSONValue, node: JSONNode)] = []
    var seen = Set<[UInt8]>()
    for element in document.elements(node) {
        guard let value = keyValue(document, element, key) else { return nil }
        let id = value.canonicalBytes
        guard seen.insert(id).inserted else { return nil }
        result.append((id, value, element))
    }
    return result
}

/// The key of an element; `nil` where the element is no object, lacks the member, or has a container there.
private func keyValue(_ document: JSONDocument, _ element: JSONNode, _ key: JSONString) -> JSONValue? {
    guard document.kind(element) == .object, let member = document.member(element, named: key) else { return nil }
    switch document.kind(member) {
    case .object, .array: return nil
    default: return document.value(member)
    }
}

/// The reason why an array is not taken apart by a key, with the first key that two elements share; `nil` where it is.
package func whyNotKeyed(_ document: JSONDocument, _ node: JSONNode, by key: JSONString) -> String? {
    var seen = Set<[UInt8]>()
    for element in document.elements(node) {
        guard let value = keyValue(document, element, key) else {
            return "not every element is an object with its own \"\(key.string)\"; the array is not synced as it is"
        }
        if !seen.insert(value.canonicalBytes).inserted {
            let text = String(decoding: value.jsonBytes.prefix(40), as: UTF8.self)
            return "two elements have the \"\(key.string)\" \(text); the array is not synced as it is"
        }
    }
    return nil
}
