import LosslessJSON

/// Open choices that other rules merge. No player is asked about them any more.
extension ProfileState {
    /// A document in which each place with an open choice that other rules merge holds what its values come to by those
    /// rules: the same as of files of which each held one of the values. Otherwise the values of other devices would not
    /// count, since the document holds one of them only. O(document · values) where there is such a choice.
    ///
    /// - Parameters:
    ///   - document: The content of this device's file under the rules in force.
    ///   - rules: The rules that are about to be in force.
    func settlingChoices(in document: JSONDocument, under rules: RuleSet) -> JSONDocument {
        let open = openChoices.compactMap { path -> OpenPlace? in
            guard ![.choice, .local].contains(rules.rule(for: path).merge) else { return nil }
            return OpenPlace(path, openChoice(path), in: document, self.rules)
        }
        guard !open.isEmpty else { return document }
        // Each value is what a device of its own has in its file: the newest one in the file that was written last.
        var household = ProfileState()
        let count = open.map(\.values.count).max() ?? 0
        for number in 0...UInt64(count) {
            let context = WriteContext(
                replica: ReplicaID(high: 0, low: number), now: WallTime(milliseconds: Int64(number)),
                fileTime: WallTime(milliseconds: Int64(number)), base: VersionVector())
            guard number > 0 else {
                _ = household.changeRules(to: rules, document: nil, context)
                continue
            }
            let edits = open.map { $0.edit($0.values[max(0, $0.values.count - count + Int(number) - 1)]) }
            if let file = document.edited(edits) { _ = household.adopt(file, context) }
        }
        guard let shown = Projection.document(of: household) else { return document }
        let edits = open.compactMap { place in
            shown.place(place.path, self.rules).map { place.edit(shown.value($0.node)) }
        }
        return document.edited(edits) ?? document
    }
}

/// A place with an open choice, and where its values would stand in a document.
private struct OpenPlace {
    let path: DocumentPath
    /// The oldest first; not empty.
    let values: [JSONValue]
    let edit: (JSONValue) -> JSONEdit

    /// Most values that are settled: the newest ones. A household of honest devices has one for each of them.
    private static let limit = 64

    /// Returns `nil` where there is no value, or the document has no room for the place.
    init?(_ path: DocumentPath, _ candidates: [Candidate], in document: JSONDocument, _ rules: RuleSet) {
        self.path = path
        values = candidates.compactMap(\.value).prefix(Self.limit).reversed()
        guard !values.isEmpty else { return nil }
        if let (node, _) = document.place(path, rules) {
            edit = { .replace(node, $0) }
        } else if case .member(let name)? = path.steps?.last, let parent = path.parent,
            let (node, _) = document.place(parent, rules), document.kind(node) == .object
        {
            // The player removed it on this device.
            edit = { .insertMember(into: node, key: name, $0) }
        } else {
            return nil
        }
    }
}

extension JSONDocument {
    fileprivate func edited(_ edits: [JSONEdit]) -> JSONDocument? {
        (try? patched(edits)).flatMap { try? JSONDocument(parsing: $0) }
    }
}
