public import LosslessJSON

/// How a game writes its save: the order of members and elements, the white space, the spelling of numbers and strings.
///
/// A state knows the values of a save and not its form. So a device that has no file of a profile yet asks another
/// device for its file. The other device sends ``text(of:rules:)``, and this one writes ``file(of:like:)``. Whatever
/// text was sent, the file never holds a value that the state does not show.
public enum SaveForm {
    /// The text of a save without the places whose rule is `local`; every other byte stays. `nil` where the whole
    /// document is local, or cannot be patched.
    ///
    /// Without such a rule, that is the text as it is. A container that held only local places is left empty. A `local`
    /// element of an array by position becomes null where one that is not local stands behind it, since its position
    /// counts. An array whose elements lack the key that
    /// its rule needs is left empty as well: it is not known which of its values are `local`.
    ///
    /// - Complexity: O(document).
    public static func text(of document: JSONDocument, rules: RuleSet) -> [UInt8]? {
        guard hasLocal(rules) else { return document.bytes }
        var places = LocalPlaces(document)
        if places.collect(document.root, RuleMatcher(rules)) { return nil }
        return try? document.patched(places.edits)
    }

    /// The first file of a profile: the values of its state in the form of a save.
    ///
    /// - Parameters:
    ///   - state: What the file is to show.
    ///   - text: The text that another device sent; it can be anything.
    /// - Returns: The bytes of the file. They show what the state shows and nothing else, except empty objects if the
    ///   rules name a `local` place inside them, and empty arrays likewise. `nil` if the text cannot be used (it is no JSON, of another version of
    ///   the game, or much larger than the values to show), or if nothing is known of the profile.
    /// - Complexity: O(text + state).
    public static func file(of state: ProfileState, like text: [UInt8]) -> [UInt8]? {
        if state.holdsVersionAlone { return nil }
        if text.count <= sizeFloor, let file = file(of: state, thatIs: text) { return file }
        let view = ViewNode(state)
        guard var wanted = Projection.newDocument(of: state, as: view),
            text.count <= sizeFactor * wanted.jsonBytes.count + sizeFloor,
            let sent = try? JSONDocument(parsing: text),
            let form = Self.withoutLocal(sent, state.rules)
        else { return nil }
        if let version = state.upcasters.version {
            guard SaveVersion.detect(form, state.rules) == .same,
                let pointer = state.rules.versionAt.flatMap({ try? JSONPointer(parsing: $0) }),
                let node = form.node(at: pointer)
            else { return nil }
            // The version as the game itself wrote it, since it may be spelled in several ways.
            wanted = wanted.setting(version.path[...], to: form.value(node))
        }
        guard let dressed = Self.dressed(form, wanted, state.rules) else { return nil }
        // The edits for what files show beyond the values, as they do after every merge.
        let edits = Projection(of: state, as: view, onto: dressed).edits
        guard !edits.isEmpty, let bytes = try? dressed.patched(edits),
            let projected = try? JSONDocument(parsing: bytes),
            FormPlan(projected, wanted, state.rules).edits.isEmpty
        else { return dressed.bytes }
        return projected.bytes
    }

    /// A form that is the file, since it shows what the state shows already; `nil` where that is not known so quickly.
    /// Most forms are: the device that sends one has the same values.
    private static func file(of state: ProfileState, thatIs text: [UInt8]) -> [UInt8]? {
        guard let sent = try? JSONDocument(parsing: text), let form = withoutLocal(sent, state.rules),
            SaveVersion.detect(form, state.rules) == .same, Projection.isAlreadyShown(state, by: form)
        else { return nil }
        return form.bytes
    }

    /// Whether a form may be another text than the save: where no place is local, it is the save itself.
    package static func hasLocal(_ rules: RuleSet) -> Bool { rules.inForce.contains { $0.rule.merge == .local } }

