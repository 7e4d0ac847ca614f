package import LosslessJSON

/// Changes inside an object that exists only in a save that was set aside, so the profile does not show it.
extension ProfileState {
    /// The rest of the elements and objects in which a save plays though the profile shows nothing of them: its game goes
    /// on from its own save, which is set aside. With the changes alone, half an object would show, which no game wrote.
    ///
    /// No counter is among them: what it held before is part of the question about the save that is set aside.
    ///
    /// - Parameters:
    ///   - changes: The changes of the save, which are not written yet.
    /// - Complexity: O((places + changes) · depth + size of the save) if there is such a change.
    package func restOfHidden(_ changes: [LeafChange], of save: JSONDocument) -> [LeafChange] {
        var lost = LostContainers(ViewNode(self), known: knownContainers, besides: upcasters.version?.place)
        var parts = Set<DocumentPath>()
        for change in changes where change.holdsNew && lost.isLost(around: change.path) {
            if let part = Self.outermostObject(around: change.path, where: { lost.isLost(around: $0) }) {
                parts.insert(part)
            }
        }
        guard !parts.isEmpty else { return [] }
        let told = Set(changes.map(\.path))
        return DocumentDiff(from: nil, to: save, rules: rules).changes.filter { change in
            change.holdsNew && change.rule.merge != .counter && !told.contains(change.path)
                && change.path.nearest(in: parts) != nil
        }
    }

    /// The outermost element of a keyed array, or object, around a place of which the profile shows nothing.
    private static func outermostObject(
        around path: DocumentPath, where isLostAround: (DocumentPath) -> Bool
    ) -> DocumentPath? {
        guard let steps = path.steps else { return nil }
        var place = DocumentPath.root
        for (step, next) in zip(steps, steps.dropFirst()) {
            place = place.appending(step)
            // An array alone is no object: its elements are.
            guard case .member = next else { continue }
            if isLostAround(place.appending(next)) { return place }
        }
        return nil
    }
}
