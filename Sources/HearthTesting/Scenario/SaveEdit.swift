/// One change that a game makes to its save, told by its place: what a scenario is made of that can be printed as code
/// and run again.
///
/// ```swift
/// home.laptop.plays(.add("/coins", 30), .insert("/themes", #""dark""#), .set(#"/crew/[id="oak"]/level"#, "4"))
/// ```
///
/// A place is a JSON Pointer (RFC 6901). An element of a list of objects is named by the member that tells elements
/// apart, as in `/crew/[id="oak"]`; where the rules name that member, `/crew/["oak"]` is the same, which is how HearthKit
/// and `hearth explain` write it. Values are JSON text.
public struct SaveEdit: Hashable, Sendable, CustomStringConvertible {
    /// What happens at the place.
    public enum Change: Hashable, Sendable {
        /// The amount is added to the number there; nothing counts as 0.
        case add(String)
        /// The value takes the place of what is there.
        case set(String)
        /// The element is added to the list, unless it is in it.
        case insert(String)
        /// The element is taken out of the list.
        case take(String)
        /// The member or element is removed.
        case remove
    }

    /// Where the change is made.
    public let place: String
    /// What happens there.
    public let change: Change

    /// Makes a change from its two parts.
    public init(_ place: String, _ change: Change) { (self.place, self.change) = (place, change) }

    /// Adds an amount to a number, which may be below zero.
    public static func add(_ place: String, _ amount: Int) -> SaveEdit { SaveEdit(place, .add(String(amount))) }

    /// Adds an amount that is written as a JSON number, such as `0.25`.
    public static func add(_ place: String, _ amount: String) -> SaveEdit { SaveEdit(place, .add(amount)) }

    /// Puts a value there, which is written as JSON.
    public static func set(_ place: String, _ json: String) -> SaveEdit { SaveEdit(place, .set(json)) }

    /// Adds an element to a list, which is written as JSON.
    public static func insert(_ place: String, _ json: String) -> SaveEdit { SaveEdit(place, .insert(json)) }

    /// Takes an element out of a list, which is written as JSON.
    public static func take(_ place: String, _ json: String) -> SaveEdit { SaveEdit(place, .take(json)) }

    /// Removes a member or an element.
    public static func remove(_ place: String) -> SaveEdit { SaveEdit(place, .remove) }

    /// The change in a few words: `/coins + 30`.
    public var description: String {
        switch change {
        case .add(let amount): amount.hasPrefix("-") ? "\(place) − \(amount.dropFirst())" : "\(place) + \(amount)"
        case .set(let json): "\(place) = \(json)"
        case .insert(let json): "\(place) with \(json)"
        case .take(let json): "\(place) without \(json)"
        case .remove: "\(place) removed"
        }
    }
}
