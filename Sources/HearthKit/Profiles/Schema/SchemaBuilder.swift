import LosslessJSON
import MergeCore

/// Builds the schema of one type, or throws a ``ProfileError`` that says what is wrong with it.
struct SchemaBuilder {
    private let type: any ProfilePart.Type
    private let path: FieldPath
    private let outer: [ObjectIdentifier]

    init(_ type: any ProfilePart.Type, _ path: FieldPath, inside outer: [ObjectIdentifier]) {
        (self.type, self.path, self.outer) = (type, path, outer)
    }

    func schema() throws -> PartSchema {
        guard !(type is AnyClass) else { throw fault(path, "\(type) is a class; make it a struct") }
        let instance = type.init()
        let recorder = FieldRecorder()
        try instance.encode(to: recorder)
        guard recorder.isObject else {
            throw fault(path, "\(type) is saved as one plain value; leave its encode(to:) to Swift")
        }
        try checkWrappers(instance, recorder.fields)
        var fields: [PartSchema.Field] = []
        var keys = Set<JSONString>()
        for recorded in recorder.fields {
            let field = try field(recorded)
            guard keys.insert(field.key).inserted else {
                throw fault(
                    path.appending(field.key),
                    "two fields have this key; give one of them another in CodingKeys"
                )
            }
            fields.append(field)
        }
        let defaults = try ProfileEncoder.coded(instance, path, .fields, EncodingNotes(fillsIn: false))
        let schema = PartSchema(name: "\(type)", fields: fields, defaults: defaults)
        for field in fields { try checkBeginning(field.shape, defaults[field.key], path.appending(field.key)) }
        return schema
    }

    private func field(_ recorded: FieldRecorder.Field) throws -> PartSchema.Field {
        let key = JSONString(recorded.key)
        let place = path.appending(key)
        try checkSpelling(recorded.key, place)
        guard let wrapper = recorded.value as? any FieldWrapper else {
            let type = recorded.type
            return .init(
                key: key,
                attribute: nil,
                type: "\(type)",
                shape: try plain(type, place, attribute: nil)
            )
        }
        return .init(
            key: key,
            attribute: Swift.type(of: wrapper).attribute,
            type: "\(Swift.type(of: wrapper).valueType)",
            shape: try shape(of: wrapper, place)
        )
    }

    // MARK: Shapes

    private func shape(of wrapper: any FieldWrapper, _ place: FieldPath) throws -> FieldShape {
        let wrapperType = Swift.type(of: wrapper)
        let (attribute, value) = (wrapperType.attribute, wrapperType.valueType)
        do {
            switch try wrapper.declaration() {
            case .plain: return try plain(value, place, attribute: attribute)
            case .leaves(let rule): return try entries(value, place) { _ in .value(rule) }
            case .elements(let rule):
                return try entries(value, place) { type in
                    try checkRuleless(type, place, attribute)
                    return .elements(rule)
                }
            case .whole(let rule):
                try checkClass(value, place)
                if rule.merge != .local { try checkRuleless(value, place, attribute) }
                return .value(rule)
            case .keyed(let key, let element):
                let schema = try PartSchema.of(element, place, inside: outer)
                guard let id = schema.defaults[key], !id.isContainer else {
                    throw DeclarationFault(
                        "\(element).\(key) tells elements apart, so it must begin with a plain value"
                    )
                }
                return .keyed(key, schema)
            }
        } catch let error as DeclarationFault {
            throw fault(place, "\(attribute): \(error.message)")
        }
    }

    /// A field without a rule of its own: parts and dictionaries are divided, everything else is one value.
    private func plain(_ type: Any.Type, _ place: FieldPath, attribute: String?) throws -> FieldShape {
        try checkClass(type, place)
        return try entries(type, place) { type in
            if let part = type as? any ProfilePart.Type {
                let schema = try PartSchema.of(part, place, inside: outer)
                guard let attribute else { return .part(schema) }
                throw fault(place, "\(part) is a part, whose fields merge by themselves; drop \(attribute)")
            }
            if let (part, rule) = try ruled(type, place) {
                throw fault(
                    place,
                    "\(part) has rules of its own (\(rule)), and nothing tells the elements apart; "
                        + "use a list with @Keyed, or drop the rules of \(part)"
                )
            }
            // Concurrent additions to a set stay, as everybody expects of one. A list does not say what its order and its
            // equal elements mean, so the game has to.
            if attribute == nil, type is any SetValue.Type { return .elements(MergeRule(.set)) }
            guard attribute != nil || !(type is any ListValue.Type) else {
                throw fault(
                    place,
                    "is a list without a wrapper, and of what two devices add to it apart one part would be lost; "
                        + "write @Keyed (elements with an id), @Log (entries that only come), or @Latest (the last "
                        + "writer wins as a whole)"
                )
            }
            let isLeaf = TypeFacts.isPlain(type) || type is any ListValue.Type || type is any SetValue.Type
            return .value(MergeRule(.latest, whole: !isLeaf))
        }
    }

