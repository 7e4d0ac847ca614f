import MergeCore
import ProfileKeeping
import SyncProtocol

/// Restoring many saves into a folder.
extension HouseholdAgent {
    mutating func restoreMany(_ call: Call<RestoreManyRequest>, _ request: RestoreManyRequest, now: Moment) {
        // The saves may still be on their way: a device was just paired, or is being dialled.
        plan.hurryAll(now: now.monotonic)
        manyRestores.add(call, request, now: now.monotonic)
    }

    /// Goes on with the restore of many saves that is in work. What takes time is done in an event of the timer alone: so
    /// the question of the event before is on its way to the other device meanwhile.
    mutating func tickManyRestores(now: Moment, isTimer: Bool) {
        guard let call = manyRestores.current?.call else { return }
        manyRestores.deadline = nil
        if manyRestores.current?.left == nil { gather(now: now) }
        guard manyRestores.current?.call == call else { return }
        if isTimer { takeFormsOfMany(now: now) }
        if isTimer, manyRestores.current?.isGroupDue == true { makeGroup(now: now) }
        beginNextSaves(now: now)
        tellProgress(call)
        if let run = manyRestores.current, run.isGroupDue || !run.texts.isEmpty {
            manyRestores.deadline = now.monotonic + ManyRestores.pause
        }
        guard let run = manyRestores.current, run.isOver else { return }
        manyRestores.endCurrent(now: now.monotonic)
        answer(call) { _ in RestoredSaves(saves: run.outcomes) }
    }

    private mutating func tellProgress(_ call: Call<RestoreManyRequest>) {
        let progress = manyRestores.update { run -> RestoreProgress? in
            guard run.left != nil, run.told != run.outcomes.count else { return nil }
            run.told = run.outcomes.count
            return RestoreProgress(done: run.told, of: run.total)
        }
        if let progress { tell(call) { _ in progress } }
    }

    // MARK: Which saves

    /// Waits until the other devices have said what they have, and plans where each save goes.
    private mutating func gather(now: Moment) {
        let known = engine.ids.count
        manyRestores.update { if known > $0.known { ($0.known, $0.knownSince) = (known, now.monotonic) } }
        guard let run = manyRestores.current else { return }
        guard run.nextLook <= now.monotonic else { return manyRestores.deadline = run.nextLook }
        if now.monotonic < run.knownSince + ManyRestores.patience, isMoreComing(run, now: now) {
            let next = now.monotonic + ManyRestores.look
            manyRestores.update { $0.nextLook = next }
            manyRestores.deadline = next
            return
        }
        let (chosen, unknown) = chosen(run.request.profiles)
        let folder = Self.plain(folder: run.request.folder)
        let held = engine.profiles
        if chosen.contains(where: { held[$0]?.file.path == nil }) {
            do throws(StorageFault) {
                try engine.files.makeFolder(of: folder + "/.hearth-folder")
            } catch {
                // That is one reason, and not one for each of the saves.
                manyRestores.endCurrent(now: now.monotonic)
                return fail(run.call.id, .failed, "no save can be put into \(folder): \(error.message)")
            }
        }
        let engine = engine
        let saves = chosen.map {
            RestorePlan.Save(id: $0, name: held[$0]!.name, sharedFileName: held[$0]!.sharedFileName)
        }
        let paths = RestorePlan.paths(of: saves, in: folder) { path, id in
            engine.profile(at: path).map { $0 != id } ?? false
        }
        manyRestores.update {
            $0.outcomes = unknown
            $0.left = zip(chosen, paths).map { ManyRestores.Save(id: $0, path: $1) }[...]
            $0.total = unknown.count + chosen.count
        }
    }

    /// Whether a save may come that is not known here yet.
    private func isMoreComing(_ run: ManyRestores.Run, now: Moment) -> Bool {
        guard port != nil, household.roster.members.count > 1 else { return false }
        if let names = run.request.profiles, names.allSatisfy({ !profiles(named: $0).isEmpty }) { return false }
        let all = links.all
        if all.contains(where: { $0.live.answers && $0.live.link.mayBringMore }) { return true }
        let mayLink = plan.mayLink(until: now.monotonic + FirstFiles.contact, connected: links.connectedKeys)
        return (mayLink || all.contains { !$0.live.isUp }) && now.monotonic < run.began + FirstFiles.contact
    }

    /// The profiles that are asked for, and the names that mean none of them, or several.
    private func chosen(_ names: [String]?) -> (profiles: [ProfileID], unknown: [RestoredSave]) {
        let held = engine.profiles
        guard let names else {
            let all = engine.ids.filter { held.isOffered($0) }.map { (name: held[$0]!.name, id: $0) }
            return (all.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map(\.id), [])
        }
        var (chosen, seen, unknown) = ([ProfileID](), Set<ProfileID>(), [RestoredSave]())
        for name in names {
            let all = profiles(named: name)
            if all.count == 1 {
                if seen.insert(all[0]).inserted { chosen.append(all[0]) }
                continue
            }
            let why =
                all.isEmpty
                ? unknownProfile(name, in: "in this household")
                : "several saves are called \(name); name one by its id: "
                    + all.map { "\($0) (\(whereabouts($0)))" }.joined(separator: ", ")
            unknown.append(RestoredSave(profile: name, id: nil, outcome: .failed, message: why))
        }
        return (chosen, unknown)
    }

