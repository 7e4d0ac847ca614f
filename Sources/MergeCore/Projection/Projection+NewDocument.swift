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
        return state.holdsVersionAlone ? nil : value.saying(version, like: state)
    }

    /// The content of a profile as a device without a file would write it; `nil` where nothing is known of the profile.
    package static func document(of state: ProfileState) -> JSONDocument? {
        newDocument(of: state).flatMap { try? JSONDocument(parsing: $0.jsonBytes) }
    }
}

extension ProfileState {
    /// Whether all that is known of the profile is the version of its save. No file is written of that: a game would take
    /// it for a save that lost all it had. O(1) where something else comes first, as it nearly always does.
    var holdsVersionAlone: Bool {
        guard let version = upcasters.version?.place else { return false }
        return places.allSatisfy { $0.path.isReserved || $0.path == version }
    }
}

extension JSONValue {
    /// Whether it is more than empty containers: an object counts where one of its members does, an array where it has
    /// elements.
    ///
    /// - Parameter left: A member that does not count, by the names that lead to it; `nil` for none.
    func holdsSomething(besides left: ArraySlice<PathStep>?) -> Bool {
        switch self {
        case .object(let members):
            members.contains { member in
                guard left?.first == .member(member.key) else { return member.value.holdsSomething(besides: nil) }
                let rest = left?.dropFirst() ?? []
                return !rest.isEmpty && member.value.holdsSomething(besides: rest)
            }
        case .array(let elements): !elements.isEmpty
        default: true
        }
    }
}
