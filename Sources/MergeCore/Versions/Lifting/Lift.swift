import LosslessJSON

/// What a chain of migrations does to single atoms.
///
/// A function from one atom to the atoms it stands for in the version of the rules, each with the same dot and epoch.
/// Which keys come out depends on the key that goes in and on nothing else, and of two atoms under one key the larger
/// goes to the larger. So lifting what was joined and joining what was lifted end alike, in whatever order atoms come.
///
/// A step that cannot be done on atoms one by one gives nothing: numbers and flags under a `map`, for example, whose
/// values may come out in another order. Such atoms wait, unseen, in the state; the device that changes the rules
/// writes what its own document came to (see ``ProfileState/changeRules(to:document:_:)``), every other one its own
/// unseen part.
struct Lift: Hashable, Sendable {
    /// Where a save says its version, and what it says at the version of the rules.
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

    /// Most atoms that one atom becomes, and most places that one place may have come from: copies of copies double.
    static let limit = 64

    /// The atoms that an atom stands for. Its path is a place of the version it was written at.
    func images(of atom: KeyedAtom) -> [KeyedAtom] {
        guard !atom.key.path.isReserved, let path = atom.key.path.steps else { return [atom] }
        var pieces = [LiftPiece(path: path, kind: atom.key.kind, sub: atom.key.sub, atom: atom.atom)]
        for step in steps {
            pieces = Array(pieces.flatMap { $0.taking(step) }.prefix(Self.limit))
            if pieces.isEmpty { return [] }
        }
        return pieces.compactMap { piece in
            let piece = version.map { piece.saying($0) } ?? piece
            return piece.path.count <= DocumentPath.stepLimit ? piece.keyed : nil
        }
    }

    /// Whether an epoch that began in the version from which this lifts covers a place of the version of the rules.
    func covers(_ cover: EpochCover, _ path: DocumentPath) -> Bool {
        if cover.covers(path), steps.isEmpty || cover.covers(.root) { return true }
        return !steps.isEmpty && origins(of: path).contains(where: cover.covers)
    }
}

extension JSONValue {
    /// The value with the version of the rules where a save says it, if there is a place for it: as a number where the
    /// household's saves have one.
    func saying(_ version: Lift.Version, like state: ProfileState) -> JSONValue {
        var former: JSONValue?
        if case .register(_, let known?)? = state.atom(AtomKey(version.place, .latest))?.content {
            former = known
        } else {
            // Another rule on the place keeps what it takes as atoms of its own kind.
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
