/// The sentence about places of a file that their rule cannot read.
package enum UnreadWords {
    /// Most places that are named.
    private static let shown = 3

    /// The places that are not in step, and the ways to mend that, without a full stop; `nil` where every place is read.
    ///
    /// - Parameter places: Each as `PLACE: reason`.
    package static func sentence(_ places: [String]) -> String? {
        guard !places.isEmpty else { return nil }
        let more = places.count > shown ? " and \(places.count - shown) more" : ""
        return "not synced, because its rule does not fit the value: \(places.prefix(shown).joined(separator: ", "))"
            + "\(more); the other machines keep what they have there. Give the place another rule (hearth add FILE "
            + "--rules F), or let the game write a value that the rule takes"
    }
}
