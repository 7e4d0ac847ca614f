import LosslessJSON

/// The text that makes two resets equal: the places they cover, and the values they start from.
enum EpochText {
    static func identity(_ selector: PathSelector, _ document: JSONDocument?, _ rules: RuleSet) -> [UInt8] {
        var text: [UInt8] = []
        func add(_ bytes: [UInt8]) { text += bytes + [0] }
        for pattern in selector.patterns.map(\.description).sorted() { add(Array(pattern.utf8)) }
        for place in selector.places.sorted() { add([1] + place.encoded) }
        guard let document else { return text }
        let changes = DocumentDiff(from: nil, to: document, rules: rules).changes.filter { selector.covers($0.path) }
        for change in changes.sorted(by: { $0.path < $1.path }) {
            add([2] + change.path.encoded)
            switch change.change {
            case .value(_, let new?): add(new.canonicalBytes)
            case .elements(let added, _):
                let elements = added.map(\.canonicalBytes).sorted { $0.lexicographicallyPrecedes($1) }
                for element in elements { add(element) }
            default: add([3])
            }
        }
        return text
    }
}
