import LosslessJSON
package import MergeCore

/// The first files of many profiles, made together: a transaction that binds them and holds their intents, one sync of each
/// folder, a transaction for the end. One after the other each of them would need all of that for itself.
///
/// The steps are those of a projection (article Durability), each done for all files before the next one: so a crash at any
/// of them leaves of each file what that table names, and the next start finishes or undoes it.
extension ProfileEngine {
    /// A file that is to be made.
    package struct NewFile: Sendable {
        package let profile: ProfileID
        package let path: String
        /// The first file, made in the form of another device's file; `nil` where no other device had the form.
        package let form: NewFileForm?
        /// Makes the name of the temporary file unique.
        package let tag: UInt64

        package init(profile: ProfileID, path: String, form: NewFileForm?, tag: UInt64) {
            (self.profile, self.path, self.form, self.tag) = (profile, path, form, tag)
        }
    }

    /// A file whose intent is stored.
    private struct Planned {
        let index: Int
        let file: NewFile
        let intent: Intent
        let bytes: [UInt8]
    }

    /// Makes the content of a profile's first file, written like a save of another device; `nil` where that save cannot be
    /// used. The profile need not have a file here yet.
    package func newFileForm(of id: ProfileID, like form: [UInt8]) -> NewFileForm? {
        guard let profile = readable(id), let bytes = firstFile(profile, like: form) else { return nil }
        return NewFileForm(form: form, vector: profile.vector, bytes: bytes)
    }

    /// Binds profiles that have no file here to paths at which nothing is, and writes their files. A profile that is bound
    /// to its path already, and whose file was never written, is taken as well.
    ///
    /// - Returns: For each the reason why it has no file; `nil` where it has. A profile whose file could not be made is not
    ///   bound either, unless not even that could be stored.
    package mutating func makeFiles(_ files: [NewFile], now: Moment) -> [String?] {
        var faults = [String?](repeating: nil, count: files.count)
        let planned = planFiles(files, &faults, now: now)
        var placed = planned
        stage(&placed, &faults)
        place(&placed, &faults)
        for each in planned where faults[each.index] != nil { letGo(of: each) }
        sync(&placed, &faults)
        finish(placed, &faults, now: now)
        return faults
    }

    // MARK: Steps 2 to 4: what is to be written

    private mutating func planFiles(_ files: [NewFile], _ faults: inout [String?], now: Moment) -> [Planned] {
        let former = files.map { profiles[$0.profile] }
        var folders = RestoredCopies()
        var planned: [Planned] = []
        batch = Batch()
        for (index, file) in files.enumerated() {
            let before = batch
            do {
                let (intent, bytes) = try plan(file, &folders, now: now)
                planned.append(Planned(index: index, file: file, intent: intent, bytes: bytes))
            } catch {
                profiles[file.profile] = former[index]
                batch = before
                faults[index] = "\(error)"
            }
        }
        do {
            try commitBatch()
            return planned
        } catch {
            for (file, profile) in zip(files, former) { profiles[file.profile] = profile }
            for each in planned { faults[each.index] = error.message }
            return []
        }
    }

    private mutating func plan(
        _ file: NewFile, _ folders: inout RestoredCopies, now: Moment
    ) throws -> (Intent, [UInt8]) {
        let path = file.path
        if let other = profile(at: path), other != file.profile {
            throw AdoptFault("\(path) is the file of \(profiles[other]!.name)")
        }
        guard try files.identity(of: path) == nil else { throw AdoptFault("something is at \(path) by now") }
        guard !folders.mayHoldCopies(beside: path, files) || RestoredCopy.names(beside: path, files).isEmpty else {
            throw AdoptFault("beside \(path) is a copy that its game restored; start the game first")
        }
        if profiles[file.profile]?.file.path != path { try bind(file.profile, to: path, now: now) }
        guard var profile = profiles[file.profile], wantsProjection(profile), profile.file.intent == nil else {
            throw AdoptFault("it cannot be written now; 'hearth status' says why")
        }
        try profile.read()
        guard profile.baseHistory.newest == nil else { throw AdoptFault("it had a file here before") }
        let made = file.form.flatMap { $0.vector == profile.vector ? $0.bytes : nil }
        guard let bytes = try made ?? merged(&profile, onto: nil, like: file.form?.form)?.bytes else {
            throw AdoptFault("nothing of it is shared yet")
        }
        profile.noteUnreadWhereTouched()
        let intent = intent(profile, nil, with: bytes, tag: file.tag)
        try commit(&profile, intent: .set(intent))
        return (intent, bytes)
    }

