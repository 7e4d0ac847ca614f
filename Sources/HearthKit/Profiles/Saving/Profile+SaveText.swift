import LosslessJSON

/// The text of a save, for tools, tests and previews, and for games that keep their file themselves. A ``ProfileStore``
/// does the same for a file.
extension Profile {
    /// The profile that the text of a save holds. A save of an earlier version is migrated first, in memory.
    ///
    /// ```swift
    /// let old = try Player(save: #"{"version": "1", "coins": 12}"#)
    /// ```
    ///
    /// - Throws: ``ProfileError``: ``ProfileError/Code/save`` for a text that is no save of the type,
    ///   ``ProfileError/Code/newer`` and ``ProfileError/Code/migration`` as when a store opens it,
    ///   ``ProfileError/Code/declaration`` for a type that cannot work.
    public init(save text: String) throws(ProfileError) {
        let codec = try ProfileCodec<Self>()
        let document = try codec.document(text)
        self = try codec.snapshot(codec.migrated(document).document).profile
    }

    /// The text of a new save with this profile: the version, and every field that is not at its default.
    ///
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/value`` that names the field for a value that no save can
    ///   hold, with ``ProfileError/Code/declaration`` for a type that cannot work.
    public var saveText: String {
        get throws(ProfileError) { String(decoding: try ProfileCodec<Self>().newText(self), as: UTF8.self) }
    }

    /// The text of a former save with this profile written into it. What the type does not know stays, and so does every
    /// byte that no change touches.
    ///
    /// - Parameter former: A save of any version that ``init(save:)`` reads.
    /// - Throws: As ``init(save:)`` and ``saveText``.
    public func saveText(over former: String) throws(ProfileError) -> String {
        let codec = try ProfileCodec<Self>()
        let document = try codec.document(former)
        let snapshot = try codec.snapshot(codec.migrated(document).document)
        return String(decoding: try snapshot.edited(self).text, as: UTF8.self)
    }
}

extension ProfileCodec {
    fileprivate func document(_ text: String) throws(ProfileError) -> JSONDocument {
        do {
            return try JSONDocument(parsing: Array(text.utf8))
        } catch {
            throw ProfileError(.save, "\(Subject.self)", "the text is no JSON: \(error)")
        }
    }
}
