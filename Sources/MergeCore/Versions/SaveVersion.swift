public import LosslessJSON

/// What version a save is of, seen from the version that is wanted.
public enum SaveVersion: Hashable, Sendable {
    /// The version wanted, or the rules name none: nothing to do.
    case same
    /// A version that the rules can lift.
    case older(String)
    /// A later one: the game on this device must be updated first, and the save stays as it is.
    case newer(String)
    /// The save does not say.
    case unversioned
    /// The save says something that the rules do not list.
    case unknown(String)

    /// Looks at the place where a save keeps its version.
    ///
    /// A number in the save is compared by its text and then by its value, so that `14` is the version "14". Versions
    /// that are not listed are ``newer(_:)`` where their numbers are beyond all that are listed, else ``unknown(_:)``.
    /// Rules without ``RuleSet/version`` or ``RuleSet/versionAt`` compare nothing: all saves are the ``same``.
    ///
    /// - Parameters:
    ///   - document: The save.
    ///   - rules: What lists the versions.
    ///   - target: The version wanted; `nil` for that of the rules. One that the rules do not list counts as theirs.
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

    /// The longest text that is taken for a version.
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