    /// The shape of a value. Where it is a dictionary, the shape of its entries.
    private func entries(
        _ type: Any.Type,
        _ place: FieldPath,
        _ leaf: (Any.Type) throws -> FieldShape
    ) throws -> FieldShape {
        let type = TypeFacts.unwrapped(type)
        guard let dictionary = type as? any DictionaryValue.Type else { return try leaf(type) }
        let key = dictionary.keyType
        guard key is any CodingKeyRepresentable.Type else {
            throw fault(
                place,
                "Swift saves a dictionary with keys of \(key) as a list; make \(key) CodingKeyRepresentable"
            )
        }
        try checkClass(dictionary.entryType, place)
        return .dictionary(try entries(dictionary.entryType, place, leaf))
    }

    /// The part inside an optional, a list, a set or a dictionary, where there is one.
    private func part(in type: Any.Type) -> (any ProfilePart.Type)? {
        switch TypeFacts.unwrapped(type) {
        case let part as any ProfilePart.Type: part
        case let list as any ListValue.Type: part(in: list.elementType)
        case let set as any SetValue.Type: part(in: set.elementType)
        case let dictionary as any DictionaryValue.Type: part(in: dictionary.entryType)
        default: nil
        }
    }

    // MARK: Checks

    private func fault(_ place: FieldPath, _ message: String) -> ProfileError { place.error(.declaration, message) }

    private func checkClass(_ type: Any.Type, _ place: FieldPath) throws {
        guard TypeFacts.unwrapped(type) is AnyClass else { return }
        throw fault(place, "\(TypeFacts.unwrapped(type)) is a class; a profile holds values, so make it a struct")
    }

    /// Refuses a type that has a rule inside, in a place where that rule would have no effect.
    private func checkRuleless(_ type: Any.Type, _ place: FieldPath, _ attribute: String) throws {
        guard let (part, rule) = try ruled(type, place) else { return }
        throw fault(
            place,
            "\(attribute) takes \(part) as one value, in which \(rule) does nothing; drop one of the two"
        )
    }

    /// The part in a type that has a rule somewhere inside, and that rule.
    private func ruled(_ type: Any.Type, _ place: FieldPath) throws -> (any ProfilePart.Type, String)? {
        guard let part = part(in: type) else { return nil }
        let fields = try PartSchema.of(part, place, inside: outer).leaves()
        guard let field = fields.first(where: { $0.attribute != nil && $0.attribute != "@Latest" }) else { return nil }
        return (part, "\(field.attribute ?? "") \(field.name)")
    }

    /// Refuses wrapped fields that the save does not contain, because `CodingKeys` omit them or `encode(to:)` writes
    /// only their values. Their rule would have no effect.
    private func checkWrappers(_ instance: any ProfilePart, _ fields: [FieldRecorder.Field]) throws {
        var written: [ObjectIdentifier: Int] = [:]
        for case let wrapper as any FieldWrapper in fields.compactMap(\.value) {
            written[ObjectIdentifier(Swift.type(of: wrapper)), default: 0] += 1
        }
        let keys = Set(fields.map(\.key))
        var missing: [(name: String, attribute: String)] = []
        for child in Mirror(reflecting: instance).children {
            guard let wrapper = child.value as? any FieldWrapper, let label = child.label else { continue }
            let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
            let kind = ObjectIdentifier(Swift.type(of: wrapper))
            if keys.contains(name), written[kind, default: 0] > 0 {
                written[kind, default: 0] -= 1
            } else {
                missing.append((name, Swift.type(of: wrapper).attribute))
            }
        }
        // A wrapped field with another key cannot be matched by name, so wrappers of one kind are counted.
        guard missing.count > written.values.reduce(0, +), let first = missing.first else { return }
        throw fault(
            path.appending(JSONString(first.name)),
            "\(first.attribute) means nothing here, because the type does not save the field so; "
                + "add it to CodingKeys, leave encode(to:) to Swift, or drop \(first.attribute)"
        )
    }

    private func checkSpelling(_ key: String, _ place: FieldPath) throws {
        guard key == "*" || key == "**" || (key.hasSuffix("]") && key.contains("[")) else { return }
        throw fault(place, "the key means something else in a rule file; give the field another in CodingKeys")
    }

    /// Refuses a default that the field's rule cannot read.
    private func checkBeginning(_ shape: FieldShape, _ value: CodedValue?, _ place: FieldPath) throws {
        guard let value, value != .null else { return }
        switch shape {
        case .value(let rule):
            guard [.max, .min, .counter, .flag].contains(rule.merge) else { return }
            guard !value.isContainer else {
                throw fault(
                    place,
                    "is saved as \(PlainFault.shown(value.json)), and \(rule.merge) takes one plain value"
                )
            }
            // Adding a field to a save counts as an edit, so on two devices a counter that starts at 100 would become
            // 200.
            guard rule.merge != .counter || value == .plain(0) else {
                throw fault(
                    place,
                    "begins at \(PlainFault.shown(value.json)), and every device would bring its own; "
                        + "let the counter begin at 0, and add what a player starts with where the game shows it"
                )
            }
        case .dictionary(let entry):
            for member in value.members ?? [] { try checkBeginning(entry, member.value, place.appending(member.key)) }
        case .elements, .part, .keyed: return
        }
    }
}

extension FieldWrapper {
    static var valueType: Any.Type { Value.self }
}
