import LosslessJSON
public import MergeCore

/// One field of a profile or of a part in it. A game can list them with ``Profile/fields``.
public struct ProfileField: Hashable, Sendable, CustomStringConvertible {
    /// The place of the field in a save, as rule files write it: `*` for the entries of a dictionary and `[key]` for
    /// the elements of a list, as in `/levels/*/stars`.
    public let path: String
    /// The path of the field from the profile down: `levels.*.stars`.
    public let name: String
    /// The type of the value, such as `Int`.
    public let type: String
    /// The wrapper, such as `@Counter`; `nil` for a field without one.
    public let attribute: String?
    /// How the field merges.
    public let rule: MergeRule

    /// The wrapper, the name and the type: `@Counter coins: Int`.
    public var description: String { "\(attribute.map { "\($0) " } ?? "")\(name): \(type)" }
}

extension PartSchema {
    /// Every field that has a rule, in the order of the type.
    func leaves(_ path: String = "", _ names: [String] = []) -> [ProfileField] {
        fields.flatMap { field in
            field.leaves(
                field.shape,
                path + FieldSpelling.pointer(field.key.string),
                names + [field.key.string]
            )
        }
    }
}

extension PartSchema.Field {
    fileprivate func leaves(_ shape: FieldShape, _ path: String, _ names: [String]) -> [ProfileField] {
        switch shape {
        case .value(let rule), .elements(let rule): [described(rule, path, names)]
        case .part(let schema): schema.leaves(path, names)
        case .dictionary(let entry): leaves(entry, path + "/*", names + ["*"])
        case .keyed(let key, let schema):
            schema.leaves(path + "[\(FieldSpelling.pointer(key.string).dropFirst())]", names + ["*"])
        }
    }

    fileprivate func described(_ rule: MergeRule, _ path: String, _ names: [String]) -> ProfileField {
        ProfileField(path: path, name: names.joined(separator: "."), type: type, attribute: attribute, rule: rule)
    }

    /// The field at a place further down.
    fileprivate func leaf(
        _ shape: FieldShape,
        _ steps: ArraySlice<PathStep>,
        _ path: String,
        _ names: [String]
    ) -> ProfileField? {
        switch shape {
        case .value(let rule), .elements(let rule): described(rule, path, names)
        case .part(let schema): schema.leaf(steps, path, names)
        case .dictionary(let entry):
            if case .member(let name)? = steps.first {
                leaf(entry, steps.dropFirst(), path + "/*", names + [name.string])
            } else {
                described(.standard, path, names)
            }
        case .keyed(let key, let schema):
            switch steps.first {
            case .element(let id)?:
                schema.leaf(
                    steps.dropFirst(),
                    path + "[\(FieldSpelling.pointer(key.string).dropFirst())]",
                    names + [String(decoding: id, as: UTF8.self)]
                ) ?? described(.standard, path, names)
            default: described(.standard, path, names)
            }
        }
    }
}

extension PartSchema {
    /// The field that a place of the document belongs to. Its name has the keys and ids of that place; `nil` for a
    /// place the type does not know.
    func leaf(_ steps: ArraySlice<PathStep>, _ path: String = "", _ names: [String] = []) -> ProfileField? {
        guard case .member(let name)? = steps.first, let field = field(name) else { return nil }
        return field.leaf(
            field.shape,
            steps.dropFirst(),
            path + FieldSpelling.pointer(name.string),
            names + [name.string]
        )
    }
}
