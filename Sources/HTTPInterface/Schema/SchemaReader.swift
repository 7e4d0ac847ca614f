/// Finds out what JSON of a type looks like, by reading one: the type's own `init(from:)` asks for its members, and is
/// given some value of the right kind for each. So no list of members is kept by hand, and none can be forgotten.
enum SchemaReader {
    /// A type whose JSON cannot be found out in that way, such as a text that has to be read further. ``KnownSchemas`` has
    /// to know it.
    struct Unknown: Error, CustomStringConvertible {
        let type: String
        var description: String { "the JSON of \(type) cannot be found out; KnownSchemas has to know it" }
    }

    /// - Returns: The schema, and some value of the type.
    static func read<Value: Decodable>(_ type: Value.Type) throws -> (schema: Schema, value: Value) {
        if let known = KnownSchemas.of(type) { return known }
        if let type = type as? any (CaseIterable & RawRepresentable).Type, let words = words(type),
            let value = words.value as? Value
        {
            return (.word(words.all), value)
        }
        let record = SchemaRecord()
        let value = try Value(from: SchemaDecoder(record: record))
        // One that asks for nothing has no members.
        return (record.schema ?? .object([]), value)
    }

    private static func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> (all: [String], value: Any)?
    {
        let all = Word.allCases.compactMap { $0.rawValue as? String }
        guard let first = Word.allCases.first, !all.isEmpty else { return nil }
        return (all, first)
    }
}

/// What was asked for while one value was read.
final class SchemaRecord {
    private(set) var schema: Schema?

    func note(_ schema: Schema) { self.schema = schema }

    func note(_ name: String, _ schema: Schema, isRequired: Bool) {
        var properties: [Schema.Property] = []
        if case .object(let known) = self.schema { properties = known }
        if !properties.contains(where: { $0.name == name }) {
            properties.append(Schema.Property(name: name, schema: schema, isRequired: isRequired))
        }
        self.schema = .object(properties)
    }

    /// A value without any member is an object as well.
    func noteObject() { if schema == nil { schema = .object([]) } }
}