    /// A document without the places whose rule is `local`; `nil` as with ``text(of:rules:)``.
    private static func withoutLocal(_ document: JSONDocument, _ rules: RuleSet) -> JSONDocument? {
        guard hasLocal(rules) else { return document }
        return text(of: document, rules: rules).flatMap { try? JSONDocument(parsing: $0) }
    }

    /// The largest size of a form: this many times the bytes of the values to show, and ``sizeFloor`` more. A larger
    /// form would be mostly white space.
    static let sizeFactor = 64
    static let sizeFloor = 1 << 20

    /// The form with the wanted values in it; `nil` where reading the result does not give these values.
    private static func dressed(_ form: JSONDocument, _ wanted: JSONValue, _ rules: RuleSet) -> JSONDocument? {
        let edits = FormPlan(form, wanted, rules).edits
        if edits.isEmpty { return form }
        guard let bytes = try? form.patched(edits), let result = try? JSONDocument(parsing: bytes),
            FormPlan(result, wanted, rules).edits.isEmpty
        else { return nil }
        return result
    }
}

/// Finds the places in a save whose rule is `local`.
private struct LocalPlaces {
    let document: JSONDocument
    var edits: [JSONEdit] = []

    init(_ document: JSONDocument) { self.document = document }

    /// Collects the edits that take out the local places at and below a node. Returns true if all of the node is local:
    /// then nothing was collected, and the node itself is to be removed.
    ///
    /// - Parameter key: The member by which an array tells this node from others. It stays, since it says that the
    ///   element is there.
    mutating func collect(_ node: JSONNode, _ matcher: RuleMatcher, key: JSONString? = nil) -> Bool {
        switch DocumentShape(document, node, matcher) {
        case .local:
            // The list is there on every machine, and each has elements of its own.
            guard document.kind(node) == .array, matcher.rule.merge != .local else { return true }
            edits.append(.replace(node, .array([])))
            return false
        case .leaf, .elements: return false
        case .object:
            let members = document.members(node).filter { $0.key != key }
            return collect(members.map { ($0.value, .member($0.key)) }, matcher, mayGo: key == nil) { .remove($0) }
        case .keyed(let key):
            guard let elements = keyedElements(document, node, by: key) else {
                edits.append(.replace(node, .array([])))
                return false
            }
            let below = matcher.stepping(.element([]))
            let mayKeep = below.mayKeepElement(named: key)
            for element in elements {
                if mayKeep, DocumentShape.keepsAll(document, element.node, below) {
                    edits.append(.remove(element.node))
                } else {
                    _ = collect(element.node, below, key: key)
                }
            }
            return false
        case .indexed:
            let elements = document.elements(node).enumerated().map { ($0.element, PathStep.index($0.offset)) }
            let last = elements.lastIndex { !DocumentShape.keepsAll(document, $0.0, matcher.stepping($0.1)) }
            let behind = elements.suffix(from: last.map { $0 + 1 } ?? 0).map(\.0)
            if last == nil, matcher.rule.merge == .local { return true }
            edits += behind.map { .remove($0) }
            let rest = Array(elements.dropLast(behind.count))
            return collect(rest, matcher, mayGo: true) { .replace($0, .null) }
        }
    }

    private mutating func collect(
        _ children: [(node: JSONNode, step: PathStep)], _ matcher: RuleMatcher, mayGo: Bool,
        by edit: (JSONNode) -> JSONEdit
    ) -> Bool {
        let before = edits.count
        var count = 0
        for (node, step) in children where collect(node, matcher.stepping(step)) {
            edits.append(edit(node))
            count += 1
        }
        guard mayGo, count == children.count, matcher.rule.merge == .local else { return false }
        edits.removeSubrange(before...)
        return true
    }
}

/// The edits that give a text the wanted values, and leave the form of the values that it has already.
///
/// The values alone decide what the result holds. The rules tell which arrays may have another order, and which
/// spellings mean the same.
private struct FormPlan {
    let document: JSONDocument
    private(set) var edits: [JSONEdit] = []

