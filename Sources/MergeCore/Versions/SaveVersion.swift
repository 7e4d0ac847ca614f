public import LosslessJSON

/// The version of a save, compared with the wanted version.
public enum SaveVersion: Hashable, Sendable {
    /// The save has the wanted version, or the rules name no version: nothing to do.
    case same
    /// A version that the rules can upcast.
    case older(String)
    /// A later version. The game on this device must be updated first, and the save stays as it is.
    case newer(String)
    /// The save states no version.
    case unversioned
    /// The save states a version that the rules do not list, and that is not later than all of theirs.
    case unknown(String)

    /// Finds the version of a save at the place where the save keeps it.
    ///
    /// A number in the save is compared by its text and then by its value, so that `14` is the version "14". A version
    /// that is not listed is ``newer(_:)`` if its numbers are beyond all listed versions, else ``unknown(_:)``. Rules
    /// without ``RuleSet/version`` or ``RuleSet/versionAt`` compare nothing: all saves are the ``same``.
    ///
    /// - Parameters:
    ///   - document: The save.
    ///   - rules: The rules, which list the versions.
    ///   - target: The wanted version; `nil` for that of the rules. A version that the rules do not list is treated as
    ///     `nil`.
    /// - Complexity: O(depth of the place · members + versions).
    public static func detect(_ document: JSONDocument, _ rules: RuleSet, target: String? = nil) -> SaveVersion {
        guard let place = rules.versionAt, let own = rules.version, let pointer = try? JSONPointer(parsing: place)
        else { return .same }
        let order = VersionOrder(rules)
        guard let node = document.node(at: pointer), let text = text(document, node) else { return .unversioned }
        guard let index = index(of: text, document.number(node), in: order) else {
            return order.isBeyond(text) ? .newer(text) : .unknown(text)
        }
        let wanted = target.flatMap(order.index(of:)) ?? order.index(of: own) ?? 0
        if index == wanted { return .same }
        return index < wanted ? .older(order.versions[index]) : .newer(order.versions[index])
    }

    /// Most bytes of a value in the save that is read as a version.
    private static let textLimit = 1_024

    private static func text(_ document: JSONDocument, _ node: JSONNode) -> String? {
        guard document.text(node).count <= textLimit else { return nil }
        if let number = document.number(node) { return number.text }
        return document.string(node).flatMap { $0.bytes.isEmpty ? nil : $0.string }
    }

    private static func index(of text: String, _ number: JSONNumber?, in order: VersionOrder) -> Int? {
        if let index = order.index(of: text) { return index }
        guard let number else { return nil }
        return order.versions.firstIndex { JSONNumber(text: $0) == number }
    }
}