    private static func plain(folder: String) -> String {
        var folder = folder
        while folder.hasSuffix("/") { folder.removeLast() }
        return folder
    }

    // MARK: One after the other

    /// Begins the next saves, and notes of which the form has come or will not come.
    private mutating func beginNextSaves(now: Moment) {
        // Not the whole of it: a second owner of its lists would have them copied.
        guard let (began, asking) = manyRestores.current.map({ ($0.began, $0.asking) }) else { return }
        for save in asking where !firstFiles.isAsking(save.id) { formIsSettled(of: save) }
        var begun = 0
        while begun < ManyRestores.begunAtOnce, let next = manyRestores.takeNext() {
            begun += 1
            if let outcome = outcomeBefore(next, now: now) {
                manyRestores.note(outcome)
                continue
            }
            manyRestores.asks(for: next)
            if firstFiles.begin(next.id, patience: FirstFiles.patience, since: began, now: now.monotonic) {
                askNextForForm(next.id, now: now)
            }
            if !firstFiles.isAsking(next.id) { formIsSettled(of: next) }
        }
        if begun == ManyRestores.begunAtOnce {
            manyRestores.deadline = now.monotonic + ManyRestores.pause
        }
    }

    private mutating func formIsSettled(of save: ManyRestores.Save) {
        firstFiles.end(save.id)
        manyRestores.settled(save)
    }

    /// The outcome of a save for which no file is to be made: it has one here, or cannot have one. `nil` for any other.
    private mutating func outcomeBefore(_ save: ManyRestores.Save, now: Moment) -> RestoredSave? {
        guard let held = engine.profiles[save.id], engine.profiles.isOffered(save.id) else {
            return refused(save, "it is not kept in this household any more")
        }
        if let path = held.file.path, path != save.path || held.newestSnapshot != nil {
            return RestoredSave(profile: held.name, id: save.id.description, outcome: .here, file: path)
        }
        if let reason = fileState(of: save.id).reason, held.file.path == nil { return refused(save, reason) }
        if games.hasProcess(save.id, in: engine.profiles) { lookAtProcesses(now: now) }
        if let game = holder(of: save.id) { return refused(save, "\(game) is running; end it, then try again") }
        let alone = "hearth restore \(engine.word(save.id)) --to \(ShellWord.quoted(save.path))"
        if let why = whyNoFile(at: save.path, in: Self.plain(folder: manyRestores.current?.request.folder ?? "/")) {
            return refused(save, "\(why); to put it there all the same: \(alone)")
        }
        // It may lie in a folder of its own below the one that was asked for.
        if manyRestores.current?.request.anyway != true, let other = engine.files.foreignSync(around: save.path) {
            return refused(save, other.refusal(of: save.path))
        }
        do throws(StorageFault) {
            if try engine.files.identity(of: save.path) != nil {
                return refused(save, "a file is there already; to merge the two, after a look at both: \(alone)")
            }
            try engine.files.makeFolder(of: save.path)
        } catch {
            return refused(save, error.message)
        }
        return nil
    }

    /// Links in a folder may lead anywhere, and which of them is followed would be chosen by another device: by the name of
    /// a file.
    private func whyNoFile(at path: String, in folder: String) -> String? {
        var place = folder
        for step in path.dropFirst(folder.count).split(separator: "/") {
            place += "/" + step
            if engine.files.isLink(place) { return "\(place) is a symbolic link" }
        }
        return nil
    }

    private func refused(_ save: ManyRestores.Save, _ why: String) -> RestoredSave {
        RestoredSave(
            profile: engine.profiles[save.id]?.name ?? "\(save.id)", id: save.id.description, outcome: .failed,
            file: save.path, message: why)
    }

    // MARK: Together

    /// Makes the files that are known.
    private mutating func makeGroup(now: Moment) {
        let group = manyRestores.takeGroup()
        let files = group.map {
            ProfileEngine<Files, Store>.NewFile(
                profile: $0.save.id, path: $0.save.path, form: $0.form, tag: random.next())
        }
        let faults = engine.makeFiles(files, now: now)
        for (save, fault) in zip(group.map(\.save), faults) {
            let held = engine.profiles[save.id]
            // It may have been bound before, and written meanwhile.
            let isThere = held?.file.path == save.path && held?.newestSnapshot != nil
            if let fault, !isThere {
                manyRestores.note(refused(save, fault))
                continue
            }
            tried(save.id, .written, now: now)
            manyRestores.note(
                RestoredSave(
                    profile: held?.name ?? "", id: save.id.description, outcome: .restored, file: save.path))
        }
    }
}
