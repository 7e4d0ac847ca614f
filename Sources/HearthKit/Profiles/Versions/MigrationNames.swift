import LosslessJSON
import MergeCore

/// Checks that what migration steps make is something that the type has, or that a later step takes up again: a step
/// with a typing error would else move progress to where no game looks for it.
///
/// Only what a step writes is checked. What it takes from is a name of an earlier version, which no type tells. Steps
/// before a closure are not checked either: the closure may read anything.
struct MigrationNames {
    private let type: any Profile.Type
    private let schema: PartSchema
    private let version: JSONString?

    /// The names directly in the save that some version after a step knows, beside those of the type.
    private typealias Names = Set<JSONString>

    /// A migration, and whether it is a closure.
    typealias Entry = (rules: MergeCore.Migration, isClosure: Bool)

    init(_ type: any Profile.Type, versionAt: String) throws {
        self.type = type
        schema = try PartSchema.of(type)
        version = (try? JSONPointer(parsing: versionAt))?.tokens.first
    }

    /// - Parameters:
    ///   - chain: The migrations, the oldest first.
    ///   - legacy: The migration of saves without a version.
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/declaration`` that names the step.
    func check(_ chain: [Entry], _ legacy: Entry?) throws {
        // From the type backwards: what a version knows follows from what the next one does with it.
        var known: Names? = []
        if let legacy, !legacy.isClosure, !chain.contains(where: { $0.rules.from == legacy.rules.to }),
            var names = known
        {
            try check(legacy.rules, &names)
        }
        for entry in chain.reversed() {
            if entry.isClosure { known = nil }
            guard var names = known else { return }
            try check(entry.rules, &names)
            known = names
            if let legacy, !legacy.isClosure, legacy.rules.to == entry.rules.from { try check(legacy.rules, &names) }
        }
    }

    private func check(_ migration: MergeCore.Migration, _ names: inout Names) throws {
        for step in migration.steps.reversed() {
            for place in step.madePlaces where !has(place[...], names) {
                let spelled = RulePattern(steps: place).description
                throw ProfileError(
                    .declaration, "\(type)",
                    "the migration to \"\(migration.to)\" has a step \(step.word) that makes \"\(spelled)\", and "
                        + "\(type) has no such field, nor does a later step take it up; correct the name")
            }
            for name in step.takenNames { names.insert(name) }
        }
    }

    /// Whether a place is one of the type's, or below a name that a later step takes up.
    private func has(_ place: ArraySlice<RulePattern.Step>, _ names: Names) -> Bool {
        guard case .literal(let name)? = place.first else { return true }
        if names.contains(name) || name == version { return true }
        return schema.has(place)
    }
}

extension PartSchema {
    /// Whether some save of the type can have something at a place.
    fileprivate func has(_ place: ArraySlice<RulePattern.Step>) -> Bool {
        guard case .literal(let name)? = place.first else { return true }
        return field(name)?.shape.has(place.dropFirst()) ?? false
    }
}

extension FieldShape {
    fileprivate func has(_ place: ArraySlice<RulePattern.Step>) -> Bool {
        guard !place.isEmpty else { return true }
        switch self {
        // Names below a field that is stored as one value are not checked: no schema describes them.
        case .value, .elements: return true
        case .part(let schema): return schema.has(place)
        case .dictionary(let entry): return entry.has(place.dropFirst())
        case .keyed(_, let schema): return schema.has(place.dropFirst())
        }
    }
}

extension MigrationStep {
    /// The places at which the step leaves something.
    fileprivate var madePlaces: [[RulePattern.Step]] {
        func beside(_ pattern: RulePattern, _ name: JSONString) -> [RulePattern.Step] {
            pattern.steps.dropLast() + [.literal(name)]
        }
        return switch self {
        case .rename(let pattern, let name): pattern.steps.isEmpty ? [] : [beside(pattern, name)]
        case .move(_, let pointer), .copy(_, let pointer), .compensate(let pointer, _, _):
            [pointer.tokens.map(RulePattern.Step.literal)]
        case .fill(let pattern, _), .map(let pattern, _): [pattern.steps]
        case .wrap(let pattern, let name): [pattern.steps + [.literal(name)]]
        case .split(let pattern, _, let names, _):
            pattern.steps.isEmpty ? [] : names.map { beside(pattern, $0) }
        case .remove, .require: []
        }
    }

    /// The names directly in the save from which the step takes something: the version before it knows them.
    fileprivate var takenNames: [JSONString] {
        func first(_ steps: [RulePattern.Step]) -> [JSONString] {
            if case .literal(let name)? = steps.first { [name] } else { [] }
        }
        return switch self {
        case .rename(let pattern, _), .remove(let pattern), .wrap(let pattern, _), .split(let pattern, _, _, _):
            first(pattern.steps)
        case .move(let pointer, _), .copy(let pointer, _): pointer.tokens.first.map { [$0] } ?? []
        case .compensate(_, _, let reason): reason?.tokens.first.map { [$0] } ?? []
        case .fill, .map, .require: []
        }
    }
}
