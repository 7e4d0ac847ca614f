import Synchronization

/// Which bytes of a type's values carry meaning, for types with value semantics throughout. Two values whose bytes are
/// the same there are the same value, as long as one of them is kept alive.
struct ValueBits: Sendable {
    /// The bytes of the fields, without the padding between them, which may hold anything.
    private let ranges: [Range<Int>]

    /// The bytes that count; `nil` for a type that refers, or may refer, to something mutable.
    ///
    /// - Parameter value: Any value of the type: its mirror shows the fields.
    static func of<Value>(_ value: Value, _ kind: (Any.Type) throws -> TypeKind) rethrows -> ValueBits? {
        let id = ObjectIdentifier(Value.self)
        if let bits = known.withLock({ $0[id] }) { return bits }
        let bits = try isValue(Value.self, kind) ? ValueBits(ranges: fields(value, Value.self, at: 0)) : nil
        known.withLock { $0[id] = .some(bits) }
        return bits
    }

    private static let known = Mutex<[ObjectIdentifier: ValueBits?]>([:])

    func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
        withUnsafeBytes(of: a) { a in
            withUnsafeBytes(of: b) { b in
                for range in ranges {
                    for index in range where a[index] != b[index] { return false }
                }
                return true
            }
        }
    }

    // MARK: Types

    private static func isValue(_ type: Any.Type, _ kind: (Any.Type) throws -> TypeKind) rethrows -> Bool {
        switch try kind(type) {
        case .plain: return true
        case .wrapper(let wrapper): return try isValue(wrapper.valueType, kind)
        case .optional:
            guard let optional = type as? any OptionalValue.Type else { return false }
            return try isValue(optional.wrappedType, kind)
        case .dictionary(let dictionary):
            return try isValue(dictionary.keyType, kind) && isValue(dictionary.entryType, kind)
        case .list:
            guard let list = type as? any ListValue.Type else { return false }
            return try isValue(list.elementType, kind)
        case .set(let set): return try isValue(set.elementType, kind)
        case .part:
            guard let part = type as? any ProfilePart.Type else { return false }
            let beginning = part.init()
            let mirror = Mirror(reflecting: beginning)
            guard mirror.displayStyle == .struct, !(beginning is any CustomReflectable) else { return false }
            return try mirror.children.allSatisfy { try isValue(Swift.type(of: $0.value), kind) }
        // A type from outside: only a trivial type (nothing but its bits) is known to have value semantics.
        case .other: return Layout(type).isBits
        }
    }

    // MARK: Fields

    private struct Layout {
        var (size, alignment, isBits) = (0, 1, false)

        init(_ type: Any.Type) {
            func layout<Value>(_ type: Value.Type) -> (Int, Int, Bool) {
                (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment, _isPOD(type))
            }
            (size, alignment, isBits) = layout(type)
        }
    }

    /// The byte ranges of the fields of a struct: one after the other, each at the next offset that fits its alignment.
    /// Where this does not add up to the size of the struct, the whole struct counts as one range.
    private static func fields(_ value: Any, _ type: Any.Type, at start: Int) -> [Range<Int>] {
        let whole = [start..<start + Layout(type).size]
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct, !(value is any CustomReflectable), !mirror.children.isEmpty else {
            return whole
        }
        var ranges: [Range<Int>] = []
        var end = start
        for child in mirror.children {
            let type = Swift.type(of: child.value)
            let layout = Layout(type)
            end = (end + layout.alignment - 1) / layout.alignment * layout.alignment
            ranges += fields(child.value, type, at: end)
            end += layout.size
        }
        return end == whole[0].upperBound ? ranges : whole
    }
}
