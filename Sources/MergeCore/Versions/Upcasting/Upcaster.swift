import LosslessJSON

/// A chain of migrations as applied to single atoms.
///
/// It is a function from one atom to the atoms that it becomes in the version of the rules, each with the same dot and
/// epoch. The keys of the results depend only on the key of the atom. Of two atoms under one key, the larger one
/// becomes the larger one. So upcasting and joining can be done in either order, and the order in which atoms come does
/// not matter.
///
/// A step that cannot be done on single atoms gives no atom: numbers and flags under a `map`, for example, because the
/// new values may be in another order than the old ones. Such atoms wait in the state, hidden. The device that changes
/// the rules writes the values of its own upcast document (see ``ProfileState/changeRules(to:document:_:)``). Every
/// other device writes the part of its own document that the first device had not seen.
struct Upcaster: Hashable, Sendable {
    /// The place where a save states its version, and the version of the rules.
    struct Version: Hashable, Sendable {
        let path: [PathStep]
        let name: String

        init?(_ rules: RuleSet) {
            guard let place = rules.versionAt, let name = rules.version, let pointer = try? JSONPointer(parsing: place)
            else { return nil }
            path = pointer.tokens.map(PathStep.member)
            self.name = name
        }

        var place: DocumentPath { DocumentPath(path) }

        /// The version as the save spells it: a number where it was one.
        func spelled(like value: JSONValue) -> JSONValue {
            if case .number = value, let number = JSONNumber(text: name) { return .number(number) }
            return .string(JSONString(name))
        }
    }

    let steps: [MigrationStep]
    let version: Version?

    /// Most atoms that one atom can become, and most places from which one place can come. Otherwise copies of copies
    /// would double without end.
    static let limit = 64

    /// The atoms that an atom becomes. The atom's path is a place in the version it was written at.
    func upcasts(of atom: KeyedAtom) -> [KeyedAtom] {
        guard !atom.key.path.isReserved, let path = atom.key.path.steps else { return [atom] }
        var pieces = [UpcastPiece(path: path, kind: atom.key.kind, sub: atom.key.sub, atom: atom.atom)]
        for step in steps {
            pieces = Array(pieces.flatMap { $0.taking(step) }.prefix(Self.limit))
            if pieces.isEmpty { return [] }
        }
        return pieces.compactMap { piece in
            let piece = version.map { piece.saying($0) } ?? piece
            return piece.path.count <= DocumentPath.stepLimit ? piece.keyed : nil
        }
    }

    /// Whether an epoch covers a place. The epoch began in the version from which this upcasts; the place is one in the
    /// version of the rules.
    func covers(_ selector: PathSelector, _ path: DocumentPath) -> Bool {
        if selector.covers(path), steps.isEmpty || selector.covers(.root) { return true }
        return !steps.isEmpty && origins(of: path).contains(where: selector.covers)
    }
}

extension JSONValue {
    /// The value of a save with its version set to that of the rules, if there is a place for it. The version is a
    /// number where the profile's saves have a number there.
    func saying(_ version: Upcaster.Version, like state: ProfileState) -> JSONValue {
        var former: JSONValue?
        if case .register(_, let known?)? = state.atom(AtomKey(version.place, .latest))?.content {
            former = known
        } else {
            // Under a rule other than `latest`, the version is in atoms of that rule's kind.
            former = state.shown(version.place, state.rules.rule(for: version.place))?.json
        }
        return setting(version.path[...], to: version.spelled(like: former ?? .null))
    }

    func setting(_ path: ArraySlice<PathStep>, to new: JSONValue) -> JSONValue {
        guard case .member(let name)? = path.first else { return new }
        guard case .object(var members) = self else { return self }
        let rest = path.dropFirst()
        if let index = members.firstIndex(where: { $0.key == name }) {
            members[index].value = members[index].value.setting(rest, to: new)
        } else {
            let inner = rest.isEmpty ? new : JSONValue.object([]).setting(rest, to: new)
            members.insert(JSONMember(key: name, value: inner), at: 0)
        }
        return .object(members)
    }
}
