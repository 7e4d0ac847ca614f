import LosslessJSON

/// The places, elements and values that a document holds in some parts of it. It is asked by the keys of atoms.
struct HeldPlaces {
    private var values: [DocumentPath: JSONValue?] = [:]
    /// The canonical bytes of the elements and keys of each array.
    private var elements: [DocumentPath: Set<[UInt8]>] = [:]

    init(_ whole: DocumentDiff, in parts: Set<DocumentPath>) {
        for change in whole.writes where change.path.nearest(in: parts) != nil {
            switch change.change {
            case .value(_, let new): values[change.path] = .some(new)
            case .elements(let added, _): elements[change.path, default: []].formUnion(added.map(\.canonicalBytes))
            case .elementAppeared(let key):
                values[change.path] = .some(key)
                if let array = change.path.parent { elements[array, default: []].insert(key.canonicalBytes) }
            default: continue
            }
        }
    }

    /// Whether the document holds the value of an atom; for a candidate, whether it holds the candidate's value.
    func contains(_ key: AtomKey, candidateOf state: ProfileState) -> Bool {
        switch key.kind.base {
        case .set, .order: return elements[key.path]?.contains(key.sub) == true
        case .union where key.kind.reading == .bits:
            guard case let value?? = values[key.path], let bits = BitField.elements(of: value) else { return false }
            return bits.contains { $0.canonicalBytes == key.sub }
        case .union: return elements[key.path]?.contains(key.sub) == true
        case .choice, .furthest:
            guard case let value?? = values[key.path], case .candidate(_, let own, _)? = state.live(key)?.content else {
                return false
            }
            return own == value
        default: return values[key.path] != nil
        }
    }
}
