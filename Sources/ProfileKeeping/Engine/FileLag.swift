package import MergeCore

/// What has to be written into a profile's file for it to show the profile's state.
package enum FileLag: Hashable, Sendable {
    /// Nothing: file and state agreed, and the state has not changed since.
    case none
    /// These places have changed since file and state agreed. Others need not be compared. Never empty.
    case places([AtomKey])
    /// It is not known what has changed, so everything is compared.
    case unknown

    /// Adds places that have changed. O(added).
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
    /// The intent is in the record. Only the disk shows whether the swap has happened.
    indirect case intended(Intent)
    /// The new file is in its place for good. The next commit of the profile stores that in the record. Until then a
    /// start finds the intent, and finishes with the same result.
    indirect case swapped(UnwrittenEnd)

    /// The end of a projection, as the next commit writes it.
    struct UnwrittenEnd: Sendable {
        var baseHistory: BaseHistory.Change
        var displaced: KeptProfile.Displaced?
    }
}
