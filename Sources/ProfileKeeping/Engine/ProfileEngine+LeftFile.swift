import LosslessJSON
package import MergeCore

/// The content of a profile's file at the end of its binding, kept in the record. Where the profile is bound to the same path again, what the
/// file holds by then is mostly play since that time, and counts as such. Without this it could only be merged as a copy: if
/// two devices had played meanwhile, a counter would get the larger of both amounts.
struct LeftFile {
    let path: String
    /// The last save of the game, unless ``newest`` is that one.
    let game: BaseHistory.Snapshot?
    /// The content that Hearth saw in the file last.
    let newest: BaseHistory.Snapshot

    fileprivate static let notes = NoteSpace("left-file")

    /// - Parameter history: The snapshots at the end of the binding; `nil` where there are none.
    init?(path: String, _ history: BaseHistory) {
        guard let newest = history.newest else { return nil }
        self.path = path
        self.newest = newest
        game = newest.kind == .game ? nil : history.candidates.first { $0.kind == .game }
    }

    /// Reads the notes of a profile; `nil` where there are none, or they are damaged.
    init?(of profile: ProfileID, in store: some Record) throws(StorageFault) {
        let notes = try store.notes(prefix: Self.notes.key(profile))
        func snapshot(_ kind: BaseHistoryRow.Kind, _ name: String) -> BaseHistory.Snapshot? {
            guard let bytes = notes[Self.notes.key(profile, name)],
                let vector = notes[Self.notes.key(profile, "\(name)-vector")].flatMap({ VersionVector(blob: $0) })
            else { return nil }
            return BaseHistory.Snapshot(kind: kind, bytes: bytes, vector: vector)
        }
        guard let path = notes[Self.notes.key(profile, "path")] else { return nil }
        let (game, projected) = (snapshot(.game, "game"), snapshot(.projected, "projected"))
        // Measured against the game's own save, what had come in after it would count as play.
        let isDamaged = projected == nil && notes[Self.notes.key(profile, "projected")] != nil
        guard !isDamaged, let newest = projected ?? game else { return nil }
        self.path = String(decoding: path, as: UTF8.self)
        self.newest = newest
        self.game = projected == nil ? nil : game
    }

    /// The snapshots, as the base of what the game has written since.
    var history: (value: BaseHistory, change: BaseHistory.Change) {
        var history = BaseHistory()
        var changes: [BaseHistory.Change] = []
        for snapshot in [game, newest].compactMap(\.self) {
            changes.append(
                snapshot.kind == .game
                    ? history.appendGame(snapshot.bytes, vector: snapshot.vector)
                    : history.appendProjected(snapshot.bytes, vector: snapshot.vector))
        }
        return (history, changes.dropFirst().reduce(changes[0]) { $0.followed(by: $1) })
    }

    /// The notes of a profile whose file was left, or that has left none.
    static func notes(_ left: LeftFile?, of profile: ProfileID) -> NoteChange {
        let (game, projected) = left?.newest.kind == .game ? (left?.newest, nil) : (left?.game, left?.newest)
        var change = NoteChange(notes.key(profile, "path"), left.map { Array($0.path.utf8) })
        for (name, snapshot) in [("game", game), ("projected", projected)] {
            change.set(notes.key(profile, name), snapshot?.bytes)
            change.set(notes.key(profile, "\(name)-vector"), snapshot?.vector.blob)
        }
        return change
    }
}

extension ProfileEngine {
    /// The profile that had its file at a path until it was released, and has none since; `nil` where there is none, or where
    /// the household has forgotten it or made it one with another one.
    package func profileLeft(at path: String) throws(StorageFault) -> ProfileID? {
        let bytes = Array(path.utf8)
        return try store.notes(prefix: LeftFile.notes.prefix).compactMap { key, left -> ProfileID? in
            guard let (id, name) = LeftFile.notes.parts(key), name == "path", Bytes.equal(left, bytes),
                let held = profiles[id], held.file.path == nil, !held.isForgotten, profiles.target(of: id) == nil
            else { return nil }
            return id
        }.min()
    }

    /// The content that a profile's file had when its binding to a path ended; `nil` where it had none there, or where the file may be
    /// a copy: what it holds is known, is more like what the household has now, or lacks something that was there, as a new
    /// game does.
    func leftFile(of profile: KeptProfile, at path: String) throws(AdoptFault) -> LeftFile? {
        guard self.profile(at: path) == nil else { return nil }
        let left: LeftFile?
        do { left = try LeftFile(of: profile.id, in: store) } catch { throw AdoptFault(error.message) }
        guard let left, left.path == path, let (content, document) = try readDocument(path, profile.state.rules) else {
            return nil
        }
        if Bytes.equal(content.bytes, left.newest.bytes) { return left }
        return isPlay(document, since: left, of: profile) && !showsKnownState(document, of: profile) ? left : nil
    }

    /// Whether a document goes on from what was left, and takes nothing away, rather than from the present state.
    private func isPlay(_ document: JSONDocument, since left: LeftFile, of profile: KeptProfile) -> Bool {
        let rules = profile.state.rules
        guard let held = profile.document(left.newest)?.current(rules),
            !DocumentDiff(from: held, to: document, rules: rules).takesAway
        else { return false }
        guard let present = Projection.document(of: profile.state) else { return true }
        // Of the two, the choice takes the second one unless the first is clearly nearer.
        return BaseChoice(among: [present, held], for: document, rules: rules).base == 1
    }
}
