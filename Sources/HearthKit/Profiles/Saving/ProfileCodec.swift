package import LosslessJSON
package import MergeCore

/// Reads and writes the saves of one profile type. Its `init` checks the type, which happens when a profile is opened.
package struct ProfileCodec<Subject: Profile>: Sendable {
    /// The rules that the type declares.
    package let rules: RuleSet
    private let schema: PartSchema
    /// How saves of earlier versions are migrated, and taken back to them.
    let versions: VersionList

    /// - Throws: ``ProfileError`` with ``ProfileError/Code/declaration`` for a type that cannot work.
    package init() throws(ProfileError) {
        (schema, rules, versions) = try Self.wrapping(.declaration) {
            let type = try RulesOfType(Subject.self)
            return (try PartSchema.of(Subject.self), type.rules, type.versions)
        }
    }

    /// The text of a new save: the version, then the fields in the order of the type.
    ///
    /// Fields at their default are left out. They read back the same, and a fresh start then contains no value that
    /// could win over what another device has.
    package func newText(_ profile: Subject) throws(ProfileError) -> [UInt8] {
        try Self.wrapping(.value) {
            let coded = try ProfileEncoder.profile(profile, notes: EncodingNotes())
            try ValueCheck.run(coded, schema, FieldPath(Subject.self))
            let fields = schema.withoutBeginnings(coded).json
            let save = try versions.migrated(withVersion: JSONDocument(parsing: fields.jsonBytes))
            guard case .object(var members) = save.value(save.root) else {
                preconditionFailure("a profile is saved as an object")
            }
            // `migrated(withVersion:)` appends the version; a version that is no member of a field moves to the front.
            if let last = members.last, fields[last.key] == nil { members.insert(members.removeLast(), at: 0) }
            return JSONValue.object(members).jsonBytes(indent: "  ") + [0x0A]
        }
    }

    /// Migrates a save to the type's version. A save of that version comes back unchanged.
    ///
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/newer`` where the game must be updated, with
    ///   ``ProfileError/Code/migration`` where the save could not be migrated. The save stays as it is.
    package func migrated(_ document: JSONDocument) throws(ProfileError) -> MigratedSave {
        try Self.wrapping(.migration) { try versions.migrated(document) }
    }

    /// Reads a save of the type's version.
    ///
    /// - Parameter open: The open alternatives of choices, by their places.
    package func snapshot(
        _ document: JSONDocument,
        open: [DocumentPath: [OpenAlternative]] = [:]
    ) throws(ProfileError) -> ProfileSnapshot<Subject> {
        try Self.wrapping(.save) {
            let notes = DecodingNotes { pointer in
                guard !open.isEmpty, let path = DocumentPath(pointer, in: document, rules: rules) else { return [] }
                return open[path] ?? []
            }
            let profile = try ProfileDecoder.profile(Subject.self, document.value(document.root), notes)
            return ProfileSnapshot(
                document: document,
                profile: profile,
                node: try ProfileEncoder.remembered(profile, after: nil, notes: EncodingNotes(remembers: true)),
                respelled: notes.respelled,
                schema: schema,
                rules: rules
            )
        }
    }

    /// A profile with every field, also those at their default, as a tree without its version.
    package func value(_ profile: Subject) throws(ProfileError) -> JSONValue {
        try Self.wrapping(.value) { try ProfileEncoder.profile(profile, notes: EncodingNotes()).json }
    }

    /// The profile that a tree holds; the reverse of ``value(_:)``.
    package func profile(_ value: JSONValue) throws(ProfileError) -> Subject {
        try Self.wrapping(.save) { try ProfileDecoder.profile(Subject.self, value, DecodingNotes()) }
    }

    /// Every field, also those of parts, in the order of the type.
    package var fields: [ProfileField] { schema.leaves() }

    /// The place of the one field directly in the profile whose value has this type; `nil` for none or several.
    func onlyField(of type: Any.Type) -> String? {
        let all = schema.fields.filter { $0.type == "\(type)" }
        return all.count == 1 ? FieldSpelling.pointer(all[0].key.string) : nil
    }

    /// Reads the value at a place of a save; `nil` where it is missing, or is none of the type.
    func value<Value: Decodable>(_ type: Value.Type, at place: JSONPointer, in document: JSONDocument) -> Value? {
        document.node(at: place).flatMap { try? ProfileDecoder.profile(type, document.value($0)) }
    }

    /// The field that a place of the document belongs to; `nil` for a place the type does not know.
    package func field(at path: DocumentPath) -> ProfileField? { path.steps.flatMap { schema.leaf($0[...]) } }

    static func wrapping<Result>(
        _ code: ProfileError.Code,
        _ body: () throws -> Result
    ) throws(ProfileError) -> Result {
        do {
            return try body()
        } catch let error as ProfileError {
            throw error
        } catch {
            throw ProfileError(code, "\(Subject.self)", "\(error)")
        }
    }
}