    init(_ document: JSONDocument, _ wanted: JSONValue, _ rules: RuleSet) {
        self.document = document
        plan(document.root, wanted, RuleMatcher(rules))
    }

    private mutating func plan(_ node: JSONNode, _ wanted: JSONValue, _ matcher: RuleMatcher) {
        switch (DocumentShape(document, node, matcher), wanted) {
        case (.object, .object(let members)) where !members.isEmpty: place(members, node, matcher)
        case (.keyed(let key), .array(let elements)) where !elements.isEmpty: place(elements, by: key, node, matcher)
        case (.elements(let rule), .array(let elements)) where !elements.isEmpty && rule.sort == nil:
            place(elements, asSet: node)
        case (.indexed, .array(let elements)) where !elements.isEmpty: place(elements, byIndex: node, matcher)
        default:
            if !matcher.rule.readsAlike(document.value(node), wanted) { edits.append(.replace(node, wanted)) }
        }
    }

    private mutating func place(_ members: [JSONMember], _ node: JSONNode, _ matcher: RuleMatcher) {
        var rest = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        for (name, member) in document.members(node) {
            if let value = rest.removeValue(forKey: name) {
                plan(member, value, matcher.stepping(.member(name)))
            } else if !isLeftByLocal(member, matcher.stepping(.member(name))) {
                edits.append(.remove(member))
            }
        }
        for member in members {
            guard let value = rest.removeValue(forKey: member.key) else { continue }
            edits.append(.insertMember(into: node, key: member.key, value))
        }
    }

    /// Whether a member is an empty object or array that held local places only. Their values are not known here, and a
    /// game that looks for the container finds it.
    private func isLeftByLocal(_ node: JSONNode, _ matcher: RuleMatcher) -> Bool {
        [.object, .array].contains(document.kind(node)) && document.count(node) == 0 && matcher.hasLocalBelow
    }

    private mutating func place(
        _ elements: [JSONValue], by key: JSONString, _ node: JSONNode, _ matcher: RuleMatcher
    ) {
        let wanted = elements.compactMap { element in element[key].map { (id: $0.canonicalBytes, element) } }
        var rest = Dictionary(wanted.map { ($0.id, $0.1) }, uniquingKeysWith: { first, _ in first })
        guard rest.count == elements.count, let present = keyedElements(document, node, by: key) else {
            return edits.append(.replace(node, .array(elements)))
        }
        for element in present {
            if let value = rest.removeValue(forKey: element.id) {
                plan(element.node, value, matcher.stepping(.element(element.id)))
            } else {
                edits.append(.remove(element.node))
            }
        }
        for (id, element) in wanted where rest[id] != nil { edits.append(.appendElement(to: node, element)) }
    }

    private mutating func place(_ elements: [JSONValue], asSet node: JSONNode) {
        var rest = Set(elements)
        for element in document.elements(node) where rest.remove(document.value(element)) == nil {
            edits.append(.remove(element))
        }
        for element in elements where rest.remove(element) != nil { edits.append(.appendElement(to: node, element)) }
    }

    private mutating func place(_ elements: [JSONValue], byIndex node: JSONNode, _ matcher: RuleMatcher) {
        for (index, element) in document.elements(node).enumerated() {
            if elements.indices.contains(index) {
                plan(element, elements[index], matcher.stepping(.index(index)))
            } else {
                edits.append(.remove(element))
            }
        }
        for element in elements.dropFirst(document.count(node)) { edits.append(.appendElement(to: node, element)) }
    }
}

extension MergeRule {
    /// Whether the rule reads two values as the same, however they are spelled.
    func readsAlike(_ a: JSONValue, _ b: JSONValue) -> Bool {
        if a == b { return true }
        if reading == .bits {
            guard let x = BitField.elements(of: a), let y = BitField.elements(of: b) else { return false }
            return x == y
        }
        guard reading != nil, let x = Ordinal(a, by: self), let y = Ordinal(b, by: self) else { return false }
        return x == y
    }
}