    // MARK: Steps 5 to 8: the files

    private func stage(_ planned: inout [Planned], _ faults: inout [String?]) {
        planned.removeAll { each in
            do throws(StorageFault) {
                try files.stage(each.bytes, as: each.intent.temporary, beside: each.file.path)
                return false
            } catch {
                faults[each.index] = error.message
                return true
            }
        }
        sync(&planned, &faults)
    }

    private func place(_ planned: inout [Planned], _ faults: inout [String?]) {
        planned.removeAll { each in
            do throws(StorageFault) {
                // `place` refuses where a file exists, so no write between the look and this call is overwritten.
                try files.place(each.intent.temporary, at: each.file.path)
                return false
            } catch {
                faults[each.index] = error.message
                return true
            }
        }
    }

    /// Lets go of a file that was not placed, so that it can be asked for anew. Where that cannot be stored, the profile
    /// stays bound with its intent, and the next look at the file settles both.
    private mutating func letGo(of each: Planned) {
        guard var profile = profiles[each.file.profile] else { return }
        do throws(StorageFault) {
            try abandon(&profile, each.file.path)
            try unbind(profile.id)
        } catch {
            profiles[profile.id]?.trouble = error.message
        }
    }

    /// Makes the folders of all files durable. Where that fails, the intents say what may be there.
    private func sync(_ planned: inout [Planned], _ faults: inout [String?]) {
        do {
            try files.syncFolders(of: planned.map(\.file.path))
        } catch {
            for each in planned { faults[each.index] = error.message }
            planned = []
        }
    }

    // MARK: Steps 9 and 10: the end

    private mutating func finish(_ planned: [Planned], _ faults: inout [String?], now: Moment) {
        let former = planned.map { profiles[$0.file.profile] }
        batch = Batch()
        for each in planned {
            guard var profile = profiles[each.file.profile] else { continue }
            do {
                try finish(&profile, each.file.path, each.intent, each.bytes, nil, now: now)
                // The version was not known before there was a snapshot.
                profile.noteVersionStatus()
                profiles[profile.id] = profile
            } catch {
                faults[each.index] = error.message
            }
        }
        do {
            try commitBatch()
        } catch {
            // The files are there, and their intents say so to the next look.
            for (each, profile) in zip(planned, former) {
                profiles[each.file.profile] = profile
                faults[each.index] = error.message
            }
        }
    }
}

/// The content of a profile's first file here, made before the profile is bound to it.
package struct NewFileForm: Sendable {
    /// The save of another device in whose form it was made.
    package let form: [UInt8]
    /// The writes that it shows.
    package let vector: VersionVector
    package let bytes: [UInt8]

    package init(form: [UInt8], vector: VersionVector, bytes: [UInt8]) {
        (self.form, self.vector, self.bytes) = (form, vector, bytes)
    }
}

/// Which folders may hold restored copies. Each is listed once, since thousands of saves may be in one.
private struct RestoredCopies {
    private var folders: [Substring: Bool] = [:]

    mutating func mayHoldCopies(beside path: String, _ files: some ProfileFiles) -> Bool {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        if let known = folders[folder] { return known }
        let holds = !files.stagedNames(beside: path, prefix: RestoredCopy.prefix).isEmpty
        folders[folder] = holds
        return holds
    }
}
