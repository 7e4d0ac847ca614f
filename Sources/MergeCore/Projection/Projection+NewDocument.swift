public import LosslessJSON

/// The whole document that a state shows, where there is no file to edit.
extension Projection {
    /// The document for a device that has no file yet; `nil` where nothing is known of the profile.
    ///
    /// - Parameter own: The replica that is to keep the file. For an open choice the file shows the value that this
    ///   replica wrote.
    public static func newDocument(of state: ProfileState, own: ReplicaID? = nil) -> JSONValue? {
        newDocument(of: state, as: ViewNode(state, own: own))
    }

    /// The document for a device that has no file yet. `view` is the view of the state, made once for whatever else needs
    /// it.
    static func newDocument(of state: ProfileState, as view: ViewNode) -> JSONValue? {
        let value = view.build(RuleMatcher(state.rules))
        guard let version = state.upcasters.version, let value else { return value }
        return value.saying(version, like: state)
    }

    /// The content of a profile as a device without a file would write it; `nil` where nothing is known of the profile.
    package static func document(of state: ProfileState) -> JSONDocument? {
        newDocument(of: state).flatMap { try? JSONDocument(parsing: $0.jsonBytes) }
    }
}
