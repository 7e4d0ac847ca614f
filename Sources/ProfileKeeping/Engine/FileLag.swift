package import MergeCore

/// What has to be written into a profile's file for it to show the profile's state.
package enum FileLag: Hashable, Sendable {
    /// Nothing: file and state agreed, and nothing has changed since.
    case none
    /// These places have changed since file and state agreed. Others need not be compared. Never empty.
    case places([AtomKey])
    /// Nobody knows what has changed, so everything is compared.
    case unknown

    /// More places have changed. O(added).
    mutating func add(_ keys: [AtomKey]) {
        guard !keys.isEmpty else { return }
        switch self {
        case .none: self = .places(keys)
        case .places(var places):
            self = .none  // so that the array is not copied
            places += keys
            self = .places(places)
        case .unknown: break
        }
    }

    /// The places to compare; `nil` for all of them.
    var compared: [AtomKey]? {
        switch self {
        case .none: []
        case .places(let places): places
        case .unknown: nil
        }
    }
}

/// How far the last projection of a profile has come, as the record knows it. See the article Durability.
enum ProjectionProgress: Sendable {
    /// No projection is under way.
    case none
    /// The intent is in the record. Whether the swap has happened is for the disk to say.
    case intended(Intent)
    /// The new file is in its place for good. The record hears of that with the profile's next commit; until then a start
    /// finds the intent, and comes to the same end.
    case swapped(UnwrittenEnd)

    /// The end of a projection, as the next commit writes it.
    struct UnwrittenEnd: Sendable {
        var baseHistory: BaseHistory.Change
        var displaced: KeptProfile.Displaced?
    }
}
