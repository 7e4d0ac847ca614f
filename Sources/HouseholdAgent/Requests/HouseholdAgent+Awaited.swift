import MergeCore
import ProfileKeeping

/// A request that is answered once the first file of a profile on this device is written.
struct AwaitedFile {
    enum Request {
        case restore(Call<RestoreRequest>, note: String?)
        case importing(ImportReport)
        case pull(Call<PullRequest>, RequestID, hurry: Bool)
    }

    var profile: ProfileID
    var request: Request
}

/// Requests that wait until the first file of a profile is written.
extension HouseholdAgent {
    /// Answers a request once the profile's file is written: with this event, or after the form of a first file has come.
    mutating func answerOnceWritten(
        _ id: RequestID, _ request: AwaitedFile.Request, of profile: ProfileID, now: Moment
    ) {
        afterSettling { agent in
            agent.waiting.add(id, AwaitedFile(profile: profile, request: request))
            if !agent.firstFiles.isAsking(profile) { agent.answerAwaited(id, now: now) }
        }
    }

    /// Answers the requests whose file is written, or will not be written.
    mutating func tickAwaitedFiles(now: Moment) {
        for (id, awaited) in waiting.firstFiles.sorted(by: { $0.key < $1.key })
        where !firstFiles.isAsking(awaited.profile) {
            answerAwaited(id, now: now)
        }
    }

    private mutating func answerAwaited(_ id: RequestID, now: Moment) {
        guard let awaited = waiting.firstFiles[id] else { return }
        waiting.end(id)
        let profile = canonicalID(awaited.profile)
        let trouble = engine.profiles[profile]?.trouble
        switch awaited.request {
        case .restore(let call, let note):
            if let trouble { return fail(id, .failed, trouble) }
            answer(call) { ProfileAnswer(profile: $0.report(profile), note: note) }
        case .importing(var report):
            if let trouble { return fail(id, .failed, "the import is done, but \(trouble)") }
            report.id = profile.description
            report.file = engine.profiles[profile]?.file.path
            report.handle = otherHandle(profile)
            answerImport(id, report)
        case .pull(let call, let subscription, let hurry): pull(call, subscription, hurry: hurry, now: now)
        }
    }
}
